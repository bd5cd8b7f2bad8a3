/* More than one form of what was saturated: the K that cost least, each with its proof, and one
 * that is looked for.
 *
 * best.h finds them by the cost of their trees; of some more than are wanted those come first that
 * cost least as they would run, where what is shared counts once. If nothing is shared these are
 * the K cheapest; else one that shares much may be missing.  Of forms that differ only in how sums
 * and products are grouped the cheapest tree is taken. */
#ifndef GRADUS_EGRAPH_SEVERAL_H
#define GRADUS_EGRAPH_SEVERAL_H

#include "base/base.h"
#include "graph/node.h"

typedef struct {
    Node **roots;
    double cost; /* as it would run */
    double tree; /* what is used twice counts twice */
} SaturatedForm;

typedef enum {
    SOUGHT_MISSING, /* no such e-nodes */
    SOUGHT_APART,   /* it is there, but was not found equal */
    SOUGHT_ONE_WAY, /* a rule leads from it, and may not be read the other way */
    SOUGHT_FOUND
} SoughtState;

typedef struct {
    Node **roots; /* of as many as are saturated, or NULL: none is looked for */
    SoughtState state;
    double cost;
    u32 steps;
    Text by; /* the rules of its proof: "log1p, fold (2 times)"; of ONE_WAY that rule */
} SoughtForm;

/* Asked for by Saturating.several; of the outermost graph, bodies as they became. */
typedef struct SaturatedForms {
    u32 wanted;
    u32 chosen; /* from 0: whose steps are written */
    VEC(SaturatedForm) at;
    bool all; /* there are no others */
    SoughtForm sought;
} SaturatedForms;
void several_clear(SaturatedForms *f); /* of what was found */
void several_free(SaturatedForms *f);  /* with what is looked for */

#endif
