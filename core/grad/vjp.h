/* Reverse mode: cotangents flow from results to operands.
 *
 * Invariant: a node's cotangent is complete when its rule runs (all users ran before),
 * and is NULL, never a tensor of zeros, where nothing flows. */
#ifndef GRADUS_VJP_H
#define GRADUS_VJP_H

#include "ops/build.h"

typedef struct Vjp {
    Store *st;
    PtrMap cotangents; /* node -> Node* */
    PtrMap active;     /* nodes that depend on a wanted one */
} Vjp;

/* Does anything flow into `operand`? Rules skip work for operands that are not active. */
bool vjp_active(const Vjp *v, const Node *operand);
/* Adds a contribution with the operand's own type. NULL contribution: an error was reported; returns false. */
bool vjp_add(Vjp *v, Node *operand, Node *contribution);

#endif
