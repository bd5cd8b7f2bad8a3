/* Dense factorisations through LAPACK; those of small matrices are our own (factor.h).
 *
 * Invariant: LAPACK counts columns first, so it sees the transpose of what we hold;
 * each function says how it allows for that. The *_work forms are called: the others
 * refuse NaN instead of passing it on. */
#include "tensor/blas_floats.h"
#include "tensor/blas.h"
#include "tensor/factor.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

/* LAPACK's int of a size; die() rather than wrap (2^31 rows are 32 EB). */
static lapack_int lapack_size(i64 n)
{
    if (n > INT32_MAX)
        die("matrix of %lld rows", (long long)n);
    return (lapack_int)n;
}

static lapack_int *pivots_new(i64 n)
{
    return memory_try(NULL, ((size_t)n + 1) * sizeof(lapack_int));
}

/* Our lower triangle is LAPACK's upper one: it finds U with A = U' U, and U' is L to us. */
int blas_cholesky(DType d, i64 n, void *a)
{
    if (n == 0)
        return K_OK;
    if (n <= FACTOR_SIDE)
        return factor_cholesky(d, n, a);
    lapack_int size = lapack_size(n);
    lapack_int info =
        BY_FLOAT(d, LAPACKE_dpotrf_work, LAPACKE_spotrf_work, LAPACK_COL_MAJOR, 'U', size, a, size);
    if (info > 0)
        return K_NOT_POSITIVE;
    kernel_triangle(dtype_size(d), true, 1, n, n, 0, a, a);
    return K_OK;
}

/* LU of our matrix's transpose, in place. A zero pivot is K_SINGULAR. */
static int factor(DType d, i64 n, void *a, lapack_int *pivots)
{
    lapack_int size = lapack_size(n);
    lapack_int info = BY_FLOAT(d, LAPACKE_dgetrf_work, LAPACKE_sgetrf_work, LAPACK_COL_MAJOR, size,
                               size, a, size, pivots);
    return info > 0 ? K_SINGULAR : K_OK;
}

/* P A' = L U gives A = U' L' P: two triangular solves by BLAS, which takes rows first, then
 * the row exchanges backwards. To BLAS the factors are, rows first, their own transposes. */
static void solve_factored(DType d, i64 n, i64 nrhs, const void *lu, const lapack_int *pivots,
                           void *b)
{
    int size = (int)n, cols = (int)nrhs;
    if (d == DT_F64) {
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, size, cols, 1,
                    lu, size, b, cols);
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasUnit, size, cols, 1,
                    lu, size, b, cols);
    } else {
        cblas_strsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, size, cols, 1,
                    lu, size, b, cols);
        cblas_strsm(CblasRowMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasUnit, size, cols, 1,
                    lu, size, b, cols);
    }
    for (i64 i = n; i-- > 0;) {
        i64 j = pivots[i] - 1;
        if (j == i)
            continue;
        if (d == DT_F64)
            cblas_dswap(cols, (double *)b + i * nrhs, 1, (double *)b + j * nrhs, 1);
        else
            cblas_sswap(cols, (float *)b + i * nrhs, 1, (float *)b + j * nrhs, 1);
    }
}

static int solve_small(DType d, i64 n, i64 nrhs, void *a, void *b)
{
    int pivots[FACTOR_SIDE], status = factor_lu(d, n, a, pivots);
    if (status == K_OK)
        factor_solve(d, n, nrhs, a, pivots, b);
    return status;
}

int blas_solve(DType d, i64 n, i64 nrhs, void *a, void *b)
{
    if (n == 0)
        return K_OK;
    if (n <= FACTOR_SIDE)
        return solve_small(d, n, nrhs, a, b);
    lapack_int *pivots = pivots_new(n);
    if (!pivots)
        return K_MEMORY;
    lapack_size(nrhs);
    int status = factor(d, n, a, pivots);
    if (status == K_OK && nrhs > 0)
        solve_factored(d, n, nrhs, a, pivots, b);
    free(pivots);
    return status;
}

/* It solves for the columns of one. */
static int inv_small(DType d, i64 n, void *a)
{
    double lu[FACTOR_SIDE * FACTOR_SIDE]; /* or floats */
    size_t bytes = (size_t)(n * n) * dtype_size(d);
    memcpy(lu, a, bytes);
    memset(a, 0, bytes);
    for (i64 i = 0; i < n; i++)
        put(d, a, i * n + i, 1);
    return solve_small(d, n, n, lu, a);
}

/* The inverse of the transpose is the transpose of the inverse. */
int blas_inv(DType d, i64 n, void *a)
{
    if (n == 0)
        return K_OK;
    if (n <= FACTOR_SIDE)
        return inv_small(d, n, a);
    lapack_int size = lapack_size(n), block = size <= INT32_MAX / 64 ? size * 64 : size;
    lapack_int *pivots = pivots_new(n);
    void *work = memory_try(NULL, (size_t)block * dtype_size(d));
    int status = pivots && work ? factor(d, n, a, pivots) : K_MEMORY;
    if (status == K_OK && BY_FLOAT(d, LAPACKE_dgetri_work, LAPACKE_sgetri_work, LAPACK_COL_MAJOR,
                                   size, a, size, pivots, work, block) > 0)
        status = K_SINGULAR;
    free(pivots);
    free(work);
    return status;
}

/* The diagonal of U is that of what a becomes; is its product to change its sign? K_OK, K_SINGULAR,
 * K_MEMORY. */
static int triangle(DType d, i64 n, void *a, bool *negative)
{
    int status = K_OK;
    *negative = false;
    if (n <= FACTOR_SIDE) {
        int pivots[FACTOR_SIDE];
        status = n ? factor_lu(d, n, a, pivots) : K_OK;
        for (i64 i = 0; i < n && status == K_OK; i++)
            *negative ^= pivots[i] != i;
        return status;
    }
    lapack_int *pivots = pivots_new(n);
    status = pivots ? factor(d, n, a, pivots) : K_MEMORY;
    for (i64 i = 0; i < n && status == K_OK; i++)
        *negative ^= pivots[i] != i + 1;
    free(pivots);
    return status;
}

/* A matrix and its transpose have one determinant. */
int blas_slogdet(DType d, i64 n, void *a, void *sign, void *logabs)
{
    bool negative;
    int status = triangle(d, n, a, &negative);
    double s = status == K_SINGULAR ? 0 : negative ? -1 : 1, sum = s == 0 ? -(double)INFINITY : 0;
    if (status == K_MEMORY)
        return status;
    for (i64 i = 0; i < n && s != 0; i++) {
        double u = at(d, a, i * n + i);
        s = u != u ? u : u < 0 ? -s : s;
        sum += log(fabs(u));
    }
    put(d, sign, 0, s);
    put(d, logabs, 0, sum);
    return K_OK;
}

int blas_det(DType d, i64 n, void *a, void *det)
{
    bool negative;
    int status = triangle(d, n, a, &negative);
    double product = status == K_SINGULAR ? 0 : negative ? -1 : 1;
    if (status == K_MEMORY)
        return status;
    for (i64 i = 0; i < n && status == K_OK; i++)
        product *= at(d, a, i * n + i);
    put(d, det, 0, product);
    return K_OK;
}

int blas_solve_triangular(DType d, bool lower, bool trans, bool unit, i64 n, i64 nrhs,
                          const void *a, void *b)
{
    int size = lapack_size(n), cols = lapack_size(nrhs);
    for (i64 i = 0; i < n && !unit; i++)
        if (at(d, a, i * n + i) == 0)
            return K_SINGULAR;
    if (n == 0 || nrhs == 0)
        return K_OK;
    CBLAS_UPLO uplo = lower ? CblasLower : CblasUpper;
    CBLAS_TRANSPOSE op = trans ? CblasTrans : CblasNoTrans;
    CBLAS_DIAG diag = unit ? CblasUnit : CblasNonUnit;
    if (d == DT_F64)
        cblas_dtrsm(CblasRowMajor, CblasLeft, uplo, op, diag, size, cols, 1, a, size, b, cols);
    else
        cblas_strsm(CblasRowMajor, CblasLeft, uplo, op, diag, size, cols, 1, a, size, b, cols);
    return K_OK;
}
