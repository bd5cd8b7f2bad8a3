/* Products that are too small for a library: included by blas.c, and text of native code, whose
 * compiler knows all sizes.
 *
 * Invariant: both compute them in one order, which is that of the loops as they are written, so a
 * compiler must not contract or reassociate. SMALL_FN says what the functions are. */
enum { SMALL_SIDE = 16 };

#define DEFINE_SMALL(T)                                                                           \
    SMALL_FN T dot4_##T(i64 n, const T *x, const T *restrict y)                                   \
    {                                                                                             \
        T s[4] = {0, 0, 0, 0};                                                                    \
        i64 i = 0;                                                                                \
        for (; i + 4 <= n; i += 4)                                                                \
            for (int j = 0; j < 4; j++)                                                           \
                s[j] += x[i + j] * y[i + j];                                                      \
        T sum = (s[0] + s[2]) + (s[1] + s[3]);                                                    \
        for (; i < n; i++)                                                                        \
            sum += x[i] * y[i];                                                                   \
        return sum;                                                                               \
    }                                                                                             \
    /* y = alpha A x + beta y, or (ta) A' x, of an m x n matrix without gaps */                   \
    SMALL_FN void small_gemv_##T(int ta, i64 m, i64 n, T alpha, const T *restrict a,              \
                                 const T *restrict x, T beta, T *restrict y)                      \
    {                                                                                             \
        if (ta) {                                                                                 \
            for (i64 j = 0; j < n && beta != 1; j++)                                              \
                y[j] = beta == 0 ? 0 : beta * y[j];                                               \
            for (i64 i = 0; i < m; i++)                                                           \
                for (i64 j = 0; j < n; j++)                                                       \
                    y[j] += alpha * x[i] * a[i * n + j];                                          \
            return;                                                                               \
        }                                                                                         \
        for (i64 i = 0; i < m; i++)                                                               \
            y[i] = alpha * dot4_##T(n, a + i * n, x) + (beta == 0 ? 0 : beta * y[i]);             \
    }                                                                                             \
    /* C (m x n) = alpha op(A) op(B) + beta C; A is m x k, or (ta) k x m, B likewise */           \
    SMALL_FN void small_gemm_##T(int ta, int tb, i64 m, i64 n, i64 k, T alpha,                    \
                                 const T *restrict a, const T *restrict b, T beta, T *restrict c) \
    {                                                                                             \
        for (i64 i = 0; i < m; i++) {                                                             \
            T row[SMALL_SIDE];                                                                    \
            for (i64 j = 0; j < n; j++)                                                           \
                row[j] = beta == 0 ? 0 : beta == 1 ? c[i * n + j] : beta * c[i * n + j];          \
            for (i64 p = 0; p < k; p++) {                                                         \
                T f = alpha * (ta ? a[p * m + i] : a[i * k + p]);                                 \
                for (i64 j = 0; j < n; j++)                                                       \
                    row[j] += f * (tb ? b[j * k + p] : b[p * n + j]);                             \
            }                                                                                     \
            for (i64 j = 0; j < n; j++)                                                           \
                c[i * n + j] = row[j];                                                            \
        }                                                                                         \
    }                                                                                             \
    SMALL_FN void small_product_##T(int ta, int tb, i64 m, i64 n, i64 k, T alpha,                 \
                                    const T *restrict a, const T *restrict b, T beta,             \
                                    T *restrict c)                                                \
    {                                                                                             \
        if (m == 1 && n == 1 && alpha == 1 && beta == 0)                                          \
            *c = dot4_##T(k, a, b);                                                               \
        else if (n == 1)                                                                          \
            small_gemv_##T(ta, ta ? k : m, ta ? m : k, alpha, a, b, beta, c);                     \
        else if (m == 1)                                                                          \
            small_gemv_##T(!tb, tb ? n : k, tb ? k : n, alpha, b, a, beta, c);                    \
        else                                                                                      \
            small_gemm_##T(ta, tb, m, n, k, alpha, a, b, beta, c);                                \
    }
DEFINE_SMALL(float)
DEFINE_SMALL(double)
