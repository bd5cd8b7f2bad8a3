/* Derivatives of orders 1 to 3 of random functions of one number: the same through reverse and
 * forward mode in any order, and that of order k a finite difference of that of order k - 1.
 *
 * The functions are smooth near the points, but made of what is hard inside: products with zeros,
 * equal elements, branches not taken that are infinite, tails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "effort.h"
#include "base/base.h"
#include "repl/documents/check.h"

enum { CASES = 250 };

typedef struct {
    Text text;
    u64 state;
} Maker;

static unsigned roll(Maker *m, unsigned n)
{
    m->state = m->state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(m->state >> 33) % n;
}

/* @ stands for a function of s made anew, & for one between -1 and 1. */
static const char *const leaves[] = {"s", "s", "s", "2 * s", "0 * s", "1 - s", "s * s"};
static const char *const forms[] = {
    /* elementwise */
    "sin(@)",
    "cos(@)",
    "tanh(@)",
    "sigmoid(@)",
    "softplus(@)",
    "erf(@)",
    "erfc(@)",
    "erfcx(&)",
    "logerfc(@)",
    "log(erfc(@))",
    "log(1 + erf(&))",
    "atan(@)",
    "asinh(@)",
    "asin(0.9 * &)",
    "acos(0.9 * &)",
    "atanh(0.9 * &)",
    "acosh(2.5 + &)",
    "tan(&)",
    "exp(&)",
    "exp2(&)",
    "expm1(&)",
    "log(1.5 + &)",
    "log1p(0.9 * &)",
    "sqrt(1.5 + &)",
    "rsqrt(1.5 + &)",
    "reciprocal(2 + &)",
    "sinh(&)",
    "cosh(&)",
    "log1mexp(& - 2)",
    "log(1 - exp(& - 2))",
    "lgamma(2 + &)",
    "digamma(2 + &)",
    "one_minus_sqr(&)",
    "@ + @",
    "@ - @",
    "& * @",
    "@ / (2 + &)",
    "hypot(@, 1)",
    "atan2(@, 2 + &)",
    "logaddexp(@, @)",
    "xlogy(@, 1.5 + &)",
    "(1.5 + &) ^ &",
    "(&) ^ 2.0",
    "(&) ^ 3.0",
    "where(s < 9, @, 1 / (0 * s))",
    "if s < 9 then @ else log(0 * s)",
    "where(s > 9, prod([1 / (0 * s), @]), @)",
    /* products with zeros and others along an axis */
    "prod([&, &, &])",
    "prod([&, 0, &])",
    "prod([&, 0 * s, 0, &])",
    "sum(cumprod([&, &, &, &]))",
    "sum(cumprod([&, 0 * s, &, 0, &]) * [1, 2, 3, 4, 5])",
    "sum(prod([[&, &, 0], [&, &, 0 * s]], axis=0))",
    "sum(cumprod([[&, 0 * s], [&, &]], axis=1) * [3, 2])",
    "sum(flip(cumprod(flip([&, 0, &]))))",
    "sum(cumsum([@, @]) * [2, 3])",
    "sum(vmap(cumprod)([[&, 0, &], [0 * s, &, &]]))",
    "grad(v -> prod(v) * v[1])([&, 0 * s, &])[1]",
    /* composites */
    "logsumexp([@, @, -inf])",
    "softmax([@, @, -inf])[0]",
    "log_softmax([@, @])[1]",
    "mean([@, @])",
    "var([@, @, 2])",
    "std([@, @, 9])",
    "norm([@, 1])",
    /* linear algebra */
    "dot([&, @], [@, &])",
    "det([[&, &], [&, 2]])",
    "slogdet([[3, &], [&, 2]])[1]",
    "solve([[3, &], [&, 2]], [@, 1])[0]",
    "cholesky([[3, &], [&, 2]])[1, 1]",
    "sum(inv([[3, &], [0, 2 + &]]))",
    /* loops */
    "(scan t for 3 from x = & { x[t] = x[t-1] * & + & }).final",
    "sum(scan t over u = [&, 0 * s, &] from p = 1.0 { p[t] = p[t-1] * u[t] })",
    "(scan t for 4 from p = 1.0 { p[t] = p[t-1] * & }).final",
};

static void make(Maker *m, int depth)
{
    const char *form = depth ? forms[roll(m, COUNT_OF(forms))] : leaves[roll(m, COUNT_OF(leaves))];
    text_putc(&m->text, '(');
    for (; *form; form++) {
        if (*form != '@' && *form != '&') {
            text_putc(&m->text, *form);
            continue;
        }
        bool small = *form == '&', direct = small && roll(m, 3) == 0;
        text_put(&m->text, direct ? "s" : small ? "tanh" : "");
        if (!direct)
            make(m, depth && roll(m, 3) ? depth - 1 : 0);
    }
    text_putc(&m->text, ')');
}

static const char *const checks =
    "h = 1e-2\n"
    "near(a, b, e) = abs(a - b) <= e * (1 + abs(a) + abs(b))\n"
    "slope(D) = (8 * (D(p + h) - D(p - h)) - (D(p + 2 * h) - D(p - 2 * h))) / (12 * h)\n"
    "d1 = grad(f)(p)\nd2 = grad(grad(f))(p)\nd3 = grad(grad(grad(f)))(p)\n"
    "near(d1, jvp(f)(p, 1.0), 1e-9)  # => true\n"
    "near(d2, jvp(grad(f))(p, 1.0), 1e-8)  # => true\n"
    "near(d2, grad(v -> jvp(f)(v, 1.0))(p), 1e-8)  # => true\n"
    "near(d2, jvp(v -> jvp(f)(v, 1.0))(p, 1.0), 1e-8)  # => true\n"
    "near(d3, jvp(grad(grad(f)))(p, 1.0), 1e-7)  # => true\n"
    "near(d3, grad(v -> jvp(grad(f))(v, 1.0))(p), 1e-7)  # => true\n"
    "near(d3, grad(grad(v -> jvp(f)(v, 1.0)))(p), 1e-7)  # => true\n"
    "near(d1, slope(f), 1e-4)  # => true\n"
    "near(d2, slope(grad(f)), 1e-4)  # => true\n"
    "near(d3, slope(grad(grad(f))), 1e-3)  # => true\n";

static void test_orders(void **state)
{
    (void)state;
    static const char *const points[] = {"0", "0.5", "-0.4", "0.25"};
    int bad = 0;
    for (u64 seed = 0; seed < CASES; seed++) {
        if (!effort_keeps((u32)seed))
            continue;
        Maker m = {.state = seed * 0x9e3779b97f4a7c15ull + 1};
        int passed = 0, failed = 0;
        text_printf(&m.text, "p : f64 = %s\nf(s) = ", points[seed % COUNT_OF(points)]);
        make(&m, seed % 3 ? 2 : 1);
        text_printf(&m.text, "\n%s", checks);
        check_text("random function", text_str(&m.text), &passed, &failed);
        if (failed)
            print_error("seed %d: %s\n", (int)seed, text_str(&m.text));
        bad += failed || passed < 10;
        text_free(&m.text);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
