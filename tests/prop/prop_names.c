/* Names in every state of every exploration of the corpus: each parameter of a loop's body has one,
 * no two things of a body share one, and the loop of a gradient has its cotangents by their names;
 * what the author named is there as long as it is computed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "corpus.h"
#include "graph/provenance.h"
#include "effort.h"
#include "graph/control.h"
#include "graph/names.h"
#include "rewrite/history.h"

typedef struct {
    Corpus *c;
    Exploration *x;
    u32 state;
    GraphSet bodies; /* that were looked at */
    u32 explorations, states, looked, nameless, shared;
} Check;

static void complain(Check *w, const Graph *g, const char *what, const char *name)
{
    Text t = {0};
    Numbering num = {0};
    graph_print(w->x->st, &t, g->nouts, g->outs, &num);
    print_message("%s, state %u: %s %s in a body of %d parameters\n%s\n", w->c->file, w->state,
                  what, name ? name : "", g->nparams, text_str(&t));
    map_free(&num.of);
    text_free(&t);
}

static void check_params(Check *w, const Graph *g, PtrMap *taken)
{
    const Symbol *names = graph_names(w->x->st, g);
    for (int i = 0; i < g->nparams; i++) {
        Symbol name = names ? names[i] : NULL;
        if (!name && w->nameless++ < 5)
            complain(w, g, "no name for parameter", NULL);
        if (name && map_has(taken, name) && w->shared++ < 5)
            complain(w, g, "two parameters are called", name);
        if (name)
            map_put(taken, name, g->param_nodes[i]);
    }
}

/* A state without an index is called the same before a step and after it. */
static bool is_next(const Graph *g, const Node *param, const Node *n)
{
    i64 i = param->op == OP_PARAM ? param->attrs[0].i : g->nouts;
    return i < g->nouts && g->outs[i] == n;
}

static void check_nodes(Check *w, const Graph *g, PtrMap *taken)
{
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        Symbol name = n->inner && n->op != OP_PARAM ? node_name_in(w->x->st, g, n) : NULL;
        const Node *other = name ? map_get(taken, name) : NULL;
        if (other && !is_next(g, other, n) && w->shared++ < 5)
            complain(w, g, "two things are called", name);
        if (name)
            map_put(taken, name, n);
    }
    vec_free(&order);
}

static void check_nodes_of(Check *w, int n, Node *const *roots);

static void check_body(Check *w, const Graph *g)
{
    PtrMap taken = {0};
    if (!set_add(&w->bodies, g))
        return;
    w->looked++;
    check_params(w, g, &taken);
    check_nodes(w, g, &taken);
    check_nodes_of(w, g->nouts, g->outs);
    map_free(&taken);
}

static void check_nodes_of(Check *w, int n, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SCAN || order.at[i]->op == OP_LOOP)
            check_body(w, order.at[i]->attrs[0].graph);
    vec_free(&order);
}

static bool is_small(const Exploration *x)
{
    return x->log.at.len * (u64)nodes_count(x->nroots, x->roots) < 200000;
}

static void look(Corpus *c, int n, Node *const *roots)
{
    Check *w = c->ctx;
    Exploration *x = w->x = session_explore(&c->s, n, roots);
    if (!x || !is_small(x))
        return;
    w->c = c;
    w->explorations++;
    Node **now = xmalloc(((size_t)x->nroots + 1) * sizeof *now);
    for (w->state = 0; w->state <= x->log.at.len; w->state++)
        if (exploration_replay(x, w->state, now)) {
            w->states++;
            check_nodes_of(w, x->nroots, now);
        }
    free(now);
    map_free(&w->bodies);
}

static void test_corpus(void **state)
{
    (void)state;
    Check w = {0};
    Corpus c = {.on_roots = look, .ctx = &w};
    corpus_run(&c);
    print_message("%u explorations, %u states, %u bodies: %u parameters have no name, %u names are "
                  "of two things\n",
                  w.explorations, w.states, w.looked, w.nameless, w.shared);
    assert_int_equal(w.nameless, 0);
    assert_int_equal(w.shared, 0);
    assert_true(w.states > 1000 || !effort_is_full());
}

/* ---- the gradient of a long short-term memory ---- */

static const char lstm[] =
    "x : f64[T, 2] = [[0.5, -1.0], [1.5, 0.3]]\n"
    "Wi : f64[2, 2]; Wf : f64[2, 2]; Wo : f64[2, 2]; Wc : f64[2, 2]\n"
    "Ui : f64[2, 2]; Uf : f64[2, 2]; Uo : f64[2, 2]; Uc : f64[2, 2]\n"
    "S = scan t over x from h = zeros(2), c = zeros(2) {\n"
    "  i = sigmoid(x[t] @ Wi + h[t-1] @ Ui); f = sigmoid(x[t] @ Wf + h[t-1] @ Uf)\n"
    "  o = sigmoid(x[t] @ Wo + h[t-1] @ Uo); new = tanh(x[t] @ Wc + h[t-1] @ Uc)\n"
    "  c[t] = f * c[t-1] + i * new; h[t] = o * tanh(c[t])\n}\n"
    "grad(sum(sqr(S.final.h)), [Wi, Wf, Wo, Wc, Ui, Uf, Uo, Uc])\n";

static void collect_names(Store *st, const Graph *g, PtrMap *names);

static void collect_names_of(Store *st, const Graph *g, int n, Node *const *roots, PtrMap *names)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Symbol name = node_name_in(st, g, order.at[i]);
        int slots[4], count = node_graphs(order.at[i], slots);
        if (name)
            map_put(names, name_spelling(st, name), order.at[i]);
        for (int k = 0; k < count; k++)
            collect_names(st, order.at[i]->attrs[slots[k]].graph, names);
    }
    vec_free(&order);
}

static void collect_names(Store *st, const Graph *g, PtrMap *names)
{
    collect_names_of(st, g, g->nouts, g->outs, names);
}

/* The states of loops that run backwards; how many there are. */
static int check_cotangents(Store *st, int n, Node *const *roots)
{
    NodeVec order = {0};
    int count = 0;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        if (order.at[i]->op != OP_SCAN || !scan_shape(order.at[i]).reverse)
            continue;
        ScanRoles roles = scan_roles(st, order.at[i]);
        for (int k = 0; k < scan_shape(order.at[i]).nstates; k++, count++)
            assert_true(name_is_cotangent(st, roles.names[k]));
    }
    vec_free(&order);
    return count;
}

static void check_result(Session *s, u32 k, const Node *n, const char *name)
{
    Symbol is = node_result_name(&s->st, n);
    if (!is || strcmp(is, name) != 0)
        fail_msg("%s is called %s after step %u", name, is ? is : "nothing", k);
}

static void on_gradient(void *ctx, Result *r)
{
    static const char *const authors[] = {"i", "f", "o", "new", "c[t]", "h[t]"};
    static const char *const results[] = {"d_Wi", "d_Wf", "d_Wo", "d_Wc",
                                          "d_Ui", "d_Uf", "d_Uo", "d_Uc"};
    if (r->n != 8)
        return;
    Session *s = ctx;
    Exploration *x = session_explore(s, r->n, r->roots);
    int cotangents = 0;
    for (u32 k = 0; k <= x->log.at.len; k++) {
        Node *now[8];
        PtrMap names = {0};
        assert_true(exploration_replay(x, k, now));
        collect_names_of(&s->st, NULL, x->nroots, now, &names);
        for (size_t i = 0; i < COUNT_OF(authors); i++)
            if (!map_has(&names, symbol(&s->st, authors[i])))
                fail_msg("%s has no name after step %u", authors[i], k);
        for (size_t i = 0; i < COUNT_OF(results); i++)
            check_result(s, k, now[i], results[i]);
        cotangents += check_cotangents(&s->st, x->nroots, now);
        map_free(&names);
    }
    assert_true(cotangents > 0);
}

static void test_lstm(void **state)
{
    (void)state;
    Session s;
    Parser p;
    assert_true(session_init(&s));
    parser_init(&p, session_source(&s, "lstm", lstm, sizeof lstm - 1), &s.arena, &s.diags, false);
    for (Stmt *stmt; parse_statement(&p, &stmt) == PARSE_OK;)
        session_run(&s, stmt, on_gradient, &s);
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lstm), cmocka_unit_test(test_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
