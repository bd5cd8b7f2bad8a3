/* Delta debugging on graphs (core/reduce), with conditions that are functions of the graph. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/walk.h"
#include "reduce/reduce.h"

#include "../run_text.h"

static const char *const program = "x : f64[n] = [0.5, -1.25, 2.0]\n"
                                   "s : f64 = 0.6\n"
                                   "h = scan t over x from h = s, g = 0.0 { h[t] = tanh(h[t-1] * "
                                   "x[t] + g[t-1]); g[t] = exp(h[t-1]) + "
                                   "x[t] }\n"
                                   "y = sum(h.h * 2) + log(1 + exp(s)) * sin(s) + 3\n";

typedef struct {
    u32 most; /* after so many tries it is stopped; 0: never */
    u32 asked;
} World;

static bool count_stopped(void *ctx)
{
    const World *w = ctx;
    return w->most && w->asked >= w->most;
}

static u32 count_of(int n, Node *const *roots, OpId op)
{
    StandingVec all = {0};
    u32 count = 0;
    nodes_standing(n, roots, NULL, &all);
    for (size_t i = 0; i < all.len; i++)
        count += all.at[i].node->op == op;
    vec_free(&all);
    return count;
}

static bool always(void *ctx, int n, Node *const *roots, const TensorMap *values)
{
    (void)n, (void)roots, (void)values;
    ((World *)ctx)->asked++;
    return true;
}

static bool never(void *ctx, int n, Node *const *roots, const TensorMap *values)
{
    (void)n, (void)roots, (void)values;
    ((World *)ctx)->asked++;
    return false;
}

static bool has_tanh(void *ctx, int n, Node *const *roots, const TensorMap *values)
{
    (void)values;
    ((World *)ctx)->asked++;
    return count_of(n, roots, OP_TANH) > 0;
}

/* One that needs its loop. */
static bool has_scan_with_tanh(void *ctx, int n, Node *const *roots, const TensorMap *values)
{
    return count_of(n, roots, OP_SCAN) > 0 && has_tanh(ctx, n, roots, values);
}

static bool has_sin_of_input(void *ctx, int n, Node *const *roots, const TensorMap *values)
{
    (void)values;
    ((World *)ctx)->asked++;
    NodeVec order = {0};
    bool found = false;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        found = found || (order.at[i]->op == OP_SIN && order.at[i]->ops[0]->op == OP_INPUT);
    vec_free(&order);
    return found;
}

/* Two results that differ. */
static bool two_differ(void *ctx, int n, Node *const *roots, const TensorMap *values)
{
    (void)values;
    ((World *)ctx)->asked++;
    return n == 2 && roots[0] != roots[1] && roots[0]->type == roots[1]->type;
}

typedef bool (*Holds)(void *, int, Node *const *, const TensorMap *);

/* The smallest program; to be freed. */
static Reduction reduced(Session *s, const char *expression, Holds holds, World *w, bool paired)
{
    Node **roots = NULL;
    int n = run_roots(s, expression, &roots);
    Reduction r = {.st = &s->st,
                   .eval = session_evaluator(s),
                   .holds = holds,
                   .stopped = count_stopped,
                   .ctx = w,
                   .paired = paired};
    assert_true(n > 0);
    for (int i = 0; i < n; i++)
        vec_push(&r.roots, roots[i]);
    for (size_t i = 0; i < s->leaves.len; i++)
        if (s->leaves.at[i].value) {
            Tensor *t = tensor_ref(s->leaves.at[i].value);
            map_put(&r.values, s->leaves.at[i].node, t);
        }
    free(roots);
    reduce(&r);
    return r;
}

static Session session;

static int set_up(void **state)
{
    (void)state;
    return session_init(&session) && run_statements(&session, program) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    session_free(&session);
    return 0;
}

static u32 nodes_of(const Reduction *r) { return nodes_count((int)r->roots.len, r->roots.at); }

static void test_smallest(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        Holds holds;
        u32 nodes;
    } cases[] = {
        {"y", always, 1},
        {"y", has_tanh, 2},
        {"grad(y, s)", has_tanh, 2},
        {"y", has_sin_of_input, 2},
        {"(y, sin(y), exp(s))", has_sin_of_input, 2},
        {"vmap(x -> tanh(x) * 2)(x)", has_tanh, 2},
        {"if s > 0 then tanh(s) else s", has_tanh, 2},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World w = {0};
        Reduction r = reduced(&session, cases[i].expression, cases[i].holds, &w, false);
        if (nodes_of(&r) != cases[i].nodes)
            print_error("%s: %u nodes\n", cases[i].expression, nodes_of(&r));
        assert_int_equal(nodes_of(&r), cases[i].nodes);
        assert_true(cases[i].holds(&w, (int)r.roots.len, r.roots.at, &r.values));
        assert_true(r.tries < 100);
        assert_int_equal(r.values.len, 0); /* these conditions need no values */
        reduction_free(&r);
    }
}

/* A loop that has to stay loses what is not needed of it. */
static void test_loop(void **state)
{
    (void)state;
    World w = {0};
    Reduction r = reduced(&session, "y", has_scan_with_tanh, &w, false);
    assert_true(has_scan_with_tanh(&w, (int)r.roots.len, r.roots.at, &r.values));
    assert_true(nodes_of(&r) <= 7);
    reduction_free(&r);
}

static void test_pair(void **state)
{
    (void)state;
    World w = {0};
    Reduction r = reduced(&session, "(y * s, y * (s + 1))", two_differ, &w, true);
    assert_int_equal(r.roots.len, 2);
    assert_true(nodes_of(&r) <= 3);
    reduction_free(&r);
}

/* What never holds for anything smaller leaves the program as it is. */
static void test_never(void **state)
{
    (void)state;
    World w = {0};
    Node **roots = NULL;
    int n = run_roots(&session, "y", &roots);
    Reduction r = reduced(&session, "y", never, &w, false);
    assert_int_equal(r.roots.len, n);
    assert_ptr_equal(r.roots.at[0], roots[0]);
    assert_int_equal(r.tries, w.asked);
    free(roots);
    reduction_free(&r);
}

/* Wherever it is stopped, the best so far meets the condition. */
static void test_stopped(void **state)
{
    (void)state;
    u32 last = 1000;
    for (u32 most = 1; most < 20; most++) {
        World w = {.most = most};
        Reduction r = reduced(&session, "grad(y, s)", has_tanh, &w, false);
        assert_true(w.asked <= most);
        w.most = 0;
        assert_true(has_tanh(&w, (int)r.roots.len, r.roots.at, &r.values));
        assert_true(nodes_of(&r) <= last);
        last = nodes_of(&r);
        reduction_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smallest), cmocka_unit_test(test_loop),
        cmocka_unit_test(test_pair),     cmocka_unit_test(test_never),
        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
