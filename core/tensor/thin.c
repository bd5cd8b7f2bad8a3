/* Products of many rows with a matrix of a few elements: a loop for each pair of short sides, which
 * compilers unroll and make vectors of. */
#include "tensor/thin.h"

#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#define ROWS_FN static inline __attribute__((always_inline)) void

#define DEFINE_THIN(T)                                                                            \
    ROWS_FN rows_##T(i64 m, const i64 n, const i64 k, const T *restrict a, const i64 lda,         \
                     T f[THIN][THIN], T beta, T *restrict c, const i64 ldc)                       \
    {                                                                                             \
        for (i64 i = 0; i < m; i++)                                                               \
            for (i64 j = 0; j < n; j++) {                                                         \
                T sum = beta == 0 ? 0 : beta * c[i * ldc + j];                                    \
                for (i64 p = 0; p < k; p++)                                                       \
                    sum += a[i * lda + p] * f[p][j];                                              \
                c[i * ldc + j] = sum;                                                             \
            }                                                                                     \
    }                                                                                             \
    /* Where rows lie side by side and C is not read, compilers know it. */                       \
    ROWS_FN sides_##T(i64 m, const i64 n, const i64 k, const T *restrict a, i64 lda,              \
                      T f[THIN][THIN], T beta, T *restrict c, i64 ldc)                            \
    {                                                                                             \
        if (lda == k && ldc == n && beta == 0)                                                    \
            rows_##T(m, n, k, a, k, f, 0, c, n);                                                  \
        else                                                                                      \
            rows_##T(m, n, k, a, lda, f, beta, c, ldc);                                           \
    }                                                                                             \
    void thin_product_##T(bool tb, i64 m, i64 n, i64 k, T alpha, const T *a, i64 lda, const T *b, \
                          i64 ldb, T beta, T *c, i64 ldc)                                         \
    {                                                                                             \
        T f[THIN][THIN];                                                                          \
        for (i64 p = 0; p < k; p++)                                                               \
            for (i64 j = 0; j < n; j++)                                                           \
                f[p][j] = alpha * (tb ? b[j * ldb + p] : b[p * ldb + j]);                         \
        switch (THIN * k + n) {                                                                   \
        case THIN * 2 + 2: sides_##T(m, 2, 2, a, lda, f, beta, c, ldc); break;                    \
        case THIN * 3 + 3: sides_##T(m, 3, 3, a, lda, f, beta, c, ldc); break;                    \
        case THIN * 4 + 4: sides_##T(m, 4, 4, a, lda, f, beta, c, ldc); break;                    \
        case THIN * 3 + 2: sides_##T(m, 2, 3, a, lda, f, beta, c, ldc); break;                    \
        case THIN * 2 + 3: sides_##T(m, 3, 2, a, lda, f, beta, c, ldc); break;                    \
        default: rows_##T(m, n, k, a, lda, f, beta, c, ldc);                                      \
        }                                                                                         \
    }
DEFINE_THIN(double)
DEFINE_THIN(float)
