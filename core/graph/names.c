/* Names of nodes and graphs: see names.h. */
#include "graph/names.h"
#include "graph/control.h"
#include "graph/op.h"

/* ---- one node ---- */

const Symbol *graph_names(Store *st, const Graph *g)
{
    return g ? map_get(&st->param_names, g) : NULL;
}

static bool is_expression(const Node *n) { return n->inner && !n->open; }

void names_forget_temp(Store *st, u32 k)
{
    while (st->temps_since.len <= k)
        vec_push(&st->temps_since, 0);
    st->temps_since.at[k] = ++st->temp_clock;
}

/* Was it named before one of its temporaries got its present meaning? */
static bool is_stale(const Store *st, const Node *n)
{
    return n->temps && (u32)(uintptr_t)map_get(&st->named_at, n) < st->temps_since.at[n->temps - 1];
}

Symbol node_name(Store *st, const Node *n)
{
    if (!is_expression(n))
        return is_stale(st, n) ? NULL : n->name;
    if (!st->scope)
        return NULL;
    const Symbol *names = graph_names(st, st->scope->graph);
    if (n->op != OP_PARAM)
        return map_get(&st->scope->at, n);
    return names && n->attrs[0].i < st->scope->graph->nparams ? names[n->attrs[0].i] : NULL;
}

void node_set_name(Store *st, Node *n, Symbol name)
{
    if (!name || node_name(st, n))
        return;
    if (is_expression(n)) {
        if (st->scope && n->op != OP_PARAM)
            map_put(&st->scope->at, n, (void *)(uintptr_t)name);
        return;
    }
    n->name = name;
    if (n->temps)
        map_put(&st->named_at, n, (void *)(uintptr_t)st->temp_clock);
}

void node_rename(Store *st, Node *n, Symbol name)
{
    n->name = name;
    map_put(&st->named_at, n, (void *)(uintptr_t)st->temp_clock);
}

Symbol node_name_in(Store *st, const Graph *g, const Node *n)
{
    if (!g || !is_expression(n) || (st->scope && st->scope->graph == g))
        return node_name(st, n);
    const PtrMap *own = map_get(&st->body_names, g);
    if (n->op != OP_PARAM)
        return own ? map_get(own, n) : NULL;
    const Symbol *names = graph_names(st, g);
    return names && n->attrs[0].i < g->nparams ? names[n->attrs[0].i] : NULL;
}

/* Leaves have names of themselves, and a constant stands for itself. */
static bool takes_names(const Node *n)
{
    return n->op != OP_CONST && n->op != OP_PARAM && n->op != OP_INPUT && n->op != OP_SHARED &&
           n->op != OP_SIZE;
}

/* Do the parts of two scans stand in the same order? */
static bool same_parts(const Node *a, const Node *b)
{
    if (a->op != OP_SCAN || b->op != OP_SCAN)
        return false;
    ScanShape s = scan_shape(a), t = scan_shape(b);
    return s.nstates == t.nstates && s.nseqs == t.nseqs && s.ncaptures == t.ncaptures &&
           s.nouts == t.nouts;
}

void node_carry_name(Store *st, const Node *from, Node *to)
{
    if (from == to || !takes_names(to))
        return;
    if (takes_names(from))
        node_set_name(st, to, node_name(st, from));
    const ScanRoles *roles = from->op == OP_SCAN ? map_get(&st->roles, from) : NULL;
    if (roles && same_parts(from, to)) /* the body may be that of other scans, with other names */
        scan_note_roles(st, to, roles);
}

static bool is_derived(const Node *n) { return n->op == OP_GRAD || n->op == OP_VJP; }

/* How often its results are derived: 1 where no derivative is in its graph. Each of very many
 * results asks. */
static u32 derivative_depth(Node *owner)
{
    const Graph *g = owner->attrs[0].graph;
    NodeVec order = {0};
    u32 most = 0;
    if (owner->aux)
        return owner->aux;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        u32 depth = is_derived(order.at[i]) ? derivative_depth(order.at[i]) : 0;
        most = depth > most ? depth : most;
    }
    vec_free(&order);
    return owner->aux = most + 1;
}

Symbol node_result_name(Store *st, const Node *n)
{
    Symbol name = node_name(st, n), of;
    Node *owner = !name && n->op == OP_PROJ ? n->ops[0] : NULL;
    if (!owner || !is_derived(owner) || n->attrs[0].i >= owner->attrs[1].i ||
        !(of = node_name(st, owner->ops[n->attrs[0].i])))
        return name;
    char ds[8] = "d";
    for (u32 k = derivative_depth(owner), at = 1; k > 1 && at < 6; k--)
        ds[at++] = 'd';
    if (strpbrk(of, " ["))
        ds[strlen(ds)] = ' ';
    return name_with(st, ds, of);
}

/* ---- scopes ---- */

void names_open(Store *st, NameScope *scope, const Graph *g)
{
    *scope = (NameScope){.graph = g, .outer = st->scope};
    const PtrMap *own = map_get(&st->body_names, g);
    for (size_t i = 0; own && i < own->cap; i++)
        if (own->keys && own->keys[i])
            map_put(&scope->at, own->keys[i], own->vals[i]);
    st->scope = scope;
}

static PtrMap *own_names(Store *st, const Graph *g)
{
    PtrMap *own = map_get(&st->body_names, g);
    if (!own)
        map_put(&st->body_names, g, own = xcalloc(1, sizeof *own));
    return own;
}

/* A state without an index is called the same before a step and after it. */
static bool is_next_of(const Graph *g, const Symbol *params, const Node *n, Symbol name)
{
    for (int i = 0; params && i < g->nparams && i < g->nouts; i++)
        if (g->outs[i] == n && params[i] == name)
            return true;
    return false;
}

/* The names of g's nodes, operands first; of two things with one name, one gets none. */
static void keep_nodes(Store *st, const Graph *g, const PtrMap *names)
{
    const Symbol *params = graph_names(st, g);
    PtrMap taken = {0}, *own = NULL;
    NodeVec order = {0};
    for (int i = 0; params && i < g->nparams; i++)
        if (params[i])
            map_put(&taken, params[i], g->param_nodes[i]);
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        const Node *n = order.at[i];
        Symbol name = is_expression(n) && n->op != OP_PARAM ? map_get(names, n) : NULL;
        if (!name || (map_has(&taken, name) && !is_next_of(g, params, n, name)))
            continue;
        map_put(&taken, name, (void *)(uintptr_t)n);
        own = own ? own : own_names(st, g);
        map_put(own, n, (void *)(uintptr_t)name);
    }
    map_free(&taken);
    vec_free(&order);
}

void names_keep(Store *st, const NameScope *scope)
{
    PtrMap here = {0};
    NodeVec order = {0};
    nodes_topo(scope->graph->nouts, scope->graph->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        map_put(&here, order.at[i], order.at[i]);
    for (size_t i = 0; i < scope->at.cap; i++) {
        const Node *n = scope->at.keys ? scope->at.keys[i] : NULL;
        if (n && !map_has(&here, n))
            map_put(own_names(st, scope->graph), n, scope->at.vals[i]);
    }
    map_free(&here);
    vec_free(&order);
}

void names_close(Store *st, NameScope *scope, const Graph *became)
{
    st->scope = scope->outer;
    if (became && became != scope->graph) {
        if (!map_has(&st->param_names, became) && !map_has(&st->body_names, became)) {
            graph_set_names(st, became, graph_names(st, scope->graph));
            keep_nodes(st, became, &scope->at);
        }
        names_keep(st, scope);
    }
    map_free(&scope->at);
}

void graph_names_share(Store *st, const Graph *from, const Graph *to)
{
    const PtrMap *own = map_get(&st->body_names, from);
    if (map_has(&st->param_names, to) || map_has(&st->body_names, to))
        return;
    graph_set_names(st, to, graph_names(st, from));
    if (own)
        keep_nodes(st, to, own);
}

/* ---- graphs opened and closed ---- */

/* Of two names of nodes that became one, not that which comes first in a table. */
static void put_least(PtrMap *given, const Node *n, Symbol name)
{
    Symbol other = map_get(given, n);
    if (!other || strcmp(name, other) < 0)
        map_put(given, n, (void *)(uintptr_t)name);
}

void body_names_carry(Store *st, const Graph *g, const PtrMap *memo, const i64 *row)
{
    const NameScope *mine = st->scope && st->scope->graph == g ? st->scope : NULL;
    const PtrMap *own = mine ? &mine->at : map_get(&st->body_names, g);
    PtrMap given = {0};
    for (size_t i = 0; own && i < own->cap; i++) {
        const Node *copy = own->keys && own->keys[i] ? map_get(memo, own->keys[i]) : NULL;
        Symbol name = copy && takes_names(copy) ? own->vals[i] : NULL;
        if (name && row)
            name = name_in_row(st, name, *row);
        if (name)
            put_least(&given, copy, name);
    }
    st->scope = mine ? mine->outer : st->scope;
    for (size_t i = 0; i < given.cap; i++)
        if (given.keys && given.keys[i])
            node_set_name(st, (Node *)(uintptr_t)given.keys[i], given.vals[i]);
    st->scope = mine ? (NameScope *)(uintptr_t)mine : st->scope;
    map_free(&given);
}

void graph_set_names(Store *st, const Graph *g, const Symbol *names)
{
    if (!names || map_has(&st->param_names, g))
        return;
    Symbol *own = xcalloc((size_t)g->nparams + 1, sizeof *own);
    memcpy(own, names, (size_t)g->nparams * sizeof *own);
    map_put(&st->param_names, g, own);
}

void graph_names_close(Store *st, const Graph *g, Node *const *params, const PtrMap *memo)
{
    if (map_has(&st->param_names, g) || map_has(&st->body_names, g))
        return;
    PtrMap given = {0};
    Symbol *names = arena_alloc(&st->scratch, ((size_t)g->nparams + 1) * sizeof *names);
    for (int i = 0; i < g->nparams; i++)
        names[i] = node_told(st, params[i]);
    names_distinct(st, g->nparams, names);
    graph_set_names(st, g, names);
    for (size_t i = 0; i < memo->cap; i++) {
        const Node *open = memo->keys ? memo->keys[i] : NULL, *closed = memo->vals[i];
        Symbol name = open && closed ? node_name(st, open) : NULL;
        if (name)
            put_least(&given, closed, name);
    }
    keep_nodes(st, g, &given);
    map_free(&given);
}
