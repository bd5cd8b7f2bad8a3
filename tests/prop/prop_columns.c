/* Reductions over any axes of what is elementwise, with operands that are repeated and with results
 * that are kept: fused in the machine, as native code, and operator by operator give the same bits,
 * or the same message, with one, two and three threads. Around the sizes at which tiles, blocks and
 * strips of columns end; empty axes, one row, one column; alone, in loops, and in gradients of
 * biases.
 *
 * Native code is left out where there is no C compiler. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/threads.h"
#include "effort.h"
#include "exec/cost.h"
#include "run_ways.h"
#include "scan_gen_body.h"

#include <math.h>
#include <unistd.h>

enum { CASES = 200 };

typedef struct {
    u64 rng;
    int size[3];
    bool native;
} Case;

static u32 pick(Case *c, u32 n) { return gen_pick(&c->rng, n); }

/* ---- programs ---- */

static const int shapes[][3] = {
    {1, 1, 1},    {2, 3, 4},    {1, 33, 1},   {3, 1, 5},     {0, 3, 2},     {3, 0, 2},
    {2, 3, 0},    {17, 5, 3},   {1, 16, 64},  {1, 600, 7},   {300, 2, 2},   {1, 300, 33},
    {40, 3, 255}, {33, 1, 256}, {18, 2, 257}, {20, 1, 1023}, {19, 1, 1024}, {35, 1, 1025},
    {7, 300, 2},  {5, 20, 100}, {2, 17, 2100}};

static const char *const axes[] = {"0", "1", "2", "(0, 1)", "(1, 2)", "(0, 2)", "(0, 1, 2)"};

/* x, y and u, which is drawn, have all three axes, r those of a row, p those of a plane, c one for
 * each of the first, q a row for each of these; a is of places along the second axis. */
static void put_inputs(const Case *c, Text *out)
{
    const int *n = c->size, all = n[0] * n[1] * n[2];
    static const char *const forms[] = {"sin(arange(%d) * 0.7) * 2", "cos(arange(%d) * 1.3)"};
    for (int k = 0; k < 2; k++) {
        Text t = {0};
        text_printf(&t, k ? forms[1] : forms[0], all);
        text_printf(out, "%c : f64[%d, %d, %d] = reshape(%s, (%d, %d, %d))\n", "xy"[k], n[0], n[1],
                    n[2], text_str(&t), n[0], n[1], n[2]);
        text_free(&t);
    }
    text_printf(out, "u, after = uniform(rng(3), (%d, %d, %d))\n", n[0], n[1], n[2]);
    text_printf(out, "a : i64[%d] = arange(%d) * 7 %% %d\n", n[1], n[1], n[1] ? n[1] : 1);
    text_printf(out, "r : f64[%d] = arange(%d) * 0.3 - 1\n", n[2], n[2]);
    text_printf(out, "p : f64[%d, %d] = reshape(sin(arange(%d) * 0.2), (%d, %d))\n", n[1], n[2],
                n[1] * n[2], n[1], n[2]);
    text_printf(out, "c : f64[%d, 1, 1] = reshape(cos(arange(%d) * 0.1), (%d, 1, 1))\n", n[0], n[0],
                n[0]);
    text_printf(out, "q : f64[%d, 1, %d] = reshape(sin(arange(%d) * 0.9), (%d, 1, %d))\n", n[0],
                n[2], n[0] * n[2], n[0], n[2]);
}

/* Of f64; what is not a number, infinite or a zero of either sign too. */
static const char *const producers[] = {"x * x",
                                        "x * y + x",
                                        "tanh(x) * y",
                                        "(x - r) * (x - r)",
                                        "x * r + y * p",
                                        "(x + c) * y",
                                        "x / round(y)",
                                        "sqrt(x)",
                                        "round(x) * -1.0",
                                        "where(x > y, x, y * 0.0)",
                                        "x + 0.0 * y - x",
                                        "(q - p) * (q - p)",
                                        "c / round(p * 2)",
                                        "r * q + p",
                                        "where(q > p, q, c)",
                                        "(u - 0.5) * (u + 0.5)",
                                        "take(x, a, axis=1) * y",
                                        "(u + r) * take(x, a, axis=1)",
                                        "exp(x * r)",
                                        "exp((u - p) * c)"};

static void put_producer(Case *c, Text *out)
{
    static const char *const as[] = {
        "(%s)", "(%s)", "f32(%s)", "i64(round(%s) * 7)", "i32(round(%s) * 7)", "((%s) > 0.1)"};
    const char *form = as[pick(c, COUNT_OF(as))],
               *producer = producers[pick(c, COUNT_OF(producers))];
    /* only what is finite becomes an integer */
    if (strstr(form, "round"))
        producer = producers[pick(c, 6)];
    for (; *form; form++)
        if (form[0] == '%' && form[1] == 's') {
            text_put(out, producer);
            form++;
        } else {
            text_putc(out, *form);
        }
}

static void put_reduction(Case *c, const char *of, const char *over, Text *out)
{
    static const char *const ops[] = {"sum", "sum", "prod", "max", "min", "any", "all", "mean"};
    u32 op = pick(c, COUNT_OF(ops));
    bool scaled = op == 2; /* a product of many is none of zeros */
    text_printf(out, scaled ? "%s(%s * 0 + 1, axis=%s" : "%s(%s, axis=%s", ops[op], of, over);
    text_put(out, pick(c, 3) ? ")" : ", keepdims=true)");
}

/* One to three reductions of e, mostly over the same axes, and now and then e itself. */
static void put_results(Case *c, Text *out)
{
    u32 over = pick(c, COUNT_OF(axes)), n = 1 + pick(c, 3);
    text_put(out, "(");
    for (u32 k = 0; k < n; k++) {
        text_put(out, k ? ", " : "");
        put_reduction(c, "e", axes[pick(c, 5) ? over : pick(c, COUNT_OF(axes))], out);
    }
    text_put(out, pick(c, 4) ? ", 1)" : ", e)");
}

/* ---- comparison ---- */

static bool same_number(double a, double b) { return a != a ? b != b : !memcmp(&a, &b, sizeof a); }

static bool same(const Tensor *x, const Tensor *y)
{
    if (tensor_same_bits(x, y))
        return true;
    if (!dtype_is_float(x->dtype) || y->dtype != x->dtype || x->count != y->count)
        return false;
    for (i64 k = 0; k < x->count; k++)
        if (!same_number(tensor_f64_at(x, k), tensor_f64_at(y, k)))
            return false;
    return true;
}

static void try_text(Session *s, bool native, const char *program, const char *text, u64 seed)
{
    Values plain = {0};
    Text said = {0};
    bool ok = run_way(s, 0, text, &plain, &said);
    for (int way = 1; way < 2 + native; way++) {
        Values other = {0};
        Text also = {0};
        bool again = run_way(s, way, text, &other, &also);
        if (again != ok || strcmp(text_str(&said), text_str(&also)))
            fail_msg("seed %llu: %s: `%s` and `%s` in\n%s", (unsigned long long)seed, text,
                     text_str(&said), text_str(&also), program);
        for (int i = 0; ok && i < plain.n; i++)
            if (!same(plain.at[i], other.at[i]))
                fail_msg("seed %llu: result %d of %s differs %s in\n%s", (unsigned long long)seed,
                         i, text, way == 1 ? "in the machine" : "as native code", program);
        values_free(&other);
        text_free(&also);
    }
    text_free(&said);
    values_free(&plain);
}

/* How many reductions over others than the last axes are part of a group. */
static u32 by_columns(Session *s, const char *text)
{
    u32 n = 0;
    Exploration *x = run_explored(s, text);
    Program *p = x ? plan_build(&s->st, x->nroots, x->roots) : NULL;
    Text plan = {0};
    if (p)
        program_print(&plan, p);
    for (const char *at = text_str(&plan); (at = strstr(at, " over axis ")) != NULL; at++)
        n++;
    for (const char *at = text_str(&plan); (at = strstr(at, " over axes ")) != NULL; at++)
        n++;
    text_free(&plan);
    program_free(p);
    if (x)
        exploration_free(x);
    return n;
}

static Case case_of(u64 seed, bool native)
{
    Case c = {.rng = seed * 6364136223846793005ull + 77, .native = native};
    pick(&c, 2);
    memcpy(c.size, shapes[pick(&c, COUNT_OF(shapes))], sizeof c.size);
    return c;
}

static void run_case(Case *c, const char *program, const char *text, u32 *found, u64 seed)
{
    Session s;
    assert_true(session_init(&s));
    if (!run_statements(&s, program)) {
        for (size_t i = 0; i < s.diags.list.len; i++)
            fprintf(stderr, "  %s\n", s.diags.list.at[i].message);
        fail_msg("cannot be read:\n%s", program);
    }
    *found += by_columns(&s, text);
    try_text(&s, c->native, program, text, seed);
    session_free(&s);
}

static bool has_compiler(void)
{
    return !system("command -v ${GRADUS_CC:-${CC:-cc}} >/dev/null 2>&1");
}

static void test_reductions(void **state)
{
    bool native = has_compiler();
    u32 cases = effort_cases(CASES), found = 0;
    u64 seed = from_env("GRADUS_SEED", 1);
    (void)state;
    for (u32 k = 0; k < cases; k++) {
        Case c = case_of(seed + k, native && k % 4 == 0);
        Text program = {0}, text = {0};
        put_inputs(&c, &program);
        text_put(&program, "e = ");
        put_producer(&c, &program);
        text_putc(&program, '\n');
        put_results(&c, &text);
        run_case(&c, text_str(&program), text_str(&text), &found, seed + k);
        text_free(&program);
        text_free(&text);
    }
    print_message("%u reductions by columns in groups; native code: %s\n", found,
                  native ? "yes" : "LEFT OUT, no C compiler");
    assert_true(found > cases / 2);
}

/* A sum over a batch in each step: a bias in a loop, and its gradient. */
static void test_loops(void **state)
{
    static const int batches[] = {1, 2, 15, 16, 17, 40, 300}, widths[] = {1, 2, 5, 64, 257, 1030};
    bool native = has_compiler();
    u32 cases = effort_cases(CASES) / 4, found = 0;
    u64 seed = from_env("GRADUS_SEED", 1);
    (void)state;
    for (u32 k = 0; k < cases; k++) {
        Case c = case_of(seed + k + 1000, native && k % 4 == 0);
        int m = batches[pick(&c, COUNT_OF(batches))], n = widths[pick(&c, COUNT_OF(widths))];
        Text program = {0};
        text_printf(&program,
                    "b : f64[%d] = arange(%d) * 0.1 - 0.3\n"
                    "v : f64[%d, %d] = reshape(sin(arange(%d) * 0.7), (%d, %d))\n"
                    "S = scan t for 3 from h = v, a = b { h[t] = tanh(h[t-1] * 0.5 + b); "
                    "a[t] = a[t-1] + sum(h[t] * h[t], axis=0) }\n",
                    n, n, m, n, m * n, m, n);
        run_case(&c, text_str(&program), "(S.final.a, grad(sum(S.final.h * v), b))", &found,
                 seed + k);
        text_free(&program);
    }
    print_message("%u sums over a batch in groups\n", found);
    assert_true(found > cases);
}

/* ---- memory ---- */

static double no_size(void *ctx, const SizeAtom *a)
{
    (void)ctx, (void)a;
    return 0;
}

static double predicted_peak(Session *s, const char *text)
{
    Exploration *x = run_explored(s, text);
    assert_non_null(x);
    Program *p = plan_build(&s->st, x->nroots, x->roots);
    ProgramCost c;
    program_cost(p, no_size, NULL, &c);
    double peak = c.peak;
    program_cost_free(&c);
    program_free(p);
    exploration_free(x);
    return peak;
}

/* Nothing of the size of the operand is made, nor predicted; X has 960,000 bytes. */
static void test_peak(void **state)
{
    static const char *const texts[] = {
        "sum(X * X, axis=0)",
        "(sum(X * X, axis=0), max(X * X, axis=0), mean(X * X, axis=0))",
        "var(X, axis=0)",
        "sum(sqrt(Y), axis=1)",
        "prod(Y * r + 1, axis=(0, 1))",
        "any(X > 3, axis=0, keepdims=true)",
        "sum((X - mean(X, axis=0, keepdims=true)) ^ 2, axis=0)",
        "softmax(X[:, :2], axis=0)[3]",
        "sum(D * D, axis=0)",
        "sum(X[at] * Y[0, 0], axis=0)",
    };
    enum { MOST = 40000 };
    Session s;
    (void)state;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, "X : f64[400, 300] = reshape(cos(arange(120000)), (400, 300))\n"
                                   "Y : f64[4, 100, 300] = reshape(X, (4, 100, 300))\n"
                                   "r : f64[300] = arange(300) * 0.1\n"
                                   "D, after = uniform(rng(2), (400, 300))\n"
                                   "at : i64[400] = arange(400) * 7 % 400\n"));
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        Values v = {0};
        assert_true(run_values(&s, texts[i], true, &v));
        values_free(&v);
        size_t bytes = s.st.heap.peak - s.st.heap.live;
        double predicted = predicted_peak(&s, texts[i]);
        if (bytes > MOST || predicted > MOST || predicted < (double)bytes / 2)
            fail_msg("%s: %zu bytes, %.0f predicted", texts[i], bytes, predicted);
    }
    session_free(&s);
}

/* Chains over rows: what lies between their steps is a few rows, for the machine and as predicted.
 */
static void test_peak_of_rows(void **state)
{
    static const char *const texts[] = {
        "softmax(X, axis=1)",
        "(X - mean(X, axis=1, keepdims=true)) / sqrt(var(X, axis=1, keepdims=true) + 0.1) * r",
        "grad(sum(softmax(X * r, axis=1) * X), X)",
        "(softmax(X, axis=1), logsumexp(X, axis=1))",
    };
    Session s;
    (void)state;
    assert_true(session_init(&s));
    native_set(&s.native, NATIVE_OFF);
    assert_true(run_statements(&s, "X : f64[400, 300] = reshape(cos(arange(120000)), (400, 300))\n"
                                   "r : f64[300] = arange(300) * 0.1\n"));
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        Values v = {0};
        assert_true(run_values(&s, texts[i], true, &v));
        values_free(&v);
        double bytes = (double)(s.st.heap.peak - s.st.heap.live);
        double predicted = predicted_peak(&s, texts[i]);
        if (fabs(predicted - bytes) > 0.05 * bytes)
            fail_msg("%s: %.0f bytes, %.0f predicted", texts[i], bytes, predicted);
    }
    session_free(&s);
}

int main(void)
{
    char folder[] = "/tmp/gradus-columns-XXXXXX", command[64];
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reductions),
                                       cmocka_unit_test(test_loops), cmocka_unit_test(test_peak),
                                       cmocka_unit_test(test_peak_of_rows)};
    if (!mkdtemp(folder))
        return 1;
    setenv("XDG_CACHE_HOME", folder, 1);
    threads_least(0);
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) ? 1 : status;
}
