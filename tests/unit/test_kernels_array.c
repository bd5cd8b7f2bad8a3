/* Reductions, layout, sorting and linear algebra, against plain loops. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tensor/blas.h"
#include "tensor/kernels.h"
#include "tensor/philox.h"
#include "tests/unit/kernel_help.h"

/* ---- helpers ---- */

/* ---- reductions ---- */

static void test_reduce_order(void **state)
{
    (void)state;
    enum { MAXN = 1500, COLS = 37 };
    double *x = xmalloc(MAXN * COLS * sizeof *x), *xt = xmalloc(MAXN * COLS * sizeof *x),
           rows[COLS], cols[COLS];
    static const i64 lengths[] = {1, 2, 15, 16, 17, 255, 256, 257, 511, 777, 1500};
    fill(x, MAXN * COLS, 6, -1, 1);
    for (size_t k = 0; k < COUNT_OF(lengths); k++)
        for (ReduceOp op = RED_SUM; op <= RED_MAX; op++) {
            const i64 n = lengths[k], shape[] = {n, COLS};
            kernel_transpose(8, 2, shape, (const int[]){1, 0}, x, xt);
            assert_int_equal(kernel_reduce(op, DT_F64, 1, n, COLS, x, cols), K_OK);
            assert_int_equal(kernel_reduce(op, DT_F64, COLS, n, 1, xt, rows), K_OK);
            assert_memory_equal(rows, cols, sizeof rows);
            long double sum = 0;
            for (i64 i = 0; i < n; i++)
                sum += (long double)xt[i];
            if (op == RED_SUM)
                near(rows[0], (double)sum, 1e-13);
        }
    free(x), free(xt);
}

/* Numbers of that type with zeros of both signs, NaN, and many that are equal. */
static void fill_any(DType d, i64 n, void *out)
{
    double *x = xmalloc((size_t)n * sizeof *x);
    fill(x, n, 11, -9, 9);
    for (i64 i = 0; i < n && dtype_is_float(d); i++)
        x[i] = i % 89 == 3 ? NAN : i % 7 == 3 ? 0 : i % 7 == 4 ? -0.0 : x[i];
    if (d == DT_BOOL)
        for (i64 i = 0; i < n; i++)
            x[i] = x[i] > -8.9;
    kernel_cast(DT_F64, d, n, x, out);
    free(x);
}

/* Columns by rows, whatever their number: as each of them alone. */
static void test_reduce_columns(void **state)
{
    (void)state;
    static const i64 widths[] = {2, 5, 16, 255, 256, 257, 1023, 1024, 1025, 2500},
                     lengths[] = {1, 3, 16, 17, 33, 256, 300};
    enum { MAXN = 300, MAXW = 2500 };
    char *x = xmalloc(MAXN * MAXW * 8), *xt = xmalloc(MAXN * MAXW * 8), *cols = xmalloc(MAXW * 8),
         *rows = xmalloc(MAXW * 8);
    for (DType d = DT_BOOL; d <= DT_F64; d++) {
        fill_any(d, MAXN * MAXW, x);
        for (size_t k = 0; k < COUNT_OF(widths) * COUNT_OF(lengths); k++) {
            const i64 w = widths[k % COUNT_OF(widths)], n = lengths[k / COUNT_OF(widths)];
            kernel_transpose(dtype_size(d), 2, (const i64[]){n, w}, (const int[]){1, 0}, x, xt);
            for (ReduceOp op = RED_SUM; op <= RED_ALL; op++) {
                size_t bytes = (size_t)w * dtype_size(reduce_dtype(op, d));
                assert_int_equal(kernel_reduce(op, d, 1, n, w, x, cols), K_OK);
                assert_int_equal(kernel_reduce(op, d, w, n, 1, xt, rows), K_OK);
                assert_memory_equal(rows, cols, bytes);
            }
        }
    }
    free(x), free(xt), free(cols), free(rows);
}

static void test_reduce_rules(void **state)
{
    (void)state;
    const double x[] = {3, 1, NAN, 2, NAN, 1, 5, 5, 0};
    const i32 k[] = {INT32_MAX, INT32_MAX, -1};
    const u8 b[] = {1, 0, 1};
    double y[3];
    i64 i[3];
    u8 any[3];
    kernel_reduce(RED_MAX, DT_F64, 3, 3, 1, x, y);
    assert_true(y[0] != y[0] && y[1] != y[1] && y[2] == 5);
    kernel_reduce(RED_ARGMAX, DT_F64, 3, 3, 1, x, i);
    assert_true(i[0] == 2 && i[1] == 1 && i[2] == 0);
    kernel_reduce(RED_ARGMIN, DT_F64, 1, 3, 3, x, i);
    assert_true(i[0] == 1 && i[1] == 1 && i[2] == 0); /* 3 2 5, 1 NAN 5, NAN 1 0 */
    kernel_reduce(RED_SUM, DT_I32, 1, 3, 1, k, i);
    assert_int_equal(i[0], 2 * (i64)INT32_MAX - 1);
    kernel_reduce(RED_SUM, DT_BOOL, 1, 3, 1, b, i);
    assert_int_equal(i[0], 2);
    kernel_reduce(RED_ANY, DT_F64, 1, 3, 3, x, any);
    assert_memory_equal(any, "\1\1\1", 3);
    kernel_reduce(RED_ALL, DT_F64, 3, 3, 1, x, any);
    assert_memory_equal(any, "\1\1\0", 3);
    assert_int_equal(kernel_reduce(RED_SUM, DT_F64, 1, 0, 2, x, y), K_OK);
    assert_true(y[0] == 0 && y[1] == 0);
    assert_int_equal(kernel_reduce(RED_PROD, DT_I32, 1, 0, 2, k, i), K_OK);
    assert_true(i[0] == 1 && i[1] == 1);
    assert_int_equal(kernel_reduce(RED_MIN, DT_F64, 1, 0, 2, x, y), K_EMPTY);
    assert_int_equal(kernel_reduce(RED_ARGMAX, DT_F64, 0, 0, 2, x, i), K_OK);
    assert_int_equal(kernel_reduce(RED_ALL, DT_F64, 1, 0, 1, x, any), K_OK);
    assert_int_equal(any[0], 1);
}

static void test_cumulate(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6};
    double y[6];
    kernel_cumulate(CUM_SUM, DT_F64, 2, 3, 1, 0, 3, x, y, false);
    assert_memory_equal(y, ((const double[]){1, 3, 6, 4, 9, 15}), sizeof y);
    kernel_cumulate(CUM_SUM, DT_F64, 2, 3, 1, 0, 3, x, y, true);
    assert_memory_equal(y, ((const double[]){6, 5, 3, 15, 11, 6}), sizeof y);
    kernel_cumulate(CUM_PROD, DT_F64, 1, 3, 2, 0, 3, x, y, false);
    assert_memory_equal(y, ((const double[]){1, 2, 3, 8, 15, 48}), sizeof y);
    memcpy(y, ((const double[]){1, 3, 2, NAN, 5, 0}), sizeof y);
    kernel_cumulate(CUM_MAX, DT_F64, 1, 6, 1, 0, 6, y, y, false);
    assert_true(y[2] == 3 && y[3] != y[3] && y[5] != y[5]);
    const u8 b[] = {1, 1, 0};
    i64 i[3];
    kernel_cumulate(CUM_SUM, DT_BOOL, 1, 3, 1, 0, 3, b, i, false);
    assert_memory_equal(i, ((const i64[]){1, 2, 2}), sizeof i);
}

/* ---- layout ---- */

static void test_strided_copies(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 4, 8, 24};
    static const int perms[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const i64 shape[] = {3, 20, 33}, from[] = {660, 33, 1};
    u8 *x = xmalloc(1980 * 24), *y = xmalloc(1980 * 24);
    for (int i = 0; i < 1980 * 24; i++)
        x[i] = (u8)(i * 7 + i / 251);
    for (size_t k = 0; k < COUNT_OF(sizes); k++)
        for (size_t p = 0; p < COUNT_OF(perms); p++) {
            size_t size = sizes[k], at = 0;
            const int *q = perms[p];
            kernel_transpose(size, 3, shape, q, x, y);
            for (i64 i = 0; i < shape[q[0]]; i++)
                for (i64 j = 0; j < shape[q[1]]; j++)
                    for (i64 l = 0; l < shape[q[2]]; l++, at += size)
                        assert_memory_equal(
                            y + at,
                            x + (size_t)(i * from[q[0]] + j * from[q[1]] + l * from[q[2]]) * size,
                            size);
        }
    const double row[] = {1, 2, 3};
    double m[6];
    kernel_strided(8, 2, (const i64[]){2, 3}, (const i64[]){0, 1}, row, m); /* broadcasts */
    assert_memory_equal(m, ((const double[]){1, 2, 3, 1, 2, 3}), sizeof m);
    kernel_strided(8, 2, (const i64[]){3, 2}, (const i64[]){1, 0}, row, m);
    assert_memory_equal(m, ((const double[]){1, 1, 2, 2, 3, 3}), sizeof m);
    kernel_strided(8, 1, (const i64[]){3}, (const i64[]){-1}, row + 2, m); /* flips */
    assert_memory_equal(m, ((const double[]){3, 2, 1}), 24);
    kernel_slice(8, 2, 3, 1, 2, -2, 2, ((const double[]){1, 2, 3, 4, 5, 6}), m);
    assert_memory_equal(m, ((const double[]){3, 1, 6, 4}), 32);
    kernel_strided(8, 0, NULL, NULL, row, m);
    assert_true(m[0] == 1);
    free(x), free(y);
}

static void test_gather_scatter(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6}, v[] = {10, 20, 30, 40, 50, 60}, one = 7;
    const i64 idx[] = {2, -3, 2}, far[] = {0, 3}, under[] = {-4};
    const i32 idx32[] = {0, -1};
    double y[6];
    i64 bad = 0;
    assert_int_equal(kernel_gather(8, 2, 3, 1, x, DT_I64, idx, 3, y, &bad), K_OK);
    assert_memory_equal(y, ((const double[]){3, 1, 3, 6, 4, 6}), sizeof y);
    assert_int_equal(kernel_gather(8, 1, 3, 2, x, DT_I32, idx32, 2, y, &bad), K_OK);
    assert_memory_equal(y, ((const double[]){1, 2, 5, 6}), 32);
    assert_int_equal(kernel_gather(8, 1, 3, 2, x, DT_I64, far, 2, y, &bad), K_BOUNDS);
    assert_int_equal(bad, 3);
    memset(y, 0, sizeof y);
    assert_int_equal(kernel_scatter(STORE_ADD, DT_F64, 1, 3, 2, y, DT_I64, idx, 3, v, 1, &bad),
                     K_OK);
    assert_memory_equal(y, ((const double[]){30, 40, 0, 0, 60, 80}), sizeof y);
    assert_int_equal(kernel_scatter(STORE_SET, DT_F64, 1, 3, 2, y, DT_I64, idx, 3, v, 1, &bad),
                     K_OK);
    assert_memory_equal(y, ((const double[]){30, 40, 0, 0, 50, 60}), sizeof y);
    assert_int_equal(kernel_scatter(STORE_MAX, DT_F64, 2, 3, 1, y, DT_I64, idx, 2, &one, 0, &bad),
                     K_OK);
    assert_memory_equal(y, ((const double[]){30, 40, 7, 7, 50, 60}), sizeof y);
    assert_int_equal(kernel_scatter(STORE_SET, DT_F64, 1, 3, 2, y, DT_I64, under, 1, v, 1, &bad),
                     K_BOUNDS);
    kernel_slice_store(STORE_SET, DT_F64, 2, 3, 1, 2, -2, 2, v, 1, y);
    assert_memory_equal(y, ((const double[]){20, 40, 10, 40, 50, 30}), sizeof y);
    kernel_slice_store(STORE_ADD, DT_F64, 1, 3, 2, 1, 1, 2, &one, 0, y);
    assert_memory_equal(y, ((const double[]){20, 40, 17, 47, 57, 37}), sizeof y);
    kernel_triangle(8, true, 1, 2, 3, 0, x, y);
    assert_memory_equal(y, ((const double[]){1, 0, 0, 4, 5, 0}), sizeof y);
    kernel_triangle(8, false, 1, 2, 3, 1, x, y);
    assert_memory_equal(y, ((const double[]){0, 2, 3, 0, 0, 6}), sizeof y);
    kernel_iota(DT_F64, 3, &one, v, y);
    assert_memory_equal(y, ((const double[]){7, 17, 27}), 24);
}

static void test_sorting(void **state)
{
    (void)state;
    enum { M = 500 };
    double x[M], y[M];
    i64 order[M], at[3];
    fill(x, M, 8, 0, 40);
    for (int i = 0; i < M; i++)
        x[i] = i % 50 == 3 ? NAN : floor(x[i]);
    assert_int_equal(kernel_sort(DT_F64, 1, M, 1, x, y, NULL), K_OK);
    assert_int_equal(kernel_argsort(DT_F64, 1, M, 1, x, order, NULL), K_OK);
    for (int i = 1; i < M; i++) {
        assert_true(y[i - 1] <= y[i] || y[i] != y[i]);
        assert_true(same(x[order[i]], y[i]));
        if (same(y[i - 1], y[i]))
            assert_true(order[i - 1] < order[i]);
    }
    const i32 m[] = {3, 1, 2, 5, 1, 0};
    i32 s[6];
    kernel_sort(DT_I32, 1, 3, 2, m, s, NULL); /* columns 3 2 1 and 1 5 0 */
    assert_memory_equal(s, ((const i32[]){1, 0, 2, 1, 3, 5}), sizeof s);
    const i64 a[] = {1, 3, 3, 5}, v[] = {3, 0, 9};
    kernel_searchsorted(DT_I64, 4, a, 3, v, false, at);
    assert_memory_equal(at, ((const i64[]){1, 0, 4}), sizeof at);
    kernel_searchsorted(DT_I64, 4, a, 3, v, true, at);
    assert_memory_equal(at, ((const i64[]){3, 0, 4}), sizeof at);
}

/* ---- linear algebra ---- */

static void check_gemm(DType d, int flags, i64 m, i64 n, i64 k, double beta)
{
    bool ta = flags & 1, tb = flags & 2;
    i64 lda = (ta ? m : k) + 2, ldb = (tb ? k : n) + 1, ldc = n + 3, size = 24 * 24;
    double a[24 * 24], b[24 * 24], c[24 * 24], want[24 * 24];
    char a_[24 * 24 * 8], b_[24 * 24 * 8], c_[24 * 24 * 8];
    fill(a, size, 1, -9, 9), fill(b, size, 2, -9, 9), fill(c, size, 3, -9, 9);
    for (i64 i = 0; i < size; i++) /* whole numbers: every dtype is exact */
        a[i] = floor(a[i]), b[i] = floor(b[i]),
        c[i] = beta == 0 && dtype_is_float(d) ? NAN : floor(c[i]);
    memcpy(want, c, sizeof c);
    for (i64 i = 0; i < m; i++)
        for (i64 j = 0; j < n; j++) {
            double sum = beta == 0 ? 0 : beta * c[i * ldc + j];
            for (i64 p = 0; p < k; p++)
                sum += 2 * (ta ? a[p * lda + i] : a[i * lda + p]) *
                       (tb ? b[j * ldb + p] : b[p * ldb + j]);
            want[i * ldc + j] = sum;
        }
    kernel_cast(DT_F64, d, size, a, a_), kernel_cast(DT_F64, d, size, b, b_),
        kernel_cast(DT_F64, d, size, c, c_);
    blas_gemm(d, ta, tb, m, n, k, 2, a_, lda, b_, ldb, beta, c_, ldc);
    kernel_cast(d, DT_F64, size, c_, c);
    for (i64 i = 0; i < size; i++)
        assert_true(same(c[i], want[i]) || c[i] == want[i]);
    if (n != 1 || tb)
        return;
    kernel_cast(DT_F64, d, size, want, c_); /* a column: the same through gemv */
    if (beta == 0)
        blas_gemv(d, ta, ta ? k : m, ta ? m : k, 2, a_, lda, b_, ldb, 0, c_, ldc);
    kernel_cast(d, DT_F64, size, c_, c);
    for (i64 i = 0; i < size; i++)
        assert_true(same(c[i], want[i]) || c[i] == want[i]);
}

static void test_products(void **state)
{
    (void)state;
    static const i64 sizes[] = {0, 1, 3, 8, 20};
    for (DType d = DT_I32; d <= DT_F64; d++)
        for (int flags = 0; flags < 4; flags++)
            for (int s = 0; s < 125; s++)
                for (double beta = 0; beta <= 2; beta++)
                    check_gemm(d, flags, sizes[s % 5], sizes[s / 5 % 5], sizes[s / 25], beta);
    for (DType d = DT_F32; d <= DT_F64; d++)
        for (int s = 0; s < 54; s++) /* many rows, short sides */
            check_gemm(d, s & 1 ? 2 : 0, 40, 2 + s / 2 % 3, 2 + s / 6 % 3, s / 18);
    const double x[] = {1, 2, 3}, y[] = {4, 5, 6};
    double out;
    blas_dot(DT_F64, 3, x, 1, y, 1, &out);
    assert_true(out == 32);
}

/* A random n x n matrix of dtype d, positive definite if asked, and residual checks in f64. */
static void check_factorisations(DType d, i64 n)
{
    enum { BIG = 20 };
    double tolerance = d == DT_F64 ? 1e-11 : 1e-3, a[BIG * BIG], s[BIG * BIG], b[BIG * 3],
           x[BIG * BIG];
    char a_[BIG * BIG * 8], b_[BIG * BIG * 8], sign_[8], log_[8];
    fill(a, n * n, n, -1, 1), fill(b, n * 3, n + 1, -1, 1);
    for (i64 i = 0; i < n; i++)
        a[i * n + (i + 1) % n] += 4; /* far from singular, but needs pivots */
    kernel_cast(DT_F64, d, n * n, a, a_), kernel_cast(DT_F64, d, n * 3, b, b_);
    assert_int_equal(blas_solve(d, n, 3, a_, b_), K_OK);
    kernel_cast(d, DT_F64, n * 3, b_, x);
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < 3; j++) {
            double sum = 0;
            for (i64 k = 0; k < n; k++)
                sum += a[i * n + k] * x[k * 3 + j];
            near(sum, b[i * 3 + j], tolerance);
        }
    kernel_cast(DT_F64, d, n * n, a, a_);
    assert_int_equal(blas_inv(d, n, a_), K_OK);
    kernel_cast(d, DT_F64, n * n, a_, x);
    blas_gemm(DT_F64, false, false, n, n, n, 1, a, n, x, n, 0, s, n);
    for (i64 i = 0; i < n * n; i++)
        near(s[i], i % (n + 1) == 0, tolerance);
    blas_gemm(DT_F64, false, true, n, n, n, 1, a, n, a, n, 0, s, n); /* A A' is positive definite */
    kernel_cast(DT_F64, d, n * n, s, a_);
    assert_int_equal(blas_cholesky(d, n, a_), K_OK);
    kernel_cast(d, DT_F64, n * n, a_, x);
    double logdet = 0;
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j < n; j++) {
            double sum = 0;
            for (i64 k = 0; k < n; k++)
                sum += x[i * n + k] * x[j * n + k];
            near(sum, s[i * n + j], tolerance * 10);
            logdet += i == j ? log(x[i * n + i]) : 0;
            assert_true(j <= i || x[i * n + j] == 0);
        }
    kernel_cast(DT_F64, d, n * n, a, a_);
    assert_int_equal(blas_slogdet(d, n, a_, sign_, log_), K_OK);
    kernel_cast(d, DT_F64, 1, log_, x);
    near(x[0], logdet, tolerance);
    kernel_cast(d, DT_F64, 1, sign_, x + 1);
    kernel_cast(DT_F64, d, n * n, a, a_);
    assert_int_equal(blas_det(d, n, a_, b_), K_OK);
    kernel_cast(d, DT_F64, 1, b_, x + 2);
    near(x[2] / exp(logdet), x[1], tolerance);
}

static void test_factorisations(void **state)
{
    (void)state;
    for (i64 n = 0; n <= 20; n++) {
        check_factorisations(DT_F64, n);
        check_factorisations(DT_F32, n);
    }
    double singular[] = {1, 2, 2, 4}, b[] = {1, 1}, sign, logabs, t[] = {2, 9, 1, 4}, c[] = {2, 9};
    double copy[4], indefinite[] = {1, 2, 2, 1}, nan[] = {NAN, 0, 0, 1};
    memcpy(copy, singular, sizeof copy);
    assert_int_equal(blas_solve(DT_F64, 2, 1, copy, b), K_SINGULAR);
    memcpy(copy, singular, sizeof copy);
    assert_int_equal(blas_inv(DT_F64, 2, copy), K_SINGULAR);
    assert_int_equal(blas_slogdet(DT_F64, 2, singular, &sign, &logabs), K_OK);
    assert_true(sign == 0 && logabs == -(double)INFINITY);
    assert_int_equal(blas_cholesky(DT_F64, 2, indefinite), K_NOT_POSITIVE);
    assert_int_equal(blas_solve_triangular(DT_F64, true, false, false, 2, 1, t, c),
                     K_OK); /* 2 0 / 1 4 */
    assert_true(c[0] == 1 && c[1] == 2);
    assert_int_equal(blas_solve_triangular(DT_F64, false, true, true, 2, 1, t, c),
                     K_OK); /* 1 0 / 9 1 */
    assert_true(c[0] == 1 && c[1] == -7);
    t[0] = 0;
    assert_int_equal(blas_solve_triangular(DT_F64, true, false, false, 2, 1, t, c), K_SINGULAR);
    assert_int_equal(blas_solve(DT_F64, 2, 1, nan, b), K_OK);
    assert_true(b[0] != b[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce_order),   cmocka_unit_test(test_reduce_columns),
        cmocka_unit_test(test_reduce_rules),   cmocka_unit_test(test_cumulate),
        cmocka_unit_test(test_strided_copies), cmocka_unit_test(test_gather_scatter),
        cmocka_unit_test(test_sorting),        cmocka_unit_test(test_products),
        cmocka_unit_test(test_factorisations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
