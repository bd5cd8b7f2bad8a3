/* What running a program costs: predicted for each instruction from the types of its operands
 * (ops/cost.h), or measured while it runs.
 *
 * Invariant: a prediction is counted, never timed, and so the same on every machine; what is
 * measured never changes a value. Both are of the virtual machine. */
#ifndef GRADUS_EXEC_COST_H
#define GRADUS_EXEC_COST_H

#include "exec/vm.h"
#include "ops/cost.h"

#define NO_ROW UINT32_MAX

/* One instruction. What it runs in other blocks (a loop its body) has rows of its own. */
typedef struct {
    const Node *node;   /* that it computes */
    const Graph *graph; /* that this is a node of; NULL: the outermost */
    u32 parent;         /* the row that runs its block; NO_ROW: none, or it is run nowhere */
    bool scalar;        /* on registers: its time is not measured by itself */
    bool loop;
    bool trace;                          /* it keeps a row of a trace */
    double calls, flops, bytes, seconds; /* in all calls */
} CostRow;

typedef struct {
    u32 n;
    CostRow *rows;
    u32 *order; /* rows that compute something, each after the one that runs it */
    u32 norder;
    double flops, bytes, seconds, kernels; /* kernels: calls of rows that are no scalars */
    double peak; /* bytes of tensors at the same time, beside those of inputs */
} ProgramCost;

/* `size`: the value of a name, or of a node outside of loops, with `ctx`. */
void program_cost(const Program *p, AtomNumber size, void *ctx, ProgramCost *out);
void program_cost_free(ProgramCost *c);

/* ---- measured ---- */

typedef struct {
    u64 calls, steps; /* of loops: in all calls */
    u64 taken[2];     /* branches: how often each ran */
    double seconds;   /* without what ran inside that has a row of its own */
} ProfileRow;

/* Of one run or several; rows are those of ProgramCost. */
typedef struct Profile {
    ProfileRow *rows;
    const u32 *first; /* by block: its first row */
    /* under way: what the rows inside took */
    double inside;
    u64 steps_inside;
} Profile;

/* Makes the program measure itself where VmEnv.profile is given. Once, for a program that is run by
 * the virtual machine alone. */
void program_profile(Program *p);
void profile_begin(const Program *p, Profile *out);
void profile_free(Profile *p);

/* What an operator's row took, those on scalars by their part in what their block took beside the
 * rest: seconds[row], calls[row], both of c->n. */
void profile_share(const Program *p, const Profile *f, const ProgramCost *c, double *seconds,
                   double *calls);

/* The nodes that a row computes, each with its part of the row's work: those of a fused group. */
typedef void (*CostPart)(void *ctx, const Node *n, double part);
void cost_parts(const CostRow *row, CostPart each, void *ctx);

#endif
