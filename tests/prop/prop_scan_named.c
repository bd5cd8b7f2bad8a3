/* Named cases of scans and their derivatives: each once went wrong, here or in another
 * system, or states a decision of the language. Values are by hand or by a closed form. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include "scan_run.h"

static void say(Session *s)
{
    for (size_t i = 0; i < s->diags.list.len; i++)
        print_error("  %s\n", s->diags.list.at[i].message);
}

static void begin(Session *s, const char *text)
{
    assert_true(session_init(s));
    bool ok = run_statements(s, text);
    if (!ok)
        say(s);
    assert_true(ok);
}

/* The expression has these elements, in row-major order, with and without the rewriting of loops.
 */
static void expect(Session *s, const char *text, int n, const double *want)
{
    for (int loops = 0; loops < 2; loops++) {
        Values v = {0};
        if (!run_values(s, text, loops, &v)) {
            print_error("%s\n", text);
            say(s);
            assert_true(false);
        }
        assert_int_equal(v.n, 1);
        assert_int_equal(v.at[0]->count, n);
        for (int i = 0; i < n; i++) {
            double x = tensor_f64_at(v.at[0], i);
            if (!(fabs(x - want[i]) <= 1e-9 * fmax(1, fabs(want[i])))) {
                print_error("%s[%d] is %.17g, not %.17g\n", text, i, x, want[i]);
                assert_true(false);
            }
        }
        values_free(&v);
    }
}

#define EXPECT(s, text, ...)                          \
    do {                                              \
        const double want_[] = {__VA_ARGS__};         \
        expect(s, text, (int)COUNT_OF(want_), want_); \
    } while (0)

static void expect_same(Session *s, const char *a, const char *b)
{
    for (int loops = 0; loops < 2; loops++) {
        Values x = {0}, y = {0};
        bool ok = run_values(s, a, loops, &x) && run_values(s, b, loops, &y);
        if (!ok)
            say(s);
        assert_true(ok);
        assert_int_equal(x.n, y.n);
        for (int i = 0; i < x.n; i++) {
            double error = values_error(x.at[i], y.at[i]);
            if (!(error <= 1e-9))
                print_error("%s and %s differ by %g\n", a, b, error);
            assert_true(error <= 1e-9);
        }
        values_free(&x);
        values_free(&y);
    }
}

/* The text or its evaluation is refused with a message that has these words. */
static void expect_error(Session *s, const char *text, const char *words)
{
    for (int loops = 0; loops < 2; loops++) {
        Values v = {0};
        bool ok = run_values(s, text, loops, &v), said = false;
        for (size_t i = 0; i < s->diags.list.len; i++)
            said = said || strstr(s->diags.list.at[i].message, words);
        values_free(&v);
        if (ok || !said) {
            print_error("%s: not refused with \"%s\"\n", text, words);
            say(s);
        }
        assert_true(!ok && said);
    }
}

/* Third derivative at 0.95: 29760 * 0.95^29. */
static void test_x_to_the_32_by_five_squarings(void **state)
{
    (void)state;
    Session s;
    begin(&s, "x : f64 = 0.95\n"
              "S = scan t for 5 from y = x { y[t] = y[t-1] * y[t-1] }\n"
              "g = grad(S.final, x)\n"
              "h = grad(g, x)\n"
              "k = grad(h, x)\n");
    EXPECT(&s, "S.final", pow(0.95, 32));
    EXPECT(&s, "g", 32 * pow(0.95, 31));
    EXPECT(&s, "h", 992 * pow(0.95, 30));
    EXPECT(&s, "k", 29760 * pow(0.95, 29));
    session_free(&s);
}

/* [0, 2, 4, 6, 8, 10, 0, ...] */
static void test_until_gradient(void **state)
{
    (void)state;
    Session s;
    begin(&s, "v : f64[20] = f64(arange(20))\n"
              "S = scan t over v from acc = 0.0 { acc[t] = acc[t-1] + v[t] ^ 2; until t >= 5 }\n");
    EXPECT(&s, "S.final", 55);
    EXPECT(&s, "S.steps", 6);
    EXPECT(&s, "grad(S.final, v)", 0, 2, 4, 6, 8, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    session_free(&s);
}

static void test_nonzero_init_under_the_weight_product(void **state)
{
    (void)state;
    Session s;
    begin(&s, "W : f64[2, 2] = [[0.3, -0.2], [0.5, 0.4]]\n"
              "u : f64[3, 2] = [[0.1, 0.7], [-0.4, 0.2], [0.6, -0.3]]\n"
              "h0 : f64[2] = [0.8, -0.5]\n"
              "A : f64[2, 2] = [[1, 2], [3, 4]]\n"
              "S = scan t over u from h = h0 { h[t] = tanh(h[t-1] @ W + u[t]) }\n"
              "a = tanh(h0 @ W + u[0]); b = tanh(a @ W + u[1]); c = tanh(b @ W + u[2])\n"
              "P = scan t over u from p = A { p[t] = p[t-1] + outer(u[t], u[t]) }\n");
    expect_same(&s, "grad(sum(sqr(S.final)), W)", "grad(sum(sqr(c)), W)");
    expect_same(&s, "grad(sum(sqr(S)), W)", "grad(sum(sqr(a)) + sum(sqr(b)) + sum(sqr(c)), W)");
    expect_same(&s, "grad(sum(sqr(grad(sum(sqr(S)), W))), h0)",
                "grad(sum(sqr(grad(sum(sqr(a)) + sum(sqr(b)) + sum(sqr(c)), W))), h0)");
    expect_same(&s, "P.final", "A + u' @ u");
    expect_same(&s, "grad(sum(sqr(P.final)), A)", "2 * (A + u' @ u)");
    session_free(&s);
}

static void test_gradient_through_a_scan_whose_state_is_never_read(void **state)
{
    (void)state;
    Session s;
    begin(&s, "u : f64[2] = [3, 5]\n"
              "x : f64 = 2\n"
              "s0 : f64 = 7\n"
              "none : f64[n] = []\n"
              "S = scan t over u from s = s0 { s[t] = x * u[t] }\n"
              "Z = scan t over none from s = s0 { s[t] = x * none[t] }\n");
    EXPECT(&s, "grad(S.final, x)", 5);
    EXPECT(&s, "grad(sum(S), x)", 8);
    EXPECT(&s, "grad(S.final, s0)", 0);
    EXPECT(&s, "Z.final", 7);
    EXPECT(&s, "grad(Z.final, s0)", 1);
    EXPECT(&s, "grad(Z.final, x)", 0);
    session_free(&s);
}

static void test_double_vjp_is_jvp(void **state)
{
    (void)state;
    Session s;
    begin(&s,
          "x : f64[3] = [0.3, -0.8, 0.5]\n"
          "dx : f64[3] = [1, 2, -1]\n"
          "ybar : f64[4, 3] = zeros((4, 3))\n"
          "M : f64[3, 3] = [[0.1, 0.2, -0.3], [0.4, 0.0, 0.5], [-0.2, 0.1, 0.3]]\n"
          "S = scan t for 4 from s = x { s[t] = tanh(M @ s[t-1] * x) }\n"
          "U = scan t for 9 from s = x { s[t] = tanh(M @ s[t-1] * x); until t >= 3 }\n"
          "p = tanh(M @ x * x); q = tanh(M @ p * x); r = tanh(M @ q * x); w = tanh(M @ r * x)\n");
    expect_same(&s, "vjp(vjp(S.s, x, ybar), ybar, dx)", "jvp(S.s, x, dx)");
    expect_same(&s, "jvp(S.s, x, dx)", "jvp([p, q, r, w], x, dx)");
    expect_same(&s, "jvp(U.final, x, dx)", "jvp(w, x, dx)");
    expect_same(&s, "jvp(S.final, x, dx)", "jacobian(S.final, x) @ dx");
    session_free(&s);
}

static void test_state_taps_in_the_right_order(void **state)
{
    (void)state;
    Session s;
    begin(&s, "a : f64[3] = [1, 2, 3]\n"
              "S = scan t for 4 from x = a { x[t] = x[t-1] + 2 * x[t-3] }\n"
              "R = scan t for 4 from x = a { x[t] = x[t+1] + 2 * x[t+3] }\n"
              "one = scan t for 1 from x = a { x[t] = x[t-1] + 2 * x[t-3] }\n"
              "two = scan t for 2 from x = a { x[t] = x[t-1] + 2 * x[t-3] }\n"
              "none = scan t for 0 from x = a { x[t] = x[t-1] + 2 * x[t-3] }\n");
    EXPECT(&s, "S", 5, 9, 15, 25);
    EXPECT(&s, "R", 27, 13, 11,
           7); /* the rows after the last t, in order: x[4] = 1, x[5] = 2, x[6] = 3 */
    EXPECT(&s, "grad(one.final, a)", 2, 0, 1);
    EXPECT(&s, "grad(two.final, a)", 2, 2, 1);
    EXPECT(&s, "grad(S.final, a)", 6, 2, 5);
    EXPECT(&s, "grad(sum(S), a)", 12, 6, 10);
    EXPECT(&s, "none.final", 3);
    EXPECT(&s, "grad(none.final, a)", 0, 0, 1);
    session_free(&s);
}

/* exp(x) divided by sums over one axis that stretch along the other: no softmax, though a square
 * matrix would let it pass for one. Values and gradients by hand, in a scan and without. */
static void softmax_case(Session *s, const char *quotient, int axis, bool along)
{
    static const double x[2][2] = {{0.3, -1.2}, {0.9, 0.4}}, c[2][2] = {{1, 2}, {-3, 0.5}};
    double e[2][2], sum[2] = {0}, want[4], grad[4], pull[2] = {0};
    char text[160];
    for (int i = 0; i < 4; i++) {
        e[i / 2][i % 2] = exp(x[i / 2][i % 2]);
        sum[axis ? i / 2 : i % 2] += e[i / 2][i % 2];
    }
    for (int i = 0; i < 4; i++) { /* which sum divides this element */
        int by = (axis != 0) == along ? i / 2 : i % 2;
        want[i] = e[i / 2][i % 2] / sum[by];
        pull[by] -= c[i / 2][i % 2] * want[i] / sum[by];
    }
    for (int i = 0; i < 4; i++)
        grad[i] = c[i / 2][i % 2] * want[i] + pull[axis ? i / 2 : i % 2] * e[i / 2][i % 2];
    snprintf(text, sizeof text, "{ y = %s; y }", quotient);
    expect(s, text, 4, want);
    snprintf(text, sizeof text, "grad(sum(c * (%s)), x)", quotient);
    expect(s, text, 4, grad);
    snprintf(text, sizeof text, "(scan t for 1 from y = x { y[t] = { x = y[t-1]; %s } }).final",
             quotient);
    expect(s, text, 4, want);
    snprintf(text, sizeof text,
             "grad(sum(c * (scan t for 1 from y = x { y[t] = { x = y[t-1]; %s } }).final), x)",
             quotient);
    expect(s, text, 4, grad);
}

static void test_softmax_over_the_wrong_axis(void **state)
{
    (void)state;
    Session s;
    begin(&s, "x : f64[2, 2] = [[0.3, -1.2], [0.9, 0.4]]\nc : f64[2, 2] = [[1, 2], [-3, 0.5]]\n");
    softmax_case(&s, "softmax(x, axis=0)", 0, true);
    softmax_case(&s, "softmax(x, axis=1)", 1, true);
    softmax_case(&s, "exp(x) / sum(exp(x), axis=0)", 0, true);
    softmax_case(&s, "exp(x) / sum(exp(x), axis=1)", 1, false);
    softmax_case(&s, "exp(x) / sum(exp(x), axis=1)[:, None]", 1, true);
    softmax_case(&s, "exp(x) / sum(exp(x), axis=0)[:, None]", 0, false);
    softmax_case(&s, "exp(x) / sum(exp(x), axis=0, keepdims=true)", 0, true);
    softmax_case(&s, "exp(x) / sum(exp(x), axis=1, keepdims=true)", 1, true);
    session_free(&s);
}

static void test_errors(void **state)
{
    (void)state;
    Session s;
    begin(&s, "n : i64 = 0\n"
              "m : i64 = -2\n"
              "k : i64 = 4\n"
              "u : f64[3] = [1, 2, 3]\n"
              "Z = scan t for n from r = 1.5 { r[t] = r[t-1] * 2 }\n"
              "N = scan t for m from r = 1.5 { r[t] = r[t-1] * 2 }\n"
              "L = scan t over u for k { r[t] = u[t] }\n");
    expect_error(&s, "Z[-1]", "out of range");
    expect_error(&s, "grad(Z[-1] * u[0], u)", "out of range");
    expect_error(&s, "N", "steps is negative");
    expect_error(&s, "N.final", "steps is negative");
    expect_error(&s, "L", "4");
    expect_error(&s, "scan t for -1 { r[t] = u }", "-1");
    expect_error(&s, "scan t over u for 4 { r[t] = u[t] }", "");
    session_free(&s);
}

static void test_capture_at_both_levels(void **state)
{
    (void)state;
    Session s;
    begin(&s,
          "c : f64 = 1.5\n"
          "S = scan t for 3 from a = 1.0 {\n"
          "  Z = scan j for 2 from z = a[t-1] { z[j] = c * z[j-1] }\n"
          "  a[t] = c * Z.final\n"
          "}\n"
          "g = grad(S.final, c)\n"
          "E = scan t for 2 { e[t] = grad(sum(scan j for 3 { y[j] = c ^ 3 * f64(j + t) }), c) }\n");
    EXPECT(&s, "S.final", pow(1.5, 9));
    EXPECT(&s, "g", 9 * pow(1.5, 8));
    EXPECT(&s, "grad(g, c)", 72 * pow(1.5, 7));
    EXPECT(&s, "grad(sum(S), c)", 3 * pow(1.5, 2) + 6 * pow(1.5, 5) + 9 * pow(1.5, 8));
    EXPECT(&s, "E", 3 * 2.25 * 3, 3 * 2.25 * 6);
    session_free(&s);
}

/* The row of a trace that holds the old state, while a branch or an inner loop writes the new one
 * in its place. */
static void test_old_state_kept(void **state)
{
    (void)state;
    Session s;
    begin(&s,
          "c : f64 = -1.15\n"
          "p : f64 = 2\n"
          "B = scan t for 2 from s = p { s[t] = (if c > 0 then s[t-1] else c); o[t] = s[t-1] }\n"
          "I = scan t for 2 from s = p { s[t] = { z = scan j for 2 from a = s[t-1] { a[j] = a[j-1] "
          "+ 1 }; z.final }\n"
          "                              o[t] = s[t-1] }\n"
          "U = scan t for 4 from s = p { s[t] = (if c > 0 then s[t-1] else s[t-1] + 1); until "
          "s[t-1] > 2.5 }\n"
          "G = scan t for 2 from s = p { s[t] = (if c > 0 then s[t-1] else cos(c)) }\n");
    EXPECT(&s, "B.o", 2, -1.15);
    EXPECT(&s, "I.o", 2, 4);
    EXPECT(&s, "U", 3, 4);
    EXPECT(&s, "grad(grad(sqr(G.final), c), c)", -2 * cos(2 * -1.15));
    session_free(&s);
}

/* Values of an inner loop that stops by itself have another length at every step: they are not kept
 * in traces. */
static void test_inner_until(void **state)
{
    (void)state;
    Session s;
    begin(&s, "v : f64[3] = [0.2, -0.4, 0.1]\n"
              "w : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]\n"
              "S = scan t over w {\n"
              "  o[t] = { Z = scan j for 3 from z = 0.5 { z[j] = tanh(z[j-1] * (v @ w[t])); until "
              "j >= t }; sum(Z) }\n"
              "  r[t] = w[t]\n"
              "  until t >= 4\n"
              "}\n"
              "a = tanh(0.5 * (v @ w[0])); b = tanh(0.5 * (v @ w[1])); c = tanh(b * (v @ w[1]))\n"
              "L = a ^ 2 + (b + c) ^ 2\n"
              "g = grad(sum(sqr(S.o)), v); G = grad(L, v)\n"
              "h = grad(sum(g), v); H = grad(sum(G), v)\n");
    expect_same(&s, "g", "G");
    expect_same(&s, "h", "H");
    expect_same(&s, "grad(sum(h), v)", "grad(sum(H), v)");
    session_free(&s);
}

/* Fewer rows than the taps reach over: no step, and no error. */
static void test_short_sequence(void **state)
{
    (void)state;
    Session s;
    begin(&s, "one : f64[1] = [3]\n"
              "some : f64[n] = [3]\n"
              "A = scan t over one from s = 2.0 { s[t] = s[t-1] + one[t+2] }\n"
              "B = scan t over some from s = 2.0 { s[t] = s[t-1] * some[t-3] }\n");
    EXPECT(&s, "A.final", 2);
    EXPECT(&s, "A.steps", 0);
    EXPECT(&s, "B.final", 2);
    EXPECT(&s, "grad(B.final, some)", 0);
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_x_to_the_32_by_five_squarings),
        cmocka_unit_test(test_until_gradient),
        cmocka_unit_test(test_nonzero_init_under_the_weight_product),
        cmocka_unit_test(test_softmax_over_the_wrong_axis),
        cmocka_unit_test(test_state_taps_in_the_right_order),
        cmocka_unit_test(test_gradient_through_a_scan_whose_state_is_never_read),
        cmocka_unit_test(test_double_vjp_is_jvp),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_capture_at_both_levels),
        cmocka_unit_test(test_old_state_kept),
        cmocka_unit_test(test_inner_until),
        cmocka_unit_test(test_short_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
