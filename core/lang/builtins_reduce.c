/* Reductions and what is made of them. */
#include "lang/builtins.h"

static Node *tensor_arg(Elab *e, Args *a, int i)
{
    Node *n = arg_node(e, a, i);
    if (n && (n->type->kind != TYPE_TENSOR || n->type->dtype == DT_RNG))
        return elab_error(e, a->spans[i], "type-mismatch", NULL, "%s needs numbers, this is %s",
                          a->builtin->name, shape_text(e->st, n->type));
    return n;
}

static Node *keep_dims(Elab *e, Node *r, const IntList *axes)
{
    Attr at = {.ints = axes};
    return r && axes->n ? node1(e->st, OP_EXPAND_DIMS, &at, r) : r;
}

static Node *reduce(Elab *e, OpId op, Node *x, const IntList *axes, bool keep)
{
    Attr at = {.ints = axes};
    Node *r = x && axes ? node1(e->st, op, &at, x) : NULL;
    return keep ? keep_dims(e, r, axes) : r;
}

static Value *simple(Elab *e, Args *a, OpId op)
{
    Node *x = tensor_arg(e, a, 0);
    const IntList *axes = x ? arg_axes(e, a, 1, x->type->rank) : NULL;
    bool keep;
    if (!axes || !arg_bool(e, a, 2, false, &keep))
        return NULL;
    return value_node(e, reduce(e, op, x, axes, keep));
}
BUILTIN(sum) { return simple(e, a, OP_SUM); }
BUILTIN(prod) { return simple(e, a, OP_PROD); }
BUILTIN(min) { return simple(e, a, OP_MIN); }
BUILTIN(max) { return simple(e, a, OP_MAX); }
BUILTIN(any) { return simple(e, a, OP_ANY); }
BUILTIN(all) { return simple(e, a, OP_ALL); }

static Node *to_float(Elab *e, Node *x)
{
    return x && !dtype_is_float(x->type->dtype) ? node_cast(e->st, x, DT_F64) : x;
}

/* ---- composites ---- */

/* (x, axis, keepdims), with ddof before keepdims where there is one. */
static Value *statistic(Elab *e, Args *a, OpId op)
{
    Node *x = to_float(e, tensor_arg(e, a, 0));
    const IntList *axes = x ? arg_axes(e, a, 1, x->type->rank) : NULL;
    bool keep, ddof = op_attr_count(op) > 1;
    Attr at[2] = {{.ints = axes}, {.i = 0}};
    if (!axes || (ddof && !arg_int(e, a, 2, 0, &at[1].i)) ||
        !arg_bool(e, a, ddof ? 3 : 2, false, &keep))
        return NULL;
    Node *r = node1(e->st, op, at, x);
    return value_node(e, keep ? keep_dims(e, r, axes) : r);
}
BUILTIN(mean) { return statistic(e, a, OP_MEAN); }
BUILTIN(var) { return statistic(e, a, OP_VAR); }
BUILTIN(std) { return statistic(e, a, OP_STD); }
BUILTIN(norm) { return statistic(e, a, OP_NORM); }
BUILTIN(logsumexp) { return statistic(e, a, OP_LOGSUMEXP); }
BUILTIN(peak) { return statistic(e, a, OP_PEAK); }

/* The last axis by default. */
static Value *along(Elab *e, Args *a, OpId op)
{
    Node *x = to_float(e, tensor_arg(e, a, 0));
    if (!x)
        return NULL;
    i64 last = x->type->rank - 1;
    if (!a->at[1] && last < 0)
        return elab_error(e, a->span, "rank", NULL, "%s needs at least one axis", a->builtin->name);
    Attr at = {.ints = a->at[1] ? arg_axes(e, a, 1, x->type->rank) : intlist(e->st, 1, &last)};
    return at.ints ? value_node(e, node1(e->st, op, &at, x)) : NULL;
}
BUILTIN(softmax) { return along(e, a, OP_SOFTMAX); }
BUILTIN(log_softmax) { return along(e, a, OP_LOG_SOFTMAX); }

/* ---- along one axis ---- */

static Node *flattened(Elab *e, Node *x)
{
    if (x->type->rank == 1)
        return x;
    Size *count = size_const(e->st, 1);
    for (int i = 0; i < x->type->rank; i++)
        count = size_mul(e->st, count, x->type->dims[i]);
    Node *n = size_to_node(e->st, count);
    return build_reshape(e->st, x, 1, &n);
}

static Value *along_axis(Elab *e, Args *a, OpId op)
{
    Node *x = tensor_arg(e, a, 0);
    int axis = 0;
    if (!x)
        return NULL;
    if (!a->at[1] || a->at[1]->kind == V_NONE)
        x = flattened(e, x);
    else if (!arg_axis(e, a, 1, 0, x->type->rank, &axis))
        return NULL;
    Attr at[] = {{.i = axis}, {.i = 0}};
    return x ? value_node(e, node1(e->st, op, at, x)) : NULL;
}
BUILTIN(argmin) { return along_axis(e, a, OP_ARGMIN); }
BUILTIN(argmax) { return along_axis(e, a, OP_ARGMAX); }
BUILTIN(cumsum) { return along_axis(e, a, OP_CUMSUM); }
BUILTIN(cumprod) { return along_axis(e, a, OP_CUMPROD); }
BUILTIN(cummax) { return along_axis(e, a, OP_CUMMAX); }
