/* Derivatives of conv2d: convolutions too, where the windows touch (stride 1, one group).
 *
 * With dy the cotangent of y = conv2d(x, w), x gets the convolution of dy, within a border, with
 * the kernels turned by half a turn, and w that of x with dy, channels and images having changed
 * places (Goodfellow, Bengio, Courville, Deep Learning, 9.5). Other convolutions go by their
 * definition. */
#include "ops/definitions.h"
#include "grad/vjp.h"
#include "ops/functions.h"

static Node *conv2d(Store *st, Node *x, Node *w, const i64 *pad)
{
    u32 sides = !pad[0] && !pad[1] ? 0 : pad[0] == pad[1] ? 1 : 2;
    Attr attrs[] = {{.ints = intlist(st, 0, NULL)}, {.ints = intlist(st, sides, pad)}, {.i = 1}};
    return x && w ? node2(st, OP_CONV2D, attrs, x, w) : NULL;
}

/* The border of x in *inner, and the one that dy needs in *outer. */
static bool borders(const Node *n, i64 *inner, i64 *outer)
{
    const Type *w = n->ops[1]->type;
    if (window_number(n->attrs[0].ints, 0, 1) != 1 || window_number(n->attrs[0].ints, 1, 1) != 1 ||
        n->attrs[2].i != 1)
        return false;
    for (int side = 0; side < 2; side++) {
        i64 width;
        inner[side] = window_number(n->attrs[1].ints, side, 0);
        if (!size_is_const(w->dims[w->rank - 2 + side], &width) || inner[side] >= width)
            return false;
        outer[side] = width - 1 - inner[side];
    }
    return true;
}

/* Axes a and b change places. */
static Node *swapped(Store *st, Node *x, int a, int b)
{
    int perm[MAX_RANK];
    for (int i = 0; i < node_rank(x); i++)
        perm[i] = i == a ? b : i == b ? a : i;
    return build_transpose(st, x, perm);
}

static Node *turned(Store *st, Node *w)
{
    int rank = node_rank(w);
    i64 both[] = {rank - 2, rank - 1};
    Attr axes = {.ints = intlist(st, 2, both)};
    Node *back = node1(st, OP_FLIP, &axes, w);
    return rank == 4 ? swapped(st, back, 0, 1) : back;
}

/* All axes before the last `own` as one. */
static Node *images(Store *st, Node *x, int own)
{
    int lead = node_rank(x) - own;
    return !lead ? build_expand(st, x, 0) : lead == 1 ? x : build_merged(st, x, 0, lead);
}

/* [.., c, h, w] with the channels first, and the images after them. */
static Node *channels_first(Store *st, Node *x)
{
    return node_rank(x) == 3 ? build_expand(st, x, 1) : swapped(st, images(st, x, 3), 0, 1);
}

/* The cotangent of kernels [o, c, kh, kw]: the images are the channels, and the channels images. */
static Node *of_kernels(Store *st, Node *x, Node *dy, const i64 *pad)
{
    Node *dw = conv2d(st, channels_first(st, x), channels_first(st, dy), pad);
    return dw ? swapped(st, dw, 0, 1) : NULL;
}

/* The same of one kernel [kh, kw]. */
static Node *of_kernel(Store *st, Node *x, Node *dy, const i64 *pad)
{
    if (node_rank(x) == 2)
        return conv2d(st, x, dy, pad);
    Node *dw = conv2d(st, images(st, x, 2), build_expand(st, images(st, dy, 2), 0), pad);
    return dw ? build_squeeze(st, dw, 0) : NULL;
}

bool vjp_conv2d(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0], *w = n->ops[1];
    i64 inner[2], outer[2];
    if (!dy || !borders(n, inner, outer))
        return !dy || vjp_defined(v, n, dy);
    if (vjp_active(v, x) && !vjp_give(v, x, conv2d(st, dy, turned(st, w), outer)))
        return false;
    return !vjp_active(v, w) ||
           vjp_give(v, w,
                    node_rank(w) == 4 ? of_kernels(st, x, dy, inner) : of_kernel(st, x, dy, inner));
}

bool jvp_conv2d(Jvp *j, Node *n)
{
    Node *x = n->ops[0], *w = n->ops[1];
    Node *dx = jvp_tangent(j, x), *dw = jvp_tangent(j, w);
    Node *by_x = dx ? node2(j->st, OP_CONV2D, n->attrs, dx, w) : NULL;
    Node *by_w = dw ? node2(j->st, OP_CONV2D, n->attrs, x, dw) : NULL;
    if (!dx && !dw)
        return true;
    return jvp_give(j, n, by_x && by_w ? build_add(j->st, by_x, by_w) : by_x ? by_x : by_w);
}
