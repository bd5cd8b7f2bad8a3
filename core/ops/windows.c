/* Operators over windows of the last two axes, defined by others: conv2d and max_pool.
 *
 * A window axis is the product of two: how far inside the window, and which window. Both come from
 * one gather along the axis at the places  i + stride * j. As the definition has it, a convolution
 * is a product of matrices over such windows (Chellapilla, Puri, Simard 2006).
 *
 * Invariant: the channels come before the rows and columns, axes before them are a batch. */
#include <math.h>

#include "ops/definitions.h"
#include "ops/family.h"

i64 window_number(const IntList *list, int side, i64 usual)
{
    return list->n ? list->at[list->n == 1 ? 0 : side] : usual;
}

/* A list is empty, or has a number for both sides, or two; none of them is below `least`. */
static bool numbers_ok(Store *st, const Node *n, const IntList *list, i64 least, const char *what)
{
    bool fine = list->n <= 2;
    for (u32 i = 0; fine && i < list->n; i++)
        fine = list->at[i] >= least && list->at[i] <= INT32_MAX;
    return fine || (wrong_type(st, n, 0, what), false);
}

/* A length divided by a known number. */
static Node *quotient(Store *st, Node *length, i64 k)
{
    Node *ops[] = {length, node_i64(st, k)};
    return !length || k == 1 ? length : build_size(st, build_elementwise(st, OP_FLOORDIV, 2, ops));
}

/* The windows of that length that fit along an axis: (length - width + stride) // stride. */
static Node *window_count(Store *st, Node *x, int axis, Node *width, i64 stride)
{
    Node *room = build_sub(st, node_dim(st, x, axis), width);
    return quotient(st, build_size(st, build_add(st, room, node_i64(st, stride))), stride);
}

/* The axis becomes two: places in a window, windows. */
static Node *windows(Store *st, Node *x, int axis, Node *width, i64 stride)
{
    Node *count = x && width ? window_count(st, x, axis, width, stride) : NULL;
    Node *inside = count ? node1(st, OP_IOTA, NULL, width) : NULL;
    Node *first = inside ? node1(st, OP_IOTA, NULL, count) : NULL;
    if (!first)
        return NULL;
    Attr at = {.i = axis};
    Node *starts = stride == 1 ? first : build_mul(st, first, node_i64(st, stride));
    Node *places = build_add(st, build_expand(st, inside, 1), build_expand(st, starts, 0));
    return places ? node2(st, OP_GATHER, &at, x, places) : NULL;
}

/* A border around the last two axes. */
static Node *bordered(Store *st, Node *x, const IntList *widths, Node *value)
{
    int rank = node_rank(x);
    Node *ops[2 + 2 * MAX_RANK] = {x, value};
    for (int axis = 0; axis < rank; axis++)
        for (int end = 0; end < 2; end++)
            ops[2 + 2 * axis + end] =
                node_i64(st, axis < rank - 2 ? 0 : window_number(widths, axis - (rank - 2), 0));
    return node_make(st, OP_PAD, NULL, 2 + 2 * (u32)rank, ops);
}

static bool has_border(const IntList *widths)
{
    return window_number(widths, 0, 0) || window_number(widths, 1, 0);
}

/* Axes `axis` and the next change places. */
static Node *exchanged(Store *st, Node *x, int axis)
{
    int perm[MAX_RANK];
    for (int i = 0; x && i < node_rank(x); i++)
        perm[i] = i == axis ? axis + 1 : i == axis + 1 ? axis : i;
    return x ? build_transpose(st, x, perm) : NULL;
}

/* The last two axes become four: places in a window (columns, rows), windows (rows, columns). The
 * rows of windows come last, because they are whole rows of what is there: only they make it as
 * large as the result, by copies of long stretches. */
static Node *windows_of_both(Store *st, Node *x, Node *const *width, const i64 *stride)
{
    int rank = node_rank(x);
    x = exchanged(st, windows(st, x, rank - 1, width[1], stride[1]), rank - 2);
    return x ? windows(st, x, rank - 1, width[0], stride[0]) : NULL;
}

/* ---- conv2d(x, w): x [.., c, h, w], w [o, c / groups, kh, kw]; or [.., h, w] and [kh, kw] ---- */

static bool shapes_ok(Store *st, const Node *n)
{
    Node *x = n->ops[0], *w = n->ops[1];
    int channels = node_rank(w) == 4 ? 1 : 0, rank = node_rank(x);
    if ((node_rank(w) != 4 && node_rank(w) != 2) || node_dtype(w) != node_dtype(x) ||
        node_dtype(w) == DT_RNG || node_dtype(w) == DT_BOOL)
        return wrong_type(st, n, 1, "kernels [outputs, channels, rows, columns] of x's dtype"),
               false;
    if (rank < 2 + channels || rank + 3 - channels > MAX_RANK)
        return wrong_type(st, n, 0, "an image [channels, rows, columns], or a batch of them"),
               false;
    return true;
}

static bool groups_ok(Store *st, const Node *n)
{
    const Type *x = n->ops[0]->type, *w = n->ops[1]->type;
    i64 groups = n->attrs[2].i, outputs;
    if (groups < 1 || groups > INT32_MAX || (groups > 1 && w->rank != 4))
        return wrong_type(st, n, 0, "one group of channels or more"), false;
    if (w->rank != 4)
        return true;
    if (size_provably_different(st, size_scale(st, w->dims[1], groups), x->dims[x->rank - 3]))
        return wrong_type(st, n, 0, "as many channels as the kernels have, in all groups"), false;
    if (size_is_const(w->dims[0], &outputs) && outputs % groups)
        return wrong_type(st, n, 1, "as many outputs for each group"), false;
    return true;
}

static bool conv_operands_ok(Store *st, const Node *n)
{
    return shapes_ok(st, n) && groups_ok(st, n) &&
           numbers_ok(st, n, n->attrs[0].ints, 1, "strides from 1") &&
           numbers_ok(st, n, n->attrs[1].ints, 0, "widths of a border from 0");
}

/* The elements of n axes together. */
static Node *product_of_axes(Store *st, Node *x, int first, int n)
{
    Node *dims[MAX_RANK];
    for (int i = 0; i < n; i++)
        dims[i] = node_dim(st, x, first + i);
    return build_size(st, build_product(st, n, dims));
}

/* w as matrices [o / groups, c / groups * kw * kh], one for each group if there are several. */
static Node *kernels_as_matrices(Store *st, Node *w, i64 groups, Node *depth)
{
    if (!(w = exchanged(st, w, 2)))
        return NULL;
    Node *many[] = {node_i64(st, groups), quotient(st, node_dim(st, w, 0), groups), depth};
    return groups == 1 ? build_reshape(st, w, 2, (Node *[]){node_dim(st, w, 0), depth})
                       : build_reshape(st, w, 3, many);
}

/* Windows [.., c, kw, kh, oh, ow] as matrices [.., groups, c / groups * kw * kh, oh * ow]. */
static Node *windows_as_matrices(Store *st, Node *x, i64 groups, Node *depth)
{
    int lead = node_rank(x) - 5;
    Node *dims[MAX_RANK];
    for (int i = 0; i < lead; i++)
        dims[i] = node_dim(st, x, i);
    int rank = lead;
    if (groups > 1)
        dims[rank++] = node_i64(st, groups);
    dims[rank++] = depth;
    dims[rank++] = product_of_axes(st, x, lead + 3, 2);
    return build_reshape(st, x, rank, dims);
}

/* Kernels of several groups, for every image of a batch. */
static Node *for_each_image(Store *st, Node *kernels, Node *columns)
{
    int rank = node_rank(columns), own = node_rank(kernels);
    Node *dims[MAX_RANK];
    if (own == 2 || own == rank)
        return kernels;
    for (int i = 0; i < rank; i++)
        dims[i] =
            i < rank - own ? node_dim(st, columns, i) : node_dim(st, kernels, i - (rank - own));
    return build_broadcast_to(st, kernels, rank, dims);
}

/* Of images and kernels with channels. */
static Node *convolved(Store *st, const Node *n, Node *x, Node *w)
{
    const IntList *strides = n->attrs[0].ints, *widths = n->attrs[1].ints;
    i64 groups = n->attrs[2].i,
        stride[] = {window_number(strides, 0, 1), window_number(strides, 1, 1)};
    int rank = node_rank(x);
    Node *dims[MAX_RANK], *width[] = {node_dim(st, w, 2), node_dim(st, w, 3)};
    if (has_border(widths))
        x = bordered(st, x, widths, node_number(st, node_dtype(x), 0));
    Node *seen = x ? windows_of_both(st, x, width, stride) : NULL;
    Node *depth = product_of_axes(st, w, 1, 3);
    Node *columns = seen && depth ? windows_as_matrices(st, seen, groups, depth) : NULL;
    Node *kernels = columns ? kernels_as_matrices(st, w, groups, depth) : NULL;
    kernels = kernels ? for_each_image(st, kernels, columns) : NULL;
    Node *y = kernels ? node2(st, OP_MATMUL, NULL, kernels, columns) : NULL;
    if (!y)
        return NULL;
    for (int i = 0; i < rank - 3; i++)
        dims[i] = node_dim(st, x, i);
    dims[rank - 3] = node_dim(st, w, 0);
    dims[rank - 2] = node_dim(st, seen, rank);
    dims[rank - 1] = node_dim(st, seen, rank + 1);
    return build_reshape(st, y, rank, dims);
}

Node *define_conv2d(Store *st, const Node *n)
{
    if (!conv_operands_ok(st, n))
        return NULL;
    Node *x = n->ops[0], *w = n->ops[1];
    if (node_rank(w) == 4)
        return convolved(st, n, x, w);
    x = build_expand(st, x, node_rank(x) - 2);
    w = build_expand(st, build_expand(st, w, 0), 0);
    Node *y = x && w ? convolved(st, n, x, w) : NULL;
    return y ? build_squeeze(st, y, node_rank(y) - 3) : NULL;
}

/* ---- max_pool(x, size) ---- */

Node *define_max_pool(Store *st, const Node *n)
{
    Node *x = n->ops[0];
    const IntList *size = n->attrs[0].ints, *strides = n->attrs[1].ints, *widths = n->attrs[2].ints;
    int rank = node_rank(x);
    if (rank < 2 || rank + 2 > MAX_RANK || node_dtype(x) == DT_RNG || node_dtype(x) == DT_BOOL)
        return wrong_type(st, n, 0, "an image [.., rows, columns] of numbers"), NULL;
    if (!size->n || !numbers_ok(st, n, size, 1, "sizes of windows from 1") ||
        !numbers_ok(st, n, strides, 1, "strides from 1") ||
        !numbers_ok(st, n, widths, 0, "widths of a border from 0"))
        return NULL;
    Node *width[2];
    i64 stride[2], over[] = {rank - 2, rank - 1};
    for (int side = 0; side < 2; side++) {
        i64 w = window_number(size, side, 1);
        if (window_number(widths, side, 0) > w / 2)
            return wrong_type(st, n, 0, "a border of at most half a window"), NULL;
        width[side] = node_i64(st, w);
        stride[side] = window_number(strides, side, w);
    }
    if (has_border(widths))
        x = bordered(st, x, widths, node_number(st, node_dtype(x), -INFINITY));
    x = x ? windows_of_both(st, x, width, stride) : NULL;
    Attr axes = {.ints = intlist(st, 2, over)};
    return x ? node1(st, OP_MAX, &axes, x) : NULL;
}
