/* Shapes among the arguments of builtins: numbers, tuples of them, vectors. */
#include "lang/elab.h"
#include "ops/build.h"

/* Element i of a vector as it was written, so that a size that was read off an array stays one: of
 * `concat(([n], shape(x)[1:]))` the size of x. */
static Node *element(Store *st, Node *vector, i64 i)
{
    i64 start, len;
    if (vector->op == OP_SLICE && node_const_i64(vector->ops[1], &start) && start >= 0)
        return element(st, vector->ops[0], start + i * vector->attrs[1].i);
    if ((vector->op == OP_BROADCAST || vector->op == OP_EXPAND_DIMS) && !vector->ops[0]->type->rank)
        return vector->ops[0];
    for (u32 k = 0; vector->op == OP_CONCAT && k < vector->nops; k++) {
        if (!size_is_const(vector->ops[k]->type->dims[0], &len))
            break;
        if (i < len)
            return element(st, vector->ops[k], i);
        i -= len;
    }
    return build_index(st, vector, 0, node_i64(st, i));
}

static int vector_shape(Elab *e, Node *vector, Span span, Node **dims)
{
    i64 n;
    if (!size_is_const(vector->type->dims[0], &n) || n > MAX_RANK)
        return elab_error(e, span, "rank", NULL, "a shape needs a known number of axes, at most %d",
                          MAX_RANK),
               -1;
    for (i64 i = 0; i < n; i++)
        if (!(dims[i] = element(e->st, vector, i)) ||
            (can_fold(dims[i]) && !(dims[i] = fold_node(e->st, dims[i]))))
            return -1;
    return (int)n;
}

static bool shape_item(Elab *e, Value *v, Span span, Node **out)
{
    Node *n = value_to_node(e, v, span, "a shape");
    if (!n)
        return false;
    if (!type_is_scalar(n->type) || !dtype_is_int(n->type->dtype))
        return elab_error(e, span, "type-mismatch", NULL,
                          "a shape must be made of whole numbers, but this is %s",
                          shape_text(e->st, n->type)),
               false;
    *out = node_cast(e->st, n, DT_I64);
    i64 k;
    if (n->op == OP_NEG && node_const_i64(n->ops[0], &k))
        *out = node_i64(e->st, -k);
    return *out != NULL;
}

static int value_shape(Elab *e, Value *v, Span span, Node **dims)
{
    v = value_plain(e, v);
    if (!v)
        return -1;
    if (v->kind == V_NODE && v->node->type->kind == TYPE_TENSOR && v->node->type->rank == 1)
        return vector_shape(e, v->node, span, dims);
    if (v->kind != V_TUPLE)
        return shape_item(e, v, span, &dims[0]) ? 1 : -1;
    if (v->nitems > MAX_RANK)
        return elab_error(e, span, "rank", NULL, "a tensor can have at most %d axes", MAX_RANK), -1;
    for (int i = 0; i < v->nitems; i++)
        if (!shape_item(e, v->items[i], span, &dims[i]))
            return -1;
    return v->nitems;
}

int arg_shape(Elab *e, Args *a, int i, Node **dims)
{
    return a->at[i] ? value_shape(e, a->at[i], a->spans[i], dims) : 0;
}
