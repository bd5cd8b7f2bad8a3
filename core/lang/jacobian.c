/* Jacobians and Hessians: the rows of the one are vmap of vjp over the rows of the identity, those
 * of the other of the gradient.
 *
 * Invariant: what is differentiated, and by what, may be tuples: the result is in the form of the
 * first, each part in that of the second. */
#include "lang/elab.h"

/* 1 on the diagonal, of the dtype of a vector and its length. */
static Node *identity(Store *st, Node *vector)
{
    Attr dtype = {.i = (i64)vector->type->dtype};
    Node *n = node_dim(st, vector, 0);
    return n ? node1(st, OP_EYE, &dtype, n) : NULL;
}

/* The rows of the Jacobian: vmap of vjp over the rows of the identity. */
static Node *jacobian_rows(Elab *e, Node *flat, Node *x, DeriveOptions o, Span span)
{
    Store *st = e->st;
    Node *ybar = node_hole(st, flat->type, symbol(st, "ybar")), *row = NULL;
    return ybar && derive_vjp(e, 1, &flat, 1, &x, &ybar, o, &row, span)
               ? vmap_rows(e, row, ybar, identity(st, flat), span)
               : NULL;
}

static Value *jacobian_of(Elab *e, Node *y, Node *x, DeriveOptions o, Span span)
{
    Store *st = e->st;
    if (y->type->kind != TYPE_TENSOR || y->type->rank + x->type->rank > MAX_RANK)
        return elab_error(e, span, "rank", NULL, "this Jacobian would have more than %d axes",
                          MAX_RANK);
    Node *out;
    o.zero = true; /* whether y may be unconnected was asked before */
    if (y->type->rank == 0)
        return derive_grad(e, y, 1, &x, o, &out, NULL, span) ? value_node(e, out) : NULL;
    Node *dims[MAX_RANK];
    for (int k = 0; k < y->type->rank; k++)
        dims[k] = node_dim(st, y, k);
    Node *flat = build_merged(st, y, 0, y->type->rank);
    Node *rows = flat ? jacobian_rows(e, flat, x, o, span) : NULL;
    if (!rows || y->type->rank == 1)
        return value_node(e, rows);
    for (int k = 0; k < x->type->rank; k++)
        dims[y->type->rank + k] = node_dim(st, x, k);
    return value_node(e, build_reshape(st, rows, y->type->rank + x->type->rank, dims));
}

/* The Jacobians of y by each of w, in w's form. */
static Value *jacobians(Elab *e, Node *y, const Wrt *w, DeriveOptions o, Span span)
{
    Value **items = arena_alloc(e->arena, ((size_t)w->n + 1) * sizeof *items);
    int used = 0;
    for (int i = 0; i < w->n; i++)
        if (!(items[i] = jacobian_of(e, y, w->x[i], o, span)))
            return NULL;
    return value_of_leaves(e, w->form, items, &used);
}

/* In the form of the ys, for each what is in the form of the xs. */
static Value *jacobians_of(Elab *e, Value *form, int n, Node *const *y, const Wrt *w,
                           DeriveOptions o, Span span)
{
    Value **rows = arena_alloc(e->arena, ((size_t)n + 1) * sizeof *rows);
    int used = 0;
    for (int i = 0; i < n; i++)
        if (!(rows[i] = jacobians(e, y[i], w, o, span)))
            return NULL;
    return value_of_leaves(e, form, rows, &used);
}

static bool is_real(Elab *e, const Node *y, Span at)
{
    if (y->type->kind == TYPE_TENSOR && dtype_is_float(y->type->dtype))
        return true;
    elab_error(e, at, "no-derivative",
               "cast it to f64 first if its values are meant as real numbers",
               "there is no derivative of a value of type %s", shape_text(e->st, y->type));
    return false;
}

Value *derive_jacobian(Elab *e, Value *y, const Wrt *w, DeriveOptions o, Span at, Span span)
{
    NodeVec ys = {0};
    Value *form = value_plain(e, y), *r = NULL;
    bool ok = form && value_nodes(e, form, &ys);
    if (form && !ok)
        elab_error(e, at, "type-mismatch", NULL, "jacobian differentiates tensors, but this is %s",
                   value_describe(e, form));
    for (size_t i = 0; i < ys.len && ok; i++)
        ok = is_real(e, ys.at[i], at) && derive_connected(e, ys.at[i], w->n, w->x, o.zero, span);
    if (ok)
        r = jacobians_of(e, form, (int)ys.len, ys.at, w, o, span);
    vec_free(&ys);
    return r;
}

Value *derive_hessian(Elab *e, Node *loss, const Wrt *w, DeriveOptions o, Span span)
{
    return derive_grad(e, loss, w->n, w->x, o, w->outs, NULL, span)
               ? jacobians_of(e, w->form, w->n, w->outs, w, o, span)
               : NULL;
}
