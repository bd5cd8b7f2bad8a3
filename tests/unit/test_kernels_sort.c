/* Sorting of few and of many elements, by what defines it: the places are a permutation in which no
 * element stands after a larger one, or after an equal one that came later; and the sorted elements
 * are those at these places, bit by bit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tensor/kernels.h"
#include "tensor/philox.h"

enum { MOST = 5000 };

typedef struct {
    DType dtype;
    i64 n;
    double x[MOST], sorted[MOST]; /* of any dtype */
    i64 place[MOST];
    bool seen[MOST];
} Case;

/* ---- elements ---- */

/* Numbers that are hard in some way: number i of n, from random bits. */
typedef struct {
    i64 i, n;
    u64 bits;
} At;
static double spread(At a) { return (double)(i64)a.bits * 0x1p-60; }
static double alike(At a) { return (double)(a.bits % 5); }
static double all_same(At a) { return a.n > 0 ? 7 : 0; }
static double rising(At a) { return (double)(a.i - a.n / 2); }
static double falling(At a) { return -rising(a); }
/* many that differ in their lowest bits only, and one that is far away */
static double crowded(At a)
{
    return a.i == a.n / 3 ? -3 : 1e6 + (double)(a.bits % 1000) * 0x1p-31;
}
/* two or three that are equal or nearly so, between others */
static double pairs(At a)
{
    return (double)(a.i / 3 * 7919 % 5003) * 1.1 + (double)(a.bits % 2) * 0x1p-40;
}
static double odd(At a)
{
    const double some[] = {0.0, -0.0, NAN, -INFINITY, INFINITY, 5e-324, -5e-324, 1, -1, -NAN};
    return some[a.bits % COUNT_OF(some)];
}
typedef double Kind(At a);
static Kind *const kinds[] = {spread, alike, all_same, rising, falling, crowded, pairs, odd};

static void put(Case *c, i64 i, double v, u64 bits)
{
    bool whole = !dtype_is_float(c->dtype);
    i64 l = whole ? fabs(v) < 1e18 ? (i64)(v * 8) : (i64)bits : 0;
    switch (c->dtype) {
    case DT_BOOL: ((u8 *)c->x)[i] = l & 1; return;
    case DT_I32: ((i32 *)c->x)[i] = (i32)l; return;
    case DT_I64: ((i64 *)c->x)[i] = l; return;
    case DT_F32: ((float *)c->x)[i] = (float)v; return;
    default: c->x[i] = v; return;
    }
}

/* Exactly. */
static long double value_of(const Case *c, const void *x, i64 i)
{
    long double v = c->dtype == DT_BOOL  ? ((const u8 *)x)[i]
                    : c->dtype == DT_I32 ? ((const i32 *)x)[i]
                    : c->dtype == DT_I64 ? (long double)((const i64 *)x)[i]
                    : c->dtype == DT_F32 ? (long double)((const float *)x)[i]
                                         : (long double)((const double *)x)[i];
    return v;
}

static bool is_nan(const Case *c, i64 i)
{
    return c->dtype == DT_F64   ? c->x[i] != c->x[i]
           : c->dtype == DT_F32 ? ((float *)c->x)[i] != ((float *)c->x)[i]
                                : false;
}

/* -1, 0, 1: how elements i and j of x are ordered */
static int compare(const Case *c, i64 i, i64 j)
{
    bool a = is_nan(c, i), b = is_nan(c, j);
    long double x = value_of(c, c->x, i), y = value_of(c, c->x, j);
    return a || b ? a - b : x < y ? -1 : x > y;
}

/* ---- checks ---- */

/* The column of (axis, inner) that begins at `at`. */
static void check_column(Case *c, i64 axis, i64 inner, i64 at)
{
    size_t size = dtype_size(c->dtype);
    memset(c->seen, 0, sizeof c->seen);
    for (i64 i = 0; i < axis; i++) {
        i64 here = at + i * inner, place = c->place[here];
        assert_true(place >= 0 && place < axis && !c->seen[place]);
        c->seen[place] = true;
        assert_memory_equal((char *)c->sorted + (size_t)here * size,
                            (char *)c->x + (size_t)(at + place * inner) * size, size);
        if (i == 0)
            continue;
        i64 before = c->place[here - inner];
        int order = compare(c, at + before * inner, at + place * inner);
        assert_true(order < 0 || (order == 0 && before < place));
    }
}

static void check(Case *c, i64 outer, i64 axis, i64 inner)
{
    assert_int_equal(kernel_sort(c->dtype, outer, axis, inner, c->x, c->sorted, NULL), K_OK);
    assert_int_equal(kernel_argsort(c->dtype, outer, axis, inner, c->x, c->place, NULL), K_OK);
    for (i64 o = 0; o < outer; o++)
        for (i64 k = 0; k < inner; k++)
            check_column(c, axis, inner, o * axis * inner + k);
}

static void test_orders(void **state)
{
    static const i64 shapes[][3] = {{1, 0, 1},   {1, 1, 1},   {3, 17, 2},  {1, 256, 1},
                                    {1, 257, 1}, {4, 600, 2}, {1, 5000, 1}};
    (void)state;
    Case *c = xmalloc(sizeof *c);
    u64 *bits = xmalloc(MOST * sizeof *bits);
    rng_randint(rng_seed(5), INT64_MIN, INT64_MAX, MOST, (i64 *)bits);
    for (DType d = DT_BOOL; d <= DT_F64; d++)
        for (size_t s = 0; s < COUNT_OF(shapes); s++)
            for (size_t k = 0; k < COUNT_OF(kinds); k++) {
                const i64 *shape = shapes[s];
                c->dtype = d;
                c->n = shape[0] * shape[1] * shape[2];
                for (i64 i = 0; i < c->n; i++)
                    put(c, i, kinds[k]((At){i, c->n, bits[i]}), bits[i]);
                check(c, shape[0], shape[1], shape[2]);
            }
    free(c), free(bits);
}

/* ^C ends both, few or many. */
static void test_interrupted(void **state)
{
    (void)state;
    const Interrupt now = 1;
    Case *c = xmalloc(sizeof *c);
    c->dtype = DT_F64;
    for (i64 i = 0; i < MOST; i++)
        c->x[i] = (double)(i * 7 % 1000);
    for (i64 axis = 10; axis <= MOST; axis *= 10) {
        i64 outer = MOST / axis;
        assert_int_equal(kernel_sort(DT_F64, outer, axis, 1, c->x, c->sorted, &now), K_INTERRUPTED);
        assert_int_equal(kernel_argsort(DT_F64, outer, axis, 1, c->x, c->place, &now),
                         K_INTERRUPTED);
    }
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
