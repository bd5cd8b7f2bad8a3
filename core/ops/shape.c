/* Shapes: sizes, reshaping, broadcasting, joining, counting.
 *
 * Invariant: a result that holds the operand's elements in their order is a view of it;
 * sizes given by operands are checked when run, whatever was known before. */
#include "ops/deferred.h"
#include "ops/family.h"
#include "ops/strided.h"

/* ---- dim ---- */

Type *infer_dim(Store *st, Node *n)
{
    if (!tensors_only(st, n) || !axis_ok(st, n, n->attrs[0].i, node_rank(n->ops[0])))
        return NULL;
    return type_scalar(st, DT_I64);
}

int eval_dim(EvalArgs *e)
{
    e->out[0] = tensor_scalar_i64(e->heap, e->in[0]->shape[e->node->attrs[0].i]);
    return e->out[0] ? 0 : eval_fail(e, "memory", "size: no memory for a number");
}

/* ---- reshape ---- */

Type *infer_reshape(Store *st, Node *n)
{
    Size *dims[MAX_RANK];
    Type *x = n->ops[0]->type;
    if (!tensors_only(st, n) || !size_operands(st, n, 1, dims))
        return NULL;
    Type *t = type_tensor(st, x->dtype, (int)n->nops - 1, dims);
    if (t && size_provably_different(st, size_product(st, x->rank, x->dims),
                                     size_product(st, t->rank, t->dims)))
        return store_error(st, "shape-mismatch", NULL,
                           "reshape: %s and %s have different numbers of elements",
                           shape_text(st, x), shape_text(st, t));
    return t;
}

static bool back_to_shape(Vjp *v, Node *x, Node *dy)
{
    Node *dims[MAX_RANK];
    for (int i = 0; i < node_rank(x); i++)
        dims[i] = node_dim(v->st, x, i);
    return vjp_give(v, x, build_reshape(v->st, dy, node_rank(x), dims));
}

bool vjp_reshape(Vjp *v, Node *n, Node *dy)
{
    return !vjp_active(v, n->ops[0]) || back_to_shape(v, n->ops[0], dy);
}

static int view_as(EvalArgs *e, int rank, const i64 *shape)
{
    e->out[0] = tensor_view(e->in[0], 0, rank, shape);
    return e->out[0] ? 0 : eval_fail(e, "memory", "%s: no memory", node_info(e->node)->name);
}

int eval_reshape(EvalArgs *e)
{
    const Tensor *x = e->in[0];
    int rank = e->nin - 1;
    i64 shape[MAX_RANK], count = 1;
    if (eval_dims(e, 1, rank, shape))
        return 1;
    for (int i = 0; i < rank; i++)
        count *= shape[i];
    if (count == x->count)
        return view_as(e, rank, shape);
    Text from = {0}, to = {0};
    text_shape(&from, x->rank, x->shape);
    text_shape(&to, rank, shape);
    int r = eval_fail(e, "shape-mismatch", "reshape: %lld elements of shape %s do not fit into %s",
                      (long long)x->count, text_str(&from), text_str(&to));
    text_free(&from);
    text_free(&to);
    return r;
}

/* ---- transpose ---- */

static bool is_permutation(const IntList *axes, int rank)
{
    u32 seen = 0;
    if ((int)axes->n != rank)
        return false;
    for (u32 i = 0; i < axes->n; i++) {
        if (axes->at[i] < 0 || axes->at[i] >= rank || (seen >> axes->at[i] & 1))
            return false;
        seen |= 1u << axes->at[i];
    }
    return true;
}

Type *infer_transpose(Store *st, Node *n)
{
    const Type *x = n->ops[0]->type;
    const IntList *axes = n->attrs[0].ints;
    if (!tensors_only(st, n))
        return NULL;
    if (!is_permutation(axes, x->rank))
        return store_error(st, "axis", NULL,
                           "transpose: the axes are no order of the %d axes of %s", x->rank,
                           shape_text(st, x));
    Size *dims[MAX_RANK];
    for (int i = 0; i < x->rank; i++)
        dims[i] = x->dims[axes->at[i]];
    return type_tensor(st, x->dtype, x->rank, dims);
}

bool vjp_transpose(Vjp *v, Node *n, Node *dy)
{
    const IntList *axes = n->attrs[0].ints;
    int inverse[MAX_RANK];
    for (u32 i = 0; i < axes->n; i++)
        inverse[axes->at[i]] = (int)i;
    return !vjp_active(v, n->ops[0]) || vjp_give(v, n->ops[0], build_transpose(v->st, dy, inverse));
}

/* Moving axes of length 1 leaves the elements where they are. */
static bool keeps_order(const Tensor *x, const int *perm)
{
    int last = -1;
    for (int i = 0; i < x->rank; i++) {
        if (x->shape[perm[i]] == 1)
            continue;
        if (perm[i] < last)
            return false;
        last = perm[i];
    }
    return true;
}

/* A transposed array as a view with strides (ops/strided.h). */
int strided_transpose(EvalArgs *e)
{
    Tensor *x = e->in[0];
    const IntList *axes = e->node->attrs[0].ints;
    i64 shape[MAX_RANK], from[MAX_RANK], stride[MAX_RANK];
    strides_of(x, from);
    for (int i = 0; i < x->rank; i++) {
        shape[i] = x->shape[axes->at[i]];
        stride[i] = from[axes->at[i]];
    }
    return strided_view(e, 0, x->rank, shape, stride);
}

int eval_transpose(EvalArgs *e)
{
    const Tensor *x = e->in[0];
    const IntList *axes = e->node->attrs[0].ints;
    int perm[MAX_RANK] = {0};
    i64 shape[MAX_RANK];
    for (int i = 0; i < x->rank; i++) {
        perm[i] = (int)axes->at[i];
        shape[i] = x->shape[perm[i]];
    }
    if (keeps_order(x, perm))
        return view_as(e, x->rank, shape);
    Tensor *out = eval_fresh(e, x->dtype, x->rank, shape);
    if (!out)
        return 1;
    kernel_transpose(dtype_size(x->dtype), x->rank, x->shape, perm, x->data, out->data);
    e->out[0] = out;
    return 0;
}

/* ---- broadcast ---- */

Type *infer_broadcast(Store *st, Node *n)
{
    Type *x = n->ops[0]->type;
    const IntList *axes = n->attrs[0].ints;
    Size *dims[MAX_RANK];
    if (!tensors_only(st, n) || !size_operands(st, n, 1, dims))
        return NULL;
    Type *t = type_tensor(st, x->dtype, (int)n->nops - 1, dims);
    if (!t || !axes_ok(st, n, axes, t->rank))
        return NULL;
    if ((int)axes->n != x->rank)
        return store_error(st, "axis", NULL, "broadcast: %u places for the %d axes of %s", axes->n,
                           x->rank, shape_text(st, x));
    for (int i = 0; i < x->rank; i++)
        if (!size_is(x->dims[i], 1) && !sizes_agree(st, n, x, i, t, (int)axes->at[i]))
            return NULL;
    return t;
}

/* Which axes of the result x's elements are repeated along; *stretched: those x has, of length 1.
 */
static const IntList *repeated_axes(Store *st, const Node *n, const IntList **stretched)
{
    const Type *x = n->ops[0]->type, *y = n->type;
    const IntList *axes = n->attrs[0].ints;
    i64 all[MAX_RANK], own[MAX_RANK];
    u32 nall = 0, nown = 0, k = 0;
    for (int i = 0; i < y->rank; i++) {
        if (k < axes->n && axes->at[k] == i) {
            if (size_is(x->dims[k], 1) && !size_is(y->dims[i], 1))
                all[nall++] = i, own[nown++] = k;
            k++;
        } else {
            all[nall++] = i;
        }
    }
    *stretched = intlist(st, nown, own);
    return intlist(st, nall, all);
}

/* dx = sum of dy over what was repeated; stretched axes stay, of length 1 */
bool vjp_broadcast(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0];
    const IntList *stretched;
    if (!vjp_active(v, x))
        return true;
    Node *dx = build_sum(st, dy, repeated_axes(st, n, &stretched));
    if (dx && stretched->n) {
        Attr a = {.ints = stretched};
        dx = node1(st, OP_EXPAND_DIMS, &a, dx);
    }
    return vjp_give(v, x, dx);
}

static int broadcast_error(EvalArgs *e, int axis, i64 have, i64 want)
{
    return eval_fail(e, "shape-mismatch",
                     "broadcast: an axis of length %lld cannot become axis %d of length %lld%s",
                     (long long)have, axis, (long long)want,
                     have == 1 ? " (only an axis known to be 1 when the graph is built is repeated)"
                               : "");
}

static int fill(EvalArgs *e, const Tensor *x, Tensor *out)
{
    size_t size = dtype_size(x->dtype);
    e->out[0] = out;
    for (i64 i = 0; i < out->count; i += EVAL_PIECE) {
        if (eval_interrupted(e))
            return 1;
        kernel_fill(size, out->count - i < EVAL_PIECE ? out->count - i : EVAL_PIECE, x->data,
                    (char *)out->data + (size_t)i * size);
    }
    return 0;
}

/* A broadcast as a view with strides (ops/strided.h). */
int strided_broadcast(EvalArgs *e)
{
    Tensor *x = e->in[0];
    const IntList *axes = e->node->attrs[0].ints;
    int rank = e->nin - 1;
    i64 shape[MAX_RANK], from[MAX_RANK], stride[MAX_RANK] = {0};
    if (eval_dims(e, 1, rank, shape))
        return 1;
    strides_of(x, from);
    for (int i = 0; i < x->rank; i++) {
        int at = (int)axes->at[i];
        if (x->shape[i] == shape[at])
            stride[at] = from[i];
        else if (!size_is(e->node->ops[0]->type->dims[i], 1) || x->shape[i] != 1)
            return broadcast_error(e, at, x->shape[i], shape[at]);
    }
    return strided_view(e, 0, rank, shape, stride);
}

int eval_broadcast(EvalArgs *e)
{
    const Tensor *x = e->in[0];
    const IntList *axes = e->node->attrs[0].ints;
    const Type *type = e->node->ops[0]->type;
    int rank = e->nin - 1;
    i64 shape[MAX_RANK], stride[MAX_RANK] = {0}, step = 1;
    bool same = rank == x->rank;
    if (eval_dims(e, 1, rank, shape))
        return 1;
    for (int i = x->rank - 1; i >= 0; i--) {
        int at = (int)axes->at[i];
        if (x->shape[i] == shape[at])
            stride[at] = step;
        else if (!size_is(type->dims[i], 1) || x->shape[i] != 1)
            return broadcast_error(e, at, x->shape[i], shape[at]);
        else
            same = false;
        step *= x->shape[i];
    }
    if (same) {
        e->out[0] = tensor_ref(e->in[0]);
        return 0;
    }
    Tensor *out = eval_fresh(e, x->dtype, rank, shape);
    if (!out)
        return 1;
    if (x->count == 1)
        return fill(e, x, out);
    kernel_strided(dtype_size(x->dtype), rank, shape, stride, x->data, out->data);
    e->out[0] = out;
    return 0;
}

/* ---- axes of length 1 ---- */

Type *infer_expand_dims(Store *st, Node *n)
{
    const Type *x = n->ops[0]->type;
    const IntList *axes = n->attrs[0].ints;
    Size *dims[MAX_RANK];
    if (!tensors_only(st, n) || !axes_ok(st, n, axes, x->rank + (int)axes->n))
        return NULL;
    int rank = x->rank + (int)axes->n;
    if (rank > MAX_RANK)
        return type_tensor(st, x->dtype, rank, NULL); /* reports */
    for (int i = 0, k = 0; i < rank; i++)
        dims[i] = k < (int)axes->n && axes->at[k] == i ? (k++, size_const(st, 1)) : x->dims[i - k];
    return type_tensor(st, x->dtype, rank, dims);
}

bool vjp_expand_dims(Vjp *v, Node *n, Node *dy)
{
    return !vjp_active(v, n->ops[0]) ||
           vjp_give(v, n->ops[0], dy ? node1(v->st, OP_SQUEEZE, n->attrs, dy) : NULL);
}

Type *infer_squeeze(Store *st, Node *n)
{
    Type *x = n->ops[0]->type;
    const IntList *axes = n->attrs[0].ints;
    if (!tensors_only(st, n) || !axes_ok(st, n, axes, x->rank))
        return NULL;
    Size *dims[MAX_RANK], *one = size_const(st, 1);
    int rank = 0;
    for (int i = 0, k = 0; i < x->rank; i++) {
        if (k >= (int)axes->n || axes->at[k] != i) {
            dims[rank++] = x->dims[i];
            continue;
        }
        k++;
        if (size_provably_different(st, x->dims[i], one))
            return store_error(st, "shape-mismatch", NULL,
                               "squeeze: axis %d of %s is not of length 1", i, shape_text(st, x));
    }
    return type_tensor(st, x->dtype, rank, dims);
}

bool vjp_squeeze(Vjp *v, Node *n, Node *dy)
{
    return !vjp_active(v, n->ops[0]) ||
           vjp_give(v, n->ops[0], dy ? node1(v->st, OP_EXPAND_DIMS, n->attrs, dy) : NULL);
}

/* expand_dims and squeeze */
int eval_reshape_free(EvalArgs *e)
{
    const Tensor *x = e->in[0];
    const IntList *axes = e->node->attrs[0].ints;
    i64 shape[MAX_RANK];
    int rank = 0;
    u32 k = 0;
    if (e->node->op == OP_EXPAND_DIMS) {
        rank = x->rank + (int)axes->n;
        for (int i = 0, from = 0; i < rank; i++)
            shape[i] = k < axes->n && axes->at[k] == i ? (k++, 1) : x->shape[from++];
        return view_as(e, rank, shape);
    }
    for (int i = 0; i < x->rank; i++) {
        if (k >= axes->n || axes->at[k] != i) {
            shape[rank++] = x->shape[i];
            continue;
        }
        k++;
        if (x->shape[i] != 1)
            return eval_fail(e, "shape-mismatch", "squeeze: axis %d has length %lld, not 1", i,
                             (long long)x->shape[i]);
    }
    return view_as(e, rank, shape);
}

/* ---- concat ---- */

Type *infer_concat(Store *st, Node *n)
{
    if (!tensors_only(st, n))
        return NULL;
    Type *first = n->ops[0]->type;
    int axis = (int)n->attrs[0].i;
    Size *dims[MAX_RANK];
    if (!axis_ok(st, n, n->attrs[0].i, first->rank))
        return NULL;
    memcpy(dims, first->dims, sizeof dims);
    for (u32 k = 1; k < n->nops; k++) {
        Type *t = n->ops[k]->type;
        if (!same_dtypes(st, n, 0, k))
            return NULL;
        if (t->rank != first->rank)
            return store_error(st, "shape-mismatch", NULL, "concat: %s and %s have %d and %d axes",
                               shape_text(st, first), shape_text(st, t), first->rank, t->rank);
        for (int i = 0; i < t->rank; i++) {
            if (i != axis && !sizes_agree(st, n, first, i, t, i))
                return NULL;
            dims[i] =
                i == axis ? size_add(st, dims[i], t->dims[i]) : size_prefer(t->dims[i], dims[i]);
        }
    }
    return type_tensor(st, first->dtype, first->rank, dims);
}

/* Each operand gets its slice of dy. */
bool jvp_concat(Jvp *j, Node *n)
{
    Node **parts = xmalloc((n->nops + 1) * sizeof *parts);
    bool ok = true;
    for (u32 k = 0; k < n->nops && ok; k++) {
        Node *dx = jvp_tangent(j, n->ops[k]);
        ok = (parts[k] = dx ? dx : build_zeros_like(j->st, n->ops[k])) != NULL;
    }
    ok = ok && jvp_give(j, n, node_make(j->st, n->op, n->attrs, n->nops, parts));
    free(parts);
    return ok;
}

bool vjp_concat(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    int axis = (int)n->attrs[0].i;
    Node *start = node_i64(st, 0);
    for (u32 k = 0; k < n->nops; k++) {
        Node *len = node_dim(st, n->ops[k], axis);
        if (vjp_active(v, n->ops[k]) &&
            !vjp_give(v, n->ops[k], build_slice(st, dy, axis, start, len, 1)))
            return false;
        if (k + 1 < n->nops)
            start = k ? build_add(st, start, len) : len;
    }
    return true;
}

/* What a part is a view of, if it has the shape of the whole, with the part where it belongs, and
 * nothing has seen the rest; NULL. */
static Tensor *around_part(const EvalArgs *e, int rank, const i64 *shape)
{
    int axis = (int)e->node->attrs[0].i;
    i64 inner = 1, at = 0;
    for (int i = 0; i < rank; i++)
        inner *= i > axis ? shape[i] : i < axis && shape[i] != 1 ? 0 : 1;
    for (int k = 0; k < e->nin && inner; k++) {
        const Tensor *t = e->in[k];
        Tensor *base = t->base;
        if (base && base->room && !t->read && !tensor_strides(t) && base->rank == rank &&
            !memcmp(base->shape, shape, (size_t)rank * sizeof *shape) &&
            (const char *)t->data ==
                (const char *)base->data + (size_t)(at * inner) * dtype_size(t->dtype))
            return base;
        at += t->shape[axis];
    }
    return NULL;
}

int eval_concat(EvalArgs *e)
{
    const Tensor *first = e->in[0];
    int axis = (int)e->node->attrs[0].i;
    size_t size = dtype_size(first->dtype);
    i64 shape[MAX_RANK];
    memcpy(shape, first->shape, sizeof shape);
    for (int k = 1; k < e->nin; k++) {
        for (int i = 0; i < first->rank; i++)
            if (i != axis && e->in[k]->shape[i] != first->shape[i])
                return eval_shape_error(e, first, e->in[k]);
        shape[axis] += e->in[k]->shape[axis];
    }
    Tensor *out = around_part(e, first->rank, shape);
    out = out ? tensor_ref(out) : eval_fresh(e, first->dtype, first->rank, shape);
    if (!out)
        return 1;
    out->room = false;
    Layout whole = layout_of(out, axis);
    char *at = out->data;
    for (int k = 0; k < e->nin; k++) {
        i64 len = e->in[k]->shape[axis] * whole.inner;
        if (e->in[k]->data != at) /* it is not there yet */
            kernel_blocks(size, whole.outer, len, e->in[k]->data, len, at,
                          whole.axis * whole.inner);
        at += (size_t)len * size;
    }
    e->out[0] = out;
    return 0;
}

/* ---- flip, iota ---- */

Type *infer_flip(Store *st, Node *n)
{
    Type *x = n->ops[0]->type;
    return tensors_only(st, n) && axes_ok(st, n, n->attrs[0].ints, x->rank) ? x : NULL;
}

bool vjp_flip(Vjp *v, Node *n, Node *dy)
{
    return !vjp_active(v, n->ops[0]) ||
           vjp_give(v, n->ops[0], dy ? node1(v->st, OP_FLIP, n->attrs, dy) : NULL);
}

int eval_flip(EvalArgs *e)
{
    const Tensor *x = e->in[0];
    const IntList *axes = e->node->attrs[0].ints;
    i64 stride[MAX_RANK], offset = 0;
    strides_of(x, stride);
    for (u32 k = 0; k < axes->n && x->count; k++) {
        int i = (int)axes->at[k];
        offset += (x->shape[i] - 1) * stride[i];
        stride[i] = -stride[i];
    }
    Tensor *out = eval_fresh(e, x->dtype, x->rank, x->shape);
    if (!out)
        return 1;
    if (x->count)
        kernel_strided(dtype_size(x->dtype), x->rank, x->shape, stride,
                       (const char *)x->data + (size_t)offset * dtype_size(x->dtype), out->data);
    e->out[0] = out;
    return 0;
}

Type *infer_iota(Store *st, Node *n)
{
    Size *dims[MAX_RANK];
    return size_operands(st, n, 0, dims) ? type_tensor(st, DT_I64, 1, dims) : NULL;
}

int eval_count_up(EvalArgs *e, i64 n, i64 *out)
{
    const i64 one = 1;
    for (i64 i = 0; i < n; i += EVAL_PIECE) {
        if (eval_interrupted(e))
            return 1;
        kernel_iota(DT_I64, n - i < EVAL_PIECE ? n - i : EVAL_PIECE, &i, &one, out + i);
    }
    return 0;
}

int eval_iota(EvalArgs *e)
{
    i64 n = eval_int(e, 0);
    if (n < 0) /* as a scan says that takes no count of its own steps */
        return eval_fail(e, "check", "the number of steps is negative");
    e->out[0] = eval_fresh(e, DT_I64, 1, &n);
    return !e->out[0] || eval_count_up(e, n, e->out[0]->data);
}

static void read_iota(const Tensor *t, i64 from, i64 n, void *out)
{
    const i64 one = 1;
    kernel_iota(t->dtype, n, &from, &one, out);
}

int deferred_iota(EvalArgs *e)
{
    i64 n = eval_int(e, 0);
    if (n < 0)
        return eval_iota(e);
    e->out[0] = eval_deferred(e, DT_I64, 1, &n, NULL, read_iota, 0);
    return !e->out[0];
}

/* ---- triangle ---- */

Type *infer_triangle(Store *st, Node *n)
{
    Type *x = n->ops[0]->type;
    if (!tensors_only(st, n) || x->dtype == DT_RNG || x->rank < 2)
        return wrong_type(st, n, 0, "matrices of numbers or bools");
    return x;
}

bool vjp_triangle(Vjp *v, Node *n, Node *dy)
{
    return !vjp_active(v, n->ops[0]) ||
           vjp_give(v, n->ops[0], dy ? node1(v->st, OP_TRIANGLE, n->attrs, dy) : NULL);
}

int eval_triangle(EvalArgs *e)
{
    const Tensor *x = e->in[0];
    i64 rows = x->shape[x->rank - 2], columns = x->shape[x->rank - 1];
    Tensor *out = eval_fresh(e, x->dtype, x->rank, x->shape);
    if (!out)
        return 1;
    if (x->count)
        kernel_triangle(dtype_size(x->dtype), e->node->attrs[0].i != 0, x->count / (rows * columns),
                        rows, columns, e->node->attrs[1].i, x->data, out->data);
    e->out[0] = out;
    return 0;
}
