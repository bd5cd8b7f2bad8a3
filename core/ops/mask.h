/* A cotangent that is zero where a condition is false (mask.c). */
#ifndef GRADUS_MASK_H
#define GRADUS_MASK_H

#include "graph/store.h"

typedef struct Mask {
    Node *condition; /* NULL: no mask */
    bool inverted;   /* where(condition, 0, g) instead of where(condition, g, 0) */
} Mask;
Node *mask_peel(Store *st, Node *dy, Mask *m);       /* g, or dy if there is no mask */
Node *mask_peel_whole(Store *st, Node *dy, Mask *m); /* only a mask that is one bool for all */
Node *mask_apply(Store *st, const Mask *m, Node *g);

#endif
