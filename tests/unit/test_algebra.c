/* Index forms of expressions (core/algebra): what is the same and what is not, and the limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../run_text.h"
#include "algebra/form.h"

static const char declarations[] =
    "x : f64[n]; y : f64[n]; z : f64[n]; a : f64; b : f64; c : f64; X : f64[m, n]; w : f64[n];"
    "t : f64[m]; A : f64[n, n]; B : f64[n, n]; C : f64[n, n]; i : i64[n]; j : i64[n]; p : bool[n];"
    "T : f64[k, n, m]; u : f32[n]; v : f32[n]; e : f64[8]";

/* The expression without derivatives. */
static Node *node_of(Session *s, const char *text)
{
    Node **roots = NULL;
    int n = run_roots(s, text, &roots);
    assert_int_equal(n, 1);
    Options o = s->options;
    pipeline_clear(&o.pipeline);
    pipeline_add(&o.pipeline, pass_named("inline"));
    pipeline_add(&o.pipeline, pass_named("differentiate"));
    Exploration *x = session_explore_apart(s, &o, n, roots);
    assert_non_null(x);
    free(roots);
    return x->roots[0];
}

/* `same`: the two have one form; otherwise different ones. */
static void compare_forms(const char *left, const char *right, bool same, bool relations)
{
    Session s;
    Algebra a;
    Text shown = {0};
    assert_true(session_init(&s));
    assert_true(run_statements(&s, declarations));
    algebra_init(&a, &s.st);
    a.relations = relations;
    FormOf x = algebra_form(&a, node_of(&s, left)), y = algebra_form(&a, node_of(&s, right));
    assert_non_null(x.form);
    assert_non_null(y.form);
    if ((x.form == y.form) != same) {
        form_print(&a, x.form, &shown);
        text_put(&shown, "\nand ");
        form_print(&a, y.form, &shown);
        fail_msg("%s and %s: %s", left, right, text_str(&shown));
    }
    text_free(&shown);
    algebra_free(&a);
    session_free(&s);
}

static void compare(const char *left, const char *right, bool same)
{
    compare_forms(left, right, same, false);
}

static void test_same(void **state)
{
    static const char *const pairs[][2] = {
        {"a * (b * (c * x))", "(a * b * c) * x"},
        {"x - y", "-(y - x)"},
        {"0.1 * x * 3", "x * 0.3"},
        {"x / 3 + x / 6", "0.5 * x"},
        {"(x + y)^2", "sqr(x) + 2 * x * y + y * y"},
        {"(x - y) * (x + y)", "x^2 - y^2"},
        {"one_minus_sqr(x)", "1 - x * x"},
        {"x / (2 * y + 2 * z)", "0.5 * (x / (z + y))"},
        {"a / (b * x + b * y)", "(a / b) / (y + x)"},
        {"trace(A @ B @ C)", "trace(C @ A @ B)"},
        {"trace(A' @ B)", "sum(A * B)"},
        {"sum(A @ x)", "sum(A, axis=0) @ x"},
        {"x @ (A @ y)", "y @ (A' @ x)"},
        {"(A @ B)'", "B' @ A'"},
        {"sum(A * (x[:, None] * y[None, :]))", "x @ A @ y"},
        {"einsum(\"ij,jk->ik\", A, B)", "A @ B"},
        {"einsum(\"ij,kj->ik\", A, B)", "A @ B'"},
        {"sum(x)^2", "sum(x[:, None] * x[None, :])"},
        {"sum(sqr(X @ w - t))", "sum(sqr(X @ w)) - 2 * t @ (X @ w) + sum(sqr(t))"},
        {"mean(x + y)", "mean(x) + mean(y)"},
        {"sum(ones_like(x))", "f64(size(x, 0))"},
        {"diag(x) @ y", "x * y"},
        {"eye(size(x, 0)) @ x", "x"},
        {"sum(diag(x), axis=0)", "x"},
        {"diag(diag(x))", "x"},
        {"trace(eye(size(x, 0)))", "f64(size(x, 0))"},
        {"sum(eye(size(x, 0)) * A)", "trace(A)"},
        {"(x + y)[1:4]", "x[1:4] + y[1:4]"},
        {"exp(x)[::-1]", "exp(x[::-1])"},
        {"exp(x + y)[3]", "exp(y[3] + x[3])"},
        {"x[::-1][::-1]", "x"},
        {"exp(A')", "exp(A)'"},
        {"exp(x[:, None] + y[None, :])'", "exp(y[:, None] + x[None, :])"},
        {"maximum(x, y) * z", "z * maximum(x, y)"},
        {"(i + j)^2", "i * i + 2 * i * j + j * j"},
        {"i * (i + j) - i * i", "i * j"},
        {"u * v + v * u", "2 * (v * u)"},
        {"grad(sum(sqr(X @ w - t)), w)", "2 * (X' @ (X @ w - t))"},
        {"grad(x @ A @ x, x)", "(A + A') @ x"},
    };
    (void)state;
    for (size_t k = 0; k < COUNT_OF(pairs); k++)
        compare(pairs[k][0], pairs[k][1], true);
}

static void test_different(void **state)
{
    static const char *const pairs[][2] = {
        {"x + y", "x - y"},
        {"A @ B", "B @ A"},
        {"trace(A @ B @ C)", "trace(A @ C @ B)"},
        {"trace(A @ B)", "sum(A * B)"},
        {"x @ A", "A @ x"},
        {"exp(x) * exp(y)", "exp(x * y)"},
        {"x / (y + z)", "x / y + x / z"},
        {"(x + y)[1:4]", "x[1:4] + y[0:3]"},
        {"x[::-1]", "x"},
        {"sum(x * y)", "sum(x) * sum(y)"},
        {"sum(T, axis=1)[0]", "sum(T, axis=1)[1]"},
        {"0.1 * x", "0.1000000001 * x"},
        {"i * 3", "i + i"},
        {"f64(i) * x", "f64(j) * x"},
        {"mean(x)", "sum(x)"},
        {"sort(A + B)", "sort(A) + sort(B)"},
        {"where(p, x, y)", "where(p, y, x)"},
        {"u * 2", "u * 2 + 1e-3"},
    };
    (void)state;
    for (size_t k = 0; k < COUNT_OF(pairs); k++)
        compare(pairs[k][0], pairs[k][1], false);
}

static void test_relations(void **state)
{
    static const char *const pairs[][2] = {
        {"(i % 8 * 4 + 3) // 16", "i % 8 // 4"},
        {"(i % 8 * 100 + j % 4 * 50) % 100", "j % 2 * 50"},
        {"(-40 + i % 11 * 2 + j % 11 * 40) // 40", "j % 11 - 1"},
        {"(i % 101 - 50) % 3", "(i % 101 + 1) % 3"},
        {"i % 6 * 4 < 13", "i % 6 < 4"},
        {"arange(size(x, 0)) >= 0", "ones_like(p)"},
        {"i % 7 < 9", "ones_like(p)"},
        {"where(p, x, where(not p, y, z))", "where(p, x, y)"},
        {"maximum(x, 3) < 2", "zeros_like(p)"},
        {"x < y and y < x", "zeros_like(p)"},
        {"isnan(x)", "x != x"},
        {"isnan(abs(x))", "not (x == x)"},
        {"concat((x, y))[size(x, 0):]", "y"},
        {"sum([x, y, z])", "sum(x) + sum(y) + sum(z)"},
        {"prod([x, y], axis=0)", "x * y"},
        {"triu(A) + tril(A, k=-1)", "A"},
        {"e[arange(1, 3)]", "e[1:3]"},
        {"A[[2, 0]][1]", "A[0]"},
        {"(x with [1:3] += y[1:3])[1:3]", "x[1:3] + y[1:3]"},
        {"exp(x - y) * exp(y)", "exp(x)"},
        {"log(exp(x) / exp(y))", "x - y"},
        {"sum(softmax(A, axis=1), axis=1)", "ones_like(x)"},
        {"softmax(A + x[:, None], axis=1)", "softmax(A, axis=1)"},
        {"log_softmax(A, axis=0)", "log(softmax(A, axis=0))"},
    };
    (void)state;
    for (size_t k = 0; k < COUNT_OF(pairs); k++)
        compare_forms(pairs[k][0], pairs[k][1], true, true);
}

/* What nan, the sign of a zero, overflow or the last place tell apart. */
static void test_unrelated(void **state)
{
    static const char *const pairs[][2] = {
        {"not (x < y)", "x >= y"},
        {"where(x > y, x, y)", "maximum(x, y)"},
        {"where(x > 0, x, -x)", "abs(x)"},
        {"where(x > 0, x, 0)", "relu(x)"},
        {"(i * 3) % 3", "i * 0"},
        {"i + 1 > 3", "i > 2"},
        {"-i // 4", "-(i // 4)"},
        {"x < 3", "x <= 3"},
        {"i < 3", "i <= 3"},
        {"maximum(x, minimum(x, y))", "x"},
        {"softmax(A + x[:, None], axis=0)", "softmax(A, axis=0)"},
        {"log(x * y)", "log(x) + log(y)"},
        {"f64(p)", "f64(i > 0)"},
        {"concat((x, y))[1:]", "concat((x[1:], x))"},
        {"x[[0, 2]]", "x[[2, 0]]"},
        {"(x with [1] = 2.0)[1]", "x[1]"},
    };
    (void)state;
    for (size_t k = 0; k < COUNT_OF(pairs); k++)
        compare_forms(pairs[k][0], pairs[k][1], false, true);
}

/* What is too large, or no number, has a form all the same, and soon. */
static void compare_large(const char *part, const char *sign, int n, bool same)
{
    Text left = {0}, right = {0};
    for (int i = 0; i < n; i++) {
        text_put(&left, i ? sign : "");
        text_printf(&left, part, i + 1);
        text_put(&right, i ? sign : "");
        text_printf(&right, part, n - i);
    }
    compare(text_str(&left), text_str(&right), same);
    text_free(&left);
    text_free(&right);
}

static void test_limits(void **state)
{
    (void)state;
    double start = processor_seconds();
    compare_large("x^%d", " * ", 60, true);
    compare_large("sin(%d * x)", " + ", 400, true);
    compare_large("sin(%d * x)", " * ", 60, true);
    compare_large("(x + %d * y)", " * ", 8, true);
    compare("(x + y)^1000", "(y + x)^1000", true);
    compare("nan * x", "x * nan", true);
    compare("inf * x - inf * x", "0 * x", true);
    compare("1e300 * (1e300 * x)", "1e300 * (x * 1e300)", true);
    compare("i * 9223372036854775807 * 2", "-2 * i", true);
    compare("sum(x)^9", "sum(x)^4 * sum(x)^5", true);
    assert_true(processor_seconds() - start < 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same), cmocka_unit_test(test_different),
        cmocka_unit_test(test_relations), cmocka_unit_test(test_unrelated),
        cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
