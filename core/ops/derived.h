/* Derivatives that are written in another form than the textbook's, because they have a value where
 * that one has none. */
#ifndef GRADUS_DERIVED_H
#define GRADUS_DERIVED_H

#include "graph/store.h"

/* For each element of x, the product of all others along these axes: prod(x) / x, and where
 * elements are 0, too. */
Node *derived_other_factors(Store *st, Node *x, const IntList *axes);
/* The cofactors of a matrix: det(A) * inv(A)', and of a singular one, too. `det` is det(a). */
Node *derived_cofactors(Store *st, Node *a, Node *det);

#endif
