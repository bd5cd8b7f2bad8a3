/* What equality saturation finds on cases of the literature, restated: those of egg's tests of
 * arithmetic (Willsey et al., POPL 2021), products of matrices as in TENSAT (Yang et al., MLSys
 * 2021), and the order of lifting an index against what is around it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"
#include "rewrite/history.h"
#include "rewrite/site.h"
#include "session/equal.h"

#include "../run_text.h"

static const char inputs[] = "x : f64; y : f64; z : f64; a : f64; b : f64; c : f64\n"
                             "v : f64[n]; w : f64[n]; m : bool[n]\n"
                             "A : f64[n, n]; B : f64[n, n]; C : f64[n, n]\n";

typedef struct {
    const char *left, *right;
} Pair;

static Node *one(Session *s, const char *text)
{
    Node **roots = NULL;
    if (run_roots(s, text, &roots) != 1)
        fail_msg("%s: %s", text, s->diags.list.len ? s->diags.list.at[0].message : "not one value");
    Node *r = roots[0];
    free(roots);
    return r;
}

static void open_session(Session *s)
{
    assert_true(session_init(s));
    assert_true(run_statements(s, inputs));
}

/* Derivatives are taken and integrals are checked by them. */
static void test_equal(void **state)
{
    static const Pair pairs[] = {
        {"a + (b + (c + (x + (y + z))))", "z + (y + (x + (c + (b + a))))"}, /* associate_adds */
        {"(x + 0) * 1", "x"},
        {"x + (x + (x + x))", "4 * x"},                     /* simplify_add */
        {"2 ^ x * 2 ^ y", "2 ^ (x + y)"},                   /* powers */
        {"1 + (a - (2 - 1) * a)", "1.0 + a - a"},           /* simplify_const */
        {"(x + 3) * (x + 1)", "x * x + 4 * x + 3"},         /* simplify_factor */
        {"grad(x, x)", "1.0"},                              /* diff_same */
        {"grad(1 + 2 * x, x)", "2.0"},                      /* diff_simple */
        {"grad(1 + y * x, x)", "y"},                        /* diff_simple2 */
        {"grad(log(x), x)", "1 / x"},                       /* diff_ln */
        {"grad(x ^ 3 - 7 * x ^ 2, x)", "x * (3 * x - 14)"}, /* diff_power_harder */
        {"grad(sin(x), x)", "cos(x)"},                      /* integ_one .. integ_sin */
        {"grad(x ^ 2 / 2, x)", "x"},                        /* integ_x */
        {"grad(x * sin(x) + cos(x), x)", "x * cos(x)"},     /* integ_part1 */
        {"grad(-(x * cos(x)) + sin(x), x)", "sin(x) * x"},  /* integ_part2 */
        {"grad(x * log(x) - x, x)", "log(x)"},              /* integ_part3 */
        {"(A @ B) @ C", "A @ (B @ C)"},                     /* TENSAT: associativity */
        {"A @ B + A @ C", "A @ (B + C)"},                   /* one product for two */
        {"(A @ v) * 3 + (A @ w) * 3", "3 * (A @ (v + w))"},
        {"B' @ A'", "(A @ B)'"},
    };
    (void)state;
    Session s;
    size_t proved = 0;
    open_session(&s);
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        SidesCompared e;
        Node *sides[] = {one(&s, pairs[i].left), one(&s, pairs[i].right)};
        Saturating how = s.options.saturating;
        if (!session_equal(&s, &how, sides, &e) || e.verdict == VERDICT_DIFFERENT)
            fail_msg("%s = %s: refuted", pairs[i].left, pairs[i].right);
        if (!verdict_is_equal(e.verdict))
            print_message("not proved: %s = %s\n", pairs[i].left, pairs[i].right);
        proved += verdict_is_equal(e.verdict);
        equal_free(&e);
    }
    print_message("%zu of %zu proved\n", proved, COUNT_OF(pairs));
    assert_int_equal(proved, COUNT_OF(pairs));
    session_free(&s);
}

static Node *saturated(Session *s, int n, Node *const *roots, const CostModel *m, double *cost)
{
    Growth growth;
    Saturating how = s->options.saturating;
    how.assumed = m->assumed;
    Exploration *x = session_saturate(s, &how, n, roots, &growth);
    assert_non_null(x);
    *cost = roots_cost(&s->st, m, n, x->roots);
    growth_free(&growth);
    return x->roots[0];
}

/* What comes out costs no more than the form that one would write. */
static void test_best(void **state)
{
    static const Pair pairs[] = {
        {"x + (x + (x + x))", "4 * x"},
        /* simplify_root; the sign of a zero stays */
        {"1 / ((1 + sqrt(x)) / 2 - (1 - sqrt(x)) / 2)", "reciprocal(0.0 + sqrt(x))"},
        {"(A @ B) @ v", "A @ (B @ v)"},
        {"A @ B + A @ C", "A @ (B + C)"},
        {"A @ C + B @ C", "(A + B) @ C"},
        {"(A @ B)[3]", "A[3] @ B"},
        {"sum(3 * v) + sum(3 * w)", "3 * sum(v + w)"},
        {"((A @ B) @ C) @ v", "A @ (B @ (C @ v))"},
        {"(A @ v) * 3 + (A @ w) * 3", "3 * (A @ (v + w))"},
        {"exp(v) * exp(w)", "exp(v + w)"},
    };
    (void)state;
    Session s;
    CostModel m = {.kind = COST_TIME, .assumed = 100};
    open_session(&s);
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        Node *from = one(&s, pairs[i].left), *best = one(&s, pairs[i].right);
        double cost, wanted = roots_cost(&s.st, &m, 1, &best);
        saturated(&s, 1, &from, &m, &cost);
        if (cost > wanted * (1 + 1e-9))
            fail_msg("%s: cost %g, and that of %s is %g", pairs[i].left, cost, pairs[i].right,
                     wanted);
    }
    session_free(&s);
}

/* Does the k-th order of the passes stand in the pipeline? k = 0, 1, .. */
static bool put_order(Session *s, const char *const *names, size_t n, u32 k)
{
    const char *left[8];
    memcpy(left, names, n * sizeof *left);
    s->options.pipeline.len = 0;
    for (size_t len = n; len; len--) {
        size_t at = k % len;
        k /= (u32)len;
        pipeline_add(&s->options.pipeline, pass_named(left[at]));
        memmove(&left[at], &left[at + 1], (len - at - 1) * sizeof *left);
    }
    session_outdate(s);
    return k == 0;
}

/* An element of what is computed, or of what it is computed from: wherever the index stands, and in
 * whatever order the passes come, the same is left, and no array is made. */
static void test_order(void **state)
{
    static const char *const forms[] = {"exp(v * w)[3]", "exp((v * w)[3])", "exp(v[3] * w[3])"};
    static const char *const passes[] = {"canonicalize", "stabilize", "specialize", "saturate"};
    (void)state;
    Session s;
    CostModel m = {.kind = COST_TIME, .assumed = 100};
    u32 orders = 0;
    open_session(&s);
    Node *best = one(&s, forms[2]);
    double wanted = roots_cost(&s.st, &m, 1, &best);
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        for (u32 k = 0; put_order(&s, passes, COUNT_OF(passes), k); k++) {
            Node *from = one(&s, forms[i]);
            Exploration *x = session_explore(&s, 1, &from);
            assert_non_null(x);
            assert_true(roots_cost(&s.st, &m, 1, x->roots) <= wanted * (1 + 1e-9));
            orders++;
        }
    assert_int_equal(orders, 24 * COUNT_OF(forms));
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        double cost;
        Node *from = one(&s, forms[i]);
        saturated(&s, 1, &from, &m, &cost);
        assert_true(cost <= wanted * (1 + 1e-9));
    }
    session_free(&s);
}

/* Rules that explode meet the limit; what is left is right, and the reason is told. */
static void test_limits(void **state)
{
    (void)state;
    Session s;
    Text text = {0};
    Growth growth;
    open_session(&s);
    for (int i = 0; i < 20; i++)
        text_printf(&text, "%s%c * x ^ %d * (y + %d)", i ? " + " : "", "abc"[i % 3], i % 5, i);
    Node *from = one(&s, text_str(&text));
    CostModel m = {.kind = COST_TIME, .assumed = 100};
    for (u32 nodes = 100; nodes <= 3200; nodes *= 2) {
        Saturating how = s.options.saturating;
        how.nodes = nodes;
        Exploration *x = session_saturate(&s, &how, 1, &from, &growth), *last = x;
        assert_non_null(x);
        assert_true(growth.stop == SATURATE_SIZE_LIMIT || growth.stop == SATURATE_ROUNDS);
        assert_true(roots_cost(&s.st, &m, 1, x->roots) <=
                    roots_cost(&s.st, &m, 1, &from) * (1 + 1e-9));
        Node *again;
        assert_true(exploration_replay(last, (u32)last->log.at.len, &again));
        assert_ptr_equal(again, x->roots[0]);
        growth_free(&growth);
    }
    text_free(&text);
    session_free(&s);
}

/* A rule in C that is there to be tried: at the third time somebody presses ^C. */
static volatile sig_atomic_t pressed;
static bool press(Site *site)
{
    static int tried;
    pressed = ++tried >= 3;
    return site_refuse(site, NULL, "it never fires");
}

/* Interrupted in the middle: an answer all the same, right as far as it goes, and the reason. */
static void test_interrupt(void **state)
{
    (void)state;
    static const Rule rule = {.name = "press",
                              .pass = "saturate",
                              .classes = HAZARD_E,
                              .reason = "none",
                              .root = OP_EXP,
                              .fn = press};
    Session s;
    Growth growth;
    Node *again;
    open_session(&s);
    Node *from = one(&s, "exp(v) * exp(w) * exp(v + w) * exp(3 * w)");
    s.st.interrupt = &pressed;
    ruleset_add(session_own_rules(&s), &rule);
    Saturating how = s.options.saturating;
    Exploration *x = session_saturate(&s, &how, 1, &from, &growth);
    assert_non_null(x);
    assert_true(pressed);
    assert_int_equal(growth.stop, SATURATE_INTERRUPT);
    assert_true(growth.after <= growth.before);
    assert_true(exploration_replay(x, (u32)x->log.at.len, &again));
    assert_ptr_equal(again, x->roots[0]);
    growth_free(&growth);
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal), cmocka_unit_test(test_best),
                                       cmocka_unit_test(test_order), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_interrupt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
