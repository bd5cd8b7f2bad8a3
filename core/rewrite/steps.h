/* The record of every step.
 *
 * Invariant: a graph changes only through a recorded step, and replaying the steps of
 * an exploration by substitution gives exactly the graphs that the engine saw. */
#ifndef GRADUS_STEPS_H
#define GRADUS_STEPS_H

#include "graph/node_map.h"
#include "rewrite/rules.h"

typedef struct StepLog StepLog;
typedef SET(const StepLog *) LogSet;
typedef struct {
    u32 seq;
    u32 time; /* graph/provenance.h */
    const char *pass;
    const Rule *rule;
    bool nested; /* of its changes some stand below others */
    bool again;  /* the same change as an earlier step: the node came up once more */
    int nchanges;
    Change *changes;
    /* Classes beyond the rule's: a match of part of a sum or product re-associates it; the
     * derivative of another form of a function: HAZARD_DERIVED. */
    u32 extra;
    u32 nrecords;
    DerivativeRecord *records; /* of the expansion of a derivative, in the graph after it */
    const char *evidence;      /* conditions that let it fire, or NULL */
    StepLog *inner;            /* the body's own steps, for a rewrite inside an inner graph */
    Graph *inner_before, *inner_after;
    double seconds; /* matching and building, rules tried in vain at the node included */
} Step;
/* A node that became another because its operands did, after so many steps. */
typedef struct {
    Node *before, *after;
    u32 step;
} Move;
/* The roots when a sweep began, after so many steps: replays start from the nearest. */
typedef struct {
    u32 step;
    Node **roots;
} SweepStart;
struct StepLog {
    VEC(Step) at;
    VEC(Move) moves;
    VEC(SweepStart) sweeps;
    NODE_MAP(u32) last;  /* node -> place + 1 of the latest step that replaced it */
    Arena arena;         /* changes, evidence, roots */
    const Graph *within; /* the graph over whose parameters the nodes are; NULL: the outermost */
};

typedef VEC(StepLog *) LogList;
void loglist_free(LogList *l);

void steplog_free(StepLog *log);
/* How long it is between two sweeps, and back to that: what came later was never recorded. */
typedef struct {
    size_t steps, moves, sweeps;
} LogMark;
LogMark steplog_mark(const StepLog *log);
void steplog_cut(StepLog *log, LogMark mark);
u32 step_classes(const Step *s);      /* and HAZARD_UNTRIED, if some rule of it is */
const char *step_rule(const Step *s); /* the rule's name */
const char *step_mark(const Step *s); /* " (untried)", or nothing */

/* The rules of a log in the order of their first steps, each once, by name. */
typedef struct {
    const char *rule;
    u32 times;
    u32 classes; /* of any of its steps */
} RuleFired;
typedef VEC(RuleFired) RulesFired;
/* `inside`: of a step on a body those inside count, however deep, of each body once; else it is one
 * of the rule "inner". Freed with vec_free. */
void steplog_fired(const StepLog *log, bool inside, RulesFired *out);

/* ---- a step opened (open.c) ---- */

/* The child steps of a step whose rule can be opened (open.h): from the nodes it replaced to what
 * it put there, part by part, made on demand (exploration_opened). The nodes are the roots of the
 * child states. A child on a loop may have steps inside, on the loop's body. */
typedef struct {
    StepLog log;
    LogList inner; /* owns the logs of bodies */
    int n;
    Node **start;
} Opened;
bool step_opens(const Step *s); /* has child steps */
/* false: it has none. Freed with opened_free in either case. */
bool step_open(Store *st, const Step *s, Opened *out);
void opened_free(Opened *o);

/* What rules did. */
typedef struct {
    u32 fired, failed;
    double seconds, failed_seconds; /* of tries that fired, and of those that did not */
} RuleTime;
typedef struct {
    VEC(u32) fired;      /* how often, by Rule.id */
    VEC(RuleTime) times; /* by Rule.id, if Options.timed */
    u64 tries;           /* in the pass at hand */
} RuleCounts;
void rule_counts_add(RuleCounts *c, const Rule *r, u32 times);
void rule_counts_time(RuleCounts *c, const Rule *r, bool fired, double seconds);
void rule_counts_free(RuleCounts *c);

#endif
