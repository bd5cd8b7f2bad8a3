/* Reductions and what is made of them. */
#include "lang/builtins.h"

static Node *tensor_arg(Elab *e, Args *a, int i)
{
    Node *n = arg_node(e, a, i);
    if (n && (n->type->kind != TYPE_TENSOR || n->type->dtype == DT_RNG))
        return elab_error(e, a->spans[i], "type-mismatch", NULL, "%s needs numbers, but this is %s",
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

/* ---- masks ---- */

static bool is_given(const Args *a, int i) { return a->at[i] && a->at[i]->kind != V_NONE; }

/* x, or `fill` where the mask, argument i, is false. */
static Node *masked(Elab *e, Args *a, int i, Node *x, Node *fill)
{
    Node *m = arg_node(e, a, i);
    if (!m || !fill)
        return NULL;
    if (m->type->kind != TYPE_TENSOR || m->type->dtype != DT_BOOL)
        return elab_error(e, a->spans[i], "type-mismatch", "compare: where=x > 0",
                          "the mask of %s must be made of bools, but this is %s", a->builtin->name,
                          shape_text(e->st, m->type));
    if (m->type->rank > x->type->rank)
        return elab_error(e, a->spans[i], "rank", NULL, "the mask %s has more axes than %s",
                          shape_text(e->st, m->type), shape_text(e->st, x->type));
    Node *ops[] = {m, x, fill};
    e->st->span = a->spans[i];
    return build_elementwise(e->st, OP_WHERE, 3, ops);
}

/* What does not change the result, in x's dtype. */
static Node *neutral(Elab *e, OpId op, const Node *x)
{
    DType d = x->type->dtype;
    double one = op == OP_PROD || op == OP_ALL;
    return d == DT_BOOL ? node_bool(e->st, one != 0) : node_number(e->st, d, one);
}

static Value *simple(Elab *e, Args *a, OpId op)
{
    Node *x = tensor_arg(e, a, 0);
    const IntList *axes = x ? arg_axes(e, a, 1, x->type->rank) : NULL;
    bool keep;
    if (!axes || !arg_bool(e, a, 2, false, &keep))
        return NULL;
    if (is_given(a, 3))
        x = masked(e, a, 3, x, neutral(e, op, x));
    return x ? value_node(e, reduce(e, op, x, axes, keep)) : NULL;
}
BUILTIN(sum) { return simple(e, a, OP_SUM); }
BUILTIN(prod) { return simple(e, a, OP_PROD); }
BUILTIN(any) { return simple(e, a, OP_ANY); }
BUILTIN(all) { return simple(e, a, OP_ALL); }

BUILTIN(ptp)
{
    Node *x = tensor_arg(e, a, 0);
    const IntList *axes = x ? arg_axes(e, a, 1, x->type->rank) : NULL;
    bool keep;
    return axes && arg_bool(e, a, 2, false, &keep) ? value_node(e, reduce(e, OP_PTP, x, axes, keep))
                                                   : NULL;
}

/* How many elements of x each of the results is made of. */
static Size *reduced_count(Store *st, const Node *x, const IntList *axes)
{
    Size *count = size_const(st, 1);
    for (u32 i = 0; i < axes->n; i++)
        count = size_mul(st, count, x->type->dims[axes->at[i]]);
    return count;
}

/* `initial` in the shape of x without `axes`. */
static Node *initial_only(Store *st, Node *x, const IntList *axes, Node *initial)
{
    Node *dims[MAX_RANK];
    int rank = 0;
    u32 next = 0;
    for (int i = 0; i < x->type->rank; i++)
        if (next < axes->n && axes->at[next] == i)
            next++;
        else
            dims[rank++] = node_dim(st, x, i);
    return build_full(st, initial, rank, dims);
}

/* The largest or smallest (`op`) of `initial` and of x along axes, among which there need not be
 * any element. */
static Node *extreme_from(Elab *e, OpId op, OpId pair, Node *x, const IntList *axes, Node *initial)
{
    Store *st = e->st;
    Size *count = reduced_count(st, x, axes);
    i64 least;
    bool some = size_lower_bound(count, &least) && least > 0;
    Attr a = {.ints = axes};
    Node *both[] = {axes->n ? node1(st, op, &a, x) : x, initial};
    Node *met = both[0] ? build_elementwise(st, pair, 2, both) : NULL;
    if (!met || some)
        return met;
    Node *none = initial_only(st, x, axes, initial);
    Node *sides[] = {size_to_node(st, count), node_i64(st, 0)};
    NodeSet mentioned = {0};
    set_add(&mentioned, x);
    set_add(&mentioned, initial);
    Node *r = none && sides[0]
                  ? build_if(st, build_elementwise(st, OP_GT, 2, sides), 1, &met, &none, &mentioned)
                  : NULL;
    map_free(&mentioned);
    return r ? node_proj(st, r, 0) : NULL;
}

/* There is no neutral element, so what a mask leaves out needs a value to begin with, as in NumPy.
 */
static Value *extreme(Elab *e, Args *a, OpId op, OpId pair)
{
    Node *x = tensor_arg(e, a, 0), *both[] = {x, NULL};
    const IntList *axes = x ? arg_axes(e, a, 1, x->type->rank) : NULL;
    bool keep;
    if (!axes || !arg_bool(e, a, 2, false, &keep))
        return NULL;
    if (is_given(a, 4)) {
        Value *meet[] = {a->at[0], a->at[4]};
        DType d =
            values_meet(e, 2, meet, (Span[]){a->spans[0], a->spans[4]}, a->builtin->name, both);
        if (!both[1])
            return NULL;
        if (d == DT_COUNT || !type_is_scalar(both[1]->type))
            return elab_error(e, a->spans[4], "type-mismatch", NULL, "initial is one number");
        x = node_cast(e->st, both[0], d), both[1] = node_cast(e->st, both[1], d);
    } else if (is_given(a, 3)) {
        return elab_error(e, a->spans[3], "arity",
                          op == OP_MAX ? "add initial=-inf" : "add initial=inf",
                          "%s with where= needs initial=, because the mask may select no elements",
                          a->builtin->name);
    }
    if (is_given(a, 3) && x)
        x = masked(e, a, 3, x, both[1]);
    if (!x || !both[1])
        return x ? value_node(e, reduce(e, op, x, axes, keep)) : NULL;
    Node *r = extreme_from(e, op, pair, x, axes, both[1]);
    return value_node(e, r && keep ? keep_dims(e, r, axes) : r);
}
BUILTIN(min) { return extreme(e, a, OP_MIN, OP_MINIMUM); }
BUILTIN(max) { return extreme(e, a, OP_MAX, OP_MAXIMUM); }

static Node *to_float(Elab *e, Node *x)
{
    return x && !dtype_is_float(x->type->dtype) ? node_cast(e->st, x, DT_F64) : x;
}

/* ---- composites ---- */

static Node *quotient(Elab *e, Node *x, Node *y)
{
    Node *ops[] = {x, y};
    return x && y ? build_elementwise(e->st, OP_DIV, 2, ops) : NULL;
}

/* Mean, or the variance with `ddof`, of the elements under the mask that is argument i. */
static Node *masked_moment(Elab *e, Args *a, int i, Node *x, const IntList *axes, i64 ddof,
                           bool variance, bool keep)
{
    Store *st = e->st;
    Node *zero = node_number(st, x->type->dtype, 0);
    Node *some = masked(e, a, i, x, zero), *ones = build_ones_like(st, x);
    Node *marked = some && ones ? masked(e, a, i, ones, zero) : NULL;
    Node *count = reduce(e, OP_SUM, marked, axes, keep || variance);
    Node *mean = quotient(e, reduce(e, OP_SUM, some, axes, keep || variance), count);
    if (!variance || !mean)
        return mean;
    Node *off = masked(e, a, i, build_sub(st, x, mean), zero);
    Node *squares = off ? reduce(e, OP_SUM, node1(st, OP_SQR, NULL, off), axes, keep) : NULL;
    Node *less[] = {build_sub(st, reduce(e, OP_SUM, marked, axes, keep),
                              node_number(st, x->type->dtype, (double)ddof)),
                    zero};
    return quotient(e, squares, less[0] ? build_elementwise(st, OP_MAXIMUM, 2, less) : NULL);
}

/* (x, axis, keepdims, where), with ddof before keepdims where there is one. */
static Value *statistic(Elab *e, Args *a, OpId op)
{
    Node *x = to_float(e, tensor_arg(e, a, 0));
    const IntList *axes = x ? arg_axes(e, a, 1, x->type->rank) : NULL;
    bool keep, ddof = op_attr_count(op) > 1, takes_mask = op == OP_MEAN || ddof;
    int after = ddof ? 3 : 2;
    Attr at[2] = {{.ints = axes}, {.i = 0}};
    if (!axes || (ddof && !arg_int(e, a, 2, 0, &at[1].i)) || !arg_bool(e, a, after, false, &keep))
        return NULL;
    if (takes_mask && is_given(a, after + 1)) {
        Node *r = masked_moment(e, a, after + 1, x, axes, at[1].i, ddof, keep);
        return value_node(e, r && op == OP_STD ? node1(e->st, OP_SQRT, NULL, r) : r);
    }
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

static Value *along_axis(Elab *e, Args *a, OpId op)
{
    Node *x = tensor_arg(e, a, 0);
    int axis = 0;
    if (!x)
        return NULL;
    if (!a->at[1] || a->at[1]->kind == V_NONE)
        x = build_flat(e->st, x);
    else if (!arg_axis(e, a, 1, 0, x->type->rank, &axis))
        return NULL;
    bool reverse = false;
    if (op_attr_count(op) > 1 && !arg_bool(e, a, 2, false, &reverse))
        return NULL;
    Attr at[] = {{.i = axis}, {.i = reverse}};
    return x ? value_node(e, node1(e->st, op, at, x)) : NULL;
}

/* Along one axis or, without, along all elements; keepdims leaves axes of length 1, as in NumPy. */
static Value *position_of(Elab *e, Args *a, OpId op)
{
    Node *x = tensor_arg(e, a, 0);
    bool keep;
    if (!x || !arg_bool(e, a, 2, false, &keep))
        return NULL;
    const IntList *axes = arg_axes(e, a, 1, x->type->rank);
    Value *v = axes ? along_axis(e, a, op) : NULL;
    return v && keep ? value_node(e, keep_dims(e, v->node, axes)) : v;
}
BUILTIN(argmin) { return position_of(e, a, OP_ARGMIN); }
BUILTIN(argmax) { return position_of(e, a, OP_ARGMAX); }
BUILTIN(cumsum) { return along_axis(e, a, OP_CUMSUM); }
BUILTIN(cumprod) { return along_axis(e, a, OP_CUMPROD); }
BUILTIN(cummax) { return along_axis(e, a, OP_CUMMAX); }
