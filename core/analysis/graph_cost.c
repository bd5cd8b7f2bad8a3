/* What graphs cost.  See graph_cost.h. */
#include "analysis/graph_cost.h"

#include "graph/control.h"
#include "graph/provenance.h"

/* ---- sizes of bodies ---- */

/* The dimension outside that is this size parameter of the graph. */
static Size *outer_dim(Store *st, SizeAtom *atom, void *ctx)
{
    const Owner *o = ctx;
    return body_size_outside(st, o->n, o->g, atom);
}

static Size *put_outside(Store *st, Node *owner, const Graph *g, Size *s)
{
    Owner o = {owner, g};
    return s ? size_map(st, s, outer_dim, &o) : NULL;
}

Size *size_outside(Store *st, const Owners *owners, Size *s)
{
    for (size_t i = owners->len; s && i-- > 0;)
        s = size_map(st, s, outer_dim, &owners->at[i]);
    return s;
}

Type *type_outside(Store *st, const Owners *owners, Type *t)
{
    for (size_t i = owners->len; i-- > 0;)
        t = type_map_sizes(st, t, outer_dim, &owners->at[i]);
    return t;
}

/* ---- costs ---- */

static Cost both(Store *st, Size *(*f)(Store *, Size *, Size *), Cost a, Cost b)
{
    return (Cost){a.flops && b.flops ? f(st, a.flops, b.flops) : NULL,
                  a.bytes && b.bytes ? f(st, a.bytes, b.bytes) : NULL};
}

Cost cost_add(Store *st, Cost a, Cost b) { return both(st, size_add, a, b); }

static Cost keep(Costs *c, const void *key, Cost cost)
{
    Cost *known = arena_alloc(&c->arena, sizeof *known);
    *known = cost;
    map_put(&c->known, key, known);
    return cost;
}

static Cost cost_of_body(Costs *c, Node *n, const Graph *g)
{
    const Cost *known = map_get(&c->known, g);
    Cost inside = known ? *known : keep(c, g, cost_of_roots(c, g->nouts, g->outs));
    return (Cost){put_outside(c->st, n, g, inside.flops), put_outside(c->st, n, g, inside.bytes)};
}

static Cost cost_of_branches(Costs *c, Node *n)
{
    IfShape f = if_shape(n);
    Cost a = cost_of_body(c, n, f.then_graph), b = cost_of_body(c, n, f.else_graph);
    return both(c->st, size_max, a, b);
}

static Cost cost_of_scan(Costs *c, Node *n)
{
    Size *steps = size_of_node(c->st, n->ops[0]);
    Cost each = cost_of_body(c, n, scan_shape(n).body);
    if (!steps || size_is(steps, SCAN_UNBOUNDED))
        return (Cost){NULL, NULL};
    return both(c->st, size_mul, (Cost){steps, steps}, each);
}

static Cost find_cost(Costs *c, Node *n)
{
    switch (n->op) {
    case OP_SCAN: return cost_of_scan(c, n);
    case OP_IFELSE: return cost_of_branches(c, n);
    case OP_CALL: return cost_of_body(c, n, n->attrs[0].graph);
    case OP_FUSED: return (Cost){cost_of_body(c, n, n->attrs[0].graph).flops, node_bytes(c->st, n)};
    default: return (Cost){node_flops(c->st, n), node_bytes(c->st, n)};
    }
}

Cost cost_of_node(Costs *c, Node *n)
{
    const Cost *known = map_get(&c->known, n);
    return known ? *known : keep(c, n, find_cost(c, n));
}

Cost cost_of_roots(Costs *c, int n, Node *const *roots)
{
    NodeVec order = {0};
    Cost sum = {size_const(c->st, 0), size_const(c->st, 0)};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        sum = cost_add(c->st, sum, cost_of_node(c, order.at[i]));
    vec_free(&order);
    return sum;
}

void costs_free(Costs *c)
{
    map_free(&c->known);
    arena_free(&c->arena);
}

/* ---- loops ---- */

const Span *loop_span(Store *st, const Node *scan)
{
    ScanShape s = scan_shape(scan);
    const Span *first = node_span(st, scan);
    NodeVec order = {0};
    nodes_topo(s.body->nouts, s.body->outs, &order);
    for (size_t i = 0; i < order.len && !node_span(st, scan); i++) {
        bool own = order.at[i]->op != OP_PARAM && order.at[i]->op != OP_CONST;
        const Span *span = own ? node_span(st, order.at[i]) : NULL;
        if (span && (!first || (span->src == first->src && span->start < first->start)))
            first = span;
    }
    vec_free(&order);
    return first;
}

u32 loop_stages(const NodeVec *order, u32 *stages)
{
    MAP(Node *, size_t) place = {0};
    u32 last = 0;
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        stages[i] = 0;
        for (u32 k = 0; k < n->nops; k++) {
            u32 below = stages[map_get(&place, n->ops[k]) - 1];
            stages[i] = below > stages[i] ? below : stages[i];
        }
        stages[i] += n->op == OP_SCAN;
        last = stages[i] > last ? stages[i] : last;
        map_put(&place, n, i + 1);
    }
    map_free(&place);
    return last;
}
