/* QR, eigenvalues and singular values through LAPACK.
 *
 * Invariant: LAPACK counts columns first, so it sees the transpose of what we hold; each function
 * says how it allows for that. It leaves signs open; here they are fixed, so that one matrix has
 * one factorisation on every machine. A matrix with nan or inf gives nan, as LAPACK may not return.
 */
#include "tensor/blas_floats.h"
#include "tensor/blas.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

static lapack_int lapack_size(i64 n)
{
    if (n > INT32_MAX)
        die("matrix of %lld rows", (long long)n);
    return (lapack_int)n;
}

static bool all_finite(DType d, i64 n, const void *a)
{
    double sum = 0; /* of zeros, unless one is nan or inf */
    for (i64 i = 0; i < n; i++)
        sum += at(d, a, i) * 0;
    return sum == 0;
}

static void fill_nan(DType d, i64 n, void *a)
{
    for (i64 i = 0; i < n; i++)
        put(d, a, i, (double)NAN);
}

/* Row i of `out` is column i of `a`, which is rows x columns. */
static void transpose(DType d, i64 rows, i64 columns, const void *a, void *out)
{
    for (i64 i = 0; i < rows; i++)
        for (i64 j = 0; j < columns; j++)
            put(d, out, j * rows + i, at(d, a, i * columns + j));
}

/* Memory for a factorisation. The last is as long as LAPACK asks for. */
typedef struct {
    void *copy, *more, *work;
    lapack_int *whole, length;
} Scratch;

static bool scratch_new(Scratch *s, DType d, i64 copy, i64 more, i64 whole)
{
    *s = (Scratch){.copy = memory_try(NULL, ((size_t)copy + 1) * dtype_size(d)),
                   .more = memory_try(NULL, ((size_t)more + 1) * dtype_size(d)),
                   .whole = memory_try(NULL, ((size_t)whole + 1) * sizeof(lapack_int))};
    return s->copy && s->more && s->whole;
}

/* Where LAPACK says how long `work` should be. */
typedef union {
    double f64;
    float f32;
} Asked;

static bool scratch_work(Scratch *s, DType d, const Asked *asked)
{
    double n = (d == DT_F64 ? asked->f64 : (double)asked->f32 * 1.0001) + 1; /* rounded down? */
    s->length = n < INT32_MAX ? (lapack_int)n : INT32_MAX;
    free(s->work);
    s->work = memory_try(NULL, (size_t)s->length * dtype_size(d));
    return s->work != NULL;
}

static void scratch_free(Scratch *s)
{
    free(s->copy);
    free(s->more);
    free(s->work);
    free(s->whole);
}

/* ---- QR ---- */

static lapack_int geqrf(DType d, lapack_int m, lapack_int n, Scratch *s, void *work, lapack_int len)
{
    return BY_FLOAT(d, LAPACKE_dgeqrf_work, LAPACKE_sgeqrf_work, LAPACK_COL_MAJOR, m, n, s->copy, m,
                    s->more, work, len);
}

static lapack_int orgqr(DType d, lapack_int m, lapack_int k, Scratch *s, void *work, lapack_int len)
{
    return BY_FLOAT(d, LAPACKE_dorgqr_work, LAPACKE_sorgqr_work, LAPACK_COL_MAJOR, m, k, k, s->copy,
                    m, s->more, work, len);
}

/* R from above the diagonal of `copy`, its diagonal made positive by the signs. */
static void upper_factor(DType d, i64 m, i64 n, const Scratch *s, double *signs, void *r)
{
    i64 k = m < n ? m : n;
    for (i64 i = 0; i < k; i++) {
        signs[i] = at(d, s->copy, i * m + i) < 0 ? -1 : 1;
        for (i64 j = 0; j < n; j++)
            put(d, r, i * n + j, j < i ? 0 : signs[i] * at(d, s->copy, j * m + i));
    }
}

/* Of the matrix with columns first in `copy`, whose place Q takes. */
static int qr_factors(DType d, i64 m, i64 n, Scratch *s, double *signs, void *q, void *r)
{
    i64 k = m < n ? m : n;
    lapack_int rows = lapack_size(m), columns = lapack_size(n), fewer = lapack_size(k);
    Asked asked;
    geqrf(d, rows, columns, s, &asked, -1);
    if (!scratch_work(s, d, &asked))
        return K_MEMORY;
    geqrf(d, rows, columns, s, s->work, s->length);
    upper_factor(d, m, n, s, signs, r);
    orgqr(d, rows, fewer, s, &asked, -1);
    if (!scratch_work(s, d, &asked))
        return K_MEMORY;
    orgqr(d, rows, fewer, s, s->work, s->length);
    for (i64 i = 0; i < m; i++)
        for (i64 j = 0; j < k; j++)
            put(d, q, i * k + j, signs[j] * at(d, s->copy, j * m + i));
    return K_OK;
}

int blas_qr(DType d, i64 m, i64 n, const void *a, void *q, void *r)
{
    i64 k = m < n ? m : n;
    Scratch s;
    double *signs = memory_try(NULL, ((size_t)k + 1) * sizeof *signs);
    int status = scratch_new(&s, d, m * n, k, 0) && signs ? K_OK : K_MEMORY;
    if (status == K_OK && !all_finite(d, m * n, a)) {
        fill_nan(d, m * k, q);
        fill_nan(d, k * n, r);
    } else if (status == K_OK && k > 0) {
        transpose(d, m, n, a, s.copy);
        status = qr_factors(d, m, n, &s, signs, q, r);
    }
    free(signs);
    scratch_free(&s);
    return status;
}

/* ---- signs of vectors ---- */

/* The sign of the first element of column j whose size is (almost) the largest one of the column:
 * rounding decides between equal sizes otherwise. */
static double leading_sign(DType d, i64 rows, i64 columns, const void *a, i64 j)
{
    const double almost = 0.999;
    double most = 0;
    for (i64 i = 0; i < rows; i++)
        most = fmax(most, fabs(at(d, a, i * columns + j)));
    for (i64 i = 0; i < rows; i++) {
        double x = at(d, a, i * columns + j);
        if (fabs(x) >= almost * most)
            return x < 0 ? -1 : 1;
    }
    return 1;
}

/* ---- eigenvalues ---- */

static lapack_int syevd(DType d, lapack_int n, void *a, void *w, void *work, lapack_int len,
                        lapack_int *whole, lapack_int nwhole)
{
    return BY_FLOAT(d, LAPACKE_dsyevd_work, LAPACKE_ssyevd_work, LAPACK_COL_MAJOR, 'V', 'U', n, a,
                    n, w, work, len, whole, nwhole);
}

/* Our lower triangle is LAPACK's upper one; its columns of vectors are our rows. */
static int eigen_vectors(DType d, i64 n, Scratch *s, void *w, void *v)
{
    lapack_int size = lapack_size(n);
    Asked asked;
    lapack_int nwhole = size <= (INT32_MAX - 3) / 5 ? 3 + 5 * size : INT32_MAX, counted;
    syevd(d, size, s->copy, w, &asked, -1, &counted, -1);
    if (!scratch_work(s, d, &asked))
        return K_MEMORY;
    if (syevd(d, size, s->copy, w, s->work, s->length, s->whole, nwhole) > 0) {
        fill_nan(d, n, w); /* no convergence in 30 sweeps: never seen of finite matrices */
        fill_nan(d, n * n, v);
        return K_OK;
    }
    transpose(d, n, n, s->copy, v);
    for (i64 j = 0; j < n; j++)
        if (leading_sign(d, n, n, v, j) < 0)
            for (i64 i = 0; i < n; i++)
                put(d, v, i * n + j, -at(d, v, i * n + j));
    return K_OK;
}

/* Of the lower triangle of a. */
static bool lower_is_finite(DType d, i64 n, const void *a)
{
    bool finite = true;
    for (i64 i = 0; i < n && finite; i++)
        finite = all_finite(d, i + 1, (const char *)a + (size_t)(i * n) * dtype_size(d));
    return finite;
}

int blas_eigh(DType d, i64 n, const void *a, void *w, void *v)
{
    Scratch s;
    int status = scratch_new(&s, d, n * n, 0, 3 + 5 * n) ? K_OK : K_MEMORY;
    if (status == K_OK && !lower_is_finite(d, n, a)) {
        fill_nan(d, n, w);
        fill_nan(d, n * n, v);
    } else if (status == K_OK && n > 0) {
        memcpy(s.copy, a, (size_t)(n * n) * dtype_size(d));
        status = eigen_vectors(d, n, &s, w, v);
    }
    scratch_free(&s);
    return status;
}

/* ---- singular values ---- */

static lapack_int gesdd(DType d, i64 m, i64 n, Scratch *s, void *u, void *w, void *vt, void *work,
                        lapack_int len)
{
    lapack_int rows = lapack_size(n), columns = lapack_size(m), k = rows < columns ? rows : columns;
    return BY_FLOAT(d, LAPACKE_dgesdd_work, LAPACKE_sgesdd_work, LAPACK_COL_MAJOR, 'S', rows,
                    columns, s->copy, rows, w, vt, rows, u, k, work, len, s->whole);
}

/* LAPACK factors our matrix's transpose, A' = V S U': what it calls U is our Vt, its V' our U. */
static int singular_vectors(DType d, i64 m, i64 n, Scratch *s, void *u, void *w, void *vt)
{
    i64 k = m < n ? m : n;
    Asked asked;
    gesdd(d, m, n, s, u, w, vt, &asked, -1);
    if (!scratch_work(s, d, &asked))
        return K_MEMORY;
    if (gesdd(d, m, n, s, u, w, vt, s->work, s->length) > 0) {
        fill_nan(d, m * k, u); /* no convergence: never seen of finite matrices */
        fill_nan(d, k, w);
        fill_nan(d, k * n, vt);
        return K_OK;
    }
    for (i64 j = 0; j < k; j++) {
        if (leading_sign(d, m, k, u, j) > 0)
            continue;
        for (i64 i = 0; i < m; i++)
            put(d, u, i * k + j, -at(d, u, i * k + j));
        for (i64 i = 0; i < n; i++)
            put(d, vt, j * n + i, -at(d, vt, j * n + i));
    }
    return K_OK;
}

int blas_svd(DType d, i64 m, i64 n, const void *a, void *u, void *w, void *vt)
{
    i64 k = m < n ? m : n;
    Scratch s;
    int status = scratch_new(&s, d, m * n, 0, 8 * k) ? K_OK : K_MEMORY;
    if (status == K_OK && !all_finite(d, m * n, a)) {
        fill_nan(d, m * k, u);
        fill_nan(d, k, w);
        fill_nan(d, k * n, vt);
    } else if (status == K_OK && k > 0) {
        memcpy(s.copy, a, (size_t)(m * n) * dtype_size(d));
        status = singular_vectors(d, m, n, &s, u, w, vt);
    }
    scratch_free(&s);
    return status;
}

/* P = V S^-1 U', where singular values that rounding alone may have made count as 0. */
int blas_pinv(DType d, i64 m, i64 n, const void *a, void *p)
{
    i64 k = m < n ? m : n, longer = m > n ? m : n;
    size_t size = dtype_size(d);
    char *all = memory_try(NULL, ((size_t)(m * k + k + k * n) + 1) * size);
    if (!all)
        return K_MEMORY;
    char *u = all, *w = u + (size_t)(m * k) * size, *vt = w + (size_t)k * size;
    int status = blas_svd(d, m, n, a, u, w, vt);
    double eps = d == DT_F64 ? DBL_EPSILON : (double)FLT_EPSILON;
    double least = k ? (double)longer * eps * at(d, w, 0) : 0;
    for (i64 i = 0; i < k && status == K_OK; i++) {
        double s = at(d, w, i), by = s <= least ? 0 : 1 / s;
        for (i64 j = 0; j < n; j++)
            put(d, vt, i * n + j, by * at(d, vt, i * n + j));
    }
    if (status == K_OK && m > 0 && n > 0)
        blas_gemm(d, true, true, n, m, k, 1, vt, n, u, k, 0, p, m);
    free(all);
    return status;
}
