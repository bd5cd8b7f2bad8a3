/* What runs along an axis: sums, products, maxima, linear recurrences; and the derivative of
 * prod, which is made of running products.
 *
 * Products are differentiated without dividing: every derivative is again made of running products
 * and linear recurrences, so zeros, however many, are nothing special at any order.
 *
 * Invariant: the axis is within the rank; the work is linear in the number of elements. */
#include "ops/derived.h"
#include "ops/family.h"
#include "ops/fused.h"
#include "ops/mask.h"

#include <math.h>

/* ---- types ---- */

CumOp cum_of(OpId op) { return op == OP_CUMSUM ? CUM_SUM : op == OP_CUMPROD ? CUM_PROD : CUM_MAX; }

Type *infer_cumulative(Store *st, Node *n)
{
    Type *x = n->ops[0]->type;
    if (!tensors_only(st, n) || !axis_ok(st, n, n->attrs[0].i, x->rank))
        return NULL;
    if (x->dtype == DT_RNG)
        return wrong_type(st, n, 0, "numbers or bools");
    return type_with_dtype(st, x, cumulate_dtype(cum_of(n->op), x->dtype));
}

/* Operands a and b of floats, of one type. */
Type *infer_recurrence(Store *st, Node *n)
{
    if (!tensors_only(st, n) || !same_dtypes(st, n, 0, 1))
        return NULL;
    Type *a = n->ops[0]->type, *b = n->ops[1]->type;
    if (!dtype_is_float(a->dtype))
        return wrong_type(st, n, 0, "f32 or f64");
    if (a->rank != b->rank)
        return store_error(st, "shape-mismatch", NULL, "%s: shapes %s and %s differ",
                           node_info(n)->name, shape_text(st, a), shape_text(st, b));
    for (int i = 0; i < a->rank; i++)
        if (!sizes_agree(st, n, a, i, b, i))
            return NULL;
    return axis_ok(st, n, n->attrs[0].i, a->rank) ? b : NULL;
}

/* ---- derivatives ---- */

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

/* What stands one place before each element in the order of running (forwards: at the smaller
 * index), and `first` where there is none. */
static Node *shifted(Store *st, Node *x, i64 axis, bool forwards, double first)
{
    Node *edge = border(st, x, (int)axis, first), *len = node_dim(st, x, (int)axis);
    if (!edge || !len)
        return NULL;
    Node *longer = concat2(st, forwards ? edge : x, forwards ? x : edge, (int)axis);
    return build_slice(st, longer, (int)axis, node_i64(st, !forwards), len, 1);
}

/* Product of all other elements along the axis, without dividing: the running product of what
 * comes before times that of what comes after, from the end. */
static Node *product_of_others(Store *st, Node *x, int axis)
{
    Node *before = cumulate(st, OP_CUMPROD, shifted(st, x, axis, true, 1), axis, false);
    return build_mul(st, before,
                     cumulate(st, OP_CUMPROD, shifted(st, x, axis, false, 1), axis, true));
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
    Node *dims[MAX_RANK];
    for (int i = 0; i < rank; i++) {
        inverse[perm[i]] = i;
        dims[i] = node_dim(st, x, perm[i]);
    }
    Node *rows = build_merged(st, build_transpose(st, x, perm), kept, rank - kept);
    Node *r = rows ? product_of_others(st, rows, kept) : NULL;
    return build_transpose(st, build_reshape(st, r, rank, dims), inverse);
}

Node *derived_other_factors(Store *st, Node *x, const IntList *axes)
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
    return jvp_give(
        j, n, build_sum(j->st, build_mul(j->st, dx, derived_other_factors(j->st, x, axes)), axes));
}

/* dx = dy * product of the other elements */
bool vjp_prod(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0];
    const IntList *axes = n->attrs[0].ints;
    Mask mask;
    if (!vjp_active(v, x))
        return true;
    if (!axes->n)
        return vjp_give(v, x, dy);
    if (divided_by(dy, n)) { /* of log(prod(x)): the product cancels */
        Node *all = build_unreduce(st, build_like(st, dy->ops[0], n), axes, x), *pair[] = {all, x};
        return vjp_give(v, x, all ? build_elementwise(st, OP_DIV, 2, pair) : NULL);
    }
    dy = build_like(st, mask_peel(st, dy, &mask), n);
    if (dy && mask.condition && node_rank(mask.condition))
        mask.condition = build_unreduce(st, mask.condition, axes, x);
    Node *dx =
        dy ? build_mul(st, build_unreduce(st, dy, axes, x), derived_other_factors(st, x, axes))
           : NULL;
    return vjp_give(v, x, mask_apply(st, &mask, dx));
}

/* dx = cumsum(dy) the other way round */
bool vjp_cumsum(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    return !vjp_active(v, x) ||
           vjp_give(v, x, cumulate(v->st, OP_CUMSUM, dy, n->attrs[0].i, !n->attrs[1].i));
}

/* What flows back under *mask, which becomes one on operands: they get nothing where nothing is let
 * through from there on. A mask of elements stays on dy, too: an element gives to others. */
static Node *run_peel(Store *st, Node *n, Node *dy, Mask *mask)
{
    Node *inner = mask_peel(st, dy, mask), *c = mask->condition;
    if (!inner || !c || !node_rank(c))
        return build_like(st, inner, n);
    if (mask->inverted)
        c = build_elementwise(st, OP_LOGICAL_NOT, 1, &c);
    *mask = (Mask){cumulate(st, OP_CUMMAX, c, n->attrs[0].i, !n->attrs[1].i), false};
    return dy;
}

/* y[t] = a[t] * y[t-1] + b[t], reversed y[t] = a[t] * y[t+1] + b[t]; y is 0 where nothing ran. */
static Node *recurrence(Store *st, Node *a, Node *b, i64 axis, bool reverse)
{
    Attr attrs[] = {{.i = axis}, {.i = reverse}};
    return a && b ? node2(st, OP_RECURRENCE, attrs, a, b) : NULL;
}

/* The cotangents of b: each dy and what comes back from the next place,
 * u[t] = dy[t] + a[t+1] * u[t+1]. */
static Node *run_back(Store *st, Node *a, Node *dy, i64 axis, bool reverse)
{
    return recurrence(st, shifted(st, a, axis, reverse, 0), dy, axis, !reverse);
}

/* db = u of run_back, da[t] = u[t] * y[t-1] */
bool vjp_recurrence(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *a = n->ops[0], *b = n->ops[1];
    i64 axis = n->attrs[0].i;
    bool reverse = n->attrs[1].i != 0;
    Mask mask;
    dy = run_peel(st, n, dy, &mask);
    Node *db = run_back(st, a, dy, axis, reverse);
    if (!db || (vjp_active(v, b) && !vjp_give(v, b, mask_apply(st, &mask, db))))
        return false;
    if (!vjp_active(v, a))
        return true;
    Node *da = build_mul(st, db, shifted(st, n, axis, !reverse, 0));
    return vjp_give(v, a, mask_apply(st, &mask, da));
}

/* y'[t] = a[t] * y'[t-1] + (da[t] * y[t-1] + db[t]) */
bool jvp_recurrence(Jvp *j, Node *n)
{
    Store *st = j->st;
    Node *da = jvp_tangent(j, n->ops[0]), *db = jvp_tangent(j, n->ops[1]);
    i64 axis = n->attrs[0].i;
    bool reverse = n->attrs[1].i != 0;
    Node *from_a = da ? build_mul(st, da, shifted(st, n, axis, !reverse, 0)) : NULL;
    Node *drive = from_a && db ? build_add(st, from_a, db) : from_a ? from_a : db;
    return jvp_give(j, n, recurrence(st, n->ops[0], drive, axis, reverse));
}

/* Of y[k] = x[0] * .. * x[k]: dx[t] = y[t-1] * (the sum over k >= t of dy[k] * x[t+1] * .. * x[k]),
 * and that sum is u of run_back. */
bool vjp_cumprod(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0];
    i64 axis = n->attrs[0].i;
    bool reverse = n->attrs[1].i != 0;
    Mask mask;
    if (!vjp_active(v, x))
        return true;
    dy = run_peel(st, n, dy, &mask);
    Node *dx = build_mul(st, shifted(st, n, axis, !reverse, 1), run_back(st, x, dy, axis, reverse));
    return vjp_give(v, x, mask_apply(st, &mask, dx));
}

/* y'[t] = x[t] * y'[t-1] + dx[t] * y[t-1] */
bool jvp_cumprod(Jvp *j, Node *n)
{
    i64 axis = n->attrs[0].i;
    bool reverse = n->attrs[1].i != 0;
    Node *drive = build_mul(j->st, jvp_tangent(j, n->ops[0]), shifted(j->st, n, axis, !reverse, 1));
    return jvp_give(j, n, recurrence(j->st, n->ops[0], drive, axis, reverse));
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

/* Places from `from` on along the axis, of all rows in `outer` from o on: how many of them from one
 * look at ^C to the next. */
typedef struct {
    i64 o, outer, from, to;
} Part;

/* The next part; false after the last one, or after eval_fail: *status. */
static bool next_part(EvalArgs *e, const Layout *l, Part *p, int *status)
{
    i64 row = l->axis * l->inner;
    bool whole = row <= EVAL_PIECE;
    p->from = p->to < l->axis ? p->to : 0;
    p->o += p->from ? 0 : p->outer;
    if (!row || p->o >= l->outer || (*status = eval_interrupted(e)))
        return false;
    i64 rows = whole ? EVAL_PIECE / row : 1, places = whole ? l->axis : EVAL_PIECE / l->inner + 1;
    p->outer = rows < l->outer - p->o ? rows : l->outer - p->o;
    p->to = p->from + (places < l->axis - p->from ? places : l->axis - p->from);
    return true;
}

static size_t part_start(const Layout *l, const Part *p, DType d)
{
    return (size_t)(p->o * l->axis * l->inner) * dtype_size(d);
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
    e->out[0] = out;
    int status = 0;
    for (Part p = {.to = l.axis}; next_part(e, &l, &p, &status);)
        kernel_cumulate(op, x.dtype, p.outer, l.axis, l.inner, p.from, p.to,
                        (const char *)x.data + part_start(&l, &p, x.dtype),
                        (char *)out->data + part_start(&l, &p, d), e->node->attrs[1].i != 0);
    return status;
}

int eval_recurrence(EvalArgs *e)
{
    const Tensor a = *e->in[0], *b = e->in[1];
    if (a.rank != b->rank || memcmp(a.shape, b->shape, (size_t)a.rank * sizeof(i64)))
        return eval_shape_error(e, &a, b);
    Layout l = layout_of(&a, (int)e->node->attrs[0].i);
    const void *from_b = b->data;
    Tensor *out = eval_reuse(e, 0, 2, a.dtype, a.rank, a.shape);
    if (!out)
        return 1;
    e->out[0] = out;
    int status = 0;
    for (Part p = {.to = l.axis}; next_part(e, &l, &p, &status);) {
        size_t at = part_start(&l, &p, a.dtype);
        kernel_recurrence(a.dtype, p.outer, l.axis, l.inner, p.from, p.to,
                          (const char *)a.data + at, (const char *)from_b + at,
                          (char *)out->data + at, e->node->attrs[1].i != 0);
    }
    return status;
}
