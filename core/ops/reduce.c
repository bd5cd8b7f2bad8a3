/* Reductions and running reductions.
 *
 * Invariant: `axes` is increasing and within the rank; the elements of several axes are
 * combined run by run of neighbouring axes, the last run first. */
#include "ops/family.h"
#include "ops/fused.h"

#include <float.h>
#include <math.h>

/* ---- types ---- */

static Type *reduced_type(Store *st, Node *n, DType d)
{
    const Type *x = n->ops[0]->type;
    const IntList *axes = n->attrs[0].ints;
    if (!axes_ok(st, n, axes, x->rank))
        return NULL;
    Size *dims[MAX_RANK];
    int rank = 0;
    u32 k = 0;
    for (int i = 0; i < x->rank; i++)
        if (k < axes->n && axes->at[k] == i)
            k++;
        else
            dims[rank++] = x->dims[i];
    return type_tensor(st, d, rank, dims);
}

static bool reducible(Store *st, Node *n)
{
    if (!tensors_only(st, n))
        return false;
    return node_dtype(n->ops[0]) != DT_RNG || wrong_type(st, n, 0, "numbers or bools") != NULL;
}

Type *infer_sum(Store *st, Node *n)
{
    return reducible(st, n) ? reduced_type(st, n, reduce_dtype(RED_SUM, node_dtype(n->ops[0])))
                            : NULL;
}

Type *infer_extreme(Store *st, Node *n)
{
    return reducible(st, n) ? reduced_type(st, n, node_dtype(n->ops[0])) : NULL;
}

/* ---- types of composites (lang/composite.c) ---- */

static bool float_operand(Store *st, Node *n)
{
    if (!tensors_only(st, n))
        return false;
    return dtype_is_float(node_dtype(n->ops[0])) || wrong_type(st, n, 0, "f32 or f64");
}

Type *infer_along(Store *st, Node *n)
{
    Type *x = n->ops[0]->type;
    return float_operand(st, n) && axes_ok(st, n, n->attrs[0].ints, x->rank) ? x : NULL;
}

Type *infer_statistic(Store *st, Node *n)
{
    return float_operand(st, n) ? infer_extreme(st, n) : NULL;
}

Type *infer_logical_reduce(Store *st, Node *n)
{
    return reducible(st, n) ? reduced_type(st, n, DT_BOOL) : NULL;
}

Type *infer_arg_reduce(Store *st, Node *n)
{
    const Type *x = n->ops[0]->type;
    if (!reducible(st, n) || !axis_ok(st, n, n->attrs[0].i, x->rank))
        return NULL;
    return type_without_axis(st, x, (int)n->attrs[0].i, DT_I64);
}

static CumOp cum_of(OpId op)
{
    return op == OP_CUMSUM ? CUM_SUM : op == OP_CUMPROD ? CUM_PROD : CUM_MAX;
}

Type *infer_cumulative(Store *st, Node *n)
{
    Type *x = n->ops[0]->type;
    if (!reducible(st, n) || !axis_ok(st, n, n->attrs[0].i, x->rank))
        return NULL;
    return type_with_dtype(st, x, cumulate_dtype(cum_of(n->op), x->dtype));
}

/* ---- derivatives ---- */

/* dx = dy repeated along the axes */
bool vjp_sum(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    return !vjp_active(v, x) || vjp_give(v, x, build_unreduce(v->st, dy, n->attrs[0].ints, x));
}

/* Ties share: with m = (x == y), dx = where(m, dy / sum(m), 0). */
bool vjp_extreme(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0];
    const IntList *axes = n->attrs[0].ints;
    if (!vjp_active(v, x))
        return true;
    Node *same[] = {x, build_unreduce(st, n, axes, x)};
    Node *mask = build_elementwise(st, OP_EQ, 2, same);
    Node *share[] = {dy, build_sum(st, node_cast(st, mask, node_dtype(x)), axes)};
    Node *part = build_unreduce(st, build_elementwise(st, OP_DIV, 2, share), axes, x);
    Node *choice[] = {mask, part, zero_of(st, x)};
    return vjp_give(v, x, build_elementwise(st, OP_WHERE, 3, choice));
}

/* y = the mean of the tangents of the elements that tie */
bool jvp_extreme(Jvp *j, Node *n)
{
    Store *st = j->st;
    Node *x = n->ops[0], *dx = jvp_tangent(j, x);
    const IntList *axes = n->attrs[0].ints;
    if (!dtype_is_float(node_dtype(n)))
        return true;
    Node *same[] = {x, build_unreduce(st, n, axes, x)};
    Node *mask = build_elementwise(st, OP_EQ, 2, same);
    Node *choice[] = {mask, dx, zero_of(st, x)};
    Node *mean[] = {build_sum(st, build_elementwise(st, OP_WHERE, 3, choice), axes),
                    build_sum(st, node_cast(st, mask, node_dtype(x)), axes)};
    return jvp_give(j, n, build_elementwise(st, OP_DIV, 2, mean));
}

static Node *cumulate(Store *st, OpId op, Node *x, i64 axis, bool reverse)
{
    Attr a[] = {{.i = axis}, {.i = reverse}};
    return node1(st, op, a, x);
}

static Node *concat2(Store *st, Node *a, Node *b, int axis)
{
    Attr attr = {.i = axis};
    return node2(st, OP_CONCAT, &attr, a, b);
}

/* `value` in x's shape, but of length 1 along the axis. */
static Node *border(Store *st, Node *x, int axis, double value)
{
    Node *dims[MAX_RANK];
    for (int i = 0; i < node_rank(x); i++)
        dims[i] = i == axis ? node_i64(st, 1) : node_dim(st, x, i);
    return build_full(st, node_number(st, node_dtype(x), value), node_rank(x), dims);
}

/* Product of all other elements along the axis, without dividing:
 * cumprod of what comes before times reversed cumprod of what comes after. */
static Node *product_of_others(Store *st, Node *x, int axis)
{
    Node *one = border(st, x, axis, 1), *len = node_dim(st, x, axis);
    if (!one || !len)
        return NULL;
    Node *before = cumulate(st, OP_CUMPROD, concat2(st, one, x, axis), axis, false);
    Node *after = cumulate(st, OP_CUMPROD, concat2(st, x, one, axis), axis, true);
    before = build_slice(st, before, axis, node_i64(st, 0), len, 1);
    after = build_slice(st, after, axis, node_i64(st, 1), len, 1);
    return build_mul(st, before, after);
}

/* The permutation that moves `axes` behind the other axes. */
static int move_last(int rank, const IntList *axes, int *perm)
{
    int kept = 0;
    u32 k = 0;
    for (int i = 0; i < rank; i++)
        if (k < axes->n && axes->at[k] == i)
            k++;
        else
            perm[kept++] = i;
    for (k = 0; k < axes->n; k++)
        perm[kept + (int)k] = (int)axes->at[k];
    return kept;
}

/* The same over several axes: flattened into one last axis, and back. */
static Node *product_of_others_axes(Store *st, Node *x, const IntList *axes)
{
    int perm[MAX_RANK], inverse[MAX_RANK], rank = node_rank(x), kept = move_last(rank, axes, perm);
    Node *dims[MAX_RANK], *flat[MAX_RANK], *len = node_i64(st, 1);
    for (int i = 0; i < rank; i++) {
        inverse[perm[i]] = i;
        dims[i] = node_dim(st, x, perm[i]);
        if (i < kept)
            flat[i] = dims[i];
        else
            len = i == kept ? dims[i] : build_mul(st, len, dims[i]);
    }
    flat[kept] = len;
    Node *rows = build_reshape(st, build_transpose(st, x, perm), kept + 1, flat);
    Node *r = rows ? product_of_others(st, rows, kept) : NULL;
    return build_transpose(st, build_reshape(st, r, rank, dims), inverse);
}

static Node *other_factors(Store *st, Node *x, const IntList *axes)
{
    return axes->n == 1 ? product_of_others(st, x, (int)axes->at[0])
                        : product_of_others_axes(st, x, axes);
}

/* dy = the sum of dx * product of the other elements */
bool jvp_prod(Jvp *j, Node *n)
{
    Node *x = n->ops[0], *dx = jvp_tangent(j, x);
    const IntList *axes = n->attrs[0].ints;
    if (!axes->n)
        return jvp_give(j, n, dx);
    return jvp_give(j, n,
                    build_sum(j->st, build_mul(j->st, dx, other_factors(j->st, x, axes)), axes));
}

/* dx = dy * product of the other elements */
bool vjp_prod(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0];
    const IntList *axes = n->attrs[0].ints;
    if (!vjp_active(v, x))
        return true;
    if (!axes->n)
        return vjp_give(v, x, dy);
    return vjp_give(v, x,
                    build_mul(st, build_unreduce(st, dy, axes, x), other_factors(st, x, axes)));
}

/* dx = cumsum(dy) the other way round */
bool vjp_cumsum(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    return !vjp_active(v, x) ||
           vjp_give(v, x, cumulate(v->st, OP_CUMSUM, dy, n->attrs[0].i, !n->attrs[1].i));
}

static Node *rest_sum(Store *st, Node *n, Node *dy, Node *product)
{
    return cumulate(st, OP_CUMSUM, build_mul(st, dy, product), n->attrs[0].i, !n->attrs[1].i);
}

/* With R(p) = the sum of dy * p over this and later places:
 *   before the first zero   dx = R(y) / x
 *   at the first zero       dx = R(cumprod of x with a 1 in its place)
 *   after it                dx = 0
 * Exact at first order; of the second derivative, pairs of places from the first zero on
 * are missing when x has zeros. */
bool vjp_cumprod(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0];
    i64 axis = n->attrs[0].i;
    if (!vjp_active(v, x))
        return true;
    Node *zero = zero_of(st, x), *eq[] = {x, zero};
    Node *is_zero = build_elementwise(st, OP_EQ, 2, eq);
    Node *zeros = cumulate(st, OP_CUMSUM, node_cast(st, is_zero, DT_I64), axis, n->attrs[1].i != 0);
    Node *none[] = {zeros, node_i64(st, 0)}, *one[] = {zeros, node_i64(st, 1)};
    Node *before = build_elementwise(st, OP_EQ, 2, none);
    Node *first[] = {is_zero, build_elementwise(st, OP_EQ, 2, one)};
    Node *at_first = build_elementwise(st, OP_LOGICAL_AND, 2, first);
    Node *filled[] = {at_first, node_number(st, node_dtype(x), 1), x};
    Node *without = cumulate(st, OP_CUMPROD, build_elementwise(st, OP_WHERE, 3, filled), axis,
                             n->attrs[1].i != 0);
    Node *quotient[] = {rest_sum(st, n, dy, n), x};
    Node *later[] = {at_first, rest_sum(st, n, dy, without), zero};
    Node *all[] = {before, build_elementwise(st, OP_DIV, 2, quotient),
                   build_elementwise(st, OP_WHERE, 3, later)};
    return vjp_give(v, x, build_elementwise(st, OP_WHERE, 3, all));
}

/* The place along the axis where each running maximum comes from: the last place so
 * far at which the maximum rose (or became NaN). */
static Node *cummax_source(Store *st, Node *y, int axis)
{
    Node *low = border(st, y, axis, -(double)INFINITY), *len = node_dim(st, y, axis);
    Node *place = len ? node1(st, OP_IOTA, NULL, len) : NULL;
    if (!low || !place)
        return NULL;
    Attr along = {.ints = all_axes(st, node_rank(y) - 1 - axis)};
    if (along.ints->n) { /* axes of length 1 behind it, so that it lies along `axis` */
        i64 at[MAX_RANK];
        for (u32 i = 0; i < along.ints->n; i++)
            at[i] = (i64)i + 1;
        along.ints = intlist(st, along.ints->n, at);
        place = node1(st, OP_EXPAND_DIMS, &along, place);
    }
    Node *before = build_slice(st, concat2(st, low, y, axis), axis, node_i64(st, 0), len, 1);
    Node *order[] = {before, y}, *was_nan = build_elementwise(st, OP_ISNAN, 1, &before);
    Node *nan[] = {build_elementwise(st, OP_ISNAN, 1, &y),
                   build_elementwise(st, OP_LOGICAL_NOT, 1, &was_nan)};
    Node *rise[] = {build_elementwise(st, OP_LT, 2, order),
                    build_elementwise(st, OP_LOGICAL_AND, 2, nan)};
    Node *choice[] = {build_elementwise(st, OP_LOGICAL_OR, 2, rise), place, node_i64(st, 0)};
    return cumulate(st, OP_CUMMAX, build_elementwise(st, OP_WHERE, 3, choice), axis, false);
}

static Node *flip(Store *st, Node *x, i64 axis)
{
    Attr a = {.ints = intlist(st, 1, &axis)};
    return node1(st, OP_FLIP, &a, x);
}

/* Each cotangent goes to the (first) element its running maximum comes from. */
bool vjp_cummax(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0], *y = n;
    i64 axis = n->attrs[0].i;
    if (!vjp_active(v, x))
        return true;
    bool reverse = n->attrs[1].i != 0;
    if (reverse)
        y = flip(st, y, axis), dy = flip(st, dy, axis);
    Node *dx = y && dy ? scatter_along(st, cummax_source(st, y, (int)axis), dy, (int)axis) : NULL;
    return vjp_give(v, x, reverse && dx ? flip(st, dx, axis) : dx);
}

/* ---- values ---- */

ReduceOp reduce_of(OpId op)
{
    switch (op) {
    case OP_SUM: return RED_SUM;
    case OP_PROD: return RED_PROD;
    case OP_PEAK:
    case OP_MAX: return RED_MAX;
    case OP_MIN: return RED_MIN;
    case OP_ANY: return RED_ANY;
    case OP_ALL: return RED_ALL;
    case OP_ARGMAX: return RED_ARGMAX;
    case OP_ARGMIN: return RED_ARGMIN;
    default: die("%s is no reduction", op_table[op].name);
    }
}

/* Reduces the axes first .. last of t; NULL after eval_fail. */
static Tensor *reduce_run(EvalArgs *e, ReduceOp op, const Tensor *t, int first, int last)
{
    i64 shape[MAX_RANK], outer = 1, axis = 1, inner = 1;
    int rank = 0;
    for (int i = 0; i < t->rank; i++) {
        i64 *part = i < first ? &outer : i <= last ? &axis : &inner;
        *part *= t->shape[i];
        if (i < first || i > last)
            shape[rank++] = t->shape[i];
    }
    Tensor *out = eval_fresh(e, reduce_dtype(op, t->dtype), rank, shape);
    if (!out)
        return NULL;
    int status = kernel_reduce(op, t->dtype, outer, axis, inner, t->data, out->data);
    if (status == K_OK)
        return out;
    eval_status(e, status);
    tensor_unref(out);
    return NULL;
}

int eval_reduce(EvalArgs *e)
{
    ReduceOp op = reduce_of(e->node->op);
    const IntList *axes = e->node->attrs[0].ints;
    Tensor *t = e->in[0], *next;
    if (!axes->n) { /* over nothing: only the dtype may change */
        e->out[0] = reduce_run(e, op, t, t->rank, t->rank);
        return e->out[0] == NULL;
    }
    for (u32 k = axes->n; k > 0;) {
        int last = (int)axes->at[--k], first = last;
        while (k > 0 && axes->at[k - 1] == first - 1)
            first = (int)axes->at[--k];
        next = reduce_run(e, op, t, first, last);
        if (t != e->in[0])
            tensor_unref(t);
        if (!next)
            return 1;
        t = next;
    }
    e->out[0] = t;
    return 0;
}

/* inf becomes the largest finite number: less it, what is finite is far below and inf stays. */
#define DEFINE_SETTLE(NAME, T, MAX)                                                            \
    static void NAME(const Tensor *t, bool any)                                                \
    {                                                                                          \
        T *at = t->data;                                                                       \
        for (i64 i = 0; i < t->count; i++)                                                     \
            at[i] = !any || at[i] != at[i] ? 0 : at[i] > MAX ? MAX : at[i] < -MAX ? 0 : at[i]; \
    }
DEFINE_SETTLE(settle_f32, float, FLT_MAX)
DEFINE_SETTLE(settle_f64, double, DBL_MAX)

/* What x is shifted by before exp: a finite number, 0 if there is nothing to shift by. */
int eval_peak(EvalArgs *e)
{
    const IntList *axes = e->node->attrs[0].ints;
    const Tensor *x = e->in[0];
    i64 shape[MAX_RANK], count = 1;
    int rank = 0;
    u32 k = 0;
    for (int i = 0; i < x->rank; i++)
        if (k < axes->n && axes->at[k] == i)
            count *= x->shape[axes->at[k++]];
        else
            shape[rank++] = x->shape[i];
    if (count && eval_reduce(e))
        return 1;
    if (!count && !(e->out[0] = eval_fresh(e, x->dtype, rank, shape)))
        return 1;
    if (x->dtype == DT_F32)
        settle_f32(e->out[0], count != 0);
    else
        settle_f64(e->out[0], count != 0);
    return 0;
}

int eval_arg_reduce(EvalArgs *e)
{
    int axis = (int)e->node->attrs[0].i;
    e->out[0] = reduce_run(e, reduce_of(e->node->op), e->in[0], axis, axis);
    return e->out[0] == NULL;
}

int eval_cumulative(EvalArgs *e)
{
    const Tensor x = *e->in[0];
    CumOp op = cum_of(e->node->op);
    Layout l = layout_of(&x, (int)e->node->attrs[0].i);
    DType d = cumulate_dtype(op, x.dtype);
    Tensor *out =
        d == x.dtype ? eval_new(e, d, x.rank, x.shape) : eval_fresh(e, d, x.rank, x.shape);
    if (!out)
        return 1;
    kernel_cumulate(op, x.dtype, l.outer, l.axis, l.inner, x.data, out->data,
                    e->node->attrs[1].i != 0);
    e->out[0] = out;
    return 0;
}
