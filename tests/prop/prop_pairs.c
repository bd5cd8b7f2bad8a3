/* The native tier against the virtual machine, bit for bit, on random loops over pairs: differences
 * of points, what they are reduced to over a few coordinates, what is made of that, and sums of all
 * of these over one of the two points; with values that several of them read, that something else
 * needs whole, infinities and NaN.
 *
 * Left out where there is no C compiler. The cache is a folder of its own, which is removed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "both_tiers.h"
#include "effort.h"

enum { CASES = 40 };

typedef struct {
    u64 random;
    int points, axes;
    const char *type;
} PairCase;

static u32 below(PairCase *c, u32 n)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return (u32)(c->random >> 33) % n;
}

#define ONE_OF(c, ...) \
    ((const char *[]){__VA_ARGS__}[below(c, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *))])

/* d, of all pairs and axes, and s, of all pairs. */
static void put_pairs(PairCase *c, Text *out)
{
    const int n = c->points, k = c->axes;
    text_printf(out, "    d = reshape(p[t-1], (1, %d, %d)) %s reshape(%s, (%d, 1, %d))\n", n, k,
                ONE_OF(c, "-", "-", "+", "*"), ONE_OF(c, "p[t-1]", "p[t-1]", "A", "2 * p[t-1]"), n,
                k);
    text_printf(out, "    s = %s(%s, axis=2)%s\n", ONE_OF(c, "sum", "sum", "max", "min", "prod"),
                ONE_OF(c, "d * d", "d * d", "abs(d)", "d", "maximum(d, 0.5)"),
                ONE_OF(c, "", " + 0.1", " * 0.5"));
}

/* f, of all pairs, from s. */
static void put_weights(PairCase *c, Text *out)
{
    text_printf(out, "    f = %s%s\n",
                ONE_OF(c, "1 / (s + 0.1)", "exp(-s)", "exp(-abs(s)) * tanh(s)", "log1p(abs(s))",
                       "(abs(s) + 0.1) ^ 1.7", "sqrt(abs(s))", "s * s", "where(s < 1, s, 0.0)",
                       "where(same, 2.0, s)", "where(not same, s, 0.5) * s",
                       "m / (s * sqrt(abs(s)))", "minimum(s, 2.0) - s"),
                ONE_OF(c, "", "", " * q", " + m"));
    text_printf(out, "    h = %s(s %s 0.7)\n", c->type, ONE_OF(c, "<", ">=", "!="));
}

/* A sum and the like of pairs and axes, over one of the points. */
static void put_moved(PairCase *c, const char *name, Text *out)
{
    const int n = c->points;
    const char *weight = ONE_OF(c, "f", "f", "h", "s");
    text_printf(out, "    %s = %s(%s(reshape(%s, (%d, %d, 1)), d), axis=%u)\n", name,
                ONE_OF(c, "sum", "sum", "sum", "max", "min"), ONE_OF(c, "times", "times", "over"),
                weight, n, n, below(c, 2));
}

static void put_next(PairCase *c, Text *out)
{
    text_printf(out, "    b = %s(%s, axis=%u)\n", ONE_OF(c, "sum", "max", "min"),
                ONE_OF(c, "f", "h", "s", "f * h", "s - f"), below(c, 2));
    text_printf(out, "    r = %s\n",
                ONE_OF(c, "0.5", "0.5", "sum(b * b)", "sum(f)", "max(h)", "sum(sqr(d))"));
    text_printf(out, "    v[t] = 0.5 * v[t-1] + %s%s\n", ONE_OF(c, "a", "e", "a - e", "a * e"),
                ONE_OF(c, "", "", " + f @ p[t-1]", " + h @ v[t-1]"));
    text_printf(out, "    w[t] = %s\n", ONE_OF(c, "b", "b * r", "w[t-1] + b"));
    text_printf(out, "    p[t] = p[t-1] * 0.9 + 0.01 * v[t]%s\n", ONE_OF(c, "", " * r"));
}

static void put_program(PairCase *c, Text *out)
{
    const u32 size = below(c, 8);
    const int n = c->points = (int)(size > 2   ? 2 + below(c, 50)
                                    : size > 0 ? 60 + below(c, 80)
                                               : 257 + below(c, 30));
    c->axes = n > 200 ? 1 + (int)below(c, 2) : 1 + (int)below(c, 5);
    c->type = ONE_OF(c, "f64", "f64", "f32");
    const char *special = ONE_OF(c, "0.1", "0.1", "-0.0", "inf", "nan");
    text_printf(out, "times(x, y) = x * y; over(x, y) = y / (x + 0.3)\n");
    text_printf(out, "A = reshape(%s(iota(%d) * 7 %% 11 - 5), (%d, %d)) * 0.37\n", c->type,
                n * c->axes, n, c->axes);
    text_printf(out, "A = where(A > 1.8, %s(%s), A)\n", c->type, special);
    text_printf(out, "m = %s(iota(%d) %% 5 + 1) * 0.5; q = reshape(m, (%d, 1)) * 0.3\n", c->type, n,
                n);
    text_printf(out, "same = reshape(iota(%d), (%d, 1)) == iota(%d)\n", n, n, n);
    text_printf(out, "S = scan t for %u from p = A, v = A * 0.1, w = m {\n", 1 + below(c, 4));
    put_pairs(c, out);
    put_weights(c, out);
    put_moved(c, "a", out);
    put_moved(c, "e", out);
    put_next(c, out);
    text_put(out, "}\n");
}

static void test_pairs(void **state)
{
    u32 cases = effort_cases(CASES), compared = 0, first = from_env("GRADUS_SEED", 1);
    (void)state;
    for (u32 k = 0; k < cases; k++) {
        const u64 seed = first + (u64)k * effort_stride();
        PairCase c = {.random = seed * 0x9e3779b97f4a7c15u + 1};
        Text text = {0};
        put_program(&c, &text);
        compare_tiers(text_str(&text), "(S.final.p, S.final.v, S.final.w)", seed, &compared);
        text_free(&text);
    }
    print_message("%u of %u loops ran as native code\n", compared, cases);
    assert_true(compared > cases / 2);
}

static int all(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) { return run_both_tiers(all); }
