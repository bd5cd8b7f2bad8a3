/* Passes as data: which rules a pass tries, and when. The table is in core/registry.c.
 *
 * Invariant: what goes through graphs (engine.c, merge.c) knows a pass by its phases only. */
#ifndef GRADUS_PASS_H
#define GRADUS_PASS_H

#include "base/base.h"

typedef struct Engine Engine;

/* A stretch of a pass: what sweeps go through the graph, and which rules look at the whole of it
 * between them; in bodies as outside. */
enum { PHASE_AFTER = 4, PASS_PHASES = 3 };
typedef struct {
    const char *groups; /* whose rules are tried in sweeps: "canonicalize stabilize" */
    const char *before; /* the group of global rules that run before the sweeps, or NULL */
    /* Groups of global rules: when sweeps change nothing more, those of the first group in which
     * one fires; then sweeps again. */
    const char *after[PHASE_AFTER + 1];
    bool runs;     /* makes what only runs: not in graphs whose derivatives are still to come */
    bool shortens; /* takes steps from loops: not where a derivative counts the last ones */
    bool follows;  /* runs only where phases before it changed something */
} Phase;

typedef struct {
    const char *name;
    const char *doc;
    bool (*run)(Engine *e, const Phase *phases);
    Phase phases[PASS_PHASES];
    const char *also; /* groups whose rules sweeps of its own put, beside the phases; or NULL */
    bool aside;       /* it runs only where `:set passes` names it */
    bool tells;       /* its rules in bodies know what the owner does of their parameters */
} Pass;

extern const Pass pass_table[]; /* core/registry.c; ends with a row without a name */
size_t pass_count(void);
const Pass *pass_named(const char *name); /* in the table, or NULL */
/* The first pass that begins with sweeps between which the group, which is no pass, runs; NULL:
 * there is none. */
const char *pass_with_group(const char *name);
/* May a rule of the group fire in the pass? */
bool pass_tries(const Pass *p, const char *group);
/* The same, though nothing else in the pass changes anything. */
bool pass_tries_first(const Pass *p, const char *group);

/* Why a pass ended. */
typedef enum {
    STOP_SATURATED,
    STOP_STEPS,
    STOP_ROUNDS,
    STOP_NODES,
    STOP_TRIES,
    STOP_INTERRUPTED,
    STOP_MEMORY,
    STOP_OFF,
    STOP_BY_HAND /* one may go on */
} StopReason;
const char *stop_name(StopReason r);

#endif
