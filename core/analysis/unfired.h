/* Why a rule does not fire: in every state that an exploration went through, or in one.
 *
 * A rule in text looks at a node and below: each form that a thing had is tried once. A rule in C
 * may look at all of a graph: it is run on whole states, those that its pass went through.
 *
 * Invariant: what is switched off or not allowed is asked about as if it were on. */
#ifndef GRADUS_UNFIRED_H
#define GRADUS_UNFIRED_H

#include "rewrite/things.h"

typedef struct {
    const Thing *thing;
    const Graph *within;
    Node *node;
    u32 step; /* the state: after so many steps */
} RulePlace;

/* One place where the rule does not fire, or would. */
typedef struct {
    RulePlace at;
    bool fires, near; /* near: all but a condition fits */
    char *why;        /* "" if it would */
} Unfired;

typedef struct {
    Exploration *x;
    const RuleSet *rules;
    const Options *options;
    const Rule *k;
    const Thing *only;  /* the node asked about; NULL: all */
    Node *const *roots; /* those of the state asked about, which is that after so many steps; */
    u32 state;          /* NULL: all states */
    VEC(Unfired) found; /* in the order of things */
    bool partly;        /* not all states were tried */
    Arena arena;
} UnfiredQuestion;

/* Fills in `found` and `partly`. */
void unfired_find(UnfiredQuestion *q);
void unfired_free(UnfiredQuestion *q);

#endif
