/* Operators that are defined by others: one node as they are called, until the pass expand puts
 * the definition in its place.
 *
 * Invariant: a node has the type of its definition, which reads nothing but the node's operands.
 * What is differentiated or batched through the definition (vjp_defined, jvp_defined,
 * batch_defined) gives what the definition itself would have given. */
#include "ops/definitions.h"
#include "graph/walk.h"
#include "ops/family.h"

static bool whole_number(Store *st, const Node *n, u32 k, const char *what)
{
    return scalar_operand(st, n, k, DT_I64, what);
}

/* ---- eye(n, m, k): m is n, and k is 0, if they are not given ---- */

/* Numbers of rows and of columns, each repeated to [rows, columns]. */
static bool places_of(Store *st, Node *rows, Node *columns, Node **row, Node **column)
{
    Node *dims[] = {rows, columns};
    *row = node1(st, OP_IOTA, NULL, rows);
    *column = *row ? node1(st, OP_IOTA, NULL, columns) : NULL;
    *row = *column ? build_broadcast_to(st, build_expand(st, *row, 1), 2, dims) : NULL;
    *column = *column ? build_broadcast_to(st, *column, 2, dims) : NULL;
    return *row && *column;
}

/* A size that was read off an array, as what reads the same size off it says it. */
static Node *length(Store *st, Node *n)
{
    return n->op == OP_DIM ? node_dim(st, n->ops[0], (int)n->attrs[0].i) : n;
}

static Node *define_eye(Store *st, const Node *n)
{
    Node *row, *column;
    if (!whole_number(st, n, 0, "the number of rows") ||
        (n->nops > 1 && !whole_number(st, n, 1, "the number of columns")) ||
        (n->nops > 2 && !whole_number(st, n, 2, "the number of the diagonal")) ||
        !places_of(st, length(st, n->ops[0]), length(st, n->ops[n->nops > 1 ? 1 : 0]), &row,
                   &column))
        return NULL;
    Node *on = n->nops > 2 ? node2(st, OP_EQ, NULL, build_sub(st, column, row), n->ops[2])
                           : node2(st, OP_EQ, NULL, row, column);
    return node_cast(st, on, (DType)n->attrs[0].i);
}

/* ---- one_hot(i, n) ---- */

static Node *define_one_hot(Store *st, const Node *n)
{
    Node *i = n->ops[0], *dims[MAX_RANK];
    int rank = node_rank(i);
    if (!dtype_is_int(node_dtype(i)) || rank == MAX_RANK)
        return wrong_type(st, n, 0, "whole numbers and room for an axis"), NULL;
    if (!whole_number(st, n, 1, "the number of classes"))
        return NULL;
    for (int k = 0; k < rank; k++)
        dims[k] = node_dim(st, i, k);
    dims[rank] = n->ops[1];
    Node *classes = node1(st, OP_IOTA, NULL, dims[rank]);
    classes = classes ? build_broadcast_to(st, classes, rank + 1, dims) : NULL;
    Node *wide =
        build_broadcast_to(st, build_expand(st, node_cast(st, i, DT_I64), rank), rank + 1, dims);
    return classes && wide
               ? node_cast(st, node2(st, OP_EQ, NULL, classes, wide), (DType)n->attrs[0].i)
               : NULL;
}

/* ---- trace(x) ---- */

static Node *define_trace(Store *st, const Node *n)
{
    Node *x = n->ops[0], *row, *column;
    if (node_rank(x) != 2 || node_dtype(x) == DT_RNG)
        return wrong_type(st, n, 0, "a matrix of numbers or bools"), NULL;
    if (!places_of(st, node_dim(st, x, 0), node_dim(st, x, 1), &row, &column))
        return NULL;
    return build_sum_all(st, node3(st, OP_WHERE, NULL, node2(st, OP_EQ, NULL, row, column), x,
                                   node_number(st, node_dtype(x), 0)));
}

/* ---- sizes that are computed ---- */

static Node *plus(Store *st, Node *n, i64 k)
{
    i64 v, sum;
    if (node_const_i64(n, &v) && n->type->dtype == DT_I64 && !__builtin_add_overflow(v, k, &sum))
        return node_i64(st, sum);
    return k < 0 ? build_sub(st, n, node_i64(st, -k)) : k ? build_add(st, n, node_i64(st, k)) : n;
}

static Node *times(Store *st, Node *n, i64 k) { return build_mul(st, n, node_i64(st, k)); }

static Node *of_two(Store *st, OpId op, Node *a, Node *b) { return node2(st, op, NULL, a, b); }

/* ---- diag(x, k): places start, start + step, ... of the flat matrix ---- */

typedef struct {
    Node *start, *len, *step;
} Places;

static Node *listed(Store *st, Places p)
{
    Node *i = node1(st, OP_IOTA, NULL, p.len), *steps = i ? build_mul(st, i, p.step) : NULL;
    return steps ? build_add(st, steps, p.start) : NULL;
}

static bool are_known(Places p, i64 *start, i64 *len, i64 *step)
{
    return node_const_i64(p.start, start) && node_const_i64(p.len, len) &&
           node_const_i64(p.step, step);
}

Node *build_diagonal(Store *st, Node *x, i64 k)
{
    int rank = node_rank(x), last = rank - 2;
    Node *rows = node_dim(st, x, last), *cols = node_dim(st, x, last + 1), *dims[MAX_RANK];
    Node *down = k >= 0 ? rows : plus(st, rows, k), *right = k >= 0 ? plus(st, cols, -k) : cols;
    Node *len = of_two(st, OP_MAXIMUM, of_two(st, OP_MINIMUM, down, right), node_i64(st, 0));
    Places p = {.start = k >= 0 ? node_i64(st, k) : build_size(st, times(st, cols, -k)),
                .len = build_size(st, len),
                .step = build_size(st, plus(st, cols, 1))};
    i64 by, from, count;
    for (int i = 0; i < last; i++)
        dims[i] = node_dim(st, x, i);
    dims[last] = build_size(st, build_mul(st, rows, cols));
    Node *flat = build_reshape(st, x, rank - 1, dims);
    if (are_known(p, &from, &count, &by))
        return build_slice(st, flat, last, node_i64(st, count ? from : 0), p.len, by);
    Attr at = {.i = last};
    return node2(st, OP_GATHER, &at, flat, listed(st, p));
}

/* A square matrix with the vector on its k-th diagonal. */
static Node *diagonal_matrix(Store *st, Node *v, i64 k)
{
    Node *len = node_dim(st, v, 0), *side = build_size(st, plus(st, len, k < 0 ? -k : k));
    Places p = {.start = k >= 0 ? node_i64(st, k) : build_size(st, times(st, side, -k)),
                .len = len,
                .step = build_size(st, plus(st, side, 1))};
    Node *dims[] = {side, side}, *count = build_size(st, build_mul(st, side, side));
    Node *flat = build_full(st, node_number(st, v->type->dtype, 0), 1, &count), *full;
    i64 by, from, known;
    if (are_known(p, &from, &known, &by)) {
        Attr at[] = {{.i = 0}, {.i = by}, {.i = 0}};
        full = node3(st, OP_SET_SLICE, at, flat, node_i64(st, known ? from : 0), v);
    } else {
        Attr at[] = {{.i = 0}, {.i = 0}};
        full = node3(st, OP_SCATTER, at, flat, listed(st, p), v);
    }
    return build_reshape(st, full, 2, dims);
}

bool diagonal_fits(i64 k)
{
    const i64 most = 3037000499; /* rows: their square is just below 2^63 */
    return k <= most && k >= -most;
}

static Node *define_diag(Store *st, const Node *n)
{
    Node *x = n->ops[0];
    int rank = node_rank(x);
    i64 k = n->attrs[0].i;
    if ((rank != 1 && rank != 2) || node_dtype(x) == DT_RNG)
        return wrong_type(st, n, 0, "a vector or a matrix of numbers or bools"), NULL;
    if (rank == 1 && !diagonal_fits(k))
        return wrong_type(st, n, 0, "a diagonal that can be counted"), NULL;
    return rank == 1 ? diagonal_matrix(st, x, k) : build_diagonal(st, x, k);
}

/* ---- roll(x, shifts, axes): of all elements in a row if there are no axes ---- */

/* Known lengths: the end, then the beginning; otherwise element i comes from (i - k) mod n. */
static Node *roll_axis(Store *st, Node *x, int axis, Node *k)
{
    i64 by, n;
    if (!x || !k)
        return NULL;
    if (node_const_i64(k, &by) && size_is_const(x->type->dims[axis], &n)) {
        by = n ? by % n : 0;
        by = by < 0 ? by + n : by;
        if (!by)
            return x;
        Node *parts[] = {build_slice(st, x, axis, node_i64(st, n - by), node_i64(st, by), 1),
                         build_slice(st, x, axis, node_i64(st, 0), node_i64(st, n - by), 1)};
        Attr at = {.i = axis};
        return node_make(st, OP_CONCAT, &at, 2, parts);
    }
    Node *len = node_dim(st, x, axis);
    Node *ops[] = {build_sub(st, node1(st, OP_IOTA, NULL, len), k), len};
    Attr at = {.i = axis};
    return ops[0] ? node2(st, OP_GATHER, &at, x, build_elementwise(st, OP_MOD, 2, ops)) : NULL;
}

static Node *define_roll(Store *st, const Node *n)
{
    Node *x = n->ops[0];
    const IntList *axes = n->attrs[0].ints;
    bool flat = !axes->n;
    if (n->nops != (flat ? 1 : axes->n) + 1 || axes->n > MAX_RANK)
        return wrong_type(st, n, 0, "a shift for each axis"), NULL;
    for (u32 i = 1; i < n->nops; i++)
        if (!whole_number(st, n, i, "a shift") ||
            (!flat && !axis_ok(st, n, axes->at[i - 1], node_rank(x))))
            return NULL;
    if (flat)
        x = build_flat(st, x);
    for (u32 i = 1; i < n->nops; i++)
        x = roll_axis(st, x, flat ? 0 : (int)axes->at[i - 1], n->ops[i]);
    if (!flat || !x)
        return x;
    Node *dims[MAX_RANK];
    for (int i = 0; i < node_rank(n->ops[0]); i++)
        dims[i] = node_dim(st, n->ops[0], i);
    return build_reshape(st, x, node_rank(n->ops[0]), dims);
}

/* ---- pad(x, value, before and after of each axis) ---- */

static Node *pad_block(Store *st, Node *x, int axis, Node *width, Node *value)
{
    Node *dims[MAX_RANK];
    for (int i = 0; i < node_rank(x); i++)
        dims[i] = i == axis ? width : node_dim(st, x, i);
    return build_full(st, value, node_rank(x), dims);
}

static Node *pad_axis(Store *st, Node *x, int axis, Node *const *widths, Node *value)
{
    Node *parts[3];
    u32 n = 0;
    i64 k;
    if (!node_const_i64(widths[0], &k) || k)
        parts[n++] = pad_block(st, x, axis, widths[0], value);
    parts[n++] = x;
    if (!node_const_i64(widths[1], &k) || k)
        parts[n++] = pad_block(st, x, axis, widths[1], value);
    Attr at = {.i = axis};
    for (u32 i = 0; i < n; i++)
        if (!parts[i])
            return NULL;
    return n > 1 ? node_make(st, OP_CONCAT, &at, n, parts) : x;
}

static Node *define_pad(Store *st, const Node *n)
{
    Node *x = n->ops[0], *value = n->ops[1];
    int rank = node_rank(x);
    if (n->nops != 2 + 2 * (u32)rank || !type_is_scalar(value->type) ||
        node_dtype(value) != node_dtype(x))
        return wrong_type(st, n, 0, "a value of its dtype and two widths for each axis"), NULL;
    for (u32 i = 2; i < n->nops; i++)
        if (!whole_number(st, n, i, "a width"))
            return NULL;
    for (int axis = 0; axis < rank && x; axis++)
        x = pad_axis(st, x, axis, n->ops + 2 + 2 * axis, value);
    return x;
}

/* ---- repeat(x, n, axis): of all elements in a row if the axis is -1 ---- */

Node *build_copies(Store *st, Node *x, int axis, Node *n, bool each)
{
    i64 k;
    if (!x || !n)
        return NULL;
    int rank = node_rank(x), fresh = each ? axis + 1 : axis;
    if (node_const_i64(n, &k) && k == 1)
        return x;
    Node *len = node_dim(st, x, axis), *total = build_size(st, build_mul(st, len, n));
    if (rank == MAX_RANK) {
        Node *ops[] = {total ? node1(st, OP_IOTA, NULL, total) : NULL, each ? n : len};
        Attr at = {.i = axis};
        Node *from = ops[0] ? build_elementwise(st, each ? OP_FLOORDIV : OP_MOD, 2, ops) : NULL;
        return from ? node2(st, OP_GATHER, &at, x, from) : NULL;
    }
    Node *dims[MAX_RANK], *out[MAX_RANK], *wide = build_expand(st, x, fresh);
    for (int i = 0; i <= rank; i++)
        dims[i] = i == fresh ? n : node_dim(st, x, i < fresh ? i : i - 1);
    for (int i = 0; i < rank; i++)
        out[i] = i == axis ? total : node_dim(st, x, i);
    return build_reshape(st, build_broadcast_to(st, wide, rank + 1, dims), rank, out);
}

static Node *define_repeat(Store *st, const Node *n)
{
    bool flat = n->attrs[0].i < 0;
    int axis = flat ? 0 : (int)n->attrs[0].i;
    if (!whole_number(st, n, 1, "the number of copies") ||
        (!flat && !axis_ok(st, n, axis, node_rank(n->ops[0]))))
        return NULL;
    return build_copies(st, flat ? build_flat(st, n->ops[0]) : n->ops[0], axis, n->ops[1], true);
}

/* ---- linspace(start, stop, n) ---- */

static Node *define_linspace(Store *st, const Node *n)
{
    DType d = (DType)n->attrs[0].i;
    if (!scalar_operand(st, n, 0, DT_F64, "the start") ||
        !scalar_operand(st, n, 1, DT_F64, "the stop") ||
        !whole_number(st, n, 2, "the number of points"))
        return NULL;
    Node *start = n->ops[0], *stop = n->ops[1], *count = n->ops[2];
    Node *gaps = node2(st, OP_MAXIMUM, NULL, plus(st, count, -1), node_i64(st, 1));
    Node *ops[] = {build_sub(st, stop, start), node_cast(st, gaps, DT_F64)};
    Node *step = build_elementwise(st, OP_DIV, 2, ops);
    Node *i = node_cast(st, node1(st, OP_IOTA, NULL, count), DT_F64);
    Node *x = step && i ? build_add(st, build_mul(st, i, step), start) : NULL;
    if (x && !dtype_is_float(d)) /* as NumPy, which rounds down */
        x = node1(st, OP_FLOOR, NULL, x);
    return x ? node_cast(st, x, d) : NULL;
}

/* ---- all of them ---- */

static Node *(*const definitions[OP_COUNT])(Store *, const Node *) = {
    [OP_EYE] = define_eye,           [OP_ONE_HOT] = define_one_hot,   [OP_TRACE] = define_trace,
    [OP_DIAG] = define_diag,         [OP_ROLL] = define_roll,         [OP_PAD] = define_pad,
    [OP_REPEAT] = define_repeat,     [OP_LINSPACE] = define_linspace, [OP_CONV2D] = define_conv2d,
    [OP_MAX_POOL] = define_max_pool,
};

bool op_is_defined(OpId op) { return definitions[op] != NULL; }

Node *node_definition(Store *st, const Node *n) { return definitions[n->op](st, n); }

Type *infer_defined(Store *st, Node *n)
{
    Node *definition = tensors_only(st, n) ? node_definition(st, n) : NULL;
    return definition ? definition->type : NULL;
}

void definition_nodes(const Node *n, Node *definition, NodeVec *order)
{
    NodeSet seen = {0};
    for (u32 i = 0; i < n->nops; i++)
        set_add(&seen, n->ops[i]);
    nodes_topo_more(definition, &seen, order);
    map_free(&seen);
}

/* It cannot fail if nothing of its definition can. */
bool total_defined(Store *st, const Node *n)
{
    NodeVec order = {0};
    Node *definition = node_definition(st, n);
    bool total = definition != NULL;
    if (total)
        definition_nodes(n, definition, &order);
    for (size_t i = 0; i < order.len && total; i++)
        total = node_info(order.at[i])->total(st, order.at[i]);
    vec_free(&order);
    return total;
}
