/* core/analysis: values at steps, sizes as numbers, costs, saved values, origins and differences,
 * as nodes, tensors and numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "graph/name.h"
#include "analysis/graph_cost.h"
#include "analysis/graph_values.h"
#include "analysis/loop_diff.h"
#include "analysis/loop_probe.h"
#include "analysis/origin.h"
#include "analysis/reverse_trace.h"
#include "analysis/saved_values.h"
#include "passes/passes.h"
#include "rewrite/history.h"

#include "given.h"

/* ---- values at steps ---- */

static const char inputs[] =
    "x : f64[3] = [0.5, -1.0, 2.0]\n"
    "u : f64[7] = linspace(0.1, 1.3, 7)\n"
    "W : f64[3, 3] = [[0.2, -0.4, 0.1], [0.5, 0.3, -0.2], [-0.3, 0.1, 0.4]]\n"
    "k : f64 = 3.2\n";

static const char *const loops[] = {
    "scan t over u from h = x { a[t] = tanh(h[t-1] @ W) * u[t] ; h[t] = a[t] + h[t-1] / 2 }",
    "scan t reverse over u from h = x { h[t] = sin(h[t+1]) * u[t] }",
    "scan t for 40 from s = 0.3 { s[t] = k * s[t-1] * (1 - s[t-1]) ; until s[t] > 0.79 }",
    "scan t for 9 from s = 0.1, r = 0.2 { s[t] = r[t-1] ; r[t] = s[t-1] + r[t-1] * k }",
    "scan t over u from z = 1.0 { q = scan j for 4 from w = z[t-1] { w[j] = cos(w[j-1]) } ; "
    "z[t] = q.w[-1] + u[t] }",
};

/* What the body computes, as tensors. */
static void body_nodes(const Graph *g, NodeVec *out)
{
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op != OP_CONST && order.at[i]->type->kind == TYPE_TENSOR)
            vec_push(out, order.at[i]);
    vec_free(&order);
}

/* Steps written out and evaluated give what the probe gives. */
static void check_loop(Given *g, const NodeVec *nodes, i64 first, int k)
{
    Node *scan = scan_of(g);
    size_t n = nodes->len;
    i64 steps;
    bool stopped;
    Unroll u;
    LoopProbe p;
    NodeVec copies = {0};
    assert_true(probe_steps(&g->e, scan, &steps, &stopped));
    assert_true(scan_unroll_from(&g->s.st, scan, steps, first, k, &u));
    for (int i = 0; i < k; i++)
        for (size_t j = 0; j < n; j++)
            vec_push(&copies, map_get(&u.of_body[i], nodes->at[j]));
    Tensor **want = xcalloc(copies.len + 1, sizeof *want),
           **got = xcalloc(copies.len + 1, sizeof *got);
    assert_true(probe_nodes(&g->e, copies.len, copies.at, NULL, want));
    assert_true(loop_probe_open(&p, &g->e, scan, NULL));
    assert_true(p.steps == steps && p.stopped == stopped);
    assert_true(loop_probe_steps(&p, first, k, n, nodes->at, got));
    for (size_t i = 0; i < copies.len; i++)
        if (!same_tensor(want[i], got[i]))
            fail_msg("step %d, node %zu", (int)(first + (i64)(i / n)), i % n);
    loop_probe_free(&p);
    probe_release(want, copies.len);
    probe_release(got, copies.len);
    vec_free(&copies);
    unroll_free(&u);
}

static void test_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(loops); i++) {
        Given g;
        NodeVec nodes = {0};
        open_given(&g, inputs, loops[i]);
        body_nodes(scan_shape(scan_of(&g)).body, &nodes);
        assert_true(nodes.len > 2);
        check_loop(&g, &nodes, 0, 5);
        check_loop(&g, &nodes, 3, 2);
        vec_free(&nodes);
        close_given(&g);
    }
}

/* In any order, with the states around; the end; a step that is searched. */
static void test_any_order(void **state)
{
    (void)state;
    static const i64 order[] = {6, 0, 3, 4, 2, 6, 5, 1};
    Given g;
    LoopProbe p;
    open_given(&g, inputs, "scan t for 300 from i = 0.0 { i[t] = i[t-1] + 2 }");
    assert_true(loop_probe_open(&p, &g.e, scan_of(&g), NULL));
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        assert_true(loop_probe_go(&p, 40 * order[i]));
        assert_true(tensor_f64_at(loop_probe_before(&p, 0), 0) == (double)(80 * order[i]));
        assert_true(tensor_f64_at(loop_probe_after(&p, 0), 0) == (double)(80 * order[i] + 2));
    }
    assert_true(tensor_f64_at(loop_probe_end(&p, 0), 0) == 600);
    Node *test = node2(&g.s.st, OP_GT, NULL, map_get(&p.copy, p.s.body->outs[0]),
                       node_number(&g.s.st, DT_F64, 501));
    i64 found;
    assert_true(loop_probe_find(&p, test, 7, &found));
    assert_int_equal(found, 250);
    assert_true(loop_probe_find(&p, test, 260, &found));
    assert_int_equal(found, 260);
    assert_true(loop_probe_go(&p, 40)); /* which was there before the search */
    assert_true(tensor_f64_at(loop_probe_before(&p, 0), 0) == 80);
    loop_probe_free(&p);
    close_given(&g);
}

/* What depends on an input without a value is left out, quietly. */
static void test_known(void **state)
{
    (void)state;
    Given g;
    open_given(&g, "a : f64 = 2\nb : f64[n]\n", "(a * 3, a + sum(b), sqr(a))");
    Tensor *at[4] = {NULL};
    Node *asked[] = {g.roots[0], g.roots[1], NULL, g.roots[2]};
    size_t errors = g.s.diags.list.len;
    assert_true(probe_known(&g.e, 4, asked, 0, at));
    assert_true(tensor_f64_at(at[0], 0) == 6 && !at[1] && !at[2] && tensor_f64_at(at[3], 0) == 4);
    assert_int_equal(g.s.diags.list.len, errors);
    assert_string_equal(probe_missing(&g.e, g.n, g.roots)->attrs[0].name, "b");
    tensor_unref(at[0]);
    tensor_unref(at[3]);
    close_given(&g);
}

/* The gradient in each step of a loop that is written out: of s[t] = k s[t-1], k^(steps left). */
static void test_gradients(void **state)
{
    (void)state;
    Given g;
    GraphValues v;
    u32 checked = 0;
    open_given(&g, "k : f64 = 3\nx : f64 = 2\n",
               "(scan t for 4 from s = x { s[t] = k * s[t-1] }).final");
    assert_true(graph_values(&g.e, g.n, g.roots,
                             &(GraphWishes){.values = true, .gradients = true, .unroll = 10}, &v));
    assert_true(v.scans.len == 1 && v.scans.at[0].rest == 0 && v.scans.at[0].u.k == 4);
    const ScanShape *s = &v.scans.at[0].u.s;
    for (size_t i = 0; i < v.values.len; i++) {
        const NodeValue *n = &v.values.at[i];
        if (n->scan == 0 && n->node == s->body->param_nodes[0]) {
            assert_true(tensor_f64_at(n->value, 0) == pow(3, 4 - n->step));
            checked++;
        }
    }
    assert_int_equal(checked, 4);
    graph_values_free(&v);
    close_given(&g);
}

/* Nothing is told of what depends on no input. */
static void test_gradients_of_constants(void **state)
{
    (void)state;
    Given g;
    GraphValues v;
    u32 told[2] = {0};
    open_given(&g, "x : f64 = 2\n",
               "(scan t for 4 from s = 1.0, r = x "
               "{ s[t] = 2 * s[t-1] ; r[t] = r[t-1] * s[t-1] }).final.r");
    assert_true(graph_values(&g.e, g.n, g.roots,
                             &(GraphWishes){.values = true, .gradients = true, .unroll = 10}, &v));
    const ScanShape *s = &v.scans.at[0].u.s;
    for (size_t i = 0; i < v.values.len; i++)
        for (int j = 0; j < 2; j++)
            told[j] += v.values.at[i].gradient && v.values.at[i].node == s->body->param_nodes[j];
    assert_int_equal(told[0], 0);
    assert_int_equal(told[1], 4);
    graph_values_free(&v);
    close_given(&g);
}

/* ---- sizes and costs ---- */

static bool give(void *ctx, Symbol name, double *x)
{
    if (strcmp(name, "m") != 0)
        return false;
    *x = *(double *)ctx;
    return true;
}

static void test_sizes(void **state)
{
    (void)state;
    Given g;
    open_given(&g, "a : f64[n] = [1, 2, 3]\nb : f64[m, p]\n", "(a, b)");
    double given = 5;
    SizeNumbers n = {.e = g.e, .assumed = 100, .given = give, .ctx = &given, .known = true};
    Type *a = g.roots[0]->type, *b = g.roots[1]->type;
    assert_true(size_estimate(a->dims[0], size_number, &n) == 3);
    assert_true(size_estimate(b->dims[0], size_number, &n) == 5 && n.known);
    assert_true(size_estimate(b->dims[1], size_number, &n) == 100 && !n.known);
    n.known = true; /* asked again, it is still not known */
    assert_true(size_estimate(b->dims[1], size_number, &n) == 100 && !n.known);
    assert_int_equal(n.names.len, 3);
    assert_true(n.names.at[0].from == SIZE_OF_VALUE && n.names.at[1].from == SIZE_GIVEN &&
                n.names.at[2].from == SIZE_ASSUMED);
    size_numbers_free(&n);
    close_given(&g);
}

/* A loop costs its body as often as it runs, in sizes of what is outside. */
static void test_costs(void **state)
{
    (void)state;
    Given g, once;
    open_given(&g, "v : f64[q]\n", "(scan t for 6 from h = v { h[t] = tanh(h[t-1]) + v }).final");
    open_given(&once, "v : f64[q]\n", "tanh(v) + v");
    Costs c = {.st = &g.s.st}, d = {.st = &once.s.st};
    Cost loop = cost_of_node(&c, scan_of(&g)), body = cost_of_roots(&d, once.n, once.roots);
    SizeNumbers n = {.e = g.e, .assumed = 7}, m = {.e = once.e, .assumed = 7};
    assert_true(size_estimate(loop.flops, size_number, &n) ==
                6 * size_estimate(body.flops, size_number, &m));
    assert_true(size_estimate(loop.bytes, size_number, &n) ==
                6 * size_estimate(body.bytes, size_number, &m));
    assert_int_equal(n.names.len, 1); /* q, not a size of the body's own */
    size_numbers_free(&n);
    size_numbers_free(&m);
    costs_free(&c);
    costs_free(&d);
    close_given(&g);
    close_given(&once);
}

/* ---- saved values ---- */

/* The one operator whose derivative reads the values of that name in row t + offset. */
static OpId reader_of(Given *g, const SavedValues *s, const char *name, i64 offset)
{
    NodeVec reasons = {0};
    Store *st = &g->s.st;
    saved_reasons(s, name_at(st, symbol(st, name), symbol(st, "t"), offset), &reasons);
    if (reasons.len != 1)
        fail_msg("%s is read by %zu", name, reasons.len);
    OpId op = reasons.at[0]->op;
    vec_free(&reasons);
    return op;
}

static void test_saved(void **state)
{
    (void)state;
    Given g;
    SavedValues s;
    open_given(
        &g, inputs,
        "grad(sum((scan t over u from h = x { a[t] = tanh(h[t-1] @ W) ; h[t] = a[t] * u[t] })"
        ".h), W)");
    Exploration *x = session_explore(&g.s, g.n, g.roots);
    assert_non_null(x);
    exploration_things(x);
    Node **plain = xcalloc((size_t)x->nroots + 1, sizeof *plain);
    u32 at = (u32)x->log.at.len;
    for (size_t i = x->passes.len; i-- > 0;)
        if (!strcmp(x->passes.at[i].name, "fuse"))
            at = x->passes.at[i].first_step;
    assert_true(exploration_replay(x, at, plain));
    saved_find(&s, &g.s.st, x->nroots, plain, x->nroots, x->start);
    assert_int_equal(s.written.len, 1);
    assert_int_equal(s.loops.len, 1);
    assert_int_equal(s.loops.at[0].values.len, 2); /* the state for W, and what tanh needs */
    for (size_t k = 0; k < 2; k++) {
        const SavedValue *v = &s.loops.at[0].values.at[k];
        assert_true(s.loops.at[0].back && v->trace->ops[0] == v->loop);
        assert_true(size_is(v->bytes, 7 * 3 * 8)); /* a row of three for each step */
    }
    assert_true(reader_of(&g, &s, "a", 0) == OP_TANH);
    assert_true(reader_of(&g, &s, "h", -1) == OP_MATMUL);
    assert_true(reader_of(&g, &s, "u", 0) == OP_MUL);
    saved_free(&s);
    free(plain);
    close_given(&g);
}

/* ---- the record of a derivative ---- */

/* The step that expands the only derivative. */
static const Step *expansion(const Exploration *x, u32 *at)
{
    for (size_t i = 0; i < x->log.at.len; i++)
        if (x->log.at.at[i].nrecords) {
            *at = (u32)i;
            return &x->log.at.at[i];
        }
    fail_msg("no step has a record");
    return NULL;
}

/* Each value has its cotangent, also one that no result needs. */
static void test_record(void **state)
{
    (void)state;
    Given g;
    u32 at = 0, squares = 0;
    open_given(&g, "a : f64[3] = [1, 2, 3]\nb : f64 = 5\n", "grad(sum(sqr(a) * b), b)");
    Exploration *x = session_explore(&g.s, g.n, g.roots);
    assert_non_null(x);
    const Step *s = expansion(x, &at);
    for (u32 i = 0; i < s->nrecords; i++) {
        const DerivativeRecord *r = &s->records[i];
        Tensor *bar = NULL;
        assert_true(r->kind == RECORD_COTANGENT);
        assert_true(probe_nodes(&g.e, 1, &r->is, NULL, &bar));
        squares += r->of->op == OP_INPUT && tensor_f64_at(bar, 0) == 14; /* of b: 1 + 4 + 9 */
        tensor_unref(bar);
    }
    assert_int_equal(squares, 1);
    assert_true(s->nrecords >= 3); /* b, the product, the sum */
    close_given(&g);
}

/* A loop, the one that runs it backward, and what that reads of it: in the graph after the step. */
static void test_record_of_loops(void **state)
{
    (void)state;
    Given g;
    u32 at = 0, saved = 0, pairs = 0;
    open_given(&g, inputs,
               "grad(sum((scan t over u from h = x { h[t] = tanh(h[t-1] @ W) * u[t] }).h), W)");
    Exploration *x = session_explore(&g.s, g.n, g.roots);
    assert_non_null(x);
    const Step *s = expansion(x, &at);
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    assert_true(exploration_replay(x, at + 1, roots));
    NodeVec order = {0};
    NodeSet there = {0};
    nodes_topo(x->nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(&there, order.at[i]);
    const Node *back = NULL, *forward = NULL;
    for (u32 i = 0; i < s->nrecords; i++) {
        const DerivativeRecord *r = &s->records[i];
        if (r->kind == RECORD_COTANGENT)
            continue;
        assert_true(map_has(&there, r->is) && r->is->op == OP_SCAN && scan_shape(r->is).reverse);
        assert_true(!back || back == r->is);
        back = r->is;
        pairs += r->kind == RECORD_LOOP;
        if (r->kind == RECORD_LOOP)
            continue;
        assert_true(map_has(&there, r->of) && (!forward || forward == r->of->ops[0]));
        forward = r->of->ops[0];
        saved++;
    }
    assert_int_equal(pairs, 1);
    assert_int_equal(saved, 2);                     /* the state for W, and the tanh */
    assert_int_equal(scan_shape(forward).nouts, 2); /* what nobody else reads is not kept */
    free(roots);
    vec_free(&order);
    map_free(&there);
    close_given(&g);
}

/* ---- reverse mode, value by value ---- */

/* An expression over names at what these stand for. */
static Node *without_names(Given *g, const ReverseTrace *t, Node *n)
{
    NodeMap memo = {0};
    for (size_t i = 0; i < t->values.len; i++) {
        map_put(&memo, t->values.at[i].named, t->values.at[i].node);
        if (t->values.at[i].bar)
            map_put(&memo, t->values.at[i].named_bar, t->values.at[i].bar);
    }
    Node *out = node_substitute(&g->s.st, n, &memo);
    map_free(&memo);
    return out;
}

static void assert_same_value(Given *g, Node *n, const Tensor *expected, const char *what)
{
    Tensor *value = NULL;
    assert_true(probe_nodes(&g->e, 1, &n, NULL, &value));
    assert_int_equal(value->count, expected->count);
    for (i64 i = 0; i < value->count; i++)
        if (fabs(tensor_f64_at(value, i) - tensor_f64_at(expected, i)) >
            1e-12 * (1 + fabs(tensor_f64_at(expected, i))))
            fail_msg("%s: %.17g, not %.17g", what, tensor_f64_at(value, i),
                     tensor_f64_at(expected, i));
    tensor_unref(value);
}

/* What is told of each operator alone is what the derivative of the whole gives. */
static void test_reverse_trace(void **state)
{
    (void)state;
    static const char *const expressions[] = {"a * sin(b) + exp(a) / b",
                                              "sum((tanh(M @ v + v) - 2 * v) ^ 2) / 2",
                                              "-sum(v * log(softmax(M @ v)))",
                                              "v @ solve(M @ M' + eye(2), v)",
                                              "f(a) * f(b * a)",
                                              "sum(vmap(r -> r * r[0] + a)(M))",
                                              "v[1] * mean(v - mean(v)) + v[0]",
                                              "grad(grad(a ^ 3 * b, a) ^ 2, a)",
                                              "grad(sum(M @ v) * a, [M, a])"};
    for (size_t i = 0; i < COUNT_OF(expressions); i++) {
        Given g;
        ReverseTrace t;
        int adjoints = 0;
        open_given(&g,
                   "a : f64 = 0.7\nb : f64 = -1.3\nv : f64[2] = [0.4, 1.7]\n"
                   "M : f64[2, 2] = [[1.1, -0.3], [0.2, 0.9]]\nf(x) = x * tanh(x)\n",
                   expressions[i]);
        assert_true(reverse_trace(&g.e, g.n, g.roots, TRACE_MOST, (Span){0}, &t) && t.valued);
        for (size_t k = 0; k < t.values.len; k++) {
            const TracedValue *v = &t.values.at[k];
            assert_int_equal(v->bar != NULL, v->sum != NULL);
            if (v->local)
                assert_same_value(&g, without_names(&g, &t, v->local), v->value, v->name);
            if (v->sum)
                assert_same_value(&g, without_names(&g, &t, v->sum), v->bar_value, v->bar_name);
            adjoints += v->sum != NULL;
        }
        assert_true(adjoints >= 3);
        reverse_trace_free(&t);
        close_given(&g);
    }
}

/* ---- origins ---- */

static void find_origin(Given *g, const char *statements, const char *expression, NanOrigin *o)
{
    open_given(g, statements, expression);
    assert_true(derivatives_expand(&g->s.st, g->e.rules, g->e.options, g->n, g->roots));
    assert_true(origin_find(&g->e, g->n, g->roots, o));
}

static void close_origin(Given *g, NanOrigin *o)
{
    origin_free(o);
    close_given(g);
}

static void test_origin(void **state)
{
    (void)state;
    Given g;
    NanOrigin o;
    find_origin(&g, "x : f64[4] = [1, 2, -0.5, 4]\n", "sum(log(x) * 2)", &o);
    assert_true(o.found && o.at->op == OP_LOG && o.element == 2 && !o.loops.len);
    assert_true(o.path.len > 2 && o.path.at[0].node == g.roots[0] &&
                o.path.at[o.path.len - 1].node == o.at);
    close_origin(&g, &o);
    find_origin(&g, "x : f64[4] = [1, 2, 3, 4]\n", "sum(log(x))", &o);
    assert_false(o.found);
    close_origin(&g, &o);
}

/* Which operand it comes from: a NaN before an infinity, of `where` what was chosen; and an
 * infinity that is written is none. */
static void test_origin_of_several(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        OpId at;
    } cases[] = {{"log(z) - sqrt(x)", OP_SQRT},
                 {"where(x > 0, log(x), sqrt(x))", OP_SQRT},
                 {"where(x < 0, log(x), sqrt(x))", OP_LOG},
                 {"exp(z) + z * inf", OP_MUL}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Given g;
        NanOrigin o;
        find_origin(&g, "x : f64 = -1\nz : f64 = 0\n", cases[i].expression, &o);
        if (!o.found || o.at->op != cases[i].at)
            fail_msg("%s", cases[i].expression);
        close_origin(&g, &o);
    }
}

/* The first step of a loop, and of the one inside it. */
static void test_origin_in_loops(void **state)
{
    (void)state;
    Given g;
    NanOrigin o;
    find_origin(&g, "",
                "scan t for 5 from z = 1.0 { q = scan k for 4 from w = z[t-1] "
                "{ w[k] = log(w[k-1]) } ; z[t] = q.w[-1] + 1 }",
                &o);
    assert_true(o.found && o.at->op == OP_LOG && o.loops.len == 2);
    assert_true(o.loops.at[0].step == 0 && o.loops.at[1].step == 1);
    OriginPlace p = origin_place(&o, o.at);
    assert_true(p.inside && p.inside->op == OP_LOG && p.body == o.loops.at[1].probe.s.body);
    assert_true(tensor_f64_at(origin_value(&o, o.at->ops[0]), 0) == 0);
    close_origin(&g, &o);
    find_origin(&g, "u : f64[20] = linspace(1.0, -1.0, 20)\n",
                "scan t over u from s = 0.0 { s[t] = 0.5 * s[t-1] + sqrt(u[t]) }", &o);
    assert_true(o.found && o.at->op == OP_SQRT && o.loops.len == 1 && o.loops.at[0].step == 10);
    close_origin(&g, &o);
}

/* Only the branch that runs is looked at. */
static void test_origin_in_branches(void **state)
{
    (void)state;
    Given g;
    NanOrigin o;
    find_origin(&g, "x : f64 = -0.5\n", "(if x > 0 then sqrt(0 - x) else log(x)) + 1", &o);
    assert_true(o.found && o.at->op == OP_LOG);
    close_origin(&g, &o);
}

/* ---- differences ---- */

static u32 count_listed(const BodyDiff *b, OpId op)
{
    u32 n = 0;
    for (size_t i = 0; i < b->listed.len; i++)
        n += b->listed.at[i]->op == op;
    return n;
}

/* What a rule changed in a body is different; what it left alone is not. */
static void test_differences(void **state)
{
    (void)state;
    Given g;
    BodyDiff d[2];
    open_given(&g, inputs,
               "scan t over u from h = x { a[t] = sin(h[t-1]) * u[t] ; "
               "b[t] = log(exp(h[t-1]) + 1) ; h[t] = a[t] + b[t] }");
    Exploration *x = session_explore(&g.s, g.n, g.roots);
    assert_non_null(x);
    exploration_things(x);
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    u32 k = 0;
    const Graph *before = scan_shape(scan_of(&g)).body, *after = before;
    while (after == before && k < x->log.at.len) {
        assert_true(exploration_replay(x, ++k, roots));
        Given now = {.roots = roots, .n = x->nroots};
        after = scan_shape(scan_of(&now)).body;
    }
    assert_ptr_not_equal(before, after);
    body_diff(x, before, after, d);
    assert_true(d[0].listed.len && d[1].listed.len);
    assert_int_equal(count_listed(&d[0], OP_SIN) + count_listed(&d[1], OP_SIN), 0);
    for (size_t i = 0; i < d[0].nodes.len; i++)
        if (d[0].nodes.at[i]->op == OP_SIN)
            assert_false(map_has(&d[0].different, d[0].nodes.at[i]));
    body_diff_free(&d[0]);
    body_diff_free(&d[1]);
    body_diff(x, before, before, d); /* a body is not different from itself */
    assert_true(!d[0].listed.len && !d[1].listed.len);
    body_diff_free(&d[0]);
    body_diff_free(&d[1]);
    free(roots);
    close_given(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_gradients),
        cmocka_unit_test(test_gradients_of_constants),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_record_of_loops),
        cmocka_unit_test(test_reverse_trace),
        cmocka_unit_test(test_origin),
        cmocka_unit_test(test_origin_of_several),
        cmocka_unit_test(test_origin_in_loops),
        cmocka_unit_test(test_origin_in_branches),
        cmocka_unit_test(test_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
