/* Factorisations of matrices that are too small for a library.
 *
 * Invariant: which ones these are depends on the size alone. */
#ifndef GRADUS_FACTOR_H
#define GRADUS_FACTOR_H

#include "tensor/kernels.h"

enum { FACTOR_SIDE = 16 }; /* the largest; above it the library is as fast */

/* Of f32 or f64, n x n without gaps, 0 < n <= FACTOR_SIDE. A becomes L and U with P A = L U, the
 * diagonal of L being 1: row i was exchanged with row pivot[i]. K_OK, or K_SINGULAR: a pivot is 0.
 */
int factor_lu(DType d, i64 n, void *a, int *pivot);
/* b (n x nrhs) becomes A^-1 b */
void factor_solve(DType d, i64 n, i64 nrhs, const void *lu, const int *pivot, void *b);
/* A becomes L with A = L L', zero above; reads the lower triangle. K_OK, K_NOT_POSITIVE. */
int factor_cholesky(DType d, i64 n, void *a);

#endif
