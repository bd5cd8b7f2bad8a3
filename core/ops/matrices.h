/* Small constructions over the last two axes, for the derivatives of factorisations. */
#ifndef GRADUS_MATRICES_H
#define GRADUS_MATRICES_H

#include "graph/store.h"

Node *matrix_triangle(Store *st, Node *x, bool lower, i64 k);
Node *matrix_half_lower(Store *st, Node *x); /* the lower triangle with half the diagonal */
Node *matrix_solve_triangular(Store *st, Node *a, Node *b, bool lower, bool trans, bool unit);

#endif
