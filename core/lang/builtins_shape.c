/* Shapes, creation, joining. */
#include "lang/builtins.h"

BUILTIN(shape)
{
    Node *x = arg_tensor(e, a, 0), *dims[MAX_RANK];
    if (!x)
        return NULL;
    if (!x->type->rank) {
        i64 none[] = {0};
        Tensor *t = tensor_new(&e->st->heap, DT_I64, 1, none);
        Node *n = node_const(e->st, t);
        tensor_unref(t);
        return value_weak(e, n);
    }
    for (int i = 0; i < x->type->rank; i++)
        dims[i] = build_expand(e->st, node_dim(e->st, x, i), 0);
    Attr at = {.i = 0};
    return value_weak(e, node_make(e->st, OP_CONCAT, &at, (u32)x->type->rank, dims));
}

static Node *element_count(Elab *e, const Type *t)
{
    return size_to_node(e->st, size_product(e->st, t->rank, t->dims));
}

BUILTIN(size)
{
    Node *x = arg_tensor(e, a, 0);
    int axis;
    if (!x)
        return NULL;
    if (!a->at[1] || a->at[1]->kind == V_NONE)
        return value_weak(e, element_count(e, x->type));
    return arg_axis(e, a, 1, 0, x->type->rank, &axis) ? value_weak(e, node_dim(e->st, x, axis))
                                                      : NULL;
}

/* A size of -1 is what the other sizes leave. */
static bool fill_free_size(Elab *e, Args *a, Node *x, int rank, Node **dims)
{
    int free_axis = -1;
    Node *known = node_i64(e->st, 1);
    i64 product = 1;
    for (int i = 0; i < rank; i++) {
        i64 k;
        bool number = node_const_i64(dims[i], &k);
        if (number && k >= 0 && __builtin_mul_overflow(product, k, &product))
            return elab_error(e, a->spans[1], "shape-mismatch", NULL,
                              "the result would have more elements than can be counted"),
                   false;
        if (!number || k >= 0) {
            known = build_mul(e->st, known, dims[i]);
            continue;
        }
        if (k != -1 || free_axis >= 0)
            return elab_error(e, a->spans[1], "shape-mismatch", NULL,
                              "only one size may be -1, and none less"),
                   false;
        free_axis = i;
    }
    if (free_axis < 0)
        return true;
    Size *total = size_product(e->st, x->type->rank, x->type->dims),
         *rest = size_of_node(e->st, known);
    i64 t, r;
    if (size_is_const(total, &t) && size_is_const(rest, &r)) {
        if (r == 0 || t % r)
            return elab_error(e, a->spans[1], "shape-mismatch", NULL,
                              "%lld elements cannot be arranged in rows of %lld", (long long)t,
                              (long long)r),
                   false;
        dims[free_axis] = node_i64(e->st, t / r);
        return true;
    }
    dims[free_axis] = size_to_node(e->st, size_floordiv(e->st, total, rest));
    return dims[free_axis] != NULL;
}

BUILTIN(reshape)
{
    Node *x = arg_tensor(e, a, 0), *dims[MAX_RANK];
    int rank = x ? arg_shape(e, a, 1, dims) : -1;
    if (rank < 0 || !fill_free_size(e, a, x, rank, dims))
        return NULL;
    Node *ops[MAX_RANK + 1] = {x};
    memcpy(ops + 1, dims, (size_t)rank * sizeof *dims);
    return value_node(e, node_make(e->st, OP_RESHAPE, NULL, (u32)rank + 1, ops));
}

BUILTIN(transpose)
{
    Node *x = arg_tensor(e, a, 0);
    if (!x)
        return NULL;
    int perm[MAX_RANK], rank = x->type->rank;
    bool seen[MAX_RANK] = {false};
    Value *v = a->at[1];
    if (v && v->kind != V_NONE && (v->kind != V_TUPLE || v->nitems != rank))
        return elab_error(e, a->spans[1], "axis", NULL, "the order of axes is a tuple of %d axes",
                          rank);
    for (int i = 0; i < rank; i++) {
        perm[i] = rank - 1 - i;
        if (!v || v->kind == V_NONE)
            continue;
        i64 k;
        if (!value_const_int(e, v->items[i], &k, a->spans[1], "axes"))
            return NULL;
        k = k < 0 ? k + rank : k;
        if (k < 0 || k >= rank || seen[k])
            return elab_error(e, a->spans[1], "axis", NULL,
                              "the order must name each of the %d axes once", rank);
        seen[k] = true;
        perm[i] = (int)k;
    }
    return value_node(e, build_transpose(e->st, x, perm));
}

BUILTIN(swapaxes)
{
    Node *x = arg_tensor(e, a, 0);
    int p, q, perm[MAX_RANK];
    if (!x || !arg_axis(e, a, 1, 0, x->type->rank, &p) || !arg_axis(e, a, 2, 0, x->type->rank, &q))
        return NULL;
    for (int i = 0; i < x->type->rank; i++)
        perm[i] = i == p ? q : i == q ? p : i;
    return value_node(e, build_transpose(e->st, x, perm));
}

BUILTIN(ndim)
{
    Node *x = arg_tensor(e, a, 0);
    return x ? value_weak(e, node_i64(e->st, x->type->rank)) : NULL;
}

BUILTIN(moveaxis)
{
    Node *x = arg_tensor(e, a, 0);
    int from, to, perm[MAX_RANK], n = 0;
    if (!x || !arg_axis(e, a, 1, 0, x->type->rank, &from) ||
        !arg_axis(e, a, 2, 0, x->type->rank, &to))
        return NULL;
    for (int i = 0; i < x->type->rank; i++) {
        n += n == from;
        perm[i] = i == to ? from : n++;
    }
    return value_node(e, build_transpose(e->st, x, perm));
}

BUILTIN(squeeze)
{
    Node *x = arg_tensor(e, a, 0);
    if (!x)
        return NULL;
    const IntList *axes;
    if (!a->at[1] || a->at[1]->kind == V_NONE) {
        i64 at[MAX_RANK];
        u32 n = 0;
        for (int i = 0; i < x->type->rank; i++)
            if (size_is(x->type->dims[i], 1))
                at[n++] = i;
        axes = intlist(e->st, n, at);
    } else {
        axes = arg_axes(e, a, 1, x->type->rank);
    }
    Attr at = {.ints = axes};
    return axes ? axes->n ? value_node(e, node1(e->st, OP_SQUEEZE, &at, x)) : value_node(e, x)
                : NULL;
}

BUILTIN(expand_dims)
{
    Node *x = arg_tensor(e, a, 0);
    if (!x)
        return NULL;
    Value *v = value_plain(e, a->at[1]);
    if (!v || v->kind == V_NONE)
        return elab_error(e, a->spans[1], "axis", NULL,
                          "expand_dims needs an axis or a tuple of axes");
    int more = v->kind == V_TUPLE ? v->nitems : 1;
    if (x->type->rank + more > MAX_RANK)
        return elab_error(e, a->spans[1], "rank", NULL, "a tensor can have at most %d axes",
                          MAX_RANK);
    const IntList *axes = arg_axes(e, a, 1, x->type->rank + more);
    Attr at = {.ints = axes};
    if (axes && !axes->n)
        return value_node(e, x);
    return axes ? value_node(e, node1(e->st, OP_EXPAND_DIMS, &at, x)) : NULL;
}

BUILTIN(broadcast_to)
{
    Node *x = arg_tensor(e, a, 0), *dims[MAX_RANK];
    int rank = x ? arg_shape(e, a, 1, dims) : -1;
    return rank < 0 ? NULL : value_node(e, build_broadcast_to(e->st, x, rank, dims));
}

BUILTIN(flip)
{
    Node *x = arg_tensor(e, a, 0);
    const IntList *axes = x ? arg_axes(e, a, 1, x->type->rank) : NULL;
    Attr at = {.ints = axes};
    return axes ? value_node(e, node1(e->st, OP_FLIP, &at, x)) : NULL;
}

/* The tensors of a tuple in one dtype. */
static int parts(Elab *e, Args *a, Node ***out)
{
    Value *v = value_plain(e, a->at[0]);
    if (!v || v->kind != V_TUPLE || !v->nitems)
        return elab_error(e, a->spans[0], "type-mismatch", "write (a, b)",
                          "%s takes a tuple of tensors", a->builtin->name),
               -1;
    Node **nodes = arena_alloc(e->arena, (size_t)v->nitems * sizeof *nodes);
    Span *spans = arena_alloc(e->arena, (size_t)v->nitems * sizeof *spans);
    for (int i = 0; i < v->nitems; i++) {
        nodes[i] = NULL;
        spans[i] = a->spans[0];
    }
    DType d = values_meet(e, v->nitems, v->items, spans, a->builtin->name, nodes);
    if (!nodes[v->nitems - 1])
        return -1;
    for (int i = 0; i < v->nitems; i++) /* states of generators have nothing in common but that */
        d = i ? dtype_joined(d, nodes[i]->type->dtype) : nodes[i]->type->dtype;
    if (d == DT_COUNT)
        return elab_error(e, a->spans[0], "type-mismatch", NULL,
                          "these tensors have no common dtype"),
               -1;
    for (int i = 0; i < v->nitems; i++)
        if (!(nodes[i] = node_cast(e->st, nodes[i], d)))
            return -1;
    *out = nodes;
    return v->nitems;
}

BUILTIN(concat)
{
    Node **xs;
    int n = parts(e, a, &xs), axis;
    if (n < 0 || !arg_axis(e, a, 1, 0, xs[0]->type->rank, &axis))
        return NULL;
    Attr at = {.i = axis};
    return value_node(e, node_make(e->st, OP_CONCAT, &at, (u32)n, xs));
}

BUILTIN(stack)
{
    Node **xs;
    int n = parts(e, a, &xs), axis;
    if (n < 0 || !arg_axis(e, a, 1, 0, xs[0]->type->rank + 1, &axis))
        return NULL;
    for (int i = 0; i < n; i++)
        if (!(xs[i] = build_expand(e->st, xs[i], axis)))
            return NULL;
    Attr at = {.i = axis};
    return value_node(e, node_make(e->st, OP_CONCAT, &at, (u32)n, xs));
}

/* ---- creation ---- */

/* Of no dtype that was asked for: a weak one. */
static Value *created(Elab *e, Args *a, int dtype_at, bool weak, Node *n)
{
    const Value *asked = a->at[dtype_at];
    return weak && (!asked || asked->kind == V_NONE) ? value_weak(e, n) : value_node(e, n);
}

static Node *filled(Elab *e, Args *a, Node *value)
{
    Node *dims[MAX_RANK];
    int rank = arg_shape(e, a, 0, dims);
    return rank < 0 || !value ? NULL : build_full(e->st, value, rank, dims);
}

static Value *constant_filled(Elab *e, Args *a, double x)
{
    DType d;
    return arg_dtype(e, a, 1, DT_F64, &d)
               ? created(e, a, 1, true, filled(e, a, node_number(e->st, d, x)))
               : NULL;
}
BUILTIN(zeros) { return constant_filled(e, a, 0); }
BUILTIN(ones) { return constant_filled(e, a, 1); }

/* A constant, as no other form of an array without elements is. */
BUILTIN(empty)
{
    Node *dims[MAX_RANK];
    i64 shape[MAX_RANK] = {0}, count = 1;
    DType d = DT_RNG;
    bool states =
        a->at[1] && a->at[1]->kind == V_BUILTIN && !strcmp(a->at[1]->builtin->name, "rng");
    int rank = states || arg_dtype(e, a, 1, DT_F64, &d) ? arg_shape(e, a, 0, dims) : -1;
    if (rank < 0)
        return NULL;
    for (int i = 0; i < rank; i++) {
        if (!node_const_i64(dims[i], &shape[i]) || shape[i] < 0)
            return elab_error(e, a->spans[0], "shape-mismatch", NULL,
                              "empty takes a shape of whole numbers from 0");
        count = count && shape[i] ? 1 : 0;
    }
    if (count)
        return elab_error(e, a->spans[0], "shape-mismatch", "zeros(shape)",
                          "empty makes arrays without elements: one of the sizes must be 0");
    Tensor *t = tensor_new(&e->st->heap, d, rank, shape);
    if (!t)
        return elab_error(e, a->span, "memory", NULL,
                          "out of memory: could not allocate an array without elements");
    Value *v = created(e, a, 1, !states, node_const(e->st, t));
    tensor_unref(t);
    return v;
}

BUILTIN(full)
{
    Node *v = arg_node(e, a, 1);
    DType d;
    if (!v || !arg_dtype(e, a, 2, v->type->dtype, &d))
        return NULL;
    return created(e, a, 2, value_plain(e, a->at[1])->weak, filled(e, a, node_cast(e->st, v, d)));
}

BUILTIN(zeros_like)
{
    Node *x = arg_tensor(e, a, 0);
    return value_node(e, x ? build_zeros_like(e->st, x) : NULL);
}
BUILTIN(ones_like)
{
    Node *x = arg_tensor(e, a, 0);
    return value_node(e, x ? build_ones_like(e->st, x) : NULL);
}
BUILTIN(full_like)
{
    Node *x = arg_tensor(e, a, 0),
         *v = x ? value_as(e, a->at[1], x->type->dtype, a->spans[1], "full_like") : NULL;
    return v ? value_node(e, build_like(e->st, node_cast(e->st, v, x->type->dtype), x)) : NULL;
}

static Node *scalar_arg(Elab *e, Args *a, int i)
{
    Node *n = arg_node(e, a, i);
    if (n && !type_is_scalar(n->type))
        return elab_error(e, a->spans[i], "rank", NULL,
                          "%s takes single numbers here, but this is %s", a->builtin->name,
                          shape_text(e->st, n->type));
    return n;
}

/* A length or a place, as i64. */
static Node *whole_arg(Elab *e, Args *a, int i)
{
    Node *n = scalar_arg(e, a, i);
    if (n && !dtype_is_int(n->type->dtype))
        return elab_error(e, a->spans[i], "type-mismatch", NULL,
                          "%s takes whole numbers here, but this is %s", a->builtin->name,
                          shape_text(e->st, n->type));
    return n ? node_cast(e->st, n, DT_I64) : NULL;
}

/* The number of steps for known whole numbers, whatever their size; -1 if there are too many. */
static bool const_count(Store *st, Node *start, Node *stop, Node *step, i64 *out)
{
    i64 a, b, k;
    if (!size_is_const(size_of_node(st, start), &a) || !size_is_const(size_of_node(st, stop), &b) ||
        !size_is_const(size_of_node(st, step), &k) || k == 0)
        return false;
    bool any = k > 0 ? b > a : b < a;
    u64 span = !any    ? 0
               : k > 0 ? (u64)b - (u64)a
                       : (u64)a - (u64)b,
        by = k > 0 ? (u64)k : 0 - (u64)k;
    u64 n = span / by + (span % by != 0);
    *out = n > INT64_MAX ? -1 : (i64)n;
    return true;
}

/* ceil((stop - start) / step), at least 0 */
static Node *range_count(Elab *e, Node *start, Node *stop, Node *step)
{
    Store *st = e->st;
    Node *span = build_sub(st, stop, start), *zero = node_i64(st, 0);
    if (dtype_is_float(span->type->dtype)) {
        Node *ops[] = {span, step};
        Node *q = build_elementwise(st, OP_DIV, 2, ops);
        Node *up = q ? node1(st, OP_CEIL, NULL, q) : NULL;
        Node *n = up ? node_cast(st, up, DT_I64) : NULL;
        n = n ? node2(st, OP_MAXIMUM, NULL, n, zero) : NULL;
        double ends[3];
        if (node_const_f64(start, &ends[0]) && node_const_f64(stop, &ends[1]) &&
            node_const_f64(step, &ends[2]))
            return ends[2] == 0 || ends[0] != ends[0] || ends[1] != ends[1] || ends[2] != ends[2]
                       ? elab_error(e, st->span, "arity", NULL,
                                    "arange cannot count from %g to %g by %g", ends[0], ends[1],
                                    ends[2])
                       : n;
        return n ? node3(st, OP_WHERE, NULL, node2(st, OP_NE, NULL, q, q), node_i64(st, -1), n)
                 : NULL;
    }
    i64 known;
    if (const_count(st, start, stop, step, &known))
        return known >= 0 ? node_i64(st, known)
                          : elab_error(e, st->span, "memory", NULL,
                                       "arange would have more than 2^63 elements");
    Size *s = size_of_node(st, span);
    i64 k;
    if (!node_const_i64(step, &k)) {
        Node *ops[] = {build_neg(st, span), step};
        Node *q = build_elementwise(st, OP_FLOORDIV, 2, ops);
        return q ? node2(st, OP_MAXIMUM, NULL, build_neg(st, q), zero) : NULL;
    }
    if (k == 0)
        return elab_error(e, st->span, "arity", NULL, "the step of arange cannot be 0");
    Size *abs = k > 0 ? s : size_scale(st, s, -1);
    i64 step_abs = k > 0 ? k : -k;
    Size *up = size_max(st, size_add(st, abs, size_const(st, step_abs - 1)), size_const(st, 0));
    return size_to_node(st, size_floordiv(st, up, size_const(st, step_abs)));
}

/* What start, stop and step promote to, as far as they are given; *weak: none of them says that it
 * is to be that. A count says nothing. */
static DType range_dtype(Elab *e, Args *a, int most, bool *weak)
{
    Value *given[3];
    Span spans[3];
    Node *out[3];
    int n = 0;
    *weak = true;
    for (int i = 0; i < most; i++)
        if (a->at[i] && a->at[i]->kind != V_NONE) {
            spans[n] = a->spans[i];
            given[n] = value_plain(e, a->at[i]);
            *weak = *weak && given[n] && given[n]->kind == V_NODE &&
                    (given[n]->weak || given[n]->node->type->dtype == DT_I64);
            n++;
        }
    return values_meet(e, n, given, spans, a->builtin->name, out);
}

BUILTIN(arange)
{
    Store *st = e->st;
    Node *start = scalar_arg(e, a, 0),
         *stop = a->at[1] && a->at[1]->kind != V_NONE ? scalar_arg(e, a, 1) : NULL;
    if (!start || (a->at[1] && a->at[1]->kind != V_NONE && !stop))
        return NULL;
    Node *step = a->at[2] && a->at[2]->kind != V_NONE ? scalar_arg(e, a, 2) : node_i64(st, 1);
    if (!step)
        return NULL;
    if (!stop)
        stop = start, start = node_i64(st, 0);
    bool weak;
    DType d = range_dtype(e, a, 3, &weak);
    if (!dtype_is_number(d))
        return elab_error(e, a->span, "type-mismatch", NULL, "arange takes numbers");
    DType counted = dtype_is_float(d) ? d : DT_I64;
    if (!arg_dtype(e, a, 3, d, &d))
        return NULL;
    Node *n = range_count(e, node_cast(st, start, counted), node_cast(st, stop, counted),
                          node_cast(st, step, counted));
    Node *i = n ? node_cast(st, node1(st, OP_IOTA, NULL, n), d) : NULL;
    i64 k;
    if (i && !(node_const_i64(step, &k) && k == 1))
        i = build_mul(st, i, node_cast(st, step, d));
    if (i && !(node_const_i64(start, &k) && k == 0))
        i = build_add(st, node_cast(st, start, d), i);
    return created(e, a, 3, weak, i);
}

BUILTIN(linspace)
{
    Store *st = e->st;
    Node *start = scalar_arg(e, a, 0), *stop = start ? scalar_arg(e, a, 1) : NULL,
         *n = stop ? whole_arg(e, a, 2) : NULL;
    bool weak;
    DType d = n ? range_dtype(e, a, 2, &weak) : DT_F64;
    if (!n || !arg_dtype(e, a, 3, dtype_is_float(d) ? d : DT_F64, &d))
        return NULL;
    if (node_dtype(start) == DT_RNG || node_dtype(stop) == DT_RNG)
        return elab_error(e, a->span, "type-mismatch", NULL, "linspace takes numbers");
    start = fold_node(st, node_cast(st, start, DT_F64));
    stop = fold_node(st, node_cast(st, stop, DT_F64));
    Attr at = {.i = (i64)d};
    return created(e, a, 3, weak, node3(st, OP_LINSPACE, &at, start, stop, n));
}

/* m[i, j] = (j - i == k); what is as it usually is does not stand in the node. */
BUILTIN(eye)
{
    Store *st = e->st;
    Node *ops[3] = {whole_arg(e, a, 0)};
    ops[1] = a->at[1] && a->at[1]->kind != V_NONE ? whole_arg(e, a, 1) : ops[0];
    ops[2] = a->at[2] ? whole_arg(e, a, 2) : node_i64(st, 0);
    DType d;
    if (!ops[0] || !ops[1] || !ops[2] || !arg_dtype(e, a, 3, DT_F64, &d))
        return NULL;
    i64 k;
    bool main = node_const_i64(ops[2], &k) && !k;
    Attr at = {.i = (i64)d};
    return created(e, a, 3, true,
                   node_make(st, OP_EYE, &at,
                             !main              ? 3
                             : ops[1] != ops[0] ? 2
                                                : 1,
                             ops));
}

BUILTIN(one_hot)
{
    Store *st = e->st;
    Node *i = arg_node(e, a, 0), *n = i ? whole_arg(e, a, 1) : NULL;
    DType d;
    if (!n || !arg_dtype(e, a, 2, DT_F64, &d))
        return NULL;
    if (i->type->kind != TYPE_TENSOR || i->type->rank == MAX_RANK || !dtype_is_int(i->type->dtype))
        return elab_error(e, a->spans[0], "type-mismatch", NULL,
                          "one_hot takes whole numbers, but this is %s", shape_text(st, i->type));
    Attr at = {.i = (i64)d};
    return created(e, a, 2, true, node2(st, OP_ONE_HOT, &at, i, n));
}

/* ---- choice and selection ---- */

BUILTIN(where)
{
    Node *ops[] = {arg_node(e, a, 0), NULL, NULL}, *c = ops[0];
    if (c)
        args_meet(e, a, 1, 2, ops + 1);
    if (!c || !ops[1] || !ops[2])
        return NULL;
    if (c->type->kind != TYPE_TENSOR || c->type->dtype != DT_BOOL)
        return elab_error(e, a->spans[0], "type-mismatch", "compare it: x != 0",
                          "the condition of where must be made of bools, but this is %s",
                          shape_text(e->st, c->type));
    e->st->span = a->span;
    return value_node(e, build_elementwise(e->st, OP_WHERE, 3, ops));
}

BUILTIN(clip)
{
    Node *ops[3];
    args_meet(e, a, 0, 3, ops);
    if (!ops[0] || !ops[1] || !ops[2])
        return NULL;
    e->st->span = a->span;
    Node *up[] = {build_elementwise(e->st, OP_MAXIMUM, 2, ops), ops[2]};
    return up[0] ? value_node(e, build_elementwise(e->st, OP_MINIMUM, 2, up)) : NULL;
}

BUILTIN(xor)
{
    Node *ops[2];
    args_meet(e, a, 0, 2, ops);
    if (!ops[0] || !ops[1] || !elab_have_bits(e, ops[0], ops[1], a->span, a->builtin->name))
        return NULL;
    e->st->span = a->span;
    return value_node(e, build_elementwise(e->st, OP_BITWISE_XOR, 2, ops));
}

BUILTIN(take)
{
    Node *x = arg_tensor(e, a, 0), *i = x ? arg_node(e, a, 1) : NULL;
    int axis = 0;
    if (!i)
        return NULL;
    if (i->type->kind != TYPE_TENSOR || !dtype_is_int(i->type->dtype))
        return elab_error(e, a->spans[1], "type-mismatch", NULL,
                          "positions must be whole numbers, but these are %s",
                          shape_text(e->st, i->type));
    if (!a->at[2] || a->at[2]->kind == V_NONE) {
        Node *n = element_count(e, x->type);
        x = x->type->rank == 1 ? x : build_reshape(e->st, x, 1, &n);
    } else if (!arg_axis(e, a, 2, 0, x->type->rank, &axis)) {
        return NULL;
    }
    if (!i->type->rank)
        return value_node(e, elab_position(e, x, axis, i));
    Attr at = {.i = axis};
    return x ? value_node(e, node2(e->st, OP_GATHER, &at, x, i)) : NULL;
}

BUILTIN(match_shape)
{
    Node *x = arg_tensor(e, a, 0), *y = x ? arg_tensor(e, a, 1) : NULL;
    return y ? value_node(e, node2(e->st, OP_MATCH_SHAPE, NULL, x, y)) : NULL;
}
