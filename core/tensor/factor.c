/* Gauss and Cholesky on rows, for small matrices.
 *
 * Invariant: as LAPACK does, a pivot is the largest of its column, the first of equal ones; NaN is
 * none unless it stands on the diagonal, and is passed on. */
#include "tensor/factor.h"

#include <math.h>

#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#define DEFINE_FACTOR(T, ABS, SQRT)                                                 \
    static void exchange_##T(i64 n, T *x, T *y)                                     \
    {                                                                               \
        for (i64 j = 0; j < n; j++) {                                               \
            T t = x[j];                                                             \
            x[j] = y[j];                                                            \
            y[j] = t;                                                               \
        }                                                                           \
    }                                                                               \
    /* y -= f x */                                                                  \
    static inline void subtract_##T(i64 n, T f, const T *restrict x, T *restrict y) \
    {                                                                               \
        for (i64 j = 0; j < n; j++)                                                 \
            y[j] -= f * x[j];                                                       \
    }                                                                               \
    static int lu_##T(i64 n, T *a, int *pivot)                                      \
    {                                                                               \
        for (i64 k = 0; k < n; k++) {                                               \
            i64 best = k;                                                           \
            for (i64 i = k + 1; i < n; i++)                                         \
                best = ABS(a[i * n + k]) > ABS(a[best * n + k]) ? i : best;         \
            pivot[k] = (int)best;                                                   \
            if (a[best * n + k] == 0)                                               \
                return K_SINGULAR;                                                  \
            if (best != k)                                                          \
                exchange_##T(n, a + k * n, a + best * n);                           \
            for (i64 i = k + 1; i < n; i++) {                                       \
                T f = a[i * n + k] / a[k * n + k];                                  \
                a[i * n + k] = f;                                                   \
                subtract_##T(n - k - 1, f, a + k * n + k + 1, a + i * n + k + 1);   \
            }                                                                       \
        }                                                                           \
        return K_OK;                                                                \
    }                                                                               \
    static void solve_##T(i64 n, i64 nrhs, const T *lu, const int *pivot, T *b)     \
    {                                                                               \
        for (i64 i = 0; i < n; i++)                                                 \
            if (pivot[i] != i)                                                      \
                exchange_##T(nrhs, b + i * nrhs, b + pivot[i] * nrhs);              \
        for (i64 i = 1; i < n; i++)                                                 \
            for (i64 k = 0; k < i; k++)                                             \
                subtract_##T(nrhs, lu[i * n + k], b + k * nrhs, b + i * nrhs);      \
        for (i64 i = n - 1; i >= 0; i--) {                                          \
            for (i64 k = i + 1; k < n; k++)                                         \
                subtract_##T(nrhs, lu[i * n + k], b + k * nrhs, b + i * nrhs);      \
            for (i64 j = 0; j < nrhs; j++)                                          \
                b[i * nrhs + j] /= lu[i * n + i];                                   \
        }                                                                           \
    }                                                                               \
    static int cholesky_##T(i64 n, T *a)                                            \
    {                                                                               \
        for (i64 i = 0; i < n; i++)                                                 \
            for (i64 j = 0; j < n; j++) {                                           \
                T sum = a[i * n + j];                                               \
                for (i64 k = 0; k < j && j <= i; k++)                               \
                    sum -= a[i * n + k] * a[j * n + k];                             \
                if (i == j && sum <= 0)                                             \
                    return K_NOT_POSITIVE;                                          \
                a[i * n + j] = j > i ? 0 : j == i ? SQRT(sum) : sum / a[j * n + j]; \
            }                                                                       \
        return K_OK;                                                                \
    }
DEFINE_FACTOR(float, fabsf, sqrtf)
DEFINE_FACTOR(double, fabs, sqrt)

int factor_lu(DType d, i64 n, void *a, int *pivot)
{
    return d == DT_F64 ? lu_double(n, a, pivot) : lu_float(n, a, pivot);
}

void factor_solve(DType d, i64 n, i64 nrhs, const void *lu, const int *pivot, void *b)
{
    if (d == DT_F64)
        solve_double(n, nrhs, lu, pivot, b);
    else
        solve_float(n, nrhs, lu, pivot, b);
}

int factor_cholesky(DType d, i64 n, void *a)
{
    return d == DT_F64 ? cholesky_double(n, a) : cholesky_float(n, a);
}
