/* What is different between two states of an exploration: what only one of them has, and what is in
 * both but does or reads something else, inner graphs included. Nodes are compared as things
 * (rewrite/things.h); what is written where it is used is left out.
 *
 * Invariant: the exploration's things have been found for both states (things_of_states). */
#ifndef GRADUS_STATE_DIFF_H
#define GRADUS_STATE_DIFF_H

#include "graph/walk.h"
#include "rewrite/things.h"

typedef struct {
    Standing before, after;
} ChangedNode;

typedef struct {
    StandingVec removed, added; /* each in the order of its state */
    VEC(ChangedNode) changed;   /* in the order of the state after */
    bool other_results;
} StateDiff;

void state_diff(Exploration *x, Node *const *before, Node *const *after, StateDiff *out);
void state_diff_free(StateDiff *d);

/* ---- the life of one node ---- */

/* What a thing became by a step, and what it was before that: of the same thing, else what that was
 * made of (NULL: nothing). */
typedef struct {
    const Occurrence *at, *was;
    const Graph *within, *was_within; /* the first graphs that they stood in; NULL: the outermost */
    bool differs; /* it does or reads something else than before, in the same graph */
} LifeStep;

typedef struct {
    VEC(LifeStep) steps;     /* the last one first */
    const Occurrence *first; /* where it begins: in the source, if it has no origin */
} Life;

void life_of(const Things *t, const Thing *thing, Life *out);
void life_free(Life *l);

#endif
