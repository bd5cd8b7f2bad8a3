/* On random typed programs: replaying the steps gives the graph the engine gave, every
 * intermediate graph keeps the invariants, and the value before a step is the value after
 * it, within what the step's classes allow. GRADUS_SEED and GRADUS_CASES choose. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include "rewrite/history.h"
#include "run_text.h"
#include "steps_check.h"

typedef struct {
    u64 state;
    Text out;
    int loops; /* nesting */
} Gen;

static u32 pick(Gen *g, u32 n)
{
    g->state = g->state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(g->state >> 33) % n;
}

static void put(Gen *g, const char *s) { text_put(&g->out, s); }

static void scalar(Gen *g, int depth);
static void vector(Gen *g, int depth);

static void call1(Gen *g, int depth, void (*arg)(Gen *, int))
{
    static const char *const names[] = {"exp",   "tanh", "sigmoid",  "sin",   "cos",
                                        "sqr",   "abs",  "softplus", "relu",  "expm1",
                                        "log1p", "-",    "neg",      "floor", "sqrt"};
    put(g, names[pick(g, COUNT_OF(names))]);
    put(g, "(");
    arg(g, depth - 1);
    put(g, ")");
}

static void call2(Gen *g, int depth, void (*a)(Gen *, int), void (*b)(Gen *, int))
{
    static const char *const ops[] = {" + ", " - ", " * ", " / ", " + ", " * "};
    put(g, "(");
    a(g, depth - 1);
    put(g, ops[pick(g, COUNT_OF(ops))]);
    b(g, depth - 1);
    put(g, ")");
}

static void number(Gen *g)
{
    static const char *const numbers[] = {"0", "1", "2", "-1", "0.5", "1.0", "3", "0.0"};
    put(g, numbers[pick(g, COUNT_OF(numbers))]);
}

/* Hard cases for the rules: these shapes are what they look for. */
static void bait(Gen *g, int depth, void (*arg)(Gen *, int))
{
    static const char *const shapes[][2] = {
        {"log(1 + exp(", "))"},  {"1 / (1 + exp(", "))"}, {"(", ") ^ 2"}, {"log(sigmoid(", "))"},
        {"(1 - sigmoid(", "))"}, {"0 + (", ")"},          {"1 * (", ")"}, {"-(-(", "))"},
        {"exp(", ") - 1"},       {"sqrt(sqr(", "))"},     {"(", ") ^ 1"}, {"log(exp(", "))"}};
    const char *const *s = shapes[pick(g, COUNT_OF(shapes))];
    put(g, "(");
    put(g, s[0]);
    arg(g, depth - 1);
    put(g, s[1]);
    put(g, ")");
}

static void loop(Gen *g, int depth, bool trace)
{
    static const char *const index[] = {"t", "i", "j"};
    static const char *const state[] = {"a", "b", "c"};
    const char *t = index[g->loops], *s = state[g->loops];
    g->loops++;
    text_printf(&g->out, "{ L = scan %s %s from %s = s { %s[%s] = tanh(%s[%s-1] * ", t,
                pick(g, 2) ? "over x" : "for k", s, s, t, s, t);
    scalar(g, depth - 2);
    put(g, " + ");
    scalar(g, depth - 2);
    put(g, ")");
    if (pick(g, 3) == 0)
        text_printf(&g->out, "; until %s[%s] > 0.9", s, t);
    g->loops--;
    text_printf(&g->out, " }; %s }", trace ? "sum(L)" : pick(g, 2) ? "L.final" : "L[-1]");
}

static void scalar(Gen *g, int depth)
{
    if (depth <= 0) {
        if (pick(g, 3))
            put(g, pick(g, 2) ? "s" : "r");
        else
            number(g);
        return;
    }
    switch (pick(g, 9)) {
    case 0: call1(g, depth, scalar); break;
    case 1:
    case 2: call2(g, depth, scalar, scalar); break;
    case 3:
        put(g, "sum(");
        vector(g, depth - 1);
        put(g, ")");
        break;
    case 4: bait(g, depth, scalar); break;
    case 5:
        if (g->loops < 2 && depth > 1)
            loop(g, depth, pick(g, 2));
        else
            put(g, "max(x)");
        break;
    case 6:
        put(g, "(if s > 0 then ");
        scalar(g, depth - 1);
        put(g, " else ");
        scalar(g, depth - 1);
        put(g, ")");
        break;
    case 7:
        put(g, "(x @ ");
        vector(g, depth - 1);
        put(g, ")");
        break;
    default: scalar(g, 0);
    }
}

static void vector(Gen *g, int depth)
{
    if (depth <= 0) {
        put(g, pick(g, 2) ? "x" : "y");
        return;
    }
    switch (pick(g, 8)) {
    case 0: call1(g, depth, vector); break;
    case 1: call2(g, depth, vector, vector); break;
    case 2: call2(g, depth, vector, scalar); break;
    case 3: bait(g, depth, vector); break;
    case 4:
        put(g, "where(x > y, ");
        vector(g, depth - 1);
        put(g, ", ");
        vector(g, depth - 1);
        put(g, ")");
        break;
    case 5:
        put(g, "(M @ ");
        vector(g, depth - 1);
        put(g, ")");
        break;
    case 6: put(g, pick(g, 2) ? "zeros_like(x)" : "ones_like(y)"); break;
    default: vector(g, 0);
    }
}

static const char *const header =
    "x : f64[n] = [0.3, -0.7, 1.1]\n"
    "y : f64[n] = [0.2, 0.9, -0.4]\n"
    "s : f64 = 0.6\n"
    "r : f64 = -0.3\n"
    "k : i64 = 3\n"
    "M : f64[n, n] = [[0.1, 0.2, -0.3], [0.4, 0.0, 0.5], [-0.2, 0.1, 0.3]]\n";

static void complain(const char *what, const char *text, unsigned seed, Session *s)
{
    print_error("%s, seed %u: %s\n", what, seed, text);
    for (size_t i = 0; i < s->diags.list.len; i++)
        print_error("  %s\n", s->diags.list.at[i].message);
}

static bool check_replay(Session *s, Exploration *x, const char **why)
{
    Node **roots = xmalloc(((size_t)x->nroots + 1) * sizeof *roots);
    Text text = {0};
    bool ok = true;
    *why = "the log does not replay to the result";
    Walk w;
    walk_begin(&w, &s->st, &x->log, x->nroots, x->start);
    for (u32 k = 0; k <= x->log.at.len && ok; k++) {
        ok = exploration_replay(x, k, roots) && (k == 0 || walk_next(&w));
        if (ok && memcmp(roots, w.roots, (size_t)x->nroots * sizeof *roots))
            *why = "a state reached at once is not the one reached step by step", ok = false;
        if (ok && !graph_verify(&s->st, x->nroots, roots, &text))
            *why = "an intermediate graph is not well formed", ok = false;
    }
    walk_end(&w);
    for (int i = 0; i < x->nroots && ok; i++)
        ok = roots[i] == x->roots[i];
    text_free(&text);
    free(roots);
    return ok;
}

static bool check_audit(Session *s, Exploration *x, const char **why, u32 *steps)
{
    Audit a;
    *why = "the audit does not run";
    bool ok = session_audit(s, x, &a);
    for (size_t i = 0; i < a.rows.len && ok; i++) {
        const AuditRow *row = &a.rows.at[i];
        Text text = {0};
        ok = !row->breaks;
        place_print(&text, &row->place);
        text_printf(&text, ", %s: %s (%g, %g ulp)", step_rule(row->step), row->breaks,
                    row->by.error, row->by.ulp);
        *why = ok ? *why : arena_strndup(&s->arena, text_str(&text), text.len);
        text_free(&text);
    }
    *steps += a.compared;
    audit_free(&a);
    return ok;
}

static bool check_words(Session *s, Exploration *x, const char **why, u32 *told)
{
    Text text = {0};
    bool ok = steps_tell(&s->st, &x->log, told, &text);
    *why = ok ? *why : arena_strndup(&s->arena, text_str(&text), text.len);
    text_free(&text);
    return ok;
}

static bool one_case(unsigned seed, u32 *steps, u32 *told)
{
    Gen g = {.state = seed * 7919ull + 17};
    bool derivative = pick(&g, 3) == 0;
    put(&g, derivative ? "grad(f64(" : "");
    scalar(&g, 4);
    put(&g, derivative ? "), [x, s], unconnected=zero)" : "");
    Session s;
    bool ok = session_init(&s);
    const char *why = "it does not build";
    run_statements(&s, header);
    s.rules.allowed = seed % 4 == 0   ? HAZARD_E | HAZARD_D
                      : seed % 4 == 1 ? ~0u & ~(u32)HAZARD_S
                                      : HAZARD_DEFAULT;
    Exploration *x = ok ? run_pipeline(&s, text_str(&g.out)) : NULL;
    ok = x && !x->failed && check_words(&s, x, &why, told) && check_replay(&s, x, &why) &&
         check_audit(&s, x, &why, steps);
    if (!ok)
        complain(why, text_str(&g.out), seed, &s);
    text_free(&g.out);
    session_free(&s);
    return ok;
}

static void test_steps_keep_values(void **state)
{
    (void)state;
    unsigned seed = from_env("GRADUS_SEED", 1), cases = effort_cases(400), failed = 0;
    u32 steps = 0, told = 0;
    for (unsigned i = 0; i < cases && failed < 10; i++)
        failed += !one_case(seed + i, &steps, &told);
    print_message("%u programs, %u steps, each with its rule, reason and classes; %u compared\n",
                  cases, told, steps);
    assert_int_equal(failed, 0);
    assert_true(steps > cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps_keep_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
