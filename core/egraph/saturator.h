/* Equality saturation at work: what search.c and saturate.c share. */
#ifndef GRADUS_SATURATOR_H
#define GRADUS_SATURATOR_H

#include "egraph/saturate.h"
#include "rewrite/match.h"

enum { LEVELS = 3 };

/* A rule that finds too much rests for a while, each time longer (the back-off scheduler of egg).
 */
typedef struct {
    const Rule *rule;
    u32 banned, until; /* how often; the iteration in which it takes part again */
    u32 height;
    u32 since;   /* when it was last searched everywhere */
    size_t seen; /* terms that there were then */
} Searched;

typedef struct {
    EGraph g;
    Engine *e;
    RuleSet *rs;
    const Saturating *how;
    CostModel model;
    VEC(Searched) rules; /* those that are searched */
    u32 groups;          /* those whose rules in C are tried at each new term */
    u64 *applied;        /* matches that were applied, by hash; open addressing */
    size_t napplied, capplied;
    VEC(EMatch) found;          /* of one rule */
    u32 most, *changed[LEVELS]; /* by class: when it, or what is so far below it, last changed */
    u64 finds;
    size_t tried; /* terms at which rules in C were tried */
    Arena arena;  /* of matches */
    Growth growth;
    bool equate; /* stops when the two roots are equal */
    bool full;   /* the limit of nodes is met */
} Saturator;

/* The rules that take part. */
void saturator_choose_rules(Saturator *s);
/* Searches, applies what was found, restores congruence; *matches: how many were new. */
void saturator_iterate(Saturator *s, u32 round, u32 *matches);
/* Nothing is new: rules that rest need not any longer. Is there one that did not try often, and
 * *some: one at all? */
bool saturator_wake(Saturator *s, u32 round, bool *some);
/* What a match puts in place of its left side, of the same type; or NULL. */
Node *saturator_right_side(Saturator *s, const EMatch *m, Text *why, u32 *extra);

#endif
