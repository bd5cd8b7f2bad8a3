/* From a graph to a linear program: what is needed, in which order, and which use of
 * a value is its last.
 *
 * Invariant: the same roots give the same program on every run. A program refers to
 * nodes and constants of its Store and must not outlive it. */
#ifndef GRADUS_PLAN_H
#define GRADUS_PLAN_H

#include "graph/store.h"

typedef struct Program Program;

enum {
    PLAN_PLAIN = 1,     /* no superinstructions: one instruction per operation */
    PLAN_UNORDERED = 2, /* readers of an array are not moved before the update of it in place */
    PLAN_UNCOUNTED = 4  /* counters of loops are states like others, `go` is tested as it stands */
};

/* Roots: nodes with tensor types (tuples already projected). NULL after a diagnostic;
 * a derivative left in the graph is "not-expanded". */
Program *plan_build(Store *st, int nroots, Node *const *roots);
Program *plan_build_with(Store *st, int nroots, Node *const *roots, u32 flags);
void program_free(Program *p); /* NULL is fine */
/* Puts in where values may be lent (VmEnv.lend): before its last computation, if that can change
 * an operand in place and nothing can fail once it has begun to. Once, after plan_build. */
void program_lends(Program *p);
int program_roots(const Program *p); /* how many results a run gives */
/* A readable listing of all blocks; deterministic. */
void program_print(Text *out, const Program *p);
/* Inner blocks included. */
typedef struct {
    u32 blocks, instructions, registers;
} ProgramStats;
ProgramStats program_stats(const Program *p);

#endif
