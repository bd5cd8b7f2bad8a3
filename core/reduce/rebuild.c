/* A program with some of its nodes replaced, in bodies too. */
#include "reduce/parts.h"

#include "graph/op.h"

static Graph *rebuilt_graph(Rebuild *b, Graph *g);

/* The attributes of an owner with its graphs rebuilt. */
static Node *with_graphs(Rebuild *b, Node *n)
{
    enum { MOST = 8 };
    int slots[4], count = node_graphs(n, slots);
    Attr attrs[MOST];
    bool same = true;
    if (!count || n->nattrs > MOST)
        return n;
    memcpy(attrs, n->attrs, n->nattrs * sizeof *attrs);
    for (int i = 0; i < count; i++) {
        Attr *a = &attrs[slots[i]];
        Graph *g = rebuilt_graph(b, a->graph);
        if (!g)
            return NULL;
        same = same && g == a->graph;
        a->graph = g;
    }
    return same ? n : node_with_attrs(b->st, n, attrs);
}

static Node *rebuilt_node(Rebuild *b, Node *n, const NodeMap *memo)
{
    Node *small[8], **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    for (u32 k = 0; k < n->nops; k++)
        ops[k] = map_get(memo, n->ops[k]);
    bool owns = op_table[n->op].cls == CLASS_CONTROL || op_table[n->op].cls == CLASS_IMPLICIT;
    Node *like = owns ? with_graphs(b, n) : n, *out = NULL;
    if (like && n->nops)
        out = node_with_operands(b->st, like, ops);
    else if (like)
        out = b->leaf ? b->leaf(b->ctx, like) : like;
    if (ops != small)
        free(ops);
    return out;
}

/* Nodes of one graph; `memo` has what is replaced. */
static bool rebuild_nodes(Rebuild *b, NodeMap *memo, int n, Node *const *nodes, Node **out)
{
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        NodeVec order = {0};
        nodes_topo_until(nodes[i], memo, &order);
        for (size_t k = 0; k < order.len && ok; k++) {
            Node *made = store_stops(b->st) ? NULL : rebuilt_node(b, order.at[k], memo);
            ok = made != NULL;
            if (ok)
                map_put(memo, order.at[k], made);
        }
        out[i] = ok ? map_get(memo, nodes[i]) : NULL;
        vec_free(&order);
    }
    return ok;
}

static void take_replaced(const Rebuild *b, NodeMap *memo)
{
    for (size_t i = 0; b->at && i < b->at->len; i++) {
        Node *n = map_key(b->at, i);
        map_put(memo, n, map_val(b->at, i));
    }
}

static Graph *rebuilt_graph(Rebuild *b, Graph *g)
{
    Graph *made = map_get(&b->graphs, g);
    if (made)
        return made;
    Type **params = xmalloc(((size_t)g->nparams + 1) * sizeof *params);
    Node **outs = xmalloc(((size_t)g->nouts + 1) * sizeof *outs);
    NodeMap memo = {0};
    bool ok = true;
    for (int i = 0; i < g->nparams; i++) {
        params[i] = b->type ? b->type(b->ctx, g->params[i]) : g->params[i];
        Node *p = node_param(b->st, i, params[i]);
        map_put(&memo, g->param_nodes[i], p);
    }
    if (g == b->within)
        take_replaced(b, &memo);
    ok = rebuild_nodes(b, &memo, g->nouts, g->outs, outs);
    made = ok ? graph_make(b->st, g->nparams, params, g->nouts, outs) : NULL;
    if (made)
        map_put(&b->graphs, g, made);
    map_free(&memo);
    free(params);
    free(outs);
    return made;
}

bool rebuild(Rebuild *b, int n, Node *const *roots, Node **out)
{
    NodeMap memo = {0};
    if (!b->within)
        take_replaced(b, &memo);
    bool ok = rebuild_nodes(b, &memo, n, roots, out);
    map_free(&memo);
    map_free(&b->graphs);
    return ok;
}
