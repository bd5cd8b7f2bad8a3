/* Facts about values that follow from the operators alone: nothing is assumed of inputs.
 *
 * Invariant: a fact holds for every evaluation. Bounds are about the numbers that are computed, not
 * about exact ones: exp can be 0, and tanh can be 1. Each node is looked at once per table, so a
 * whole rewriting asks in linear time. */
#ifndef GRADUS_FACTS_H
#define GRADUS_FACTS_H

#include "graph/graph.h"

typedef struct Fact {
    double lo, hi; /* every element that is not NaN lies within; -inf and inf may be values */
    bool nan;      /* some element may be NaN */
    bool whole;    /* every element is a whole number, infinite or NaN */
    bool unique;   /* no two elements are equal */
    bool nonzero;
} Fact;

typedef struct Facts {
    PtrMap of;    /* node -> Fact */
    PtrMap total; /* node -> itself: nothing in it can fail; NULL: something may */
    Arena arena;
    const Graph *within; /* whose parameters have names in explanations, or NULL */
} Facts;
void facts_free(Facts *f);
const Fact *fact_of(Facts *f, const Node *n);

bool fact_finite(Facts *f, const Node *n);                 /* neither NaN nor infinite */
bool fact_at_least(Facts *f, const Node *n, double bound); /* every element that is not NaN */
bool fact_at_most(Facts *f, const Node *n, double bound);
/* "tanh(x) + 2 is within [1, 3], as tanh(x) is within [-1, 1]": what a fact of n rests on. */
void fact_explain(Facts *f, Store *st, const Node *n, Text *out);

#endif
