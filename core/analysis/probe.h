/* Values of nodes: of those of a graph, as they stand. loop_probe.h has those of a body at given
 * steps.
 *
 * Invariant: nothing is rewritten but that derivatives are expanded, so a value is that of the node
 * itself. Where the values of inputs come from, and what runs programs, is the caller's: an
 * Evaluator (session_evaluator gives that of a session). */
#ifndef GRADUS_PROBE_H
#define GRADUS_PROBE_H

#include "exec/plan.h"
#include "rewrite/options.h"
#include "rewrite/rules.h"

typedef struct {
    Store *st;
    const RuleSet *rules; /* those that expand derivatives, under these options */
    const Options *options;
    u32 plan_flags; /* PLAN_... */
    void *ctx;
    /* Runs a program; leaves take their tensors from `values` (may be NULL) first. Ends with the
     * error "work" after so much work (VmEnv.work_limit; 0: no limit). false after a diagnostic. */
    bool (*run)(void *ctx, Program *p, const TensorMap *values, u64 work, Tensor **out);
    bool (*has_value)(void *ctx, const Node *leaf); /* an input, a shared variable or a size */
    void (*progress)(void *ctx, double began, double fraction); /* session_progress */
} Evaluator;

/* at[i] gets a reference to the value of nodes[i], NULL for NULL; `values` (may be NULL): Node ->
 * Tensor*, of leaves. false after a diagnostic: then all are NULL. */
bool probe_nodes(const Evaluator *e, size_t n, Node *const *nodes, const TensorMap *values,
                 Tensor **at);
/* The same with the error "work" after so much of it. */
bool probe_limited(const Evaluator *e, size_t n, Node *const *nodes, const TensorMap *values,
                   u64 work, Tensor **at);
void probe_release(Tensor **at, size_t n);

/* The same of those nodes (NULLs are fine) that depend on nothing unknown: no input without a
 * value, no parameter of an inner graph. What fails or needs more than `work` leaves all without a
 * value, quietly: false. */
bool probe_known(const Evaluator *e, size_t n, Node *const *nodes, u64 work, Tensor **at);
/* The value of a size or of another number, if that is known without much work: else false. */
bool probe_number(const Evaluator *e, Node *n, double *x);

/* A leaf without a value that the roots need; NULL: there is none. */
Node *probe_missing(const Evaluator *e, int n, Node *const *roots);

/* How many steps a scan takes, and whether its `until` ended it. false after a diagnostic. */
bool probe_steps(const Evaluator *e, Node *scan, i64 *steps, bool *stopped);

#endif
