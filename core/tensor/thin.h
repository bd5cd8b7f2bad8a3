/* Products of many rows with a matrix of a few elements, as of points with a rotation.
 *
 * Invariant: each sum runs over its products in their order, as in plain loops. */
#ifndef GRADUS_THIN_H
#define GRADUS_THIN_H

#include "base/base.h"

enum { THIN = 4, THIN_ROWS = 32 /* fewer are no reason for a loop of their own */ };

static inline bool is_thin(bool ta, i64 m, i64 n, i64 k)
{
    return !ta && m >= THIN_ROWS && n >= 2 && n <= THIN && k >= 2 && k <= THIN;
}

/* C (m x n) = alpha A (m x k) B + beta C, or (tb) alpha A B' + beta C; C is not read where beta is
 * 0. Rows of A and C are lda and ldc elements apart, those of B ldb. */
void thin_product_double(bool tb, i64 m, i64 n, i64 k, double alpha, const double *a, i64 lda,
                         const double *b, i64 ldb, double beta, double *c, i64 ldc);
void thin_product_float(bool tb, i64 m, i64 n, i64 k, float alpha, const float *a, i64 lda,
                        const float *b, i64 ldb, float beta, float *c, i64 ldc);

#endif
