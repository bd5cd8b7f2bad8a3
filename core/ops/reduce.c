/* Reductions; what runs along an axis is in running.c.
 *
 * Invariant: `axes` is increasing and within the rank; the elements of several axes are
 * combined run by run of neighbouring axes, the last run first. */
#include "ops/elem.h"
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

Type *infer_ptp(Store *st, Node *n)
{
    if (!tensors_only(st, n))
        return NULL;
    DType d = node_dtype(n->ops[0]);
    return d == DT_RNG || d == DT_BOOL ? wrong_type(st, n, 0, "numbers") : reduced_type(st, n, d);
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

/* ---- derivatives ---- */

/* dx = dy repeated along the axes */
bool vjp_sum(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    return !vjp_active(v, x) || vjp_give(v, x, build_unreduce(v->st, dy, n->attrs[0].ints, x));
}

/* Where x has the value y, which is of x's shape without the axes: as bools. */
static Node *places_of(Store *st, Node *x, Node *y, const IntList *axes)
{
    Node *same[] = {x, build_unreduce(st, y, axes, x)};
    return build_elementwise(st, OP_EQ, 2, same);
}

/* Ties share: with m = (x == y), where(m, dy / sum(m), 0). */
static Node *share_ties(Store *st, Node *x, Node *y, const IntList *axes, Node *dy)
{
    Node *mask = places_of(st, x, y, axes);
    Node *share[] = {dy, build_sum(st, node_cast(st, mask, node_dtype(x)), axes)};
    Node *part = build_unreduce(st, build_elementwise(st, OP_DIV, 2, share), axes, x);
    Node *choice[] = {mask, part, zero_of(st, x)};
    return build_elementwise(st, OP_WHERE, 3, choice);
}

/* The mean of the tangents of the elements that tie. */
static Node *mean_of_ties(Store *st, Node *x, Node *y, const IntList *axes, Node *dx)
{
    Node *mask = places_of(st, x, y, axes);
    Node *choice[] = {mask, dx, zero_of(st, x)};
    Node *mean[] = {build_sum(st, build_elementwise(st, OP_WHERE, 3, choice), axes),
                    build_sum(st, node_cast(st, mask, node_dtype(x)), axes)};
    return build_elementwise(st, OP_DIV, 2, mean);
}

bool vjp_extreme(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    return !vjp_active(v, x) || vjp_give(v, x, share_ties(v->st, x, n, n->attrs[0].ints, dy));
}

bool jvp_extreme(Jvp *j, Node *n)
{
    Node *x = n->ops[0];
    return !dtype_is_float(node_dtype(n)) ||
           jvp_give(j, n, mean_of_ties(j->st, x, n, n->attrs[0].ints, jvp_tangent(j, x)));
}

/* The largest minus the smallest: each of the two has its derivative. */
bool vjp_ptp(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0];
    const IntList *axes = n->attrs[0].ints;
    return !vjp_active(v, x) ||
           (vjp_give(v, x, share_ties(st, x, node1(st, OP_MAX, n->attrs, x), axes, dy)) &&
            vjp_give(v, x,
                     share_ties(st, x, node1(st, OP_MIN, n->attrs, x), axes, build_neg(st, dy))));
}

bool jvp_ptp(Jvp *j, Node *n)
{
    Store *st = j->st;
    Node *x = n->ops[0], *dx = jvp_tangent(j, x);
    const IntList *axes = n->attrs[0].ints;
    if (!dtype_is_float(node_dtype(n)))
        return true;
    Node *up = mean_of_ties(st, x, node1(st, OP_MAX, n->attrs, x), axes, dx);
    Node *down = mean_of_ties(st, x, node1(st, OP_MIN, n->attrs, x), axes, dx);
    return jvp_give(j, n, build_sub(st, up, down));
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

typedef struct {
    ReduceOp op;
    const Tensor *x;
    Tensor *out;
    i64 axis, inner;
} ReduceWork;

static int reduce_piece(void *ctx, i64 from, i64 to)
{
    const ReduceWork *w = ctx;
    const char *x = w->x->data;
    char *out = w->out->data;
    return kernel_reduce(w->op, w->x->dtype, to - from, w->axis, w->inner,
                         x + (size_t)(from * w->axis * w->inner) * dtype_size(w->x->dtype),
                         out + (size_t)(from * w->inner) * dtype_size(w->out->dtype));
}

/* Reduces the axes first .. last of t; NULL after eval_fail. */
static Tensor *reduce_run(EvalArgs *e, ReduceOp op, const Tensor *t, int first, int last)
{
    Layout l = layout_over(t, (AxisRun){first, last - first + 1});
    i64 shape[MAX_RANK];
    int rank = 0;
    for (int i = 0; i < t->rank; i++)
        if (i < first || i > last)
            shape[rank++] = t->shape[i];
    Tensor *out = eval_fresh(e, reduce_dtype(op, t->dtype), rank, shape);
    if (!out)
        return NULL;
    ReduceWork work = {op, t, out, l.axis, l.inner};
    if (!eval_spread(e, l.outer, &(EvalWork){t->count, t->count * 8}, reduce_piece, &work))
        return out;
    tensor_unref(out);
    return NULL;
}

/* Over the axes of the node; NULL after eval_fail. */
static Tensor *reduce_axes(EvalArgs *e, ReduceOp op)
{
    const IntList *axes = e->node->attrs[0].ints;
    Tensor *t = e->in[0], *next;
    if (!axes->n) /* over nothing: only the dtype may change */
        return reduce_run(e, op, t, t->rank, t->rank);
    for (u32 k = axes->n; k > 0;) {
        int last = (int)axes->at[--k], first = last;
        while (k > 0 && axes->at[k - 1] == first - 1)
            first = (int)axes->at[--k];
        next = reduce_run(e, op, t, first, last);
        if (t != e->in[0])
            tensor_unref(t);
        if (!next)
            return NULL;
        t = next;
    }
    return t;
}

int eval_reduce(EvalArgs *e)
{
    e->out[0] = reduce_axes(e, reduce_of(e->node->op));
    return e->out[0] == NULL;
}

int eval_ptp(EvalArgs *e)
{
    Tensor *most = reduce_axes(e, RED_MAX), *least = most ? reduce_axes(e, RED_MIN) : NULL;
    if (least)
        elem_fn2(elem_of(OP_SUB), most->dtype)(most->count, most->data, 1, least->data, 1,
                                               most->data);
    else if (most)
        tensor_unref(most), most = NULL;
    tensor_unref(least);
    e->out[0] = most;
    return most == NULL;
}

#define DEFINE_SETTLE(NAME, T, MAX)                     \
    static void NAME(i64 n, T *at, bool any)            \
    {                                                   \
        for (i64 i = 0; i < n; i++)                     \
            if (!any || at[i] != at[i] || at[i] < -MAX) \
                at[i] = 0;                              \
    }
DEFINE_SETTLE(settle_f32, float, FLT_MAX)
DEFINE_SETTLE(settle_f64, double, DBL_MAX)

void peak_settle(DType d, i64 n, void *largest, bool any)
{
    if (d == DT_F32)
        settle_f32(n, largest, any);
    else
        settle_f64(n, largest, any);
}

/* What x is shifted by before exp: 0 if there is nothing to shift by; inf stays. */
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
    peak_settle(x->dtype, e->out[0]->count, e->out[0]->data, count != 0);
    return 0;
}

int eval_arg_reduce(EvalArgs *e)
{
    int axis = (int)e->node->attrs[0].i;
    e->out[0] = reduce_run(e, reduce_of(e->node->op), e->in[0], axis, axis);
    return e->out[0] == NULL;
}
