/* Values on which the sides of a rule are compared. */
#ifndef GRADUS_INSTANCE_VALUES_H
#define GRADUS_INSTANCE_VALUES_H

#include "session/instance_ranges.h"

/* Sizes of instances are numbers, or these names, which stand for these lengths. */
enum { INSTANCE_N = 3, INSTANCE_M = 2 };
i64 instance_length(const Size *s);

/* Numbers at which a rule may change its mind: its own constants, what some function takes to them,
 * their sums and quotients. */
enum { POOL_NUMBERS = 96 };
typedef struct {
    double at[POOL_NUMBERS];
    int n, own; /* the first ones stand in the rule itself */
} NumberPool;
void number_pool(const Rule *r, NumberPool *out);

/* Rounds take turns: few digits; zeros, ones, large and small; NaN and infinity; zeros of both
 * signs; whole numbers and halves; the pool and its neighbours; the ends of the types and what
 * overflows; inputs that are nearly one another; numbers of any magnitude;
 * different ones of one magnitude. */
enum { VALUE_ROUNDS = 14, ROUND_SPECIAL = 2 };

/* A tensor for an input of an instance; `ranged` (or NULL): at the ends of its range, on both
 * sides of them unless it is assumed, and within. NULL: no memory. */
Tensor *instance_value(Heap *h, const Node *leaf, const RangedLeaf *ranged, const NumberPool *pool,
                       int round, u64 *state);

#endif
