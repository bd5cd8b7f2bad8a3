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

/* How many elements a reduction over axes adds up, as an i64 scalar. */
static Node *axes_count(Elab *e, Node *x, const IntList *axes)
{
    Size *n = size_const(e->st, 1);
    for (u32 i = 0; i < axes->n; i++)
        n = size_mul(e->st, n, x->type->dims[axes->at[i]]);
    return size_to_node(e->st, n);
}

static Node *to_float(Elab *e, Node *x)
{
    return x && !dtype_is_float(x->type->dtype) ? node_cast(e->st, x, DT_F64) : x;
}

static Node *mean_of(Elab *e, Node *x, const IntList *axes, bool keep)
{
    Node *total = reduce(e, OP_SUM, x, axes, keep);
    Node *count = node_cast(e->st, axes_count(e, x, axes), x->type->dtype);
    Node *ops[] = {total, count};
    return total && count ? build_elementwise(e->st, OP_DIV, 2, ops) : NULL;
}

BUILTIN(mean)
{
    Node *x = to_float(e, tensor_arg(e, a, 0));
    const IntList *axes = x ? arg_axes(e, a, 1, x->type->rank) : NULL;
    bool keep;
    return axes && arg_bool(e, a, 2, false, &keep) ? value_node(e, mean_of(e, x, axes, keep))
                                                   : NULL;
}

static Node *variance(Elab *e, Args *a)
{
    Node *x = to_float(e, tensor_arg(e, a, 0));
    const IntList *axes = x ? arg_axes(e, a, 1, x->type->rank) : NULL;
    bool keep;
    i64 ddof;
    if (!axes || !arg_int(e, a, 2, 0, &ddof) || !arg_bool(e, a, 3, false, &keep))
        return NULL;
    Node *m = build_unreduce(e->st, mean_of(e, x, axes, false), axes, x);
    Node *d = build_sub(e->st, x, m);
    Node *squares = d ? node1(e->st, OP_SQR, NULL, d) : NULL;
    Node *count = build_sub(e->st, axes_count(e, x, axes), node_i64(e->st, ddof));
    Node *ops[] = {reduce(e, OP_SUM, squares, axes, keep), node_cast(e->st, count, x->type->dtype)};
    return ops[0] ? build_elementwise(e->st, OP_DIV, 2, ops) : NULL;
}
BUILTIN(var) { return value_node(e, variance(e, a)); }
BUILTIN(std)
{
    Node *v = variance(e, a);
    return v ? value_node(e, node1(e->st, OP_SQRT, NULL, v)) : NULL;
}

BUILTIN(norm)
{
    Node *x = to_float(e, tensor_arg(e, a, 0));
    const IntList *axes = x ? arg_axes(e, a, 1, x->type->rank) : NULL;
    bool keep;
    if (!axes || !arg_bool(e, a, 2, false, &keep))
        return NULL;
    Node *s = reduce(e, OP_SUM, node1(e->st, OP_SQR, NULL, x), axes, keep);
    return s ? value_node(e, node1(e->st, OP_SQRT, NULL, s)) : NULL;
}

static Node *flattened(Elab *e, Node *x)
{
    if (x->type->rank == 1)
        return x;
    Node *n = axes_count(e, x, all_axes(e->st, x->type->rank));
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

/* ---- softmax family: shifted by the maximum, which is a constant for derivatives ---- */

/* max over axes, 0 where it is not finite, so that exp(x - m) stays right for infinities and empty
 * rows. */
static Node *shift_of(Elab *e, Node *x, const IntList *axes)
{
    Store *st = e->st;
    Attr at = {.ints = axes};
    for (u32 i = 0; i < axes->n; i++)
        if (size_is(x->type->dims[axes->at[i]], 0)) /* certainly no elements: 0, from a sum */
            return node1(st, OP_SUM, &at, x);
    Node *m = node1(st, OP_MAX, &at, x);
    Node *finite = m ? node1(st, OP_ISFINITE, NULL, m) : NULL;
    Node *zero = node_number(st, x->type->dtype, 0);
    Node *safe = finite ? node3(st, OP_WHERE, NULL, finite, m, zero) : NULL;
    return safe ? node1(st, OP_STOP_GRADIENT, NULL, safe) : NULL;
}

typedef struct {
    Node *x, *shift, *exps, *total; /* total: sum(exp(x - shift)) over axes */
    const IntList *axes;
} Soft;

static bool soft_parts(Elab *e, Args *a, bool all_by_default, Soft *s)
{
    s->x = to_float(e, tensor_arg(e, a, 0));
    if (!s->x)
        return false;
    i64 last = s->x->type->rank - 1;
    if (!a->at[1] && !all_by_default && last < 0)
        return elab_error(e, a->span, "rank", NULL, "%s needs at least one axis", a->builtin->name),
               false;
    s->axes = !a->at[1] && !all_by_default ? intlist(e->st, 1, &last)
                                           : arg_axes(e, a, 1, s->x->type->rank);
    if (!s->axes)
        return false;
    s->shift = shift_of(e, s->x, s->axes);
    Node *moved = build_sub(e->st, s->x, build_unreduce(e->st, s->shift, s->axes, s->x));
    s->exps = moved ? node1(e->st, OP_EXP, NULL, moved) : NULL;
    s->total = reduce(e, OP_SUM, s->exps, s->axes, false);
    return s->total != NULL;
}

BUILTIN(logsumexp)
{
    Soft s;
    bool keep;
    if (!soft_parts(e, a, true, &s) || !arg_bool(e, a, 2, false, &keep))
        return NULL;
    Node *r = build_add(e->st, node1(e->st, OP_LOG, NULL, s.total), s.shift);
    return value_node(e, keep ? keep_dims(e, r, s.axes) : r);
}

BUILTIN(softmax)
{
    Soft s;
    if (!soft_parts(e, a, false, &s))
        return NULL;
    Node *ops[] = {s.exps, build_unreduce(e->st, s.total, s.axes, s.x)};
    return ops[1] ? value_node(e, build_elementwise(e->st, OP_DIV, 2, ops)) : NULL;
}

BUILTIN(log_softmax)
{
    Soft s;
    if (!soft_parts(e, a, false, &s))
        return NULL;
    Node *lse = build_add(e->st, node1(e->st, OP_LOG, NULL, s.total), s.shift);
    return value_node(e, build_sub(e->st, s.x, build_unreduce(e->st, lse, s.axes, s.x)));
}
