/* One generator's state used twice: both draws see the same random numbers, which is hardly ever
 * meant. It is reported by a note, once for each state.
 *
 * Two draws of one value from one state are found in its graph: a draw, or a function, loop or
 * branch that draws from a parameter, uses the state that it gets. Derivatives do not count: they
 * compute again what was drawn. The same draw written twice is one node; that is seen while it is
 * elaborated, within one source text. */
#include "lang/elab.h"
#include "graph/provenance.h"
#include "lang/random_use.h"
#include "graph/control.h"

typedef struct {
    Store *st;
    StateSet *reported;
    GraphSet seen; /* graphs that were looked through */
} Search;

static bool is_state(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && node_dtype(n) == DT_RNG;
}

static bool draws(const Node *n, u32 k);

/* Does something in g draw from its parameter p? */
static bool graph_draws(const Graph *g, i64 p)
{
    NodeVec order = {0};
    bool found = false;
    if (p < 0 || p >= g->nparams || g->params[p]->kind != TYPE_TENSOR ||
        g->params[p]->dtype != DT_RNG)
        return false;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        for (u32 k = 0; k < order.at[i]->nops && !found; k++)
            found = order.at[i]->ops[k] == g->param_nodes[p] && draws(order.at[i], k);
    vec_free(&order);
    return found;
}

static bool branch_draws(const Graph *g, const IntList *args, i64 operand)
{
    bool found = false;
    for (u32 p = 0; p < args->n && !found; p++)
        found = args->at[p] == operand && graph_draws(g, p);
    return found;
}

/* Does n draw from its operand k, a state or states? */
static bool draws(const Node *n, u32 k)
{
    IfShape s;
    switch (n->op) {
    case OP_RNG: return false;
    case OP_SCAN: return k > 0 && graph_draws(n->attrs[0].graph, (i64)k - 1);
    case OP_CALL:
    case OP_VMAP: return graph_draws(n->attrs[0].graph, k);
    case OP_IFELSE:
        s = if_shape(n);
        return k > 0 && (branch_draws(s.then_graph, s.then_args, (i64)k - 1) ||
                         branch_draws(s.else_graph, s.else_args, (i64)k - 1));
    default: return op_table[n->op].cls == CLASS_RANDOM && k == 0;
    }
}

/* Nodes come and go; what was reported once stays so. */
static u64 by_hash(const Node *n) { return n->shash | 1; }

enum { REPORTED = 4096 }; /* states; then it begins anew */

static void report(Search *s, Node *state, const Node *user, const char *what)
{
    const Span *at = node_span(s->st, user);
    if (map_has(s->reported, by_hash(state)))
        return;
    if (s->reported->len == REPORTED)
        map_clear(s->reported);
    set_add(s->reported, by_hash(state));
    diag_note(s->st->diags, "random", at ? *at : s->st->span, "%s", what);
}

/* "uniform", "f(...)" or "the scan" */
static void put_user(Text *out, const Node *user)
{
    if (user->op == OP_CALL)
        text_printf(out, "%s(...)", user->attrs[1].name);
    else
        text_printf(out, op_table[user->op].cls == CLASS_RANDOM ? "%s" : "the %s",
                    node_info(user)->name);
}

static void report_two(Search *s, Node *state, const Node *user, const Node *first)
{
    Text t = {0};
    Symbol name = node_name(s->st, state);
    put_user(&t, first);
    text_put(&t, " and ");
    put_user(&t, user);
    text_printf(&t, " draw from the same state%s%s, so their numbers are not independent; ",
                name ? " " : "", name ? name : "");
    text_put(&t, "draw from the state that the first one returns, or split it");
    report(s, state, user, text_str(&t));
    text_free(&t);
}

static void look(Search *s, int n, Node *const *outs);

static void look_inside(Search *s, const Node *n)
{
    int slots[4], count = node_graphs(n, slots);
    for (int i = 0; i < count; i++) {
        const Graph *g = n->attrs[slots[i]].graph;
        if (set_add(&s->seen, g))
            look(s, g->nouts, g->outs);
    }
}

/* A state that a loop captures is the same at every step. */
static bool is_captured(const Node *n, u32 k)
{
    return n->op == OP_SCAN && (i64)k > scan_shape(n).nstates + scan_shape(n).nseqs;
}

static void look(Search *s, int n, Node *const *outs)
{
    NodeVec order = {0};
    NodeMap used = {0}; /* state -> who draws from it */
    nodes_topo(n, outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *user = order.at[i];
        for (u32 k = 0; k < user->nops; k++) {
            Node *state = user->ops[k], *first = map_get(&used, state);
            if (!is_state(state) || !draws(user, k))
                continue;
            if (is_captured(user, k))
                report(s, state, user,
                       "every step of this loop draws from the same state, so it gets the same "
                       "numbers; "
                       "make it a state of the loop");
            else if (first && first != user)
                report_two(s, state, user, first);
            map_put(&used, state, user);
        }
        look_inside(s, user);
    }
    vec_free(&order);
    map_free(&used);
}

void random_use_check(Store *st, StateSet *reported, int n, Node *const *roots)
{
    Search s = {.st = st, .reported = reported};
    if (st->diags)
        look(&s, n, roots);
    map_free(&s.seen);
}

Value *value_drawn(Elab *e, Args *a, Node *draw)
{
    if (!draw)
        return NULL;
    if (e->drawn_in != a->span.src) {
        map_clear(&e->drawn);
        e->drawn_in = a->span.src;
    }
    size_t was = map_get(&e->drawn, by_hash(draw));
    if (was && !e->in_branch && was != a->span.start + 1u)
        diag_note(e->st->diags, "random", a->span,
                  "the same draw from the same state is in the program already: it gives the same "
                  "numbers");
    if (!was) {
        map_put(&e->drawn, by_hash(draw), a->span.start + 1);
        if (!e->unplaced)
            node_set_span(e->st, draw, a->span);
    }
    Value *pair[] = {value_node(e, node_proj(e->st, draw, 0)),
                     value_node(e, node_proj(e->st, draw, 1))};
    return pair[0] && pair[1] ? value_tuple(e, 2, pair) : NULL;
}

Value *value_drawn_as(Elab *e, Args *a, int i, Node *draw)
{
    DType d;
    Value *v = value_drawn(e, a, draw);
    if (!v || !arg_dtype(e, a, i, node_dtype(v->items[0]->node), &d))
        return NULL;
    v->items[0] = value_node(e, node_cast(e->st, v->items[0]->node, d));
    return v->items[0] ? v : NULL;
}
