/* Single precision stays single: of f32 every function of the language gives f32, with numbers,
 * constant arrays, sizes and indices of scans among its arguments. A function that is in no row
 * fails the test. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "run_text.h"

static const char inputs[] = "x : f32[n] = [1, 2, 3]\n"
                             "p : f32[n] = [0.2, 0.5, 0.3]\n"
                             "A : f32[n, n] = [[4, 1, 0], [1, 3, 1], [0, 1, 5]]\n"
                             "s : f32 = 0.5\n"
                             "k : i64 = 3\n"
                             "b : bool[n] = [true, false, true]\n"
                             "r = rng(1)\n"
                             "c = 2.5\n"
                             "z = zeros(3)\n"
                             "f(v, w) = v * w + ones(3)\n";

/* A function, a call, the dtype of its result. */
static const struct {
    const char *name, *call;
    DType dtype;
} calls[] = {
    {"where", "where(b, x, zeros(3))", DT_F32},
    {"where", "where(b, 1.0, 0.0) * x", DT_F32},
    {"clip", "clip(x, 0.5, 2)", DT_F32},
    {"real", "real(x)", DT_F32},
    {"imag", "imag(x)", DT_F32},
    {"iscomplexobj", "iscomplexobj(x)", DT_BOOL},
    {"sum", "sum(x)", DT_F32},
    {"sum", "sum(x, where=b)", DT_F32},
    {"prod", "prod(x)", DT_F32},
    {"mean", "mean(A, axis=0)", DT_F32},
    {"mean", "mean(x, where=b)", DT_F32},
    {"var", "var(A, axis=1, ddof=1)", DT_F32},
    {"std", "std(x)", DT_F32},
    {"min", "min(x, where=b, initial=10)", DT_F32},
    {"max", "max(x)", DT_F32},
    {"ptp", "ptp(x)", DT_F32},
    {"any", "any(x)", DT_BOOL},
    {"all", "all(x)", DT_BOOL},
    {"argmin", "argmin(x)", DT_I64},
    {"argmax", "argmax(x)", DT_I64},
    {"logsumexp", "logsumexp(x)", DT_F32},
    {"softmax", "softmax(x)", DT_F32},
    {"log_softmax", "log_softmax(x)", DT_F32},
    {"norm", "norm(x)", DT_F32},
    {"peak", "peak(x)", DT_F32},
    {"cumsum", "cumsum(x)", DT_F32},
    {"cumprod", "cumprod(x)", DT_F32},
    {"cummax", "cummax(x)", DT_F32},
    {"shape", "x * shape(x)[0]", DT_F32},
    {"size", "x / size(x)", DT_F32},
    {"size", "x / size(A, 1)", DT_F32},
    {"size", "x / n", DT_F32},
    {"reshape", "reshape(A, (9,))", DT_F32},
    {"reshape", "reshape(arange(9), (3, 3)) @ x", DT_F32},
    {"transpose", "transpose(A)", DT_F32},
    {"swapaxes", "swapaxes(A, 0, 1)", DT_F32},
    {"squeeze", "squeeze(x[None, :])", DT_F32},
    {"expand_dims", "expand_dims(x, 0)", DT_F32},
    {"broadcast_to", "broadcast_to(x, (2, 3))", DT_F32},
    {"concat", "concat((x, zeros(2)))", DT_F32},
    {"stack", "stack((x, ones(3), z))", DT_F32},
    {"flip", "flip(x)", DT_F32},
    {"zeros", "zeros(3) + s", DT_F32},
    {"zeros", "zeros(k) + s", DT_F32},
    {"zeros", "zeros(3, dtype=f32)", DT_F32},
    {"ones", "x * ones(3)", DT_F32},
    {"empty", "concat((x, empty(0)))", DT_F32},
    {"full", "full(3, 2) * x", DT_F32},
    {"full", "full(3, s)", DT_F32},
    {"full", "full(3, c) * x", DT_F32},
    {"zeros_like", "zeros_like(x)", DT_F32},
    {"ones_like", "ones_like(x)", DT_F32},
    {"full_like", "full_like(x, 2.5)", DT_F32},
    {"arange", "arange(3) * x", DT_F32},
    {"arange", "arange(k) * s", DT_F32},
    {"arange", "arange(0, 1.5, 0.5) * x", DT_F32},
    {"arange", "arange(0, s, 0.25)", DT_F32},
    {"linspace", "linspace(0, 1, 3) * x", DT_F32},
    {"linspace", "linspace(0, s, 3)", DT_F32},
    {"eye", "eye(3) @ x", DT_F32},
    {"eye", "solve(A + 0.1 * eye(3), x)", DT_F32},
    {"one_hot", "one_hot(arange(3), 3) @ x", DT_F32},
    {"take", "take(x, [0, 1])", DT_F32},
    {"roll", "roll(x, 1)", DT_F32},
    {"pad", "pad(x, 1, 0.5)", DT_F32},
    {"conv2d", "conv2d(A, [x, x], pad=1)", DT_F32},
    {"max_pool", "max_pool(A, 2)", DT_F32},
    {"tile", "tile(x, 2)", DT_F32},
    {"repeat", "repeat(x, 2)", DT_F32},
    {"tril", "tril(A)", DT_F32},
    {"tril", "tril(ones((3, 3))) @ x", DT_F32},
    {"triu", "triu(A)", DT_F32},
    {"diag", "diag(x)", DT_F32},
    {"diag", "diag(ones(3)) @ x", DT_F32},
    {"match_shape", "match_shape(x, p)", DT_F32},
    {"sort", "sort(x)", DT_F32},
    {"argsort", "argsort(x)", DT_I64},
    {"searchsorted", "searchsorted(x, 1.5)", DT_I64},
    {"dot", "dot(x, ones(3))", DT_F32},
    {"matmul", "matmul(A, eye(3))", DT_F32},
    {"outer", "outer(x, arange(3))", DT_F32},
    {"trace", "trace(A)", DT_F32},
    {"einsum", "einsum(\"ij,j->i\", A, ones(3))", DT_F32},
    {"solve", "solve(A, ones(3))", DT_F32},
    {"solve", "solve(eye(3), x)", DT_F32},
    {"solve_triangular", "solve_triangular(A, zeros(3))", DT_F32},
    {"cholesky", "cholesky(A)", DT_F32},
    {"inv", "inv(A)", DT_F32},
    {"det", "det(A)", DT_F32},
    {"slogdet", "slogdet(A)[1]", DT_F32},
    {"qr", "qr(A)[0] @ x", DT_F32},
    {"dft", "dft(x, x)[1]", DT_F32},
    {"svd", "svd(A)[1]", DT_F32},
    {"eigh", "eigh(A)[1]", DT_F32},
    {"pinv", "pinv(A)", DT_F32},
    {"", "eigvalsh(A)", DT_F32},
    {"", "lstsq(A, ones(3))", DT_F32},
    {"tensordot", "tensordot(A, eye(3), axes=1)", DT_F32},
    {"diagonal", "diagonal(A)", DT_F32},
    {"moveaxis", "moveaxis(A, 0, 1)", DT_F32},
    {"ndim", "x / ndim(x)", DT_F32},
    {"avg_pool", "avg_pool(A, 2)", DT_F32},
    {"nan_to_num", "nan_to_num(x, posinf=1)", DT_F32},
    {"", "gelu(x)", DT_F32},
    {"", "silu(x)", DT_F32},
    {"", "elu(x, 0.5)", DT_F32},
    {"", "leaky_relu(x)", DT_F32},
    {"", "layer_norm(x)", DT_F32},
    {"", "batch_norm(A, ones(3), zeros(3))", DT_F32},
    {"", "cross_entropy(x, 1)", DT_F32},
    {"", "conv1d(x, ones(2))", DT_F32},
    {"", "diff(x)", DT_F32},
    {"", "quantile(x, [0.1, 0.5])", DT_F32},
    {"", "median(x)", DT_F32},
    {"", "interp(x, x, [1, 2, 3])", DT_F32},
    {"", "bincount([0, 1, 1], x)", DT_F32},
    {"", "segment_sum(x, [0, 0, 1], 2)", DT_F32},
    {"", "polyval(x, 0.5)", DT_F32},
    {"", "cross(x, [1, 0, 0])", DT_F32},
    {"", "kron(x, [1, 2])", DT_F32},
    {"", "matrix_power(A, 3)", DT_F32},
    {"rng", "rng(1)", DT_RNG},
    {"rng_state", "rng_state(1, 2, 0, 0, 0, 0)", DT_RNG},
    {"split", "split([x[0], s], 2)[0]", DT_F32},
    {"uniform", "uniform(r, 3, dtype=f32)[0]", DT_F32},
    {"uniform", "uniform(r, 3, -s, s, dtype=f32)[0] * x", DT_F32},
    {"normal", "x + normal(r, 3, dtype=f32)[0]", DT_F32},
    {"normal", "normal(r, 3, x, 0.5, dtype=f32)[0]", DT_F32},
    {"bernoulli", "x * bernoulli(r, p)[0]", DT_F32},
    {"randint", "x[randint(r, 0, 3, 2)[0]]", DT_F32},
    {"permutation", "x[permutation(r, 3)[0]]", DT_F32},
    {"categorical", "x[categorical(r, p)[0]]", DT_F32},
    {"bool", "x * bool(x)", DT_F32},
    {"f32", "f32(c) * z", DT_F32},
    {"f32", "f32(k) * x", DT_F32},
    {"grad", "grad(sum(x * arange(3) / 2) + sum(ones(3) * c * x), x)", DT_F32},
    {"value_and_grad", "value_and_grad(sum(softmax(x) * z), x)[1]", DT_F32},
    {"vjp", "vjp(x * c, x, ones(3))", DT_F32},
    {"jvp", "jvp(x * c, x, ones(3))", DT_F32},
    {"jacobian", "jacobian(tanh(x) * c, x)", DT_F32},
    {"hessian", "hessian(sum(x^3) / n, x)", DT_F32},
    {"vmap", "vmap(v -> v * ones(2) + zeros(2))(x)", DT_F32},
    {"vmap", "vmap((v, w) -> v * w)(x, arange(3))", DT_F32},
    {"stop_gradient", "stop_gradient(x)", DT_F32},
    {"fused", "fused(x * c + p)", DT_F32},
    {"fits", "fits(x + p)", DT_F32},
    {"gemm", "gemm(A, A)", DT_F32},
    {"gemv", "gemv(A, x)", DT_F32},
    {"ger", "ger(x, x)", DT_F32},
    {"slice", "slice(x, 0, 2)", DT_F32},
    {"index", "index(x, 1)", DT_F32},
    {"gather", "gather(x, [0, 1])", DT_F32},
    {"set_index", "set_index(x, 1, s)", DT_F32},
    {"set_slice", "set_slice(x, 1, x[:2])", DT_F32},
    {"scatter", "scatter(x, [0, 1], x[:2])", DT_F32},
    {"broadcast", "broadcast(x, (2, 3), 1)", DT_F32},
    {"iota", "x * f32(iota(3))", DT_F32},
    {"dim", "x / f32(dim(x))", DT_F32},
    {"cast", "cast(z, f32)", DT_F32},
    {"check", "check(true, x, \"\")", DT_F32},
    {"recurrence", "recurrence(x, p)", DT_F32},
    /* the language */
    {"", "x / sqrt(2 * pi)", DT_F32},
    {"", "x * (if k > 2 then 1.5 else 0.5)", DT_F32},
    {"", "if k > 2 then x else z", DT_F32},
    {"", "f(x, c)", DT_F32},
    {"", "f(x, 2) + f(zeros(3), x)", DT_F32},
    {"", "z with [0] = s", DT_F32},
    {"", "x with [0] += 1.5", DT_F32},
    {"", "[x, z, ones(3)]", DT_F32},
    {"", "z[0] * x", DT_F32},
    {"", "zeros((3, 2))' + x", DT_F32},
    {"", "map(v -> v * c, x)", DT_F32},
    {"", "foldl((a, v) -> a + v * c, x, 0.0)", DT_F32},
    {"", "foldl((a, v) -> a + v, A, zeros(3))", DT_F32},
    {"", "(scan t over x from h = zeros(3) { h[t] = 0.5 * h[t-1] + x[t] * t / n }).final", DT_F32},
    {"", "scan t over x from h = zeros((2, 3)) { h[t] = h[t-1] + 0.5 * h[t-2] + x[t] }", DT_F32},
    {"", "(scan t for 3 from h = ones(3) { h[t] = A @ h[t-1]; until sum(h[t]) > 9 }).final",
     DT_F32},
    {"",
     "(scan t for 3 from h = 0.0, g = 1 { h[t] = h[t-1] + g[t-1] * s; g[t] = g[t-1] / 2 }).final.h",
     DT_F32},
    {"", "grad((scan t over x from h = z { h[t] = tanh(h[t-1] + x[t]) }).final[0], x)", DT_F32},
};

static const char *const others[] = {"load", "save", "i32", "i64", "f64"};

static bool is_named(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        if (!strcmp(calls[i].name, name))
            return true;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (!strcmp(others[i], name))
            return true;
    return false;
}

/* The dtype of the value, which must be the same when it is computed; DT_COUNT: there is none. */
static DType dtype_of(Session *s, const char *text)
{
    Node **roots = NULL;
    Tensor *out[4] = {NULL};
    DType d = DT_COUNT;
    diags_clear(&s->diags);
    int n = run_roots(s, text, &roots);
    if (n == 1 && session_evaluate(s, 1, roots, out)) {
        d = out[0]->dtype;
        assert_int_equal(d, roots[0]->type->dtype);
    }
    for (size_t i = 0; i < s->diags.list.len; i++)
        if (strcmp(s->diags.list.at[i].code, "random")) /* the same state again and again */
            print_error("%s: %s\n", text, s->diags.list.at[i].message);
    for (int i = 0; i < n; i++)
        tensor_unref(out[i]);
    free(roots);
    return d;
}

static void test_functions(void **state)
{
    Session s;
    u32 wrong = 0;
    (void)state;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, inputs));
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        DType d = dtype_of(&s, calls[i].call);
        if (d == calls[i].dtype && !s.diags.errors)
            continue;
        print_error("%s gives %s\n", calls[i].call, d == DT_COUNT ? "nothing" : dtype_name(d));
        wrong++;
    }
    for (size_t i = 0; i < builtin_count; i++)
        if (builtin_group_of(&builtins[i]) != builtin_group(0) && !is_named(builtins[i].name)) {
            print_error("%s stands in no row\n", builtins[i].name);
            wrong++;
        }
    assert_int_equal(wrong, 0);
    session_free(&s);
}

static bool gives_truth(OpId op)
{
    static const OpId truths[] = {OP_EQ, OP_NE,    OP_LT,    OP_LE,      OP_GT,
                                  OP_GE, OP_ISNAN, OP_ISINF, OP_ISFINITE};
    for (size_t i = 0; i < COUNT_OF(truths); i++)
        if (truths[i] == op)
            return true;
    return false;
}

/* Elementwise operators by their names: of f32, of f32 and a number, of f32 and a constant array.
 */
static void test_elementwise(void **state)
{
    Session s;
    u32 tried = 0, wrong = 0;
    (void)state;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, inputs));
    for (int op = 0; op < OP_COUNT; op++) {
        const OpInfo *info = &op_table[op];
        static const char *const one[] = {"%s(p)"}, *const two[] = {"%s(p, 0.5)", "%s(p, zeros(3))",
                                                                    "%s(ones(3), p)", "%s(2, p)"};
        bool pair = info->min_ops == 2;
        if (info->cls != CLASS_ELEMENTWISE || info->flags & HIDDEN ||
            !builtin_by_name(info->name) || op == OP_WHERE)
            continue;
        for (size_t k = 0; k < (pair ? COUNT_OF(two) : 1); k++) {
            char text[80];
            snprintf(text, sizeof text, pair ? two[k] : one[k], info->name);
            Node **roots = NULL;
            diags_clear(&s.diags);
            int n = run_roots(&s, text, &roots);
            if (n == 1) { /* else it takes no floats */
                tried++;
                DType d = roots[0]->type->dtype;
                if (d != (gives_truth((OpId)op) ? DT_BOOL : DT_F32)) {
                    print_error("%s gives %s\n", text, dtype_name(d));
                    wrong++;
                }
            }
            free(roots);
        }
    }
    assert_true(tried > 100);
    assert_int_equal(wrong, 0);
    session_free(&s);
}

/* What nothing asks for is as it was: f64, whole numbers i64. */
static void test_alone(void **state)
{
    static const struct {
        const char *text;
        DType dtype;
    } alone[] = {{"zeros(3)", DT_F64},
                 {"arange(3)", DT_I64},
                 {"full(2, 1)", DT_I64},
                 {"linspace(0, 1, 3)", DT_F64},
                 {"eye(2)", DT_F64},
                 {"ones(2) * k", DT_F64},
                 {"zeros(3) + arange(3)", DT_F64},
                 {"n", DT_I64},
                 {"arange(3) / 2", DT_F64},
                 {"x * zeros(3, dtype=f64)", DT_F64},
                 {"x * i64(2)", DT_F64},
                 {"sqrt(2)", DT_F64},
                 {"one_hot(1, 3)", DT_F64}};
    Session s;
    (void)state;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, inputs));
    for (size_t i = 0; i < COUNT_OF(alone); i++)
        if (dtype_of(&s, alone[i].text) != alone[i].dtype)
            fail_msg("%s is no %s", alone[i].text, dtype_name(alone[i].dtype));
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions),
                                       cmocka_unit_test(test_elementwise),
                                       cmocka_unit_test(test_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
