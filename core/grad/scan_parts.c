/* Parts of scans, and the walk that replaces scans. */
#include "grad/scan_parts.h"

#include "graph/names.h"
#include "ops/scan_edit.h"

Node *scan_counted(Store *st, Node *scan)
{
    ScanEdit ed;
    ScanShape s = scan_shape(scan);
    if (!s.stop)
        return scan;
    if (!scan_open(st, scan, &ed))
        return NULL;
    ed.s.n = node_proj(st, scan, s.steps);
    ed.s.stop = false;
    ed.stop = NULL;
    Node *r = scan_close(&ed);
    scan_edit_free(&ed);
    return r;
}

bool rows_are_range(const Node *rows)
{
    return rows->op == OP_IOTA || (rows->op == OP_ADD && rows->nops == 2 &&
                                   ((rows->ops[0]->op == OP_IOTA && rows->ops[1]->op == OP_CONST) ||
                                    (rows->ops[1]->op == OP_IOTA && rows->ops[0]->op == OP_CONST)));
}

Node *rows_part(Store *st, Node *rows, Node *start, Node *len)
{
    i64 first;
    bool from_start = node_const_i64(start, &first) && first == 0;
    if (rows->op == OP_IOTA) {
        Node *t = node1(st, OP_IOTA, NULL, len);
        return from_start ? t : build_add(st, t, start);
    }
    if (rows->op == OP_ADD && rows->nops == 2)
        for (int k = 0; k < 2; k++)
            if (rows->ops[k]->op == OP_IOTA && type_is_scalar(rows->ops[1 - k]->type))
                return build_add(st, rows_part(st, rows->ops[k], start, len), rows->ops[1 - k]);
    if (from_start && rows->type->dims[0] == size_of_node(st, len))
        return rows;
    return build_slice(st, rows, 0, start, len, 1);
}

Node *scan_part(Store *st, const ScanShape *s, Node *start, Node *len, Node *const *inits)
{
    NodeVec seqs = {0};
    for (int i = 0; i < s->nseqs; i++)
        vec_push(&seqs, rows_part(st, s->seqs[i], start, len));
    ScanShape part = *s;
    part.n = len;
    part.inits = (Node **)(uintptr_t)inits;
    part.seqs = seqs.at;
    bool ok = len != NULL;
    for (size_t i = 0; i < seqs.len && ok; i++)
        ok = seqs.at[i] != NULL;
    Node *r = ok ? scan_node(st, &part) : NULL;
    vec_free(&seqs);
    return r;
}

/* ---- every scan of a graph ---- */

typedef struct {
    Store *st;
    bool bodies;
    ScanForm form;
    void *ctx;
    GraphMap *graphs; /* graph -> what it became */
    bool failed;
} Reform;

static Graph *reform_graph(Reform *r, Graph *g);

/* n with its inner graphs reformed. */
static Node *reform_inside(Reform *r, Node *n)
{
    int slots[4], count = node_graphs(n, slots);
    if (!count || (n->op == OP_SCAN && !r->bodies))
        return n;
    Attr attrs[16];
    bool changed = false;
    memcpy(attrs, n->attrs, n->nattrs * sizeof *attrs);
    for (int i = 0; i < count && !r->failed; i++) {
        Graph *g = reform_graph(r, n->attrs[slots[i]].graph);
        changed = changed || g != n->attrs[slots[i]].graph;
        attrs[slots[i]].graph = g;
    }
    if (r->failed || !changed)
        return n;
    Node *m = node_with_attrs(r->st, n, attrs);
    r->failed = !m;
    return m;
}

static void reform_scan(Reform *r, const NodeVec *order, Node *old, Node *scan, NodeMap *memo)
{
    int count = scan->type->nitems;
    Node **results = xcalloc((size_t)count + 1, sizeof *results);
    for (size_t i = 0; i < order->len; i++)
        if (order->at[i]->op == OP_PROJ && order->at[i]->ops[0] == old)
            results[order->at[i]->attrs[0].i] = node_proj(r->st, scan, order->at[i]->attrs[0].i);
    if (r->form(r->st, scan, r->ctx, results, &r->failed))
        for (int i = 0; i < count; i++) {
            Node *p = node_proj(r->st, old, i);
            r->failed = r->failed || !results[i] || !p;
            map_put(memo, p, results[i]);
        }
    free(results);
}

static void reform_nodes(Reform *r, Graph *g, NodeMap *memo)
{
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len && !r->failed; i++) {
        Node *n = order.at[i];
        int slots[4];
        if (!node_graphs(n, slots))
            continue;
        Node *m = node_substitute(r->st, n, memo);
        m = m ? reform_inside(r, m) : NULL;
        r->failed = r->failed || !m;
        if (r->failed)
            break;
        map_put(memo, n, m);
        if (n->op == OP_SCAN)
            reform_scan(r, &order, n, m, memo);
    }
    vec_free(&order);
}

static Graph *reform_graph(Reform *r, Graph *g)
{
    Graph *known = map_get(r->graphs, g);
    if (known)
        return known;
    NodeMap memo = {0};
    Node **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    bool same = true;
    NameScope scope;
    names_open(r->st, &scope, g);
    reform_nodes(r, g, &memo);
    for (int i = 0; i < g->nouts && !r->failed; i++) {
        outs[i] = node_substitute(r->st, g->outs[i], &memo);
        r->failed = !outs[i];
        same = same && outs[i] == g->outs[i];
    }
    Graph *result = g;
    if (!r->failed && !same)
        result = graph_make(r->st, g->nparams, g->params, g->nouts, outs);
    names_close(r->st, &scope, result);
    map_put(r->graphs, g, result);
    map_free(&memo);
    free(outs);
    return result;
}

Graph *graph_reform_scans(Store *st, Graph *g, bool bodies, ScanForm form, void *ctx)
{
    GraphMap graphs = {0};
    Reform r = {.st = st, .bodies = bodies, .form = form, .ctx = ctx, .graphs = &graphs};
    Graph *result = reform_graph(&r, g);
    map_free(&graphs);
    return r.failed ? NULL : result;
}
