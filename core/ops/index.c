/* Indexing: reading and writing parts of a tensor.
 *
 * Invariant: every index is checked when run.
 * Writing changes the operand's own memory if this is its last use and nobody else sees
 * it, so that setting one row of a carried array costs one row. */
#include "ops/deferred.h"
#include "ops/family.h"
#include "ops/strided.h"

enum { SMALL_PART = 128 }; /* bytes: a part up to this is copied, a larger one is a view */

/* ---- types ---- */

static Type *certain_error(Store *st, const Node *n, i64 index, int axis)
{
    return store_error(st, "index", NULL, "index %lld is out of range for axis %d of %s",
                       (long long)index, axis, shape_text(st, n->ops[0]->type));
}

/* Reading is f(x, at), writing is f(x, at, value).
 * Operand 1 is an integer scalar. Whether it is in range shows when it runs: what stands in a
 * branch may never run. The language refuses what is certainly wrong elsewhere. */
static bool position_ok(Store *st, const Node *n)
{
    return scalar_operand(st, n, 1, DT_COUNT, "an index");
}

static bool indexable(Store *st, const Node *n)
{
    return tensors_only(st, n) && axis_ok(st, n, n->attrs[0].i, node_rank(n->ops[0]));
}

Type *infer_index(Store *st, Node *n)
{
    int axis = (int)n->attrs[0].i;
    if (!indexable(st, n) || !position_ok(st, n))
        return NULL;
    return type_without_axis(st, n->ops[0]->type, axis, node_dtype(n->ops[0]));
}

/* start, start + step, ... : len positions that are certainly not all inside are an error. */
static bool slice_ok(Store *st, const Node *n, i64 step, Size *len)
{
    int axis = (int)n->attrs[0].i;
    Size *size = n->ops[0]->type->dims[axis];
    i64 start, count, limit;
    if (!scalar_operand(st, n, 1, DT_I64, "the start of a slice"))
        return false;
    if (step == 0) {
        store_error(st, "index", NULL, "the step of a slice cannot be 0");
        return false;
    }
    if (!node_const_i64(n->ops[1], &start) || !size_is_const(len, &count) || count <= 0)
        return true;
    bool bounded = size_is_const(size, &limit);
    i64 reach, last;
    if (__builtin_mul_overflow(count - 1, step, &reach) ||
        __builtin_add_overflow(start, reach, &last))
        return certain_error(st, n, start, axis) != NULL;
    if (start < 0 || (bounded && start >= limit))
        return certain_error(st, n, start, axis) != NULL;
    if (last < 0 || (bounded && last >= limit))
        return certain_error(st, n, last, axis) != NULL;
    return true;
}

Type *infer_slice(Store *st, Node *n)
{
    Type *x = n->ops[0]->type;
    Size *dims[MAX_RANK], *len;
    if (!indexable(st, n) || !size_operands(st, n, 2, &len) || !slice_ok(st, n, n->attrs[1].i, len))
        return NULL;
    memcpy(dims, x->dims, sizeof dims);
    dims[n->attrs[0].i] = len;
    return type_tensor(st, x->dtype, x->rank, dims);
}

/* x's shape with idx's in place of the axis */
static Type *gathered_type(Store *st, const Node *n)
{
    Type *x = n->ops[0]->type, *idx = n->ops[1]->type;
    int axis = (int)n->attrs[0].i, rank = x->rank - 1 + idx->rank;
    Size *dims[2 * MAX_RANK];
    if (!dtype_is_int(idx->dtype))
        return store_error(st, "type-mismatch",
                           idx->dtype == DT_BOOL ? "use where(mask, x, ...)" : NULL,
                           "indices must be integers, not %s", shape_text(st, idx));
    for (int i = 0; i < rank; i++)
        dims[i] = i < axis               ? x->dims[i]
                  : i < axis + idx->rank ? idx->dims[i - axis]
                                         : x->dims[i - idx->rank + 1];
    return type_tensor(st, x->dtype, rank, dims);
}

Type *infer_gather(Store *st, Node *n) { return indexable(st, n) ? gathered_type(st, n) : NULL; }

static bool mode_ok(Store *st, const Node *n, i64 mode)
{
    DType d = node_dtype(n->ops[0]);
    if (mode < STORE_SET || mode > STORE_MIN || (mode != STORE_SET && d == DT_RNG)) {
        store_error(st, "type-mismatch", NULL, "%s cannot do that with %s", node_info(n)->name,
                    dtype_name(d));
        return false;
    }
    return true;
}

/* Operand 2 must be a scalar or have the part's shape. */
static bool part_ok(Store *st, const Node *n, Type *part)
{
    Type *value = n->ops[2]->type;
    if (!part || !same_dtypes(st, n, 0, 2))
        return false;
    if (!value->rank)
        return true;
    if (value->rank != part->rank) {
        store_error(st, "shape-mismatch", NULL,
                    "a part of type %s cannot be set to a value of type %s", shape_text(st, part),
                    shape_text(st, value));
        return false;
    }
    for (int i = 0; i < part->rank; i++)
        if (!sizes_agree(st, n, part, i, value, i))
            return false;
    return true;
}

Type *infer_set_index(Store *st, Node *n)
{
    Type *x = n->ops[0]->type;
    int axis = (int)n->attrs[0].i;
    if (!indexable(st, n) || !position_ok(st, n) || !mode_ok(st, n, n->attrs[1].i))
        return NULL;
    return part_ok(st, n, type_without_axis(st, x, axis, x->dtype)) ? x : NULL;
}

/* The length of the slice is that of the value, which therefore cannot be a scalar. */
Type *infer_set_slice(Store *st, Node *n)
{
    Type *x = n->ops[0]->type, *value = n->ops[2]->type;
    int axis = (int)n->attrs[0].i;
    Size *dims[MAX_RANK];
    if (!indexable(st, n) || !mode_ok(st, n, n->attrs[2].i))
        return NULL;
    if (value->rank != x->rank)
        return store_error(st, "shape-mismatch", NULL,
                           "a slice of %s cannot be set to a value of type %s", shape_text(st, x),
                           shape_text(st, value));
    memcpy(dims, x->dims, sizeof dims);
    dims[axis] = value->dims[axis];
    if (!slice_ok(st, n, n->attrs[1].i, dims[axis]))
        return NULL;
    return part_ok(st, n, type_tensor(st, x->dtype, x->rank, dims)) ? x : NULL;
}

Type *infer_scatter(Store *st, Node *n)
{
    if (!indexable(st, n) || !mode_ok(st, n, n->attrs[1].i))
        return NULL;
    return part_ok(st, n, gathered_type(st, n)) ? n->ops[0]->type : NULL;
}

/* ---- derivatives of reading: the cotangent is added at the place that was read ---- */

bool vjp_index(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    Attr a[] = {n->attrs[0], {.i = STORE_ADD}};
    return !vjp_active(v, x) ||
           vjp_give(v, x, node3(v->st, OP_SET_INDEX, a, build_zeros_like(v->st, x), n->ops[1], dy));
}

/* As long as the axis and backwards: all of it. */
static bool is_reversal(const Node *n)
{
    i64 axis = n->attrs[0].i;
    return n->attrs[1].i == -1 && n->type->dims[axis] == n->ops[0]->type->dims[axis];
}

bool vjp_slice(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    Attr a[] = {n->attrs[0], n->attrs[1], {.i = STORE_ADD}};
    if (!vjp_active(v, x))
        return true;
    if (is_reversal(n))
        return vjp_give(
            v, x, node1(v->st, OP_FLIP, &(Attr){.ints = intlist(v->st, 1, &n->attrs[0].i)}, dy));
    return vjp_give(v, x, node3(v->st, OP_SET_SLICE, a, build_zeros_like(v->st, x), n->ops[1], dy));
}

bool vjp_gather(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    Attr a[] = {n->attrs[0], {.i = STORE_ADD}};
    return !vjp_active(v, x) ||
           vjp_give(v, x, node3(v->st, OP_SCATTER, a, build_zeros_like(v->st, x), n->ops[1], dy));
}

/* ---- derivatives of writing ---- */

static bool give_part(Vjp *v, Node *value, Node *part)
{
    return vjp_give(v, value, node_rank(value) ? part : build_sum_all(v->st, part));
}

static bool mode_has_vjp(Vjp *v, const Node *n, i64 mode)
{
    return mode <= STORE_ADD || derivative_missing(v->st, n, "only setting and adding have one");
}

/* What is written to: set: dx = dy with 0 at the place; add: dx = dy. */
static bool vjp_written_to(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0];
    Attr a[3];
    u32 last = n->nattrs - 1u;
    i64 mode = n->attrs[last].i;
    if (!mode_has_vjp(v, n, mode))
        return false;
    if (!vjp_active(v, x))
        return true;
    memcpy(a, n->attrs, n->nattrs * sizeof *a);
    a[last] = (Attr){.i = STORE_SET};
    Node *dx = dy;
    if (mode != STORE_ADD)
        dx = node3(st, n->op, a, dy, n->ops[1],
                   n->op == OP_SET_SLICE ? build_zeros_like(st, n->ops[2]) : zero_of(st, x));
    return vjp_give(v, x, dx);
}

/* What is written: dv = dy at the place. */
bool vjp_set_index(Vjp *v, Node *n, Node *dy)
{
    Node *value = n->ops[2];
    return vjp_written_to(v, n, dy) &&
           (!vjp_active(v, value) ||
            give_part(v, value, build_index(v->st, dy, (int)n->attrs[0].i, n->ops[1])));
}

bool vjp_set_slice(Vjp *v, Node *n, Node *dy)
{
    Node *value = n->ops[2];
    int axis = (int)n->attrs[0].i;
    return vjp_written_to(v, n, dy) &&
           (!vjp_active(v, value) ||
            vjp_give(v, value,
                     build_slice(v->st, dy, axis, n->ops[1], node_dim(v->st, value, axis),
                                 n->attrs[1].i)));
}

/* Setting and adding are linear in what is written to and in what is written. */
bool jvp_store(Jvp *j, Node *n)
{
    Store *st = j->st;
    Node *dx = jvp_tangent(j, n->ops[0]), *dv = jvp_tangent(j, n->ops[2]);
    i64 mode = n->attrs[n->nattrs - 1].i;
    if (mode > STORE_ADD)
        return derivative_missing(st, n, "only setting and adding have one");
    if (!dv && mode == STORE_ADD)
        return jvp_give(j, n, dx);
    dx = dx ? dx : build_zeros_like(st, n->ops[0]);
    dv = dv ? dv : build_zeros_like(st, n->ops[2]);
    return jvp_give(j, n, node3(st, n->op, n->attrs, dx, n->ops[1], dv));
}

/* Where an index occurs twice only the last value was kept: is each place's value the one? */
static Node *last_ones(Store *st, Node *n, Node *part)
{
    Node *x = n->ops[0], *idx = n->ops[1], *dims[MAX_RANK];
    i64 places[MAX_RANK];
    int axis = (int)n->attrs[0].i, rank = node_rank(idx);
    for (int i = 0; i < rank; i++) {
        places[i] = axis + i;
        dims[i] = node_dim(st, idx, i);
    }
    Node *size = node_dim(st, x, axis), *count = build_product(st, rank, dims);
    Node *serial = count ? node1(st, OP_IOTA, NULL, count) : NULL;
    serial = build_reshape(st, serial, rank, dims);
    Attr set[] = {{.i = 0}, {.i = STORE_SET}}, get = {.i = 0};
    Node *none = build_full(st, node_i64(st, -1), 1, &size);
    Node *winner = node3(st, OP_SCATTER, set, none, idx, serial);
    Node *pair[] = {node2(st, OP_GATHER, &get, winner, idx), serial};
    Node *ops[MAX_RANK + 1] = {build_elementwise(st, OP_EQ, 2, pair)};
    for (int i = 0; i < node_rank(part); i++)
        ops[i + 1] = node_dim(st, part, i);
    Attr a = {.ints = intlist(st, (u32)rank, places)};
    return node_make(st, OP_BROADCAST, &a, (u32)node_rank(part) + 1, ops);
}

bool vjp_scatter(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *idx = n->ops[1], *value = n->ops[2];
    if (!vjp_written_to(v, n, dy))
        return false;
    if (!vjp_active(v, value))
        return true;
    Node *part = node2(st, OP_GATHER, n->attrs, dy, idx);
    if (part && n->attrs[1].i == STORE_SET && node_rank(idx)) {
        Node *choice[] = {last_ones(st, n, part), part, zero_of(st, value)};
        part = build_elementwise(st, OP_WHERE, 3, choice);
    }
    return give_part(v, value, part);
}

/* ---- values ---- */

/* Operand 1 as a position from 0 on; false after eval_fail. */
static bool position(EvalArgs *e, int axis, i64 *at)
{
    i64 i = eval_int(e, 1), size = e->in[0]->shape[axis];
    *at = i < 0 ? i + size : i;
    if (*at >= 0 && *at < size)
        return true;
    eval_index_error(e, i, axis);
    return false;
}

/* A contiguous part of x: large ones share x's memory, small ones do not hold on to it. */
static int contiguous_part(EvalArgs *e, i64 offset, int rank, const i64 *shape)
{
    Tensor *x = e->in[0];
    size_t size = dtype_size(x->dtype), bytes = size;
    for (int i = 0; i < rank; i++)
        bytes *= (size_t)shape[i];
    if (bytes > SMALL_PART) {
        e->out[0] = tensor_view(x, offset, rank, shape);
        return e->out[0] ? 0 : eval_fail(e, "memory", "%s: no memory", node_info(e->node)->name);
    }
    e->out[0] = eval_fresh(e, x->dtype, rank, shape);
    if (!e->out[0])
        return 1;
    if (bytes)
        memcpy(e->out[0]->data, (const char *)x->data + (size_t)offset * size, bytes);
    return 0;
}

static int strided_part(EvalArgs *e, int axis, i64 start, i64 step, i64 count, int rank,
                        const i64 *shape)
{
    const Tensor *x = e->in[0];
    Layout l = layout_of(x, axis);
    Tensor *out = eval_fresh(e, x->dtype, rank, shape);
    if (!out)
        return 1;
    kernel_slice(dtype_size(x->dtype), l.outer, l.axis, l.inner, start, step, count, x->data,
                 out->data);
    e->out[0] = out;
    return 0;
}

/* The shape without one axis; returns its rank. */
static int shape_without(const Tensor *x, int axis, i64 shape[MAX_RANK])
{
    int rank = 0;
    for (int i = 0; i < x->rank; i++)
        if (i != axis)
            shape[rank++] = x->shape[i];
    return rank;
}

int eval_index(EvalArgs *e)
{
    const Tensor *x = e->in[0];
    int axis = (int)e->node->attrs[0].i;
    i64 at, shape[MAX_RANK];
    if (!position(e, axis, &at))
        return 1;
    int rank = shape_without(x, axis, shape);
    Layout l = layout_of(x, axis);
    return l.outer == 1 ? contiguous_part(e, at * l.inner, rank, shape)
                        : strided_part(e, axis, at, 1, 1, rank, shape);
}

/* An index as a view with strides (ops/strided.h). */
int strided_index(EvalArgs *e)
{
    Tensor *x = e->in[0];
    int axis = (int)e->node->attrs[0].i;
    i64 at, shape[MAX_RANK], stride[MAX_RANK];
    if (!position(e, axis, &at))
        return 1;
    int rank = shape_without(x, axis, shape);
    strides_of(x, stride);
    i64 offset = at * stride[axis];
    for (int i = axis; i < rank; i++)
        stride[i] = stride[i + 1];
    return strided_view(e, offset, rank, shape, stride);
}

/* Is start, start + step, ... inside the axis? */
static bool slice_inside(EvalArgs *e, i64 start, i64 step, i64 count, int axis)
{
    i64 size = e->in[0]->shape[axis], reach, last;
    if (count <= 0)
        return true;
    if (start < 0 || start >= size) {
        eval_index_error(e, start, axis);
        return false;
    }
    if (__builtin_mul_overflow(count - 1, step, &reach) ||
        __builtin_add_overflow(start, reach, &last))
        last = -1;
    if (last < 0 || last >= size) {
        eval_fail(e, "index",
                  "a slice of %lld elements from %lld in steps of %lld leaves axis %d of size %lld",
                  (long long)count, (long long)start, (long long)step, axis, (long long)size);
        return false;
    }
    return true;
}

/* A slice as a view with strides (ops/strided.h). */
int strided_slice(EvalArgs *e)
{
    Tensor *x = e->in[0];
    int axis = (int)e->node->attrs[0].i;
    i64 start = eval_int(e, 1), step = e->node->attrs[1].i, count, shape[MAX_RANK];
    i64 stride[MAX_RANK];
    if (eval_dims(e, 2, 1, &count) || !slice_inside(e, start, step, count, axis))
        return 1;
    memcpy(shape, x->shape, sizeof shape);
    shape[axis] = count;
    strides_of(x, stride);
    i64 offset = count ? start * stride[axis] : 0;
    stride[axis] *= step;
    return strided_view(e, offset, x->rank, shape, stride);
}

int eval_slice(EvalArgs *e)
{
    const Tensor *x = e->in[0];
    int axis = (int)e->node->attrs[0].i;
    i64 start = eval_int(e, 1), step = e->node->attrs[1].i, count, shape[MAX_RANK];
    if (eval_dims(e, 2, 1, &count) || !slice_inside(e, start, step, count, axis))
        return 1;
    memcpy(shape, x->shape, sizeof shape);
    shape[axis] = count;
    Layout l = layout_of(x, axis);
    if (l.outer == 1 && (step == 1 || count <= 1))
        return contiguous_part(e, count ? start * l.inner : 0, x->rank, shape);
    return strided_part(e, axis, count ? start : 0, step, count, x->rank, shape);
}

/* The shape of what is gathered. */
static void gathered_shape(const EvalArgs *e, i64 shape[MAX_RANK])
{
    const Tensor *x = e->in[0], *idx = e->in[1];
    int axis = (int)e->node->attrs[0].i;
    for (int i = 0; i < e->node->type->rank; i++)
        shape[i] = i < axis               ? x->shape[i]
                   : i < axis + idx->rank ? idx->shape[i - axis]
                                          : x->shape[i - idx->rank + 1];
}

/* Of a gather whose elements are made when they are read. */
typedef struct {
    const void *from;
    i64 n, inner, count; /* places in an axis; elements of each; how many are taken */
    i64 place[];
} Gathered;

static void read_gathered(const Tensor *t, i64 from, i64 n, void *out)
{
    const Gathered *g = t->data;
    kernel_gather_part(dtype_size(t->dtype), g->n, g->inner, g->from, g->place, g->count, from, n,
                       out);
}

int deferred_gather(EvalArgs *e)
{
    Tensor *x = e->in[0];
    const Tensor *idx = e->in[1];
    int axis = (int)e->node->attrs[0].i;
    i64 shape[MAX_RANK], bad = 0;
    Layout l = layout_of(x, axis);
    gathered_shape(e, shape);
    Tensor *out = eval_deferred(e, x->dtype, e->node->type->rank, shape, x, read_gathered,
                                sizeof(Gathered) + (size_t)idx->count * sizeof(i64));
    if (!out)
        return 1;
    e->out[0] = out;
    Gathered *g = out->data;
    *g = (Gathered){.from = x->data, .n = l.axis, .inner = l.inner, .count = idx->count};
    int status = kernel_places(idx->dtype, idx->data, idx->count, l.axis, g->place, &bad);
    return status == K_BOUNDS ? eval_index_error(e, bad, axis) : eval_status(e, status);
}

int eval_gather(EvalArgs *e)
{
    const Tensor *x = e->in[0], *idx = e->in[1];
    int axis = (int)e->node->attrs[0].i, rank = e->node->type->rank;
    i64 shape[MAX_RANK], bad = 0;
    gathered_shape(e, shape);
    Layout l = layout_of(x, axis);
    Tensor *out = eval_fresh(e, x->dtype, rank, shape);
    if (!out)
        return 1;
    int status = kernel_gather(dtype_size(x->dtype), l.outer, l.axis, l.inner, x->data, idx->dtype,
                               idx->data, idx->count, out->data, &bad);
    if (status == K_OK) {
        e->out[0] = out;
        return 0;
    }
    tensor_unref(out);
    return status == K_BOUNDS ? eval_index_error(e, bad, axis) : eval_status(e, status);
}

/* The value must be a scalar or have the part's shape: `at` axes of x, then those of idx (if any).
 */
static int value_fits(EvalArgs *e, int rank, const i64 *shape)
{
    const Tensor *value = e->in[2];
    if (!value->rank ||
        (value->rank == rank && !memcmp(value->shape, shape, (size_t)rank * sizeof *shape)))
        return 0;
    Text have = {0}, want = {0};
    text_shape(&have, value->rank, value->shape);
    text_shape(&want, rank, shape);
    int r =
        eval_fail(e, "shape-mismatch", "a part of shape %s cannot be set to a value of shape %s",
                  text_str(&want), text_str(&have));
    text_free(&have);
    text_free(&want);
    return r;
}

int eval_set_index(EvalArgs *e)
{
    const Tensor *x = e->in[0], *value = e->in[2];
    int axis = (int)e->node->attrs[0].i;
    i64 at, shape[MAX_RANK];
    if (!position(e, axis, &at))
        return 1;
    int rank = shape_without(x, axis, shape);
    if (value_fits(e, rank, shape))
        return 1;
    Tensor *out = eval_take(e, 0);
    if (!out)
        return 1;
    Layout l = layout_of(out, axis);
    kernel_slice_store((StoreOp)e->node->attrs[1].i, out->dtype, l.outer, l.axis, l.inner, at, 1, 1,
                       value->data, value->rank || !rank, out->data);
    e->out[0] = out;
    return 0;
}

int eval_set_slice(EvalArgs *e)
{
    const Tensor *x = e->in[0], *value = e->in[2];
    int axis = (int)e->node->attrs[0].i;
    i64 start = eval_int(e, 1), step = e->node->attrs[1].i, shape[MAX_RANK];
    memcpy(shape, x->shape, sizeof shape);
    shape[axis] = value->shape[axis];
    if (value_fits(e, x->rank, shape) || !slice_inside(e, start, step, shape[axis], axis))
        return 1;
    Tensor *out = eval_take(e, 0);
    if (!out)
        return 1;
    Layout l = layout_of(out, axis);
    kernel_slice_store((StoreOp)e->node->attrs[2].i, out->dtype, l.outer, l.axis, l.inner,
                       shape[axis] ? start : 0, step, shape[axis], value->data, 1, out->data);
    e->out[0] = out;
    return 0;
}

int eval_scatter(EvalArgs *e)
{
    const Tensor *x = e->in[0], *idx = e->in[1], *value = e->in[2];
    int axis = (int)e->node->attrs[0].i, rank = x->rank - 1 + idx->rank;
    i64 shape[2 * MAX_RANK], bad = 0;
    for (int i = 0; i < rank; i++)
        shape[i] = i < axis               ? x->shape[i]
                   : i < axis + idx->rank ? idx->shape[i - axis]
                                          : x->shape[i - idx->rank + 1];
    if (value_fits(e, rank, shape))
        return 1;
    Tensor *out = eval_take(e, 0);
    if (!out)
        return 1;
    Layout l = layout_of(out, axis);
    int status = kernel_scatter((StoreOp)e->node->attrs[1].i, out->dtype, l.outer, l.axis, l.inner,
                                out->data, idx->dtype, idx->data, idx->count, value->data,
                                value->rank || !rank, &bad);
    if (status == K_OK) {
        e->out[0] = out;
        return 0;
    }
    tensor_unref(out);
    return status == K_BOUNDS ? eval_index_error(e, bad, axis) : eval_status(e, status);
}
