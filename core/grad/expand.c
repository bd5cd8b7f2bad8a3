/* Expanding an implicit derivative: a Grad, Vjp or Jvp node becomes what its body's operators give.
 */
#include "grad/expand.h"
#include "grad/implicit.h"
#include "grad/jvp.h"
#include "grad/scan_parts.h"
#include "grad/vjp.h"
#include "graph/names.h"
#include "ops/branches.h"

bool vjp_node(Store *st, int ny, Node *const *ys, Node *const *ybars, int nx, Node *const *xs,
              Node **out)
{
    NodeVec outs = {0}, ops = {0};
    for (int i = 0; i < ny; i++)
        if (ybars[i])
            vec_push(&outs, ys[i]);
    CloseRequest rq = {.nfixed = nx, .fixed = xs, .nouts = (int)outs.len, .outs = outs.at};
    Closed c;
    bool ok = graph_close(st, &rq, &c);
    for (int i = 0; i < nx; i++)
        vec_push(&ops, xs[i]);
    for (int i = 0; i < c.ncaptures && ok; i++)
        vec_push(&ops, c.captures[i]);
    for (int i = 0; i < ny; i++)
        if (ybars[i])
            vec_push(&ops, ybars[i]);
    Attr a[] = {{.graph = ok ? c.graph : NULL}, {.i = nx}, {.i = -1}};
    Node *n = ok ? node_make(st, OP_VJP, a, (u32)ops.len, ops.at) : NULL;
    for (int i = 0; i < nx && n; i++)
        out[i] = node_proj(st, n, i);
    vec_free(&outs);
    vec_free(&ops);
    return n != NULL;
}

bool body_results(Store *st, Node *n, Graph *g, Node *const *inner, int count, Node **results)
{
    return graph_instantiate_nodes(st, g, n->ops, count, inner, results);
}

bool fill_zeros(Store *st, int n, Node **grads, Node *const *like)
{
    for (int i = 0; i < n; i++)
        if (!grads[i] && !(grads[i] = build_zeros_like(st, like[i])))
            return false;
    return true;
}

Node **vector_holes(Store *st, int n, Node *const *like)
{
    Node **holes = xcalloc((size_t)n + 1, sizeof *holes);
    for (int i = 0; i < n; i++)
        holes[i] = type_has_floats(like[i]->type) ? node_temp(st, like[i]->type, NULL) : NULL;
    return holes;
}

bool close_holes(Store *st, int n, Node *const *holes, Node *const *values, int count,
                 Node **results)
{
    NodeMap memo = {0};
    for (int i = 0; i < n; i++)
        if (holes[i])
            map_put(&memo, holes[i], values[i]);
    bool ok = true;
    for (int i = 0; i < count && ok; i++)
        ok = (results[i] = node_substitute(st, results[i], &memo)) != NULL;
    map_free(&memo);
    return ok;
}

/* The results over the parameters, loops that keep more being one with what they were; what nobody
 * asks for is not kept. */
static bool pulled(Store *st, Graph *g, Node *const *bars, int wrt, const bool *wanted,
                   Node **inner, DerivativeRecords *record)
{
    NodeVec loops = {0};
    bool ok = vjp_pull_recorded(st, g->nouts, g->outs, bars, wrt, g->param_nodes, inner, &loops,
                                record) &&
              fill_zeros(st, wrt, inner, g->param_nodes);
    for (int i = 0; i < g->nouts; i++)
        inner[wrt + i] = g->outs[i];
    ok = ok && scans_settle(st, &loops, wrt + g->nouts, inner, wanted, record);
    vec_free(&loops);
    return ok;
}

/* Nodes over the parameters and the holes as they are outside. */
static bool put_outside(Store *st, Node *n, Node *const *holes, const NodeVec *inner,
                        Node **results)
{
    Graph *g = n->attrs[0].graph;
    int count = (int)inner->len;
    return body_results(st, n, g, inner->at, count, results) &&
           (n->op == OP_GRAD ||
            close_holes(st, g->nouts, holes, n->ops + g->nparams, count, results));
}

/* What the one result of a Grad node changes by with itself. */
static Node **one_seed(Store *st, const Graph *g)
{
    Node **seeds = xcalloc(2, sizeof *seeds);
    seeds[0] = node_number(st, g->outs[0]->type->dtype, 1);
    return seeds;
}

static bool expand_reverse(Store *st, Node *n, const bool *wanted, Node **results,
                           DerivativeRecords *record)
{
    Graph *g = n->attrs[0].graph;
    int wrt = (int)n->attrs[1].i, count = wrt + g->nouts;
    Node **holes = n->op == OP_GRAD ? one_seed(st, g) : vector_holes(st, g->nouts, g->outs);
    NodeVec inner = {0};
    for (int i = 0; i < count; i++)
        vec_push(&inner, NULL);
    bool ok = pulled(st, g, holes, wrt, wanted, inner.at, record);
    for (size_t i = 0; record && i < record->len; i++) {
        vec_push(&inner, record->at[i].of);
        vec_push(&inner, record->at[i].is);
    }
    Node **outside = xcalloc(inner.len + 1, sizeof *outside);
    ok = ok && put_outside(st, n, holes, &inner, outside);
    memcpy(results, outside, (size_t)count * sizeof *results);
    for (size_t i = 0; record && i < record->len && ok; i++) {
        record->at[i].of = outside[(size_t)count + 2 * i];
        record->at[i].is = outside[(size_t)count + 2 * i + 1];
    }
    free(outside);
    free(holes);
    vec_free(&inner);
    return ok;
}

static bool expand_jvp(Store *st, Node *n, const bool *wanted, Node **results)
{
    Graph *g = n->attrs[0].graph;
    int wrt = (int)n->attrs[1].i, count = 2 * g->nouts;
    Node **holes = vector_holes(st, wrt, g->param_nodes),
         **inner = xcalloc((size_t)count + 1, sizeof *inner);
    NodeVec loops = {0};
    bool ok = jvp_push(st, wrt, g->param_nodes, holes, g->nouts, g->outs, inner, inner + g->nouts,
                       &loops) &&
              fill_zeros(st, g->nouts, inner, g->outs) &&
              scans_trim(st, &loops, count, inner, wanted) &&
              body_results(st, n, g, inner, count, results) &&
              close_holes(st, wrt, holes, n->ops + g->nparams, count, results);
    vec_free(&loops);
    free(holes);
    free(inner);
    return ok;
}

Node *implicit_in_parts(Store *st, Node *n)
{
    Graph *g = n->attrs[0].graph;
    Attr attrs[3];
    memcpy(attrs, n->attrs, n->nattrs * sizeof *attrs);
    if (attrs[2].i >= 0) {
        g = graph_truncated(st, g, attrs[2].i);
        attrs[2].i = -1;
    } else if (n->op == OP_JVP) { /* forward nothing is kept */
        return n;
    } else {
        g = graph_segmented(st, g);
    }
    attrs[0].graph = g;
    return g ? node_with_attrs(st, n, attrs) : NULL;
}

Node *implicit_ready(Store *st, Node *n)
{
    if (n->attrs[2].i >= 0 && !(n = implicit_in_parts(st, n)))
        return NULL;
    Graph *g = graph_lazy(st, n->attrs[0].graph);
    if (!g || g == n->attrs[0].graph)
        return g ? n : NULL;
    Attr attrs[3];
    memcpy(attrs, n->attrs, n->nattrs * sizeof *attrs);
    attrs[0].graph = g;
    return node_with_attrs(st, n, attrs);
}

bool implicit_expand(Store *st, Node *n, const bool *wanted, Node **results,
                     DerivativeRecords *record)
{
    u32 temps = st->temp_count;
    if (!(n = implicit_ready(st, n)))
        return false;
    NameScope scope;
    names_open(st, &scope, n->attrs[0].graph);
    bool ok = n->op == OP_JVP ? expand_jvp(st, n, wanted, results)
                              : expand_reverse(st, n, wanted, results, record);
    names_close(st, &scope, NULL);
    st->temp_count = temps;
    return ok;
}
