/* Where derivatives stop, and where they are singular: programs into which one stop, or one
 * singularity, of a known kind was planted on a known line, in loops, functions, branches and maps;
 * and ordinary programs, in which nothing is to be told. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/gradient_flow.h"
#include "analysis/origin.h"
#include "effort.h"
#include "program_gen.h"
#include "run_text.h"
#include "session/keep.h"

enum { STOPS = 120, ORDINARY = 500, SINGULARITIES = 100, RANDOM = 500 };

/* ---- what is planted ---- */

/* %s is what it is of, a smooth function of x with values between 1 and 9. */
typedef struct {
    const char *name, *text;
    StopKind kind;
} Planted;
static const Planted planted[] = {
    {"floor", "floor(%s)", STOP_FLAT},
    {"round", "round(%s)", STOP_FLAT},
    {"sign", "sign(%s)", STOP_FLAT},
    {"comparison", "where(%s > 1, 2.0, 3.0)", STOP_COMPARISON},
    {"until", "(scan k for 20 from g = 0.0 { g[k] = g[k-1] + 1.0; until g[k] > %s }).final",
     STOP_UNTIL},
    {"stop_gradient", "stop_gradient(%s)", STOP_MARKED},
    {"cast", "f64(i64(%s))", STOP_CAST},
    {"branch", "(if x > 100 then %s else 0.5)", STOP_BRANCH},
    {"relu", "relu(%s - 100)", STOP_ZERO},
    {"where", "where(x > 100, %s, 0.5)", STOP_ZERO},
    {"argmax", "f64(argmax([%s, 1.0]))", STOP_POSITION},
    {"truncate", "(scan k for 6 from g = %s { g[k] = 0.5 * g[k-1] + 1.0 }).final", STOP_TRUNCATED},
};

static u32 pick(u32 *seed, u32 n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % n;
}

static const char *const before[] = {"3 * x",     "sin(x) + 3",      "exp(x) / 2",
                                     "x * x + 1", "softplus(x) + 1", "sqrt(x + 2)"};
static const char *const after[] = {"2 * w", "tanh(w)", "w + 1", "w * w", "exp(-w)", "sin(w)"};

/* ---- programs ---- */

typedef enum { PLAIN, FUNCTION, LOOP, BRANCH, MAP, CONTEXTS } Around;

/* Line 3 has what is planted, of `of`. */
static void put_program(Text *out, Around context, const char *text, u32 *seed)
{
    Text of = {0};
    static const char *const what[] = {"u", "a", "u", "u", "a"};
    text_printf(&of, text, what[context]);
    text_printf(out, "x : f64 = 1.5\nu = %s\n", before[pick(seed, COUNT_OF(before))]);
    switch (context) {
    case PLAIN: text_printf(out, "w = %s\n", text_str(&of)); break;
    case FUNCTION: text_printf(out, "f(a) = 2 * %s + 1\nw = f(u)\n", text_str(&of)); break;
    case LOOP:
        text_printf(out, "w = (scan t for 4 from h = 0.5 { h[t] = 0.5 * h[t-1] + %s }).final\n",
                    text_str(&of));
        break;
    case BRANCH: text_printf(out, "w = if u > 0 then %s else 2.0\n", text_str(&of)); break;
    default: text_printf(out, "w = sum(vmap(a -> %s)([u, u + 1]))\n", text_str(&of)); break;
    }
    text_printf(out, "y = %s\n", after[pick(seed, COUNT_OF(after))]);
    text_free(&of);
}

static bool session_with(Session *s, const char *program)
{
    assert_true(session_init(s));
    bool ok = run_statements(s, program);
    if (!ok)
        print_error("%s\n%s\n", program, s->diags.list.len ? s->diags.list.at[0].message : "");
    return ok;
}

static int line_of(const Span *span)
{
    int line = 0, column, length;
    if (span)
        span_locate(*span, &line, &column, &length);
    return line;
}

/* ---- stops ---- */

/* Is this one of the stops, on that line? */
static bool has_stop(Session *s, const GradientFlow *f, StopKind kind, int line)
{
    FlowEdges stops = {0};
    bool found = false;
    flow_stops(f, &stops);
    for (size_t i = 0; i < stops.len; i++) {
        const FlowEdge *e = &f->edges.at[stops.at[i]];
        found =
            found || (e->stop == kind && line_of(flow_place(&s->st, &f->spots.at[e->to])) == line);
    }
    vec_free(&stops);
    return found;
}

static bool check_stop(const char *program, const Planted *p)
{
    Session s;
    DerivativesAt all = {0};
    Node **roots = NULL;
    bool structure = p->kind != STOP_BRANCH && p->kind != STOP_ZERO;
    const char *asked = p->kind == STOP_TRUNCATED ? "grad(y, x, truncate=1)" : "grad(y, x)";
    bool ok = session_with(&s, program);
    int n = ok ? run_roots(&s, asked, &roots) : -1;
    if (n > 0)
        derivatives_of(n, roots, &all);
    ok = all.len == 1;
    if (ok) {
        GradientFlow f;
        Evaluator e = session_evaluator(&s);
        flow_find(&f, &s.st, &all.at[0]);
        ok = flow_is_zero(&f) == structure && flow_add_values(&f, &e, &all.at[0]) &&
             flow_is_zero(&f) && has_stop(&s, &f, p->kind, 3);
        flow_free(&f);
    }
    if (!ok)
        print_error("%s, not found in\n%s\n", p->name, program);
    vec_free(&all);
    free(roots);
    session_free(&s);
    return ok;
}

static void test_stops(void **state)
{
    (void)state;
    u32 wrong = 0, cases = effort_cases(STOPS), seed = from_env("GRADUS_SEED", 1);
    for (u32 i = 0; i < cases; i++) {
        u32 k = i * effort_stride(), r = seed + k;
        const Planted *p = &planted[k % COUNT_OF(planted)];
        Around context = (Around)(k / COUNT_OF(planted) % CONTEXTS);
        /* the loop that is truncated is an outermost one */
        if (p->kind == STOP_TRUNCATED && context == LOOP)
            context = FUNCTION;
        Text program = {0};
        put_program(&program, context, p->text, &r);
        wrong += !check_stop(text_str(&program), p);
        text_free(&program);
    }
    assert_int_equal(wrong, 0);
}

/* ---- ordinary programs ---- */

/* A smooth function of x and w; what stops a derivative stands beside it, on w. */
static void put_smooth(Text *out, u32 *seed, int depth)
{
    static const char *const unary[] = {"sin(", "tanh(", "exp(-", "softplus(", "sqr(", "relu(4 + "};
    static const char *const aside[] = {"floor(w)",         "sign(w)",
                                        "f64(i64(w))",      "where(w > 1, 1.0, w)",
                                        "stop_gradient(w)", "f64(argmax([w, 1.0]))"};
    if (!depth || pick(seed, 5) == 0) {
        text_put(out, pick(seed, 3) ? "x" : "w");
        return;
    }
    switch (pick(seed, 7)) {
    case 0:
    case 1:
        text_put(out, unary[pick(seed, COUNT_OF(unary))]);
        put_smooth(out, seed, depth - 1);
        text_put(out, ")");
        break;
    case 2:
    case 3:
        text_put(out, "(");
        put_smooth(out, seed, depth - 1);
        text_put(out, pick(seed, 2) ? " + " : " * ");
        put_smooth(out, seed, depth - 1);
        text_put(out, ")");
        break;
    case 4:
        text_put(out, "(scan t for 3 from h = ");
        put_smooth(out, seed, depth - 1);
        text_put(out, " { h[t] = 0.5 * h[t-1] + x }).final");
        break;
    case 5:
        text_put(out, "(if x > w then ");
        put_smooth(out, seed, depth - 1);
        text_put(out, " else x * w)");
        break;
    default:
        text_printf(out, "(%s * x + ", aside[pick(seed, COUNT_OF(aside))]);
        put_smooth(out, seed, depth - 1);
        text_put(out, ")");
    }
}

static void test_ordinary(void **state)
{
    (void)state;
    u32 told = 0, cases = effort_cases(ORDINARY), from = from_env("GRADUS_SEED", 1);
    Session s;
    assert_true(session_with(&s, "x : f64 = 0.7\nw : f64 = 1.2\n"));
    for (u32 i = 0; i < cases; i++) {
        u32 seed = from + i;
        Text text = {0};
        Node **roots = NULL;
        DerivativesAt all = {0};
        text_put(&text, "grad(x * w + ");
        put_smooth(&text, &seed, 4);
        text_put(&text, ", x)");
        int n = run_roots(&s, text_str(&text), &roots);
        assert_true(n > 0);
        derivatives_of(n, roots, &all);
        for (size_t k = 0; k < all.len; k++) {
            GradientFlow f;
            flow_find(&f, &s.st, &all.at[k]);
            told += flow_is_zero(&f);
            flow_free(&f);
        }
        assert_int_equal(all.len, 1);
        vec_free(&all);
        free(roots);
        text_free(&text);
        session_collect(&s);
    }
    session_free(&s);
    assert_int_equal(told, 0);
}

/* ---- zero for all inputs: it is zero ---- */

static bool is_all_zero(Session *s, Node *root)
{
    Tensor *value = NULL;
    bool zero = true;
    if (!session_evaluate_raw(s, 1, &root, NULL, &value)) {
        diags_clear(&s->diags);
        return true; /* an error is no value */
    }
    for (i64 i = 0; i < value->count && zero; i++)
        zero = tensor_f64_at(value, i) == 0;
    tensor_unref(value);
    return zero;
}

static void test_zero_is_zero(void **state)
{
    (void)state;
    u32 wrong = 0, zeros = 0, cases = effort_cases(RANDOM), from = from_env("GRADUS_SEED", 1);
    Session s;
    assert_true(session_with(&s, program_header));
    for (u32 i = 0; i < cases; i++) {
        Text text = {0};
        Node **roots = NULL;
        DerivativesAt all = {0};
        program_gen(&text, from + i);
        int n = run_roots(&s, text_str(&text), &roots);
        if (n > 0)
            derivatives_of(n, roots, &all);
        for (size_t k = 0; k < all.len; k++) {
            GradientFlow f;
            flow_find(&f, &s.st, &all.at[k]);
            Node *root = node_proj(&s.st, all.at[k].node, all.at[k].by);
            bool zero = flow_is_zero(&f);
            zeros += zero;
            if (zero && !is_all_zero(&s, root)) {
                print_error("not zero: %s\n", text_str(&text));
                wrong++;
            }
            flow_free(&f);
        }
        vec_free(&all);
        free(roots);
        text_free(&text);
        diags_clear(&s.diags);
        session_collect(&s);
    }
    session_free(&s);
    print_message("%u zero for all inputs\n", zeros);
    assert_int_equal(wrong, 0);
}

/* ---- singularities ---- */

/* Of 0: the value is a number, the derivative is not. */
static const char *const singular[] = {"sqrt(%s)", "(%s) ^ 0.5", "asin(1 - %s)", "acos(1 - %s)",
                                       "acosh(1 + %s)"};

/* Line 3 has it; in a loop it is met at step `at` of `steps`. */
static void put_singular(Text *out, Around context, const char *text, int at, int steps, u32 *seed)
{
    Text of = {0};
    static const char *const what[] = {"v", "a", "v[t]", "v", "a"};
    text_printf(&of, text, what[context]);
    text_printf(out, "v : f64[%d] = [", steps);
    for (int i = 0; i < steps; i++)
        text_printf(out, "%s%s", i ? ", " : "", i == at ? "0" : pick(seed, 2) ? "0.5" : "0.25");
    text_put(out, "]\n# what follows is singular at 0\n");
    switch (context) {
    case PLAIN: text_printf(out, "y = sum(2 * %s)\n", text_str(&of)); break;
    case FUNCTION: text_printf(out, "f(a) = sum(%s)\ny = f(v) * 3\n", text_str(&of)); break;
    case LOOP:
        text_printf(out, "y = (scan t over v from h = 1.0 { h[t] = 0.9 * h[t-1] + %s }).final\n",
                    text_str(&of));
        break;
    case BRANCH: text_printf(out, "y = if v[0] > -1 then sum(%s) else 2.0\n", text_str(&of)); break;
    default: text_printf(out, "y = sum(vmap(a -> %s)(v))\n", text_str(&of)); break;
    }
    text_free(&of);
}

static const char *wrong_origin(Session *s, const NanOrigin *o, Around context, int at)
{
    const Span *of = origin_derived_from(o, &s->st);
    if (!o->found)
        return "nothing was found";
    if (!of)
        return "it is not known whose derivative it is";
    if (line_of(of) != 3)
        return "another line";
    if (strncmp(of->src->text + of->start, "y", 1) == 0)
        return "another operation";
    if (context != LOOP)
        return o->element == at || context == BRANCH ? NULL : "another element";
    if (o->loops.len != 1)
        return "not in a loop";
    return origin_forward_step(&s->st, &o->loops.at[0]) == at ? NULL : "another step";
}

static bool check_singular(const char *program, const char *operation, Around context, int at)
{
    Session s;
    NanOrigin o = {0};
    Node **roots = NULL;
    const char *why = "it does not run";
    if (session_with(&s, program)) {
        Evaluator e = session_evaluator(&s);
        int n = run_roots(&s, "grad(y, v)", &roots);
        if (n > 0 && origin_expand(&e, n, roots) && origin_find(&e, n, roots, &o))
            why = wrong_origin(&s, &o, context, at);
        const Span *of = why ? NULL : origin_derived_from(&o, &s.st);
        /* the text begins as what was planted */
        if (of && of->src->text[of->start] != operation[0] && operation[0] != '(')
            why = "another operation";
        origin_free(&o);
    }
    if (why)
        print_error("%s:\n%s\n", why, program);
    free(roots);
    session_free(&s);
    return !why;
}

static void test_singularities(void **state)
{
    (void)state;
    u32 wrong = 0, cases = effort_cases(SINGULARITIES), from = from_env("GRADUS_SEED", 1);
    for (u32 i = 0; i < cases; i++) {
        u32 k = i * effort_stride(), seed = from + k;
        int steps = 3 + (int)pick(&seed, 4), at = (int)pick(&seed, (u32)steps);
        Around context = (Around)(k / COUNT_OF(singular) % CONTEXTS);
        const char *operation = singular[k % COUNT_OF(singular)];
        Text program = {0};
        put_singular(&program, context, operation, at, steps, &seed);
        wrong += !check_singular(text_str(&program), operation, context, at);
        text_free(&program);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_ordinary),
        cmocka_unit_test(test_zero_is_zero),
        cmocka_unit_test(test_singularities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
