/* Derivatives of operators that others define (ops/definitions.c): those of their definitions,
 * where nothing says it better.
 *
 * Invariant: what stands here has the value of the derivative of the definition, but for signs of
 * zeros. */
#include "ops/definitions.h"
#include "grad/vjp.h"
#include "ops/functions.h"

/* The sizes in n's type are those of its own whole numbers. */
bool inside_definition(Store *st, Node *n, Node *const *ops, Node **outs)
{
    Node **own = xcalloc((size_t)n->nops + 1, sizeof *own);
    for (u32 i = 0; i < n->nops; i++)
        own[i] = type_has_floats(n->ops[i]->type) ? ops[i] : n->ops[i];
    Node *over = node_with_operands(st, n, own);
    outs[0] = over ? node_definition(st, over) : NULL;
    free(own);
    return outs[0] != NULL;
}

bool vjp_defined(Vjp *v, Node *n, Node *dy) { return pull_inside(v, n, inside_definition, 1, &dy); }

/* dy on the diagonal; what is beside it is 0 even if dy is not finite. */
bool vjp_trace(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0];
    if (!dy || !vjp_active(v, x))
        return true;
    double one;
    bool plain = node_const_f64(dy, &one) && one == 1;
    Attr dtype = {.i = (i64)(plain ? node_dtype(x) : DT_BOOL)};
    Node *sides[] = {node_dim(st, x, 0), node_dim(st, x, 1)};
    Node *on = node_make(st, OP_EYE, &dtype, x->type->dims[0] == x->type->dims[1] ? 1 : 2, sides);
    return vjp_give(
        v, x, plain ? on : node3(st, OP_WHERE, NULL, on, dy, node_number(st, node_dtype(dy), 0)));
}

/* Moved back. */
bool vjp_roll(Vjp *v, Node *n, Node *dy)
{
    if (!dy || !vjp_active(v, n->ops[0]))
        return true;
    Node **ops = xcalloc(n->nops, sizeof *ops);
    ops[0] = dy;
    for (u32 i = 1; i < n->nops; i++) {
        i64 k;
        bool known = node_const_i64(n->ops[i], &k) && k != INT64_MIN;
        ops[i] = known ? node_i64(v->st, -k) : build_neg(v->st, n->ops[i]);
    }
    Node *dx = node_make(v->st, OP_ROLL, n->attrs, n->nops, ops);
    free(ops);
    return vjp_give(v, n->ops[0], dx);
}

/* The part of dy that is x. */
bool vjp_pad(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    if (!dy || vjp_active(v, n->ops[1]))
        return !dy || vjp_defined(v, n, dy);
    for (int axis = 0; axis < node_rank(x) && dy; axis++) {
        i64 before, after;
        Node *const *widths = n->ops + 2 + 2 * axis;
        if (!node_const_i64(widths[0], &before) || !node_const_i64(widths[1], &after) || before ||
            after)
            dy = build_slice(v->st, dy, axis, widths[0], node_dim(v->st, x, axis), 1);
    }
    return vjp_give(v, x, dy);
}

/* A diagonal's cotangent is a matrix with that diagonal, if it is as large as x, and that of such
 * a matrix is its diagonal. */
bool vjp_diag(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    if (!dy || !vjp_active(v, x))
        return true;
    Node *dx = diagonal_fits(n->attrs[0].i) ? node1(v->st, OP_DIAG, n->attrs, dy) : NULL;
    return dx && dx->type == x->type ? vjp_give(v, x, dx) : vjp_defined(v, n, dy);
}
