/* Facts about values that follow from the operators alone: nothing is assumed of inputs. A table
 * may know more: what the owner of a body tells of its parameters, what an e-graph knows of its
 * classes.
 *
 * Invariant: a fact holds for every evaluation. Bounds are about the numbers that are computed, not
 * about exact ones: exp can be 0, and tanh can be 1. Each node is looked at once per table, so a
 * whole rewriting asks in linear time. */
#ifndef GRADUS_FACTS_H
#define GRADUS_FACTS_H

#include "graph/store.h"

typedef struct Fact {
    double lo, hi; /* every element that is not NaN lies within; -inf and inf may be values */
    bool nan;      /* some element may be NaN */
    bool whole;    /* every element is a whole number, infinite or NaN */
    bool unique;   /* no two elements are equal */
    bool nonzero;
    bool partial; /* for some real inputs there may be no such number, on paper too: log(x) */
} Fact;

/* What is known of some nodes beyond their operators. */
typedef struct FactSource {
    const Fact *(*fact)(void *ctx, const Node *n); /* NULL: nothing */
    /* Says in a clause where what is known of n comes from; false: from its operators. */
    bool (*tell)(void *ctx, const Node *n, Text *out);
    void *ctx;
} FactSource;

typedef struct Facts {
    MAP(Node *, Fact *) of; /* node -> Fact */
    NodeMap total;          /* node -> itself: nothing in it can fail; NULL: something may */
    Arena arena;
    const Graph *within; /* whose parameters have names in explanations, or NULL */
    MAP(Node *, const char *)
    because;                /* node -> where what was assumed of it comes from, a string */
    const FactSource *more; /* or NULL */
} Facts;
void facts_free(Facts *f);
const Fact *fact_of(Facts *f, const Node *n);
/* What follows from n's operator and what is known of its operands: not looked up, not noted. */
Fact fact_by_operator(Facts *f, const Node *n);
/* Of a node that nothing was asked of so far; `because` is copied; "": nothing
 * is to be told. */
void fact_assume(Facts *f, const Node *n, Fact k, const char *because);
/* Nothing, of elements of that dtype; what holds if either does; what holds if both do: its range
 * is empty (lo > hi) if they exclude each other. */
Fact fact_unknown(DType d);
Fact fact_union(Fact a, Fact b);
Fact fact_meet(Fact a, Fact b);
bool fact_same(const Fact *a, const Fact *b);
/* "within [1, 3]", "at least 0" */
void fact_put_range(Text *out, const Fact *k);

bool fact_finite(Facts *f, const Node *n);                 /* neither NaN nor infinite */
bool fact_at_least(Facts *f, const Node *n, double bound); /* every element that is not NaN */
bool fact_at_most(Facts *f, const Node *n, double bound);
bool fact_never_minus_zero(Facts *f, const Node *n); /* facts_zero.c */
/* "tanh(x) + 2 is within [1, 3], as tanh(x) is within [-1, 1]": what a fact of n rests on. */
void fact_explain(Facts *f, Store *st, const Node *n, Text *out);

#endif
