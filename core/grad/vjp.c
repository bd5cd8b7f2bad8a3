/* The reverse sweep over an open graph.
 *
 * A. Griewank, A. Walther, "Evaluating Derivatives", 2nd ed., SIAM 2008, chapter 3:
 * the incremental reverse mode. */
#include "exec/kernels.h"
#include "grad/vjp.h"

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

/* ---- the sweep ---- */

void vjp_begin(VjpSweep *s, Store *st, int ny, Node *const *ys, Node *const *ybars, int nx,
               Node *const *xs)
{
    *s = (VjpSweep){.v.st = st};
    nodes_topo(ny, ys, &s->order);
    mark_active(&s->v.active, &s->order, nx, xs);
    for (int i = 0; i < nx; i++)
        map_put(&s->leaves, xs[i], xs[i]);
    s->at = s->order.len;
    for (int i = 0; i < ny && !s->failed; i++)
        if (ybars[i] && map_has(&s->v.active, ys[i]))
            s->failed = !vjp_add(&s->v, ys[i], ybars[i]);
}

static bool reached(const Vjp *v, Node *n)
{
    if (n->type->kind != TYPE_TUPLE)
        return map_has(&v->cotangents, n);
    for (int k = 0; k < n->type->nitems; k++)
        if (vjp_result(v, n, k))
            return true;
    return false;
}

Node *vjp_peek(VjpSweep *s)
{
    for (; s->at > 0 && !s->failed; s->at--) {
        Node *n = s->order.at[s->at - 1];
        /* the cotangent of a projection is read by the rule of the tuple */
        if (n->op != OP_PROJ && map_has(&s->v.active, n) && !map_has(&s->leaves, n) &&
            reached(&s->v, n))
            return n;
    }
    return NULL;
}

bool vjp_rule(Vjp *v, Node *n)
{
    return op_table[n->op].vjp(v, n,
                               n->type->kind == TYPE_TUPLE ? NULL : map_get(&v->cotangents, n));
}

bool vjp_next(VjpSweep *s)
{
    Node *n = vjp_peek(s);
    if (store_short(s->v.st, "in a derivative"))
        return s->failed = true, false;
    if (n && !vjp_rule(&s->v, n)) {
        s->failed = true;
        derivative_missing_place(s->v.st, &s->order, n);
    }
    s->at -= n && !s->failed;
    return !s->failed;
}

void vjp_end(VjpSweep *s)
{
    vec_free(&s->order);
    map_free(&s->leaves);
    map_free(&s->v.active);
    map_free(&s->v.cotangents);
}

bool vjp_pull(Store *st, int ny, Node *const *ys, Node *const *ybars, int nx, Node *const *xs,
              Node **out)
{
    VjpSweep s;
    vjp_begin(&s, st, ny, ys, ybars, nx, xs);
    while (vjp_peek(&s) && vjp_next(&s)) {
    }
    for (int i = 0; i < nx && !s.failed; i++)
        out[i] = map_get(&s.v.cotangents, xs[i]);
    vjp_end(&s);
    return !s.failed;
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
