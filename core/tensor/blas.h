/* Linear algebra on row-major matrices: plain loops where they win, OpenBLAS and
 * LAPACK elsewhere.
 *
 * Invariant: row i of a matrix starts at i * ld; a size of 0 is fine everywhere;
 * with beta 0 the result is written without being read. */
#ifndef GRADUS_BLAS_H
#define GRADUS_BLAS_H

#include "tensor/kernels.h"

/* C (m x n) = alpha * op(A) op(B) + beta * C; op(A) is m x k, and A is stored k x m if ta.
 * Where the library computes it, numbers below the normal range (2e-308, f32: 1e-38) are zero.
 * f64, f32; i32 and i64 (wrapping; alpha and beta whole numbers). bool: use i64. */
void blas_gemm(DType d, bool ta, bool tb, i64 m, i64 n, i64 k, double alpha, const void *a, i64 lda,
               const void *b, i64 ldb, double beta, void *c, i64 ldc);
/* y = alpha * op(A) x + beta * y; A is stored m x n; op(A) is n x m if ta. Increments are > 0. */
void blas_gemv(DType d, bool ta, i64 m, i64 n, double alpha, const void *a, i64 lda, const void *x,
               i64 incx, double beta, void *y, i64 incy);
/* Are the sides of op(A) op(B) so short that no library is called (`plain`: alpha is 1, beta 0)?
 * Then this computes it, too, of matrices without gaps, and so does the text of small.h. */
bool blas_is_small(i64 m, i64 n, i64 k, bool plain);
void blas_small(DType d, bool ta, bool tb, i64 m, i64 n, i64 k, double alpha, const void *a,
                const void *b, double beta, void *c);
/* May several threads call the library at once? Not when OpenBLAS was built for one thread
 * (Debian's openblas-serial): its calls then share their buffers without a lock. */
bool blas_is_concurrent(void);
/* *out = sum of x[i] * y[i] */
void blas_dot(DType d, i64 n, const void *x, i64 incx, const void *y, i64 incy, void *out);

/* Dense factorisations, f32 and f64, of n x n matrices without gaps (ld = n). In place:
 * K_OK, K_SINGULAR, K_NOT_POSITIVE, K_MEMORY. NaN in gives NaN out, not a failure, where LAPACK
 * can. */
int blas_cholesky(DType d, i64 n,
                  void *a); /* a becomes L with A = L L', zero above; reads the lower triangle */
int blas_solve(DType d, i64 n, i64 nrhs, void *a,
               void *b); /* b (n x nrhs) becomes A^-1 b; a is destroyed */
int blas_inv(DType d, i64 n, void *a);
int blas_slogdet(
    DType d, i64 n, void *a, void *sign,
    void *logabs); /* a is destroyed; singular: 0 and -inf; never fails but for memory */
int blas_det(DType d, i64 n, void *a, void *det); /* a is destroyed */
/* b (n x nrhs) becomes op(T)^-1 b, T the lower or upper triangle of a. A zero on T's diagonal:
 * K_SINGULAR. */
int blas_solve_triangular(DType d, bool lower, bool trans, bool unit, i64 n, i64 nrhs,
                          const void *a, void *b);

/* Factorisations that leave a as it is, k = min(m, n). K_OK or K_MEMORY; a with nan or inf gives
 * nan. (blas_spectral.c) */
/* a (m x n) = q (m x k) r (k x n), r upper triangular with no negative number on its diagonal */
int blas_qr(DType d, i64 m, i64 n, const void *a, void *q, void *r);
/* a = u (m x k) diag(s) vt (k x n), s descending; of each column of u the first of its largest
 * elements is positive */
int blas_svd(DType d, i64 m, i64 n, const void *a, void *u, void *s, void *vt);
/* Of the symmetric matrix whose lower triangle a has: eigenvalues, ascending, and in the columns of
 * v their vectors; of each the first of its largest elements is positive. */
int blas_eigh(DType d, i64 n, const void *a, void *w, void *v);
int blas_pinv(DType d, i64 m, i64 n, const void *a, void *p); /* n x m */

#endif
