/* Why a rule does not fire: a verdict for each place that it might concern, over all states that
 * an exploration went through, or in one.
 *
 * A rule in text looks at a node and below: each form that a thing had is tried once, and fits for
 * as long as that form stood. A rule in C may look at all of a graph: it is run on whole states.
 *
 * Invariant: a place is a thing, and gets one verdict, the first that holds; no verdict says only
 * that the rule would fire, and what it names was in the way: the expression is explored again
 * without that. What is switched off or not allowed is asked about as if it were on. */
#ifndef GRADUS_UNFIRED_H
#define GRADUS_UNFIRED_H

#include "rewrite/things.h"

/* In the order in which they are asked for. */
typedef enum {
    VERDICT_FIRED,
    VERDICT_TAKEN, /* it fitted, and a step changed that before it was the rule's turn */
    VERDICT_RULE_OFF,
    VERDICT_PASS_OFF,
    VERDICT_NO_PASS,    /* none of the passes that run tries the rule */
    VERDICT_SATURATION, /* it is of equality saturation alone */
    VERDICT_CLASS,      /* a class that is not allowed */
    VERDICT_LATE,       /* a step made what fits after the last pass that tries the rule */
    VERDICT_NEAR,       /* half of the pattern or more matched, or only a condition failed */
    VERDICT_OTHER
} Verdict;
const char *verdict_word(Verdict v); /* "pass off" */

typedef struct {
    const Thing *thing;
    const Graph *within;
    Node *node;
    u32 step; /* the state: after so many steps */
} RulePlace;

/* A step of the exploration or inside another one. */
typedef struct {
    const Step *step;   /* NULL: none */
    const char *number; /* "4.2" */
    const Node *became; /* what it made of the place, if that is known; or NULL */
} StepAt;

typedef struct {
    RulePlace at;
    Verdict verdict;
    StepAt by;        /* what fired there, took it, or made it */
    const char *pass; /* the one that would have tried the rule; NULL: none */
    u32 shut;         /* classes that are not allowed */
    int matched, of;  /* parts of the pattern; of 0: it is not known (a rule in C) */
    const char *why;  /* the condition that failed; "" if none did */
    bool condition;   /* that is all that was missing */
    bool tested;      /* what was in the way was taken out of it */
} Unfired;

typedef struct {
    Exploration *x;
    const RuleSet *rules;
    const Options *options;
    const Rule *k;
    const Thing *only;  /* the node asked about; NULL: all */
    Node *const *roots; /* those of the state asked about, which is that after so many steps; */
    u32 state;          /* NULL: all states */
    VEC(Unfired) found; /* the best verdicts first: fired ones, what fitted, then by how much */
    bool partly;        /* not all states were tried */
    int behind;         /* how many obstacles were taken out of the way to ask this */
    u32 *trials;        /* how many more explorations that may take; NULL: as many as usual */
    Arena arena;
} UnfiredQuestion;

/* Fills in `found` and `partly`. */
void unfired_find(UnfiredQuestion *q);
void unfired_free(UnfiredQuestion *q);

/* Does it name something without which the rule fires there, or meets the next such thing? */
bool verdict_names_obstacle(const Unfired *u);
/* Takes that out of the way; false: it is nothing that options can say. */
bool verdict_clear_way(const UnfiredQuestion *q, const Unfired *u, Options *o);
/* What was found about the same place in another exploration of the expression; NULL: nothing. */
const Unfired *unfired_said_of(const UnfiredQuestion *q, const Thing *thing);
/* The first pass of the table that tries the rule, or NULL. */
const Pass *pass_trying(const Rule *k);
void pipeline_add_in_order(Pipeline *p, const Pass *more);

/* ---- for unfired.c, verdict.c and verdict_trial.c ---- */

enum { NEVER = UINT32_MAX };
/* A time for which the rule fitted at a thing: in the states [from, to). */
typedef struct {
    RulePlace at;
    u32 from, to; /* NEVER: to the end */
    StepAt maker, taker;
    u32 extra; /* classes of the match, beside the rule's */
} Fitting;
void verdict_find(UnfiredQuestion *q, const Fitting *f, Unfired *out);
/* Those that say what was in the way of a place become `other` where it was not that alone. */
void verdicts_try(UnfiredQuestion *q);
/* What :whynot says of a place (verdict_text.c). */
void unfired_put_reason(Text *out, const UnfiredQuestion *q, const Unfired *u);

#endif
