/* core/analysis: loops found by name, and gradients through their steps, as nodes and numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/find_places.h"
#include "analysis/scan_by_name.h"
#include "analysis/unroll_back.h"
#include "graph/control.h"
#include "graph/name.h"
#include "passes/passes.h"
#include "rewrite/history.h"

#include "given.h"

/* ---- by name ---- */

static const char loops[] = "x : f64 = 2.0\n"
                            "p = scan t for 4 from h = x { a[t] = 0.5 * h[t-1] ; h[t] = a[t] }\n"
                            "q = scan t for 4 from g = 3.0, h = 1.0 "
                            "{ g[t] = g[t-1] - h[t-1] ; h[t] = x * h[t-1] }\n";

static Node *named(Given *g, const char *name)
{
    return scan_by_name(&g->s.st, g->s.elab.globals, g->n, g->roots, name);
}

/* By its definition, a state or a trace; of several the last, and without a name the last of all.
 */
static void test_by_name(void **state)
{
    (void)state;
    Given g;
    open_given(&g, loops, "(p.final, p.a, q.final.g)");
    Node *p = g.roots[0]->ops[0], *q = g.roots[2]->ops[0];
    assert_true(p->op == OP_SCAN && q->op == OP_SCAN && p != q);
    assert_ptr_equal(named(&g, "p"), p);
    assert_ptr_equal(named(&g, "q"), q);
    assert_ptr_equal(named(&g, "a"), p);
    assert_ptr_equal(named(&g, "g"), q);
    assert_ptr_equal(named(&g, "h"), q);
    assert_ptr_equal(named(&g, NULL), q);
    assert_null(named(&g, "x"));
    assert_null(named(&g, "t"));
    close_given(&g);
}

/* A definition counts for more than a state that is called the same. */
static void test_definition_first(void **state)
{
    (void)state;
    Given g;
    open_given(&g,
               "h = scan t for 4 from s = 2.0 { s[t] = 0.5 * s[t-1] }\n"
               "q = scan t for 4 from h = 1.0 { h[t] = 3 * h[t-1] }\n",
               "(h.final, q.final)");
    assert_ptr_equal(named(&g, "h"), g.roots[0]->ops[0]);
    close_given(&g);
}

/* Each name is told once, without its index. */
static void test_names(void **state)
{
    (void)state;
    Given g;
    ScanNames names = {0};
    open_given(&g, loops, "(p.final, p.a, q.final.g)");
    Store *st = &g.s.st;
    scan_names(st, g.s.elab.globals, g.n, g.roots, &names);
    static const char *const want[] = {"p", "q", "h", "a", "g"};
    assert_int_equal(names.len, COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        bool found = false;
        for (size_t k = 0; k < names.len; k++)
            found = found || !strcmp(names.at[k], want[i]);
        if (!found)
            fail_msg("%s is missing", want[i]);
        assert_non_null(named(&g, want[i]));
    }
    Symbol before = name_at(st, symbol(st, "h"), symbol(st, "t"), -1);
    assert_true(scan_name_is(st, before, "h"));
    assert_false(scan_name_is(st, before, "h[t-1]"));
    assert_false(scan_name_is(st, NULL, "h"));
    vec_free(&names);
    close_given(&g);
}

/* The scan that a derivative put in the place of the one that was written is found by its names,
 * and the one that runs backward is not. */
static void test_by_name_after_a_derivative(void **state)
{
    (void)state;
    Given g;
    open_given(&g, loops, "grad(sum(p.h ^ 2), x)");
    assert_true(derivatives_expand(&g.s.st, g.e.rules, g.e.options, g.n, g.roots));
    Node *found = named(&g, "p");
    assert_non_null(found);
    assert_false(scan_shape(found).reverse);
    assert_ptr_equal(named(&g, "h"), found);
    assert_true(scan_shape(named(&g, NULL)).reverse);
    close_given(&g);
}

/* ---- gradients through steps ---- */

static double value_in(Given *g, Node *n)
{
    Tensor *value = NULL;
    assert_non_null(n);
    if (!probe_nodes(&g->e, 1, &n, NULL, &value))
        fail_msg("%s", g->s.diags.list.at[0].message);
    double x = tensor_f64_at(value, 0);
    tensor_unref(value);
    return x;
}

static Node *input_called(Given *g, const char *name)
{
    Node **roots = NULL;
    assert_int_equal(run_roots(&g->s, name, &roots), 1);
    Node *n = roots[0];
    free(roots);
    return n;
}

/* Of k^6 x: in one piece, and as one segment that keeps few states. */
static void test_loop_gradient(void **state)
{
    (void)state;
    Given g;
    open_given(&g, "k : f64 = 1.5\nx : f64 = 2\nz : f64 = 7\n",
               "(scan t for 6 from s = x { s[t] = k * s[t-1] }).final");
    Node *scan = scan_of(&g);
    for (int segment = 0; segment < 2; segment++) {
        Node *dx = loop_gradient(&g.s.st, scan, 6, segment, g.roots[0], input_called(&g, "x")),
             *dk = loop_gradient(&g.s.st, scan, 6, segment, g.roots[0], input_called(&g, "k")),
             *dz = loop_gradient(&g.s.st, scan, 6, segment, g.roots[0], input_called(&g, "z"));
        assert_true(fabs(value_in(&g, dx) - pow(1.5, 6)) < 1e-12);
        assert_true(fabs(value_in(&g, dk) - 6 * pow(1.5, 5) * 2) < 1e-12);
        assert_true(value_in(&g, dz) == 0);
    }
    close_given(&g);
}

/* Two states that start from one node, and swap: each place has a cotangent of its own. */
static void test_unroll_back(void **state)
{
    (void)state;
    enum { STEPS = 5, WRITTEN = 3 };
    Given g;
    Unroll u;
    UnrollBack b;
    open_given(&g, "x : f64 = 2\n",
               "(scan t for 5 from r = x, s = x { r[t] = 2 * s[t-1] ; s[t] = 3 * r[t-1] })"
               ".final.r");
    Node *scan = scan_of(&g);
    assert_true(scan_unroll(&g.s.st, scan, WRITTEN, &u));
    assert_true(unroll_back(&g.s.st, &u, STEPS, g.roots[0], &b));
    assert_int_equal(u.s.nstates, 2);
    /* after step i, of what is left only one of the two reaches r: */
    static const double of_r[] = {0, 36, 0, 6}, of_s[] = {72, 0, 12, 0};
    for (int i = 0; i <= WRITTEN; i++) {
        Node *r = b.before.at[2 * i], *s = b.before.at[2 * i + 1];
        assert_true((r ? value_in(&g, r) : 0) == of_r[i]);
        assert_true((s ? value_in(&g, s) : 0) == of_s[i]);
    }
    assert_true(!b.next.at[1] || value_in(&g, b.next.at[1]) == 0); /* s[0] reaches s[4] only */
    assert_true(value_in(&g, b.next.at[0]) == 36);
    unroll_back_free(&u, &b);
    unroll_free(&u);
    close_given(&g);
}

/* ---- where a pattern matches ---- */

/* From the start until the rule that takes it; the other sum is a near miss. */
static void test_find_places(void **state)
{
    (void)state;
    Given g;
    PatternQuery q;
    open_given(&g, "x : f64 = 2.0\ny : f64 = 3.0\n", "log(1 + x) * sin(2 + y)");
    Exploration *x = session_explore(&g.s, g.n, g.roots);
    assert_non_null(x);
    const Source *src = session_source(&g.s, "pattern", "1 + a", 5);
    assert_true(query_read(&q, source_whole(src), g.s.st.diags));
    FindQuestion f = {.x = x, .query = &q, .near = 5};
    find_places(&f);
    assert_int_equal(f.places.len, 1);
    const FoundPlace *p = &f.places.at[0];
    assert_true(p->node->op == OP_ADD && !p->within && !p->made);
    assert_non_null(p->taken);
    assert_string_equal(step_rule(p->taken->step), "log1p");
    assert_int_equal(f.misses.len, 1);
    assert_true(f.misses.at[0].node->op == OP_ADD && f.misses.at[0].reached == 1);
    find_places_free(&f);
    query_free(&q);
    close_given(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_name),       cmocka_unit_test(test_definition_first),
        cmocka_unit_test(test_names),         cmocka_unit_test(test_by_name_after_a_derivative),
        cmocka_unit_test(test_loop_gradient), cmocka_unit_test(test_unroll_back),
        cmocka_unit_test(test_find_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
