/* Sizes of differences, the larger and the less of others have the value of what they were made of,
 * whatever normal form they end in, and a lower bound is none above it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include "ops/cost.h"
#include "tests/unit/text_help.h"

#include <math.h>

enum { CASES = 4000, DEPTH = 4, NAMES = 3, LARGEST = 7 };

/* A size and what it is for each choice of the names. */
typedef struct {
    Size *size;
    double value[(LARGEST + 1) * (LARGEST + 1) * (LARGEST + 1)];
} Known;

typedef struct {
    Store *st;
    Symbol names[NAMES];
    u64 seed;
    double at[NAMES];
} Draw;

static u32 roll(Draw *d, u32 sides)
{
    d->seed = hash_mix(d->seed, 0x9e37);
    return (u32)(d->seed >> 20) % sides;
}

static int digit(int at, int name)
{
    for (int i = 0; i < name; i++)
        at /= LARGEST + 1;
    return at % (LARGEST + 1);
}

static void leaf(Draw *d, Known *out)
{
    u32 which = roll(d, NAMES + 2);
    i64 k = (i64)roll(d, 7) - 2;
    out->size = which < NAMES ? size_name(d->st, d->names[which]) : size_const(d->st, k);
    for (size_t i = 0; i < COUNT_OF(out->value); i++)
        out->value[i] = which < NAMES ? digit((int)i, (int)which) : (double)k;
}

static void draw_size(Draw *d, int depth, Known *out)
{
    Known a, b;
    u32 how = roll(d, 5);
    if (!depth || !roll(d, 6)) {
        leaf(d, out);
        return;
    }
    draw_size(d, depth - 1, &a);
    draw_size(d, depth - 1, &b);
    out->size = how == 0   ? size_add(d->st, a.size, b.size)
                : how <= 2 ? size_sub(d->st, a.size, b.size)
                : how == 3 ? size_max(d->st, a.size, b.size)
                           : size_min(d->st, a.size, b.size);
    for (size_t i = 0; i < COUNT_OF(out->value); i++) {
        double x = a.value[i], y = b.value[i];
        out->value[i] = how == 0 ? x + y : how <= 2 ? x - y : how == 3 ? fmax(x, y) : fmin(x, y);
    }
}

static double value_of(void *ctx, const SizeAtom *a)
{
    const Draw *d = ctx;
    for (int i = 0; i < NAMES; i++)
        if (a->name == d->names[i])
            return d->at[i];
    fail_msg("an atom of no name");
    return 0;
}

static void check(Draw *d, const Known *k)
{
    i64 low = 0;
    bool bounded = size_lower_bound(k->size, &low);
    for (size_t i = 0; i < COUNT_OF(k->value); i++) {
        for (int n = 0; n < NAMES; n++)
            d->at[n] = digit((int)i, n);
        double got = size_estimate(k->size, value_of, d);
        if (got == k->value[i] && (!bounded || (double)low <= got))
            continue;
        Text t = {0};
        size_print(&t, k->size);
        fail_msg("%s is %g, not %g, for %g, %g, %g; at least %lld", text_str(&t), got, k->value[i],
                 d->at[0], d->at[1], d->at[2], (long long)low);
    }
}

static void test_values(void **state)
{
    (void)state;
    static const char *const names[] = {"n", "m", "k"};
    World *w = world_new();
    u32 cases = effort_cases(CASES), seed = from_env("GRADUS_SEED", 1), bounds = 0;
    for (u32 i = 0; i < cases; i++) {
        Draw d = {.st = &w->st, .seed = hash_mix(seed, i)};
        Known k;
        for (int n = 0; n < NAMES; n++)
            d.names[n] = symbol(&w->st, names[n]);
        draw_size(&d, DEPTH, &k);
        check(&d, &k);
        i64 low;
        bounds += size_lower_bound(k.size, &low);
    }
    print_message("%u sizes, %u with a lower bound\n", cases, bounds);
    assert_true(bounds);
    world_free(w);
}

/* Ways to write one size. */
static void test_same(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Size *n = size_name(st, symbol(st, "n")), *zero = size_const(st, 0);
    Size *one = size_const(st, 1), *two = size_const(st, 2), *three = size_const(st, 3);
    Size *less = size_max(st, size_sub(st, n, one), zero); /* of x[1:], and x[:-1] */
    assert_ptr_equal(size_sub(st, n, size_min(st, n, one)), less);
    assert_ptr_equal(size_add(st, less, size_min(st, n, one)), n);
    assert_ptr_equal(size_sub(st, less, size_min(st, less, two)),
                     size_max(st, size_sub(st, n, three), zero));
    assert_ptr_equal(size_add(st, size_min(st, n, one), size_min(st, less, two)),
                     size_min(st, n, three));
    assert_true(size_above(st, less, size_max(st, size_sub(st, n, three), zero), 0));
    assert_false(size_above(st, less, size_sub(st, n, zero), 0));
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
