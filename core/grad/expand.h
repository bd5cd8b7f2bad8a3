/* Steps of expanding an implicit derivative, shared with the one that is taken apart.
 *
 * Invariant: what is built stands over the parameters of the body, and over holes for given
 * vectors, until it is complete: arguments may be equal or depend on one another. */
#ifndef GRADUS_EXPAND_H
#define GRADUS_EXPAND_H

#include "graph/store.h"

/* Holes (node_temp) for cotangents or tangents of `like`; NULL for what is not real. Freed by the
 * caller. */
Node **vector_holes(Store *st, int n, Node *const *like);
/* The count nodes `inner` over g's parameters, with the arguments of the implicit node n. */
bool body_results(Store *st, Node *n, Graph *g, Node *const *inner, int count, Node **results);
/* Puts the values in place of the holes. */
bool close_holes(Store *st, int n, Node *const *holes, Node *const *values, int count,
                 Node **results);
/* Zeros where nothing flows. */
bool fill_zeros(Store *st, int n, Node **grads, Node *const *like);

#endif
