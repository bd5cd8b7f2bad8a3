/* Products of matrices and vectors: plain loops for small and thin ones and for integers,
 * OpenBLAS for the rest.
 *
 * Invariant: which of these computes a product depends on its sizes alone. */
#include "tensor/blas.h"
#include "base/flags.h"
#include "tensor/thin.h"

#include <cblas.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#define SMALL_FN static inline
#include "tensor/small.h"

/* Multiplications up to which the plain loop is faster than the call (OpenBLAS 0.3.21), and no
 * slower in native code. */
enum { SMALL_GEMM = 512, SMALL_GEMV = 64, SMALL_DOT = 16 };

static bool fits_blas(i64 a, i64 b, i64 c)
{
    return a <= INT32_MAX && b <= INT32_MAX && c <= INT32_MAX;
}

static int as_int(i64 n) { return (int)n; }

/* A leading dimension BLAS accepts: it rejects one below the row's length, even of no rows. */
static int ld_of(i64 ld, i64 cols) { return as_int(ld > cols ? ld : cols > 1 ? cols : 1); }

bool blas_is_concurrent(void) { return openblas_get_parallel() != 0; }

/* ---- subnormal numbers ---- */

/* Inside a library product numbers below the normal range count as zero: a step with one takes a
 * hundred times as long, and a gradient that vanishes passes through that range in every loop. */
static Flags enter_library(void)
{
#if defined(__SSE2__)
    const unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
    Flags mode = flags_save();
    _mm_setcsr(mode | flush_to_zero | denormals_are_zero);
    return mode;
#else
    return flags_save();
#endif
}

static void leave_library(Flags mode)
{
#if defined(__SSE2__)
    _mm_setcsr(mode);
#else
    (void)mode;
#endif
}

typedef u64 __attribute__((may_alias)) Bits64;
typedef u32 __attribute__((may_alias)) Bits32;

/* The library's threads, and lanes that it computes in vain, raise flags that say nothing: a result
 * that is no finite number does. */
static void note_result(Flags was, DType d, i64 m, i64 n, const void *c, i64 ldc)
{
    if (flags_overflowed(was)) /* nothing new, or nobody asks */
        return;
    u64 seen = 0; /* its first bit: some exponent had all bits, as that of infinity and nan */
    if (n == 1 && d == DT_F64) { /* one by one, as they were just stored */
        const Bits64 *at = c;
        for (i64 i = 0; i < m; i++)
            seen |= (at[i * ldc] & 0x7ff0000000000000u) + 0x0010000000000000u;
        m = 0;
    }
    for (i64 i = 0; i < m; i++) {
        if (d == DT_F64) {
            const Bits64 *row = (const Bits64 *)c + i * ldc;
            for (i64 j = 0; j < n; j++)
                seen |= (row[j] & 0x7ff0000000000000u) + 0x0010000000000000u;
        } else {
            const Bits32 *row = (const Bits32 *)c + i * ldc;
            u32 some = 0;
            for (i64 j = 0; j < n; j++)
                some |= (row[j] & 0x7f800000u) + 0x00800000u;
            seen |= (u64)some << 32;
        }
    }
    if (seen >> 63)
        flags_raise_overflow();
}

/* ---- plain loops, for any arithmetic type ---- */

/* C = beta C, not read where beta is 0 */
#define DEFINE_PLAIN(T)                                                                       \
    static void scale_##T(i64 n, T beta, T *y, i64 incy)                                      \
    {                                                                                         \
        for (i64 i = 0; i < n; i++)                                                           \
            y[i * incy] = beta == 0 ? 0 : beta * y[i * incy];                                 \
    }                                                                                         \
    static void gemm_##T(bool ta, bool tb, i64 m, i64 n, i64 k, T alpha, const T *a, i64 lda, \
                         const T *b, i64 ldb, T beta, T *c, i64 ldc)                          \
    {                                                                                         \
        for (i64 i = 0; i < m; i++, c += ldc) {                                               \
            if (beta != 1)                                                                    \
                scale_##T(n, beta, c, 1);                                                     \
            for (i64 p = 0; p < k; p++) {                                                     \
                T f = alpha * (ta ? a[p * lda + i] : a[i * lda + p]);                         \
                if (tb)                                                                       \
                    for (i64 j = 0; j < n; j++)                                               \
                        c[j] += f * b[j * ldb + p];                                           \
                else                                                                          \
                    for (i64 j = 0; j < n; j++)                                               \
                        c[j] += f * b[p * ldb + j];                                           \
            }                                                                                 \
        }                                                                                     \
    }                                                                                         \
    static void dot_##T(i64 n, const T *x, i64 incx, const T *y, i64 incy, T *out)            \
    {                                                                                         \
        T sum = 0;                                                                            \
        if (incx == 1 && incy == 1)                                                           \
            sum = dot4_##T(n, x, y);                                                          \
        else                                                                                  \
            for (i64 i = 0; i < n; i++)                                                       \
                sum += x[i * incx] * y[i * incy];                                             \
        *out = sum;                                                                           \
    }                                                                                         \
    static void axpy_##T(i64 n, T alpha, const T *x, i64 incx, T *y, i64 incy)                \
    {                                                                                         \
        if (incx == 1 && incy == 1)                                                           \
            for (i64 i = 0; i < n; i++)                                                       \
                y[i] += alpha * x[i];                                                         \
        else                                                                                  \
            for (i64 i = 0; i < n; i++)                                                       \
                y[i * incy] += alpha * x[i * incx];                                           \
    }                                                                                         \
    static void gemv_##T(bool ta, i64 m, i64 n, T alpha, const T *a, i64 lda, const T *x,     \
                         i64 incx, T beta, T *y, i64 incy)                                    \
    {                                                                                         \
        if (ta) {                                                                             \
            if (beta != 1)                                                                    \
                scale_##T(n, beta, y, incy);                                                  \
            for (i64 i = 0; i < m; i++, a += lda)                                             \
                axpy_##T(n, alpha *x[i * incx], a, 1, y, incy);                               \
            return;                                                                           \
        }                                                                                     \
        for (i64 i = 0; i < m; i++, a += lda) {                                               \
            T sum;                                                                            \
            dot_##T(n, a, 1, x, incx, &sum);                                                  \
            y[i * incy] = alpha * sum + (beta == 0 ? 0 : beta * y[i * incy]);                 \
        }                                                                                     \
    }
DEFINE_SMALL(u32) /* integers wrap, so they are unsigned here */
DEFINE_SMALL(u64)
DEFINE_PLAIN(float)
DEFINE_PLAIN(double)
DEFINE_PLAIN(u32)
DEFINE_PLAIN(u64)

/* Calls DO(T, alpha as T, beta as T) for the C type of d. */
#define WHOLE(T, x) ((T)(i64)(x))
#define BY_TYPE(d, DO)                                                \
    switch (d) {                                                      \
    case DT_F64: DO(double, alpha, beta); break;                      \
    case DT_F32: DO(float, (float)alpha, (float)beta); break;         \
    case DT_I64: DO(u64, WHOLE(u64, alpha), WHOLE(u64, beta)); break; \
    case DT_I32: DO(u32, WHOLE(u32, alpha), WHOLE(u32, beta)); break; \
    default: die("product of %s", dtype_name(d));                     \
    }

/* ---- the products ---- */

static bool gemm_is_small(i64 m, i64 n, i64 k)
{
    return m <= SMALL_SIDE && n <= SMALL_SIDE && k <= SMALL_SIDE && m * n * k <= SMALL_GEMM;
}

bool blas_is_small(i64 m, i64 n, i64 k, bool plain)
{
    if (m == 1 && n == 1 && plain)
        return k <= SMALL_DOT;
    return m == 1 || n == 1
               ? m <= SMALL_GEMV && n <= SMALL_GEMV && k <= SMALL_GEMV && m * n * k <= SMALL_GEMV
               : gemm_is_small(m, n, k);
}

void blas_small(DType d, bool ta, bool tb, i64 m, i64 n, i64 k, double alpha, const void *a,
                const void *b, double beta, void *c)
{
#define SMALL(T, alpha_, beta_) small_product_##T(ta, tb, m, n, k, alpha_, a, b, beta_, c)
    BY_TYPE(d, SMALL)
}

void blas_gemm(DType d, bool ta, bool tb, i64 m, i64 n, i64 k, double alpha, const void *a, i64 lda,
               const void *b, i64 ldb, double beta, void *c, i64 ldc)
{
    bool plain = !fits_blas(m, n, k) || !fits_blas(lda, ldb, ldc) || !dtype_is_float(d);
    if (plain || gemm_is_small(m, n, k)) {
#define GEMM(T, alpha_, beta_) gemm_##T(ta, tb, m, n, k, alpha_, a, lda, b, ldb, beta_, c, ldc)
        BY_TYPE(d, GEMM)
        return;
    }
    if (is_thin(ta, m, n, k)) {
        if (d == DT_F64)
            thin_product_double(tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
        else
            thin_product_float(tb, m, n, k, (float)alpha, a, lda, b, ldb, (float)beta, c, ldc);
        return;
    }
    CBLAS_TRANSPOSE opa = ta ? CblasTrans : CblasNoTrans, opb = tb ? CblasTrans : CblasNoTrans;
    int la = ld_of(lda, ta ? m : k), lb = ld_of(ldb, tb ? k : n), lc = ld_of(ldc, n);
    Flags mode = enter_library();
    if (d == DT_F64)
        cblas_dgemm(CblasRowMajor, opa, opb, as_int(m), as_int(n), as_int(k), alpha, a, la, b, lb,
                    beta, c, lc);
    else
        cblas_sgemm(CblasRowMajor, opa, opb, as_int(m), as_int(n), as_int(k), (float)alpha, a, la,
                    b, lb, (float)beta, c, lc);
    leave_library(mode);
    note_result(mode, d, m, n, c, ldc);
}

void blas_gemv(DType d, bool ta, i64 m, i64 n, double alpha, const void *a, i64 lda, const void *x,
               i64 incx, double beta, void *y, i64 incy)
{
    if (m * n <= SMALL_GEMV || !dtype_is_float(d) || !fits_blas(m, n, lda) ||
        !fits_blas(incx, incy, 0)) {
#define GEMV(T, alpha_, beta_) gemv_##T(ta, m, n, alpha_, a, lda, x, incx, beta_, y, incy)
        BY_TYPE(d, GEMV)
        return;
    }
    CBLAS_TRANSPOSE op = ta ? CblasTrans : CblasNoTrans;
    Flags mode = enter_library();
    if (d == DT_F64)
        cblas_dgemv(CblasRowMajor, op, as_int(m), as_int(n), alpha, a, ld_of(lda, n), x,
                    as_int(incx), beta, y, as_int(incy));
    else
        cblas_sgemv(CblasRowMajor, op, as_int(m), as_int(n), (float)alpha, a, ld_of(lda, n), x,
                    as_int(incx), (float)beta, y, as_int(incy));
    leave_library(mode);
    note_result(mode, d, ta ? n : m, 1, y, incy);
}

void blas_dot(DType d, i64 n, const void *x, i64 incx, const void *y, i64 incy, void *out)
{
    const double alpha = 1, beta = 0;
    if (n <= SMALL_DOT || !dtype_is_float(d) || !fits_blas(n, incx, incy)) {
#define DOT(T, alpha_, beta_) ((void)(alpha_), (void)(beta_), dot_##T(n, x, incx, y, incy, out))
        BY_TYPE(d, DOT)
    } else if (d == DT_F64) {
        *(double *)out = cblas_ddot(as_int(n), x, as_int(incx), y, as_int(incy));
        note_result(flags_save(), d, 1, 1, out, 1);
    } else {
        *(float *)out = cblas_sdot(as_int(n), x, as_int(incx), y, as_int(incy));
        note_result(flags_save(), d, 1, 1, out, 1);
    }
}
