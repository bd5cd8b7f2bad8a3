/* Names of nodes and graphs: see names.h. */
#include "graph/names.h"
#include "graph/control.h"
#include "graph/op.h"
#include "graph/provenance.h"
#include "graph/temps.h"

/* ---- one node ---- */

static bool is_expression(const Node *n) { return n->inner && !n->open; }

/* Of a node that is not over parameters. Leaves are called what they are declared as; a name given
 * before one of its temporaries got its present meaning is that of something else. */
static Symbol given_name(Store *st, const Node *n)
{
    u32 at = 0;
    if (n->op == OP_INPUT || n->op == OP_SHARED)
        return n->attrs[0].name;
    Symbol name = provenance_name(st, n, &at);
    return name && temps_last(st, n, at) ? name : NULL;
}

Symbol node_name(Store *st, const Node *n)
{
    if (!is_expression(n))
        return given_name(st, n);
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
            map_put(&st->scope->at, n, name);
        return;
    }
    provenance_set_name(st, n, name, temps_now(st));
}

void node_rename(Store *st, Node *n, Symbol name)
{
    provenance_set_name(st, n, name, temps_now(st));
}

Symbol node_name_in(Store *st, const Graph *g, const Node *n)
{
    if (!g || !is_expression(n) || (st->scope && st->scope->graph == g))
        return node_name(st, n);
    const NodeNames *own = body_names(st, g);
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
    const ScanRoles *roles = from->op == OP_SCAN ? node_roles(st, from) : NULL;
    if (roles && same_parts(from, to)) /* the body may be that of other scans, with other names */
        scan_note_roles(st, to, roles);
}

static bool is_derived(const Node *n) { return n->op == OP_GRAD || n->op == OP_VJP; }

/* How often its results are derived: 1 where no derivative is in its graph. Each of very many
 * results asks. */
static u32 derivative_depth(Store *st, Node *owner)
{
    const Graph *g = owner->attrs[0].graph;
    NodeVec order = {0};
    u32 most = 0, known = map_get(&st->derivative_depths, owner);
    if (known)
        return known;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        u32 depth = is_derived(order.at[i]) ? derivative_depth(st, order.at[i]) : 0;
        most = depth > most ? depth : most;
    }
    vec_free(&order);
    map_put(&st->derivative_depths, owner, most + 1);
    return most + 1;
}

Symbol node_result_name(Store *st, const Node *n)
{
    Symbol name = node_name(st, n), of;
    Node *owner = !name && n->op == OP_PROJ ? n->ops[0] : NULL;
    if (!owner || !is_derived(owner) || n->attrs[0].i >= owner->attrs[1].i ||
        !(of = node_name(st, owner->ops[n->attrs[0].i])))
        return name;
    for (u32 k = derivative_depth(st, owner); k; k--)
        of = name_derived(st, name_is_word(st, of) ? NAME_GRADIENT : NAME_COTANGENT, of);
    return of;
}

/* ---- scopes ---- */

void names_open(Store *st, NameScope *scope, const Graph *g)
{
    *scope = (NameScope){.graph = g, .outer = st->scope};
    const NodeNames *own = body_names(st, g);
    for (size_t i = 0; own && i < own->len; i++)
        map_put(&scope->at, map_key(own, i), map_val(own, i));
    st->scope = scope;
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
static void keep_nodes(Store *st, const Graph *g, const NodeNames *names)
{
    const Symbol *params = graph_names(st, g);
    SymbolSet taken = {0};
    NodeNames *own = NULL;
    NodeVec order = {0};
    for (int i = 0; params && i < g->nparams; i++)
        if (params[i])
            set_add(&taken, name_spelling(st, params[i]));
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        const Node *n = order.at[i];
        Symbol name = is_expression(n) && n->op != OP_PARAM ? map_get(names, n) : NULL;
        if (!name || (map_has(&taken, name_spelling(st, name)) && !is_next_of(g, params, n, name)))
            continue;
        set_add(&taken, name_spelling(st, name));
        own = own ? own : body_names_own(st, g);
        map_put(own, n, name);
    }
    map_free(&taken);
    vec_free(&order);
}

void names_keep(Store *st, const NameScope *scope)
{
    NodeSet here = {0};
    NodeVec order = {0};
    nodes_topo(scope->graph->nouts, scope->graph->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(&here, order.at[i]);
    for (size_t i = 0; i < scope->at.len; i++) {
        const Node *n = map_key(&scope->at, i);
        if (!map_has(&here, n))
            map_put(body_names_own(st, scope->graph), n, map_val(&scope->at, i));
    }
    map_free(&here);
    vec_free(&order);
}

void names_close(Store *st, NameScope *scope, const Graph *became)
{
    st->scope = scope->outer;
    if (became && became != scope->graph) {
        if (!graph_has_names(st, became)) {
            graph_set_names(st, became, graph_names(st, scope->graph));
            keep_nodes(st, became, &scope->at);
        }
        names_keep(st, scope);
    }
    map_free(&scope->at);
}

void graph_names_share(Store *st, const Graph *from, const Graph *to)
{
    const NodeNames *own = body_names(st, from);
    if (graph_has_names(st, to))
        return;
    graph_set_names(st, to, graph_names(st, from));
    if (own)
        keep_nodes(st, to, own);
}

/* ---- graphs opened and closed ---- */

/* Of two names of nodes that became one, not that which comes first in a table. */
static void put_least(NodeNames *given, const Node *n, Symbol name)
{
    Symbol other = map_get(given, n);
    if (!other || strcmp(name, other) < 0)
        map_put(given, n, name);
}

void body_names_carry(Store *st, const Graph *g, const NodeMap *memo, const i64 *row)
{
    const NameScope *mine = st->scope && st->scope->graph == g ? st->scope : NULL;
    const NodeNames *own = mine ? &mine->at : body_names(st, g);
    NodeNames given = {0};
    for (size_t i = 0; own && i < own->len; i++) {
        const Node *copy = map_get(memo, map_key(own, i));
        Symbol name = copy && takes_names(copy) ? map_val(own, i) : NULL;
        if (name && row)
            name = name_in_row(st, name, *row);
        if (name)
            put_least(&given, copy, name);
    }
    st->scope = mine ? mine->outer : st->scope;
    for (size_t i = 0; i < given.len; i++)
        node_set_name(st, map_key(&given, i), map_val(&given, i));
    st->scope = mine ? (NameScope *)(uintptr_t)mine : st->scope;
    map_free(&given);
}

void graph_set_names(Store *st, const Graph *g, const Symbol *names)
{
    if (!names || graph_names(st, g))
        return;
    Symbol *own = xcalloc((size_t)g->nparams + 1, sizeof *own);
    memcpy(own, names, (size_t)g->nparams * sizeof *own);
    provenance_set_params(st, g, own);
}

void graph_names_close(Store *st, const Graph *g, Node *const *params, const NodeMap *memo)
{
    if (graph_has_names(st, g))
        return;
    NodeNames given = {0};
    Symbol *names = arena_alloc(&st->scratch, ((size_t)g->nparams + 1) * sizeof *names);
    for (int i = 0; i < g->nparams; i++)
        names[i] = node_told(st, params[i]);
    names_distinct(st, g->nparams, names);
    graph_set_names(st, g, names);
    for (size_t i = 0; i < memo->len; i++) {
        const Node *open = map_key(memo, i), *closed = map_val(memo, i);
        Symbol name = closed ? node_name(st, open) : NULL;
        if (name)
            put_least(&given, closed, name);
    }
    keep_nodes(st, g, &given);
    map_free(&given);
}
