/* Fused: elementwise operators over arrays of one shape, and reductions of what they give, run in
 * one pass over the elements.
 *
 * fused{body}(operands...)
 *   body: (operands...) -> results
 *   The body holds parameters, scalar constants, elementwise operators and reductions over
 *   neighbouring axes, all over arrays of one shape; scalars stand for all elements. A reduction
 *   is a result only, and all of them go over the same axes.
 *
 * Invariant: every result has the bits that the operators give one by one. */
#include "ops/fused.h"
#include "ops/family.h"

bool elem_is_sure(const Node *n, i64 *z)
{
    return op_is_elementwise(n->op) && node_info(n)->flags & PARTIAL && n->op != OP_POW &&
           n->nops == 2 && dtype_is_int(node_dtype(n)) && node_const_i64(n->ops[1], z) && *z > 0 &&
           elem_is_total(n);
}

bool fused_elementwise(const Node *n)
{
    i64 z;
    if (!op_is_elementwise(n->op) || n->type->rank == 0 || n->type->dtype == DT_RNG)
        return false;
    return dtype_is_float(node_dtype(n->ops[0])) || !(node_info(n)->flags & PARTIAL) ||
           elem_is_sure(n, &z);
}

bool fused_reduction(const Node *n, AxisRun *over)
{
    switch (n->op) {
    case OP_SUM:
    case OP_PROD:
    case OP_MIN:
    case OP_MAX:
    case OP_ANY:
    case OP_ALL: break;
    default: return false;
    }
    const IntList *axes = n->attrs[0].ints;
    if (!axes->n || axes->at[axes->n - 1] - axes->at[0] + 1 != (i64)axes->n)
        return false;
    if (over)
        *over = (AxisRun){(int)axes->at[0], (int)axes->n};
    return true;
}

/* ---- types ---- */

typedef struct {
    Store *st;
    Type *shape;  /* of the elements, as f64; NULL: not known yet */
    AxisRun over; /* of the reductions */
    int reductions;
} Check;

static bool one_shape(Check *c, Type *t)
{
    Type *shape = type_with_dtype(c->st, t, DT_F64);
    c->shape = c->shape ? c->shape : shape;
    return shape == c->shape;
}

static bool is_value(const Node *n)
{
    return n->op == OP_PARAM || n->op == OP_CONST || fused_elementwise(n);
}

static bool may_stand(Check *c, const Node *n)
{
    AxisRun over = {0};
    for (u32 k = 0; k < n->nops; k++)
        if (!is_value(n->ops[k]))
            return false;
    if (n->op == OP_CONST || n->op == OP_PARAM)
        return n->type->kind == TYPE_TENSOR && n->type->dtype != DT_RNG &&
               (!n->type->rank || (n->op == OP_PARAM && one_shape(c, n->type)));
    if (fused_elementwise(n))
        return one_shape(c, n->type);
    if (!fused_reduction(n, &over) || !one_shape(c, n->ops[0]->type) ||
        (c->reductions && !axis_runs_equal(c->over, over)))
        return false;
    c->over = over;
    return ++c->reductions <= FUSED_REDUCTIONS;
}

static bool body_ok(Store *st, const Graph *g)
{
    NodeVec order = {0};
    Check c = {.st = st};
    nodes_topo(g->nouts, g->outs, &order);
    bool ok = g->nouts > 0;
    for (size_t i = 0; i < order.len && ok; i++)
        ok = may_stand(&c, order.at[i]);
    for (int i = 0; i < g->nouts && ok; i++)
        ok = fused_elementwise(g->outs[i]) || fused_reduction(g->outs[i], NULL);
    vec_free(&order);
    return ok;
}

Type *infer_fused(Store *st, Node *n)
{
    if (!body_ok(st, n->attrs[0].graph))
        return store_error(st, "type-mismatch", NULL,
                           "fused takes elementwise operators over arrays of one shape, and "
                           "reductions of them over the same neighbouring axes");
    return infer_call(st, n);
}
