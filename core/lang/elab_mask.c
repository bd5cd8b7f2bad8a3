/* Boolean masks as indices: x[m] and x with [m] = v.
 *
 * Invariant: a mask stands alone and has the shape of the first axes of x. How many elements it
 * takes is known when it is evaluated, so the result has an axis of unknown length, `?`. */
#include "lang/elab.h"

/* The mask after making sure that it has the shape of x's first axes. */
static Node *fitting(Elab *e, Node *x, Node *mask, Span span)
{
    Store *st = e->st;
    int rank = mask->type->rank;
    Node *dims[MAX_RANK];
    bool same = rank <= x->type->rank;
    for (int i = 0; i < rank && same; i++) {
        same = !size_provably_different(st, mask->type->dims[i], x->type->dims[i]);
        dims[i] = node_dim(st, x, i);
    }
    if (!same)
        return elab_error(e, span, "shape-mismatch",
                          "a mask has the shape of what it selects from, or of its first axes",
                          "a mask of shape %s for %s", shape_text(st, mask->type),
                          shape_text(st, x->type));
    Type *want = type_tensor(st, DT_BOOL, rank, x->type->dims);
    Node *like =
        want == mask->type ? mask : build_broadcast_to(st, node_bool(st, true), rank, dims);
    return like == mask || !like ? like : node2(st, OP_MATCH_SHAPE, NULL, mask, like);
}

Value *elab_masked(Elab *e, Node *x, Node *mask, Span span)
{
    Store *st = e->st;
    e->st->span = span;
    int rank = mask->type->rank;
    mask = fitting(e, x, mask, span);
    Node *flat = mask ? build_merged(st, mask, 0, rank) : NULL,
         *rows = flat ? build_merged(st, x, 0, rank) : NULL;
    if (!rows)
        return NULL;
    i64 zero = 0;
    Attr axis[] = {{.i = 0}, {.i = 0}}, all = {.ints = intlist(st, 1, &zero)};
    Node *left = node_cast(st, node1(st, OP_LOGICAL_NOT, NULL, flat), DT_I32);
    Node *order = node1(st, OP_ARGSORT, axis, left); /* stable: those that are taken come first */
    Node *count = node1(st, OP_SUM, &all, node_cast(st, flat, DT_I64));
    Node *taken = order && count ? build_slice(st, order, 0, node_i64(st, 0), count, 1) : NULL;
    return taken ? value_node(e, node2(st, OP_GATHER, axis, rows, taken)) : NULL;
}

Node *elab_write_masked(Elab *e, Node *x, Node *mask, Value *value, bool add, Span span)
{
    Store *st = e->st;
    Node *v = value_as(e, value, x->type->dtype, span, "with"), *dims[MAX_RANK];
    mask = v ? fitting(e, x, mask, span) : NULL;
    if (!mask)
        return NULL;
    if (v->type->kind != TYPE_TENSOR || v->type->rank)
        return elab_error(e, span, "shape-mismatch", "where(mask, a, b) chooses between two arrays",
                          "a write under a mask takes a single number, but this is %s",
                          shape_text(st, v->type));
    if (promote(v->type->dtype, x->type->dtype) != x->type->dtype)
        return elab_error(e, span, "type-mismatch",
                          "cast the value or, before the write, the array",
                          "storing %s in an array of %s would lose precision or range",
                          shape_text(st, v->type), dtype_name(x->type->dtype));
    for (int i = 0; i < x->type->rank; i++)
        dims[i] = node_dim(st, x, i);
    for (int i = mask->type->rank; i < x->type->rank && mask; i++)
        mask = build_expand(st, mask, i);
    mask = mask ? build_broadcast_to(st, mask, x->type->rank, dims) : NULL;
    v = node_cast(st, v, x->type->dtype);
    Node *ops[] = {mask, add && v ? build_add(st, x, v) : v, x};
    return ops[0] && ops[1] ? build_elementwise(st, OP_WHERE, 3, ops) : NULL;
}
