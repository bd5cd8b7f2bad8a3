/* The smallest and largest elements and their places, along either axis, against the definition. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tensor/kernels.h"
#include "tensor/philox.h"

enum { MOST = 8000, OUTER = 2 };

typedef struct {
    DType dtype;
    i64 n, pitch;
    const char *x;
} Row;

static double element(const Row *r, i64 i)
{
    const void *at = r->x + (size_t)(i * r->pitch) * dtype_size(r->dtype);
    return r->dtype == DT_BOOL  ? *(const u8 *)at
           : r->dtype == DT_I32 ? *(const i32 *)at
           : r->dtype == DT_I64 ? (double)*(const i64 *)at
           : r->dtype == DT_F32 ? (double)*(const float *)at
                                : *(const double *)at;
}

static bool negative(double x) { return signbit(x) != 0; }

/* The place of the extreme; *value: the extreme, with the sign that a zero of this row gets. */
static i64 extreme(const Row *r, bool max, double *value)
{
    i64 at = 0;
    for (i64 i = 0; i < r->n; i++) {
        double v = element(r, i), best = element(r, at);
        if (v != v) {
            *value = v;
            return i;
        }
        if (max ? v > best : v < best)
            at = i;
    }
    *value = element(r, at);
    for (i64 i = at; i < r->n && *value == 0; i++)
        if (element(r, i) == 0 && negative(element(r, i)) != max)
            *value = element(r, i);
    return at;
}

static void put(DType d, void *x, i64 i, double v)
{
    switch (d) {
    case DT_BOOL: ((u8 *)x)[i] = v > 1; return;
    case DT_I32: ((i32 *)x)[i] = (i32)(v == v ? v : 0); return;
    case DT_I64: ((i64 *)x)[i] = (i64)(v == v ? v * 1e9 : 0); return;
    case DT_F32: ((float *)x)[i] = (float)v; return;
    default: ((double *)x)[i] = v; return;
    }
}

/* Numbers up to `top`, whole ones, so that some are equal; every `nan`-th is NaN, if it is not 0;
 * zeros of both signs. */
static void fill_row(DType d, void *x, i64 n, i64 seed, i64 top, i64 nan)
{
    i64 *bits = xmalloc((size_t)n * sizeof *bits);
    rng_randint(rng_seed(seed), 0, 1 << 20, n, bits);
    for (i64 i = 0; i < n; i++) {
        double v = (double)(bits[i] % (2 * top + 1) - top);
        v = top < 0 ? (bits[i] % 7 == 0 ? -0.0 : 0.0) : v == 0 && bits[i] & 1024 ? -0.0 : v;
        put(d, x, i, nan && bits[i] % nan == 0 ? (bits[i] & 2048 ? NAN : -NAN) : v);
    }
    free(bits);
}

static void check(DType d, i64 axis, i64 inner, const void *x)
{
    static double value[2][OUTER * MOST];
    static i64 place[2][OUTER * MOST];
    for (int max = 0; max < 2; max++) {
        assert_int_equal(
            kernel_reduce(max ? RED_MAX : RED_MIN, d, OUTER, axis, inner, x, value[max]), K_OK);
        assert_int_equal(
            kernel_reduce(max ? RED_ARGMAX : RED_ARGMIN, d, OUTER, axis, inner, x, place[max]),
            K_OK);
        for (i64 k = 0; k < OUTER * inner; k++) {
            i64 at = k / inner * axis * inner + k % inner;
            Row row = {d, axis, inner, (const char *)x + (size_t)at * dtype_size(d)};
            Row got = {d, 1, 1, (const char *)value[max] + (size_t)k * dtype_size(d)};
            double want, found = element(&got, 0);
            assert_int_equal(extreme(&row, max, &want), place[max][k]);
            assert_true(found == want ? negative(found) == negative(want)
                                      : found != found && want != want);
        }
    }
}

static void test_definition(void **state)
{
    static const i64 axes[] = {1, 2, 7, 15, 16, 17, 63, 64, 129, 255, 256, 257, 600};
    static const i64 inners[] = {1, 3, 13};
    (void)state;
    double *x = xmalloc(OUTER * MOST * sizeof *x);
    for (DType d = DT_BOOL; d <= DT_F64; d++)
        for (size_t a = 0; a < COUNT_OF(axes); a++)
            for (size_t i = 0; i < COUNT_OF(inners); i++)
                for (int kind = 0; kind < 5; kind++) {
                    i64 n = OUTER * axes[a] * inners[i], seed = (i64)(a * 10 + i);
                    i64 top = kind == 0 ? 1000 : kind == 1 ? 2 : kind == 2 ? 100 : 0;
                    fill_row(d, x, n, seed, kind == 4 ? -1 : top,
                             kind == 2   ? 400
                             : kind == 3 ? 9
                                         : 0);
                    check(d, axes[a], inners[i], x);
                }
    free(x);
}

/* More columns than are taken at once. */
static void test_wide(void **state)
{
    (void)state;
    double *x = xmalloc(OUTER * 3 * 2500 * sizeof *x);
    fill_row(DT_F64, x, OUTER * 3 * 2500, 3, 1000, 50);
    check(DT_F64, 3, 2500, x);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
