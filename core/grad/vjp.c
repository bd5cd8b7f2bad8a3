/* The reverse sweep over an open graph, and the expansion of implicit derivatives.
 *
 * A. Griewank, A. Walther, "Evaluating Derivatives", 2nd ed., SIAM 2008, chapter 3:
 * the incremental reverse mode. */
#include "grad/scan_parts.h"
#include "exec/kernels.h"
#include "grad/vjp.h"
#include "grad/jvp.h"

bool vjp_active(const Vjp *v, const Node *operand) { return map_has(&v->active, operand); }

static bool is_zeros(const Node *n)
{
    double x;
    while (n->op == OP_BROADCAST)
        n = n->ops[0];
    return node_const_f64(n, &x) && x == 0;
}

/* `part` adds into zeros, perhaps several times: the same into `a`; NULL if it is no such thing. */
static Node *add_into(Store *st, Node *a, Node *part)
{
    if (part->op != OP_SET_INDEX && part->op != OP_SET_SLICE && part->op != OP_SCATTER)
        return NULL;
    if (part->attrs[part->nattrs - 1].i != STORE_ADD || part->type != a->type)
        return NULL;
    Node *base = is_zeros(part->ops[0]) ? a : add_into(st, a, part->ops[0]);
    return base ? node3(st, part->op, part->attrs, base, part->ops[1], part->ops[2]) : NULL;
}

Node *cotangent_sum(Store *st, Node *a, Node *b)
{
    Node *sum = add_into(st, a, b);
    sum = sum ? sum : add_into(st, b, a);
    return sum ? sum : build_add(st, a, b);
}

bool vjp_add(Vjp *v, Node *operand, Node *contribution)
{
    if (!contribution)
        return false;
    Node *old = map_get(&v->cotangents, operand);
    Node *sum = old ? cotangent_sum(v->st, old, contribution) : contribution;
    if (sum)
        map_put(&v->cotangents, operand, sum);
    return sum != NULL;
}

Node *vjp_result(const Vjp *v, Node *tuple, int k)
{
    Node *p = node_proj(v->st, tuple, k);
    return p ? map_get(&v->cotangents, p) : NULL;
}

static void mark_active(PtrMap *active, const NodeVec *order, int nx, Node *const *xs)
{
    for (int i = 0; i < nx; i++)
        map_put(active, xs[i], xs[i]);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        if (n->op == OP_STOP_GRADIENT || !type_has_floats(n->type))
            continue;
        for (u32 k = 0; k < n->nops && !map_has(active, n); k++)
            if (map_has(active, n->ops[k]))
                map_put(active, n, n);
    }
}

static bool pull_node(Vjp *v, Node *n)
{
    if (n->op == OP_PROJ)
        return true; /* its cotangent is read by the rule of the tuple */
    if (n->type->kind == TYPE_TUPLE) {
        for (int k = 0; k < n->type->nitems; k++)
            if (vjp_result(v, n, k))
                return op_table[n->op].vjp(v, n, NULL);
        return true;
    }
    Node *dy = map_get(&v->cotangents, n);
    return !dy || op_table[n->op].vjp(v, n, dy);
}

bool vjp_pull(Store *st, int ny, Node *const *ys, Node *const *ybars, int nx, Node *const *xs,
              Node **out)
{
    Vjp v = {.st = st};
    NodeVec order = {0};
    PtrMap leaves = {0};
    nodes_topo(ny, ys, &order);
    mark_active(&v.active, &order, nx, xs);
    for (int i = 0; i < nx; i++)
        map_put(&leaves, xs[i], xs[i]);
    bool ok = true;
    for (int i = 0; i < ny && ok; i++)
        if (ybars[i] && map_has(&v.active, ys[i]))
            ok = vjp_add(&v, ys[i], ybars[i]);
    for (size_t i = order.len; i-- > 0 && ok;) {
        Node *n = order.at[i];
        if (map_has(&v.active, n) && !map_has(&leaves, n))
            ok = pull_node(&v, n);
    }
    for (int i = 0; i < nx && ok; i++)
        out[i] = map_get(&v.cotangents, xs[i]);
    vec_free(&order);
    map_free(&leaves);
    map_free(&v.active);
    map_free(&v.cotangents);
    return ok;
}

void graph_dependence(Graph *g, int first, int count, bool *depends)
{
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    for (int p = 0; p < count; p++) {
        PtrMap active = {0};
        if (type_has_floats(g->params[first + p]))
            mark_active(&active, &order, 1, &g->param_nodes[first + p]);
        for (int o = 0; o < g->nouts; o++)
            depends[o * count + p] = map_has(&active, g->outs[o]);
        map_free(&active);
    }
    vec_free(&order);
}

/* ---- expansion ---- */

/* Works on the parameters of the body: arguments may be equal or depend on one another. */
static bool body_results(Store *st, Node *n, Graph *g, Node *const *inner, int count,
                         Node **results)
{
    PtrMap memo = {0};
    for (int i = 0; i < g->nparams; i++)
        map_put(&memo, g->param_nodes[i], n->ops[i]);
    bool ok = true;
    for (int i = 0; i < count && ok; i++)
        ok = (results[i] = node_substitute(st, inner[i], &memo)) != NULL;
    map_free(&memo);
    return ok;
}

static bool fill_zeros(Store *st, int n, Node **grads, Node *const *like)
{
    for (int i = 0; i < n; i++)
        if (!grads[i] && !(grads[i] = build_zeros_like(st, like[i])))
            return false;
    return true;
}

static bool expand_grad(Store *st, Node *n, Node **results)
{
    Graph *g = n->attrs[0].graph;
    int wrt = (int)n->attrs[1].i;
    Node **inner = xcalloc((size_t)wrt + 1, sizeof *inner);
    Node *one = node_number(st, g->outs[0]->type->dtype, 1);
    bool ok = vjp_pull(st, 1, g->outs, &one, wrt, g->param_nodes, inner) &&
              fill_zeros(st, wrt, inner, g->param_nodes);
    inner[wrt] = g->outs[0];
    ok = ok && body_results(st, n, g, inner, wrt + 1, results);
    free(inner);
    return ok;
}

/* Cotangents or tangents as holes, replaced when everything is built. */
static Node **vector_holes(Store *st, int n, Node *const *like)
{
    Node **holes = xcalloc((size_t)n + 1, sizeof *holes);
    for (int i = 0; i < n; i++)
        holes[i] = type_has_floats(like[i]->type) ? node_temp(st, like[i]->type, NULL) : NULL;
    return holes;
}

static bool close_holes(Store *st, int n, Node *const *holes, Node *const *values, int count,
                        Node **results)
{
    PtrMap memo = {0};
    for (int i = 0; i < n; i++)
        if (holes[i])
            map_put(&memo, holes[i], values[i]);
    bool ok = true;
    for (int i = 0; i < count && ok; i++)
        ok = (results[i] = node_substitute(st, results[i], &memo)) != NULL;
    map_free(&memo);
    return ok;
}

static bool expand_vjp(Store *st, Node *n, Node **results)
{
    Graph *g = n->attrs[0].graph;
    int wrt = (int)n->attrs[1].i, count = wrt + g->nouts;
    Node **holes = vector_holes(st, g->nouts, g->outs),
         **inner = xcalloc((size_t)count + 1, sizeof *inner);
    bool ok = vjp_pull(st, g->nouts, g->outs, holes, wrt, g->param_nodes, inner) &&
              fill_zeros(st, wrt, inner, g->param_nodes);
    for (int i = 0; i < g->nouts; i++)
        inner[wrt + i] = g->outs[i];
    ok = ok && body_results(st, n, g, inner, count, results) &&
         close_holes(st, g->nouts, holes, n->ops + g->nparams, count, results);
    free(holes);
    free(inner);
    return ok;
}

static bool expand_jvp(Store *st, Node *n, Node **results)
{
    Graph *g = n->attrs[0].graph;
    int wrt = (int)n->attrs[1].i, count = 2 * g->nouts;
    Node **holes = vector_holes(st, wrt, g->param_nodes),
         **inner = xcalloc((size_t)count + 1, sizeof *inner);
    bool ok =
        jvp_push(st, wrt, g->param_nodes, holes, g->nouts, g->outs, inner, inner + g->nouts) &&
        fill_zeros(st, g->nouts, inner, g->outs) && body_results(st, n, g, inner, count, results) &&
        close_holes(st, wrt, holes, n->ops + g->nparams, count, results);
    free(holes);
    free(inner);
    return ok;
}

Node *implicit_in_parts(Store *st, Node *n)
{
    Graph *g = n->attrs[0].graph;
    Attr attrs[3];
    if (n->op == OP_JVP)
        return n;
    memcpy(attrs, n->attrs, n->nattrs * sizeof *attrs);
    if (attrs[2].i >= 0) {
        g = graph_truncated(st, g, attrs[2].i);
        attrs[2].i = -1;
    } else {
        g = graph_segmented(st, g);
    }
    attrs[0].graph = g;
    return g ? node_with_attrs(st, n, attrs) : NULL;
}

bool implicit_expand(Store *st, Node *n, Node **results)
{
    u32 temps = st->temp_count;
    if (n->op != OP_JVP && n->attrs[2].i >= 0 && !(n = implicit_in_parts(st, n)))
        return false;
    bool ok = n->op == OP_GRAD  ? expand_grad(st, n, results)
              : n->op == OP_VJP ? expand_vjp(st, n, results)
                                : expand_jvp(st, n, results);
    st->temp_count = temps;
    return ok;
}
