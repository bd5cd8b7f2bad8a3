/* What a graph says it says in every medium: operators that own graphs, and pairs of programs that
 * differ in one thing.
 *
 * test_reading.c makes all other operators from their rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/op.h"
#include "media.h"
#include "surface/surface.h"

#include "../run_text.h"

typedef struct {
    Session s;
    int alike;
    bool undrawn; /* what differs are names in bodies, which are those of the program */
} Try;

static bool owns_graph(OpId op)
{
    for (int i = 0; i < op_attr_count(op); i++)
        if (op_attr_kind(op, i) == 'g')
            return true;
    return false;
}

/* Such a one is a frame, not part of a formula. */
static bool has_frame(int n, Node *const *roots)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        found = found || owns_graph(order.at[i]->op);
    vec_free(&order);
    return found;
}

/* Do they differ in what the language says of them? It does not say what a loop records of its
 * counter, which is found again when it is read. */
static bool differ(Store *st, int n, Node *const *one, int m, Node *const *other)
{
    Text a = {0}, b = {0};
    listing_print(st, &a, n, one, &(ListingOptions){0});
    listing_print(st, &b, m, other, &(ListingOptions){0});
    bool same = a.len == b.len && !memcmp(text_str(&a), text_str(&b), a.len);
    text_free(&a);
    text_free(&b);
    return !same;
}

static void expect_other(Try *t, const char *what, int n, Node *const *one, int m,
                         Node *const *other)
{
    bool frames = has_frame(n, one) || has_frame(m, other);
    for (int k = 0; k < MEDIA; k++) {
        if ((k == IN_FORMULAS && frames) || (k == IN_DRAWINGS && t->undrawn))
            continue;
        char *a = medium_text(&t->s.st, (Medium)k, n, one),
             *b = medium_text(&t->s.st, (Medium)k, m, other);
        if (!strcmp(a, b)) {
            print_error("%s: the %s is still %s\n", what, media_words[k], a);
            t->alike++;
        }
        free(a);
        free(b);
    }
}

static const char inputs[] =
    "x : f64[6]\ny : f64[6]\nA : f64[6, 6]\nB : f64[2, 3, 4]\nC : f64[4, 6]\n"
    "W : f64[6, 6]\nb : f64[6]\nc : bool\nm : f64[2, 2]\nd : f64[5]\n"
    "i : i64\nk : i64\na : f64\nr = rng(7)\n"
    "f(u) = tanh(u * 2)\ng(u) = sin(u) + 1\n"
    "v = vmap(u -> u * 2)(A)\n";

static void open_try(Try *t)
{
    *t = (Try){0};
    assert_true(session_init(&t->s));
    assert_true(run_statements(&t->s, inputs));
}

static void close_try(Try *t)
{
    session_free(&t->s);
    assert_int_equal(t->alike, 0);
}

/* ---- pairs ---- */

/* The two of a pair are not the same; many were drawn alike once. */
static const char *const pairs[][2] = {
    {"x[::2]", "x[0:3]"},
    {"x[::2]", "x[::3][:3]"},
    {"x[::-1]", "x[5:11]"},
    {"x[::-1]", "x"},
    {"x[i:]", "x[k:]"},
    {"cumsum(x)", "cumsum(x, reverse=true)"},
    {"cummax(A, axis=0)", "cummax(A, axis=0, reverse=true)"},
    {"cumprod(A, axis=0)", "cumprod(A, axis=1)"},
    {"solve_triangular(A, b, lower=true, trans=1)", "solve_triangular(A, b, lower=true)"},
    {"solve_triangular(A, b, lower=true)", "solve_triangular(A, b, lower=false)"},
    {"tril(A, k=1) @ b", "tril(A) @ b"},
    {"tril(A) @ b", "triu(A) @ b"},
    {"var(x, ddof=1)", "var(x)"},
    {"std(x, ddof=1)", "std(x)"},
    {"transpose(B, axes=(2, 0, 1))", "transpose(B)"},
    {"transpose(B, axes=(2, 0, 1))", "transpose(B, axes=(2, 1, 0))"},
    {"swapaxes(B, 0, 2)", "swapaxes(B, 0, 1)"},
    {"repeat(x, 2)", "repeat(x, 3)"},
    {"repeat(x, 2)", "reshape(concat((x, x)), (12,))"},
    {"f64(i64(x))", "x"},
    {"i64(x) // 2", "x // 2"},
    {"i64(x) // 2", "i64(x // 2)"},
    {"f32(x)", "x"},
    {"stop_gradient(x) * x", "x * x"},
    {"one_hot(i, 4)", "f64(arange(4) == i)"},
    {"one_hot(i, 4)", "one_hot(i, 5)"},
    {"A / sum(A, axis=1, keepdims=true)", "A / sum(A, axis=1)"},
    {"sum(B, axis=(0, 1))", "sum(B, axis=(0, 2))"},
    {"sum(B, axis=(0, 1))", "sum(B, axis=0)"},
    {"mean(B, axis=(0, 1))", "mean(B, axis=2)"},
    {"max(A, axis=0)", "max(A, axis=1)"},
    {"argmax(A, axis=0)", "argmax(A, axis=1)"},
    {"logsumexp(A, axis=0)", "logsumexp(A, axis=1)"},
    {"softmax(A, axis=0)", "softmax(A, axis=1)"},
    {"searchsorted(x, b, side=\"right\")", "searchsorted(x, b)"},
    {"A with [:, 1] += b", "A with [:, 1] = b"},
    {"A with [:, 1] += b", "A with [1] += b"},
    {"x with [1:3] = x[0:2]", "x with [1:3] += x[0:2]"},
    {"trace(A)", "sum(A)"},
    {"diag(b, k=1)", "diag(b, k=-1)"},
    {"diag(A)", "diag(A, k=1)"},
    {"eye(6, k=1) @ b", "eye(6) @ b"},
    {"eye(6, k=1) @ b", "eye(6, k=-1) @ b"},
    {"x[::2] @ x[1::2]", "x[0:3] @ x[1:4]"},
    {"A[1:3, ::2]", "A[1:3, 0:3]"},
    {"A[1:3, ::2]", "A[1:3][:, 1::2]"},
    {"outer(b, b) @ b", "outer(b, b @ b * b)"},
    {"dot(b, x) * b", "b * x * b"},
    {"x[:, None] + y", "x + y"},
    {"x[:, None] + y", "x[None] + y[:, None]"},
    {"A + x[:, None]", "A + x"},
    {"linspace(0, 1, 5)", "linspace(0, 1, 6)"},
    {"linspace(0, a, 5)", "linspace(a, 0, 5)"},
    {"arange(5)", "arange(6)"},
    {"arange(5)", "arange(1, 6)"},
    {"uniform(r, 3)[0]", "uniform(r, 4)[0]"},
    {"uniform(r, 3)[0]", "uniform(r, 3, low=-1, high=2)[0]"},
    {"normal(r, 3)[0]", "uniform(r, 3)[0]"},
    {"roll(x, 1)", "roll(x, 2)"},
    {"roll(A, 1, axis=0)", "roll(A, 1, axis=1)"},
    {"pad(x, (1, 0))", "pad(x, (0, 1))"},
    {"pad(x, 1, constant_values=a)", "pad(x, 1)"},
    {"conv2d(A, m)", "conv2d(A, m, stride=2)"},
    {"conv2d(A, m)", "conv2d(A, m, pad=1)"},
    {"max_pool(A, 2)", "max_pool(A, 3)"},
    {"max_pool(A, 2)", "max_pool(A, 2, stride=1)"},
    {"norm(A, axis=0)", "norm(A, axis=1)"},
    {"sort(A, axis=0)", "sort(A, axis=1)"},
    {"concat((A, A), axis=0)", "concat((A, A), axis=1)"},
    {"concat((A, C), axis=0)", "concat((C, A), axis=0)"},
    {"stack((x, y))", "stack((x, y), axis=1)"},
    {"polygamma(1, x)", "polygamma(2, x)"},
    {"x / y", "x // y"},
    {"x - (y - b)", "x - y - b"},
    {"-x ^ 2", "(-x) ^ 2"},
    {"x - y", "y - x"},
    {"A @ b", "A' @ b"},
    {"A @ W", "W @ A"},
    {"A @ W @ b", "A @ W * b"},
    {"einsum(\"ij,j->i\", A, b)", "einsum(\"ij,i->j\", A, b)"},
    {"einsum(\"ijk,k->ij\", B, C[:, 0])", "einsum(\"ijk,k->i\", B, C[:, 0])"},
    {"if c then x else y", "if c then y else x"},
    {"if a > 0 then f(x) else g(x)", "if a > 0 then g(x) else f(x)"},
    {"if a > 0 then x else y", "if a >= 0 then x else y"},
    {"f(x) + f(y)", "f(x) + f(x + 1)"},
    {"f(f(x))", "g(f(x))"},
    {"grad(sum(f(x) * y), x)", "grad(sum(f(x) * y), y)"},
    {"grad(sum(f(x)), x)", "grad(sum(g(x)), x)"},
    {"grad(sum(x * y), [x, y])", "grad(sum(x * y), [y, x])"},
    {"jvp(f(x), x, y)", "jvp(f(x), x, b)"},
    {"vjp(f(x), x, y)", "vjp(f(x), x, b)"},
    {"vjp(f(x), x, y)", "jvp(f(x), x, y)"},
    {"vmap(u -> cumsum(u))(A)", "vmap(u -> cumsum(u), in_axes=1)(A)"},
    {"vmap(u -> cumsum(u))(A)", "vmap(u -> cumsum(u), out_axes=1)(A)"},
    {"vmap((p, q) -> p * sum(q))(A, W)", "vmap((p, q) -> p * sum(q), in_axes=(0, 1))(A, W)"},
    {"scan t over u = x from h = 0.0 { h[t] = h[t-1] * u[t] }",
     "scan t over u = x from h = 1.0 { h[t] = h[t-1] * u[t] }"},
    {"scan t over u = x from h = a { h[t] = h[t-1] * u[t] }",
     "scan t over u = y from h = a { h[t] = h[t-1] * u[t] }"},
    {"scan t over u = x from h = a { h[t] = h[t-1] * u[t] }",
     "scan t over u = x from h = a { h[t] = h[t+1] * u[t] }"},
    {"scan t for 5 from h = a { h[t] = h[t-1] * 2 }",
     "scan t for 6 from h = a { h[t] = h[t-1] * 2 }"},
    {"scan t for 5 from h = a { h[t] = h[t-1] * 2; until h[t] > 9 }",
     "scan t for 5 from h = a { h[t] = h[t-1] * 2; until h[t] > 8 }"},
    {"scan t for 5 from h = a { h[t] = h[t-1] * 2; until h[t] > 9 }",
     "scan t for 5 from h = a { h[t] = h[t-1] * 2 }"},
    {"(scan t for 5 from h = a { h[t] = h[t-1] * 2 }).final",
     "scan t for 5 from h = a { h[t] = h[t-1] * 2 }"},
    {"(scan t for 5 from h = a { h[t] = h[t-1] * 2; until h[t] > 9 }).steps",
     "(scan t for 5 from h = a { h[t] = h[t-1] * 2; until h[t] > 9 }).stopped"},
    {"(scan t for 5 from p = a, q = 1.0 { p[t] = q[t-1] * 2; q[t] = p[t-1] + 1 }).final.p",
     "(scan t for 5 from p = a, q = 1.0 { p[t] = q[t-1] * 2; q[t] = p[t-1] + 1 }).final.q"},
    {"{ check(a > 0, \"positive\"); x }", "x"},
    {"{ check(a > 0, \"positive\"); x }", "{ check(a > 0, \"above 0\"); x }"},
    {"{ check(a > 0, \"positive\"); x }", "{ check(a >= 0, \"positive\"); x }"},
};

static void test_pairs(void **state)
{
    (void)state;
    Try t;
    open_try(&t);
    for (size_t k = 0; k < COUNT_OF(pairs); k++) {
        Node **one = NULL, **other = NULL;
        int n = run_roots(&t.s, pairs[k][0], &one), m = run_roots(&t.s, pairs[k][1], &other);
        if (n < 0 || m < 0) {
            print_error("%s | %s: cannot be built\n", pairs[k][0], pairs[k][1]);
            t.alike++;
        } else {
            expect_other(&t, pairs[k][0], n, one, m, other);
        }
        free(one);
        free(other);
    }
    close_try(&t);
}

/* ---- operators that own graphs ---- */

/* Of each such operator a program that has one, perhaps only after the passes. */
static const struct {
    const char *text;
    bool passes;
} owners[] = {
    {"scan t over u = x from h = a { h[t] = h[t-1] * u[t] }", false},
    {"(scan t for 5 from p = a, q = 1.0 { p[t] = q[t-1] * 2; q[t] = p[t-1] + 1 }).final", false},
    {"if c then x else y * 2", false},
    {"f(x)", false},
    {"grad(sum(f(x) * y), [x, y])", false},
    {"vjp(x * y, [x, y], b)", false},
    {"jvp(x * y, [x, y], [b, x])", false},
    {"vmap((p, q) -> p * q)(A, W)", false},
    {"scan t over u = x from h = a { h[t] = tanh(h[t-1] * u[t]) }", true},
    {"tanh(x * y + 1) * 2", true},
};

/* The k-th value to try of attribute i of n; false: there are no more. Counts of operands only
 * become less: what builds nodes gives no more than there are. */
static bool choice(Store *st, const Node *n, int i, int k, Attr *out)
{
    const OpAttr *a = &op_table[n->op].attrs[i];
    static const i64 lists[][2] = {{0},    {1},    {-1},    {0, 1}, {1, 0},
                                   {0, 0}, {1, 1}, {-1, 0}, {0, -1}};
    static const u32 lengths[] = {1, 1, 1, 2, 2, 2, 2, 2, 2};
    *out = (Attr){.bits = 0};
    switch (a->kind) {
    case 'b': out->i = k; return k < 2;
    case 'i':
    case 'p': out->i = a->optional ? k - 1 : k; return a->optional ? k < 5 : k <= n->attrs[i].i;
    case 's': out->name = symbol(st, k ? "two" : "one"); return k < 2;
    case 'I': out->ints = k < 9 ? intlist(st, lengths[k], lists[k]) : NULL; return k < 9;
    default: return false;
    }
}

/* The same graph with what its first result is taken apart from doubled. */
static Graph *other_graph(Store *st, Graph *g)
{
    Node **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    Type **params = xcalloc((size_t)g->nparams + 1, sizeof *params);
    for (int i = 0; i < g->nparams; i++)
        params[i] = g->param_nodes[i]->type;
    for (int i = 0; i < g->nouts; i++) {
        bool number = g->outs[i]->type->kind == TYPE_TENSOR && g->outs[i]->type->dtype == DT_F64;
        outs[i] = number ? node2(st, OP_ADD, NULL, g->outs[i], g->outs[i]) : g->outs[i];
    }
    Graph *other = graph_make(st, g->nparams, params, g->nouts, outs);
    free(outs);
    free(params);
    return other;
}

/* All its results, as they leave. */
static int results_of(Store *st, Node *owner, Node **out)
{
    int n = owner->type->kind == TYPE_TUPLE ? owner->type->nitems : 1;
    for (int i = 0; i < n; i++)
        out[i] = owner->type->kind == TYPE_TUPLE ? node_proj(st, owner, i) : owner;
    return n;
}

enum { MOST_RESULTS = 16 };

static void try_other(Try *t, Node *n, const Attr *attrs, int i)
{
    Store *st = &t->s.st;
    Node *one[MOST_RESULTS], *two[MOST_RESULTS];
    Node *changed = node_make(st, n->op, attrs, n->nops, n->ops);
    diags_free(&t->s.diags);
    t->s.diags = (Diags){0};
    if (!changed || changed == n)
        return;
    char what[64];
    int count = results_of(st, n, one), other = results_of(st, changed, two);
    if (!differ(st, count, one, other, two))
        return;
    snprintf(what, sizeof what, "another %s of %s", op_attr_name(n->op, i), op_table[n->op].name);
    expect_other(t, what, count, one, other, two);
}

static void change_owner(Try *t, Node *n)
{
    Attr attrs[8];
    for (int i = 0; i < (int)n->nattrs; i++) {
        memcpy(attrs, n->attrs, n->nattrs * sizeof *attrs);
        char kind = op_attr_kind(n->op, i);
        t->undrawn = n->op == OP_IFELSE && kind == 'I';
        if (kind == 'g') {
            attrs[i].graph = other_graph(&t->s.st, n->attrs[i].graph);
            try_other(t, n, attrs, i);
        }
        for (int k = 0; choice(&t->s.st, n, i, k, &attrs[i]); k++)
            try_other(t, n, attrs, i);
    }
}

static void look_at(Try *t, int n, Node *const *roots, bool *seen)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (owns_graph(order.at[i]->op)) {
            seen[order.at[i]->op] = true;
            change_owner(t, order.at[i]);
        }
    vec_free(&order);
}

static void test_owners(void **state)
{
    (void)state;
    Try t;
    bool seen[OP_COUNT] = {false};
    open_try(&t);
    for (size_t k = 0; k < COUNT_OF(owners); k++) {
        Node **roots = NULL;
        int n = run_roots(&t.s, owners[k].text, &roots);
        assert_true(n > 0);
        if (owners[k].passes) {
            Exploration *x = session_explore(&t.s, n, roots);
            assert_non_null(x);
            look_at(&t, x->nroots, x->roots, seen);
        } else {
            look_at(&t, n, roots, seen);
        }
        free(roots);
    }
    for (int op = 0; op < OP_COUNT; op++)
        if (owns_graph((OpId)op) && !seen[op]) {
            print_error("%s: no program has one\n", op_table[op].name);
            t.alike++;
        }
    close_try(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_owners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
