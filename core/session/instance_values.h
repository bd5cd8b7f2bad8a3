/* Values on which the sides of a rule are compared. */
#ifndef GRADUS_INSTANCE_VALUES_H
#define GRADUS_INSTANCE_VALUES_H

#include "rewrite/pattern.h"

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
 * signs; whole numbers; the pool and its neighbours; the ends of the types and what overflows;
 * inputs that are nearly one another. */
enum { VALUE_ROUNDS = 12, ROUND_SPECIAL = 2 };

/* A tensor for an input of an instance. `tame`: without values whose products overflow. NULL: no
 * memory. */
Tensor *instance_value(Heap *h, const Node *leaf, const NumberPool *pool, int round, bool tame,
                       u64 *state);

#endif
