/* Equality saturation at work: what search.c and saturate.c share. */
#ifndef GRADUS_SATURATOR_H
#define GRADUS_SATURATOR_H

#include "egraph/saturate.h"
#include "rewrite/match.h"

/* A rule that finds too much rests for a while, each time longer (the back-off scheduler of egg).
 */
typedef struct {
    const Rule *rule;
    u32 banned, until; /* how often; the iteration in which it takes part again */
    u32 height;
    u64 needs[OP_WORDS];
    u32 since, before; /* when it was last searched for everywhere; and the time before that */
} Searched;

typedef struct SaturatorForms SaturatorForms; /* forms.c */

typedef struct {
    EGraph g;
    Engine *e;
    const RuleSet *rs;
    const Options *options;
    const Saturating *how;
    CostModel model;
    VEC(Searched) rules; /* those that are searched */
    bool *at_terms;      /* by place in the rule set: it is tried at each new term, */
    u32 groups;          /* being of one of these */
    u64 *applied;        /* matches that were applied, by hash; open addressing */
    size_t napplied, capplied;
    VEC(EMatch) found; /* of one rule */
    u32 most;
    u32 high[OP_COUNT];        /* of rules with that operator at their root the highest one */
    FreshList fresh[OP_COUNT]; /* e-nodes that changed since the last iteration */
    u32 lately;                /* since when */
    u64 finds;
    double search_seconds; /* of the last iteration */
    TermList later;        /* terms that changed while rules in C were tried, or since */
    size_t tried;          /* terms at which rules in C were tried */
    Arena arena;           /* of matches */
    VEC(Arena) others;     /* of those of other e-graphs that steps refer to */
    SaturatorForms *forms; /* NULL: none was asked for yet */
    Growth growth;
    bool equate;  /* stops when the two roots are equal */
    bool full;    /* the limit of nodes is met */
    bool careful; /* something is decided by a value in it: no steps of class O */
    bool closed;  /* no terms are added: only what is there is found equal */
    bool linked;  /* every two congruent terms are, for proofs */
} Saturator;

void saturator_open(Saturator *s, Engine *e);
void saturator_close(Saturator *s);
/* The rules that take part. */
void saturator_choose_rules(Saturator *s);
/* May it use a rule of these classes? */
bool saturator_may_use(const Saturator *s, u32 classes);
/* Searches, applies what was found, restores congruence; *matches: how many were new. */
void saturator_iterate(Saturator *s, u32 round, u32 *matches);
/* Nothing is new: rules that rest need not any longer. Is there one that did not try often, and
 * *some: one at all? */
bool saturator_wake(Saturator *s, u32 round, bool *some);
/* States of a proof that come again: what lies between is no part of it. */
void saturator_cut_detours(Saturator *s, Proof *p, int n, Node *const *roots);
/* May steps that take an infinity or an error away be taken back? */
bool saturator_is_free(const Saturator *s);
/* What the program may become, as exactly as is worth it; the e-graph is rebuilt. */
void saturator_open_onward(Saturator *s, Onward *o);
/* The place of a step from right to left that could turn a number into nan, or a value into an
 * error: not in a program that is to run; or the number of steps. */
size_t saturator_one_way_step(const Saturator *s, const Proof *p);
/* The rule of a step; read from right to left it is another rule. */
const Rule *saturator_rule_of(const Saturator *s, const ProofStep *p);
/* Fills the list that how->several asks for. `to` has the form that was found to be best; that of
 * the list which is to be chosen replaces it, with its proof. False: there is no such a one.
 * (several.c) */
bool saturator_several(Saturator *s, int n, Node *const *roots, Node **to, Proof *proof);
/* Makes the proof shorter, if there is a shorter way between its own terms (shorten.c). */
void saturator_shorten(Saturator *s, int n, Node *const *from, Node *const *to, bool onward,
                       Proof *proof);
/* Steps that make two sides one: each changes one of them, where there is such a chain (sides.c).
 */
bool saturator_prove_equal(Saturator *s, Node *const *sides, Proof *proof);
/* Is it a number with few digits, binary? Sums and products of such are exact. */
bool saturator_is_short(const Node *n);
/* Where what classes know leaves one number, they are it, by that rule (NULL: not allowed). */
void saturator_put_points(Saturator *s, const Rule *rule);
/* What a match puts in place of its left side, of the same type; or NULL. With `known` its guard
 * may rest on what classes know: if it does, the evidence goes there, and what that rests on to
 * *extra.
 */
Node *saturator_right_side(Saturator *s, const EMatch *m, Text *why, u32 *extra, Text *known);

#endif
