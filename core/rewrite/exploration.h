/* An expression taken through the pipeline, with all its steps. */
#ifndef GRADUS_EXPLORATION_H
#define GRADUS_EXPLORATION_H

#include "graph/collect.h"
#include "rewrite/options.h"
#include "rewrite/steps.h"

typedef struct {
    const char *name;
    u32 first_step, steps; /* in the log */
    u32 nodes_before, nodes_after;
    StopReason stop;
    double seconds;
    char *told; /* what it has seen, or NULL */
} PassRun;

/* "9.1": the first step inside step 9. A last 0 is the state before the first one there. */
enum { PLACE_DEPTH = 16 }; /* bodies in bodies: as many as anybody writes */
typedef struct {
    u32 n;
    u32 at[PLACE_DEPTH];
} Place;

/* One expression taken through the pipeline. */
typedef struct {
    Store *st;
    struct Provenance
        *provenance;           /* names of its states; refers to the one current when it began */
    struct Provenance *around; /* that one */
    int nroots;
    Node **start, **roots; /* before and after */
    StepLog log;
    LogList inner_logs; /* of bodies; steps refer to them, several to one */
    MAP(const Step *, Opened *)
    opened; /* Step -> Opened: its child steps, made when they were first asked for */
    VEC(PassRun) passes;
    RuleCounts counts; /* bodies included */
    Numbering numbering;
    struct Things *things; /* NULL until asked for (things.h) */
    Place at;              /* where `:step step=+1` and the like stand; n = 0: at the start */
    bool failed;
} Exploration;

/* Rule k alone on copies of the roots, whatever is switched off or not allowed, `limit` steps at
 * most; what refuses goes to `why` (may be NULL). Free with exploration_clear. */
void explore_rule(Exploration *x, Store *st, const RuleSet *rs, const Options *options,
                  const Rule *k, int n, Node *const *roots, u32 limit, Refusals *why);
/* Runs the pipeline on roots. Free with exploration_free. From here on its provenance is the
 * current one. */
Exploration *explore(Store *st, const RuleSet *rs, const Options *options, int nroots,
                     Node *const *roots);
void exploration_free(Exploration *x);
/* One without steps. The same holds for it. */
Exploration *exploration_new(Store *st, int nroots, Node *const *roots);
/* What leads on from where x ends (more->start is x->roots): its steps are copied behind those of
 * x, whose end becomes that of `more`. */
void exploration_append(Exploration *x, const Exploration *more);
/* Frees what it refers to, not x itself. */
void exploration_clear(Exploration *x);
/* The child steps of a step of it, made once; they live as long as x. NULL: it has none. */
const Opened *exploration_opened(Exploration *x, const Step *s);
void exploration_collect(Exploration *x, Collection *c); /* marks what it refers to */

#endif
