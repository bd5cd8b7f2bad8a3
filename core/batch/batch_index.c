/* Batching of reading and writing parts, and of searching.
 *
 * A position that is the same in every lane stays what it is. Positions of their own in each
 * lane address the lanes joined along one axis: lane * size + position, each checked first. */
#include "batch/batch.h"
#include "ops/functions.h"

/* x (lanes, axes...) with the axis right after the lanes, the two joined into one. */
typedef struct {
    Node *joined;    /* (lanes * size, rest...) */
    Node *positions; /* (lanes, shape of the position...) */
    Node *size;
} Joined;

/* Positions from 0 on; a position that is out of range fails as it does in a single lane. */
static Node *checked(Store *st, Node *at, Node *size)
{
    Node *zero = node_i64(st, 0), *low[] = {at, zero}, *inside[3], *ends[2];
    Attr all = {.ints = all_axes(st, node_rank(at))};
    ends[0] = at, ends[1] = build_neg(st, size);
    inside[0] = build_elementwise(st, OP_GE, 2, ends);
    ends[1] = size;
    inside[1] = build_elementwise(st, OP_LT, 2, ends);
    Node *fine = build_elementwise(st, OP_LOGICAL_AND, 2, inside);
    Node *negative = build_elementwise(st, OP_LT, 2, low);
    Node *choice[] = {negative, build_add(st, at, size), at};
    Node *from = build_elementwise(st, OP_WHERE, 3, choice);
    fine = fine ? node1(st, OP_ALL, &all, fine) : NULL;
    Symbol message = symbol(st, "an index is out of range for a batch element");
    return fine && from ? node_check_index(st, message, fine, from) : NULL;
}

/* lane * size, in the shape of `at` */
static Node *starts(Batch *b, Node *at, Node *size)
{
    Node *ops[MAX_RANK + 1];
    i64 axis = 0;
    Node *lane = node1(b->st, OP_IOTA, NULL, b->lanes);
    ops[0] = lane ? build_mul(b->st, lane, size) : NULL;
    for (int i = 0; i < node_rank(at); i++)
        ops[i + 1] = node_dim(b->st, at, i);
    Attr a = {.ints = intlist(b->st, 1, &axis)};
    return ops[0] && node_rank(at) > 1
               ? node_make(b->st, OP_BROADCAST, &a, (u32)node_rank(at) + 1, ops)
               : ops[0];
}

static bool join(Batch *b, Node *n, Joined *j)
{
    Store *st = b->st;
    Node *x = move_axis(st, batch_full(b, n->ops[0]), (int)n->attrs[0].i + 1, 1);
    Node *at = batch_full(b, n->ops[1]), *dims[MAX_RANK];
    at = at ? node_cast(st, at, DT_I64) : NULL;
    if (!x || !at)
        return false;
    j->size = node_dim(st, x, 1);
    Node *from = checked(st, at, j->size), *start = starts(b, at, j->size);
    j->positions = from && start ? build_add(st, from, start) : NULL;
    dims[0] = build_mul(st, b->lanes, j->size);
    for (int i = 2; i < node_rank(x); i++)
        dims[i - 1] = node_dim(st, x, i);
    j->joined = dims[0] ? build_reshape(st, x, node_rank(x) - 1, dims) : NULL;
    return j->joined && j->positions;
}

/* Axes [first, first + count) of x moved so that they begin at place `to`. */
static Node *move_axes(Store *st, Node *x, int first, int count, int to)
{
    int perm[MAX_RANK], rest[MAX_RANK], n = 0, k = 0;
    if (!x)
        return NULL;
    for (int i = 0; i < node_rank(x); i++)
        if (i < first || i >= first + count)
            rest[n++] = i;
    for (int i = 0; i < node_rank(x); i++)
        perm[i] = i >= to && i < to + count ? first + i - to : rest[k++];
    return build_transpose(st, x, perm);
}

/* ---- reading ---- */

/* index, gather: (lanes, position..., rest...) -> the position's axes where the axis was */
bool batch_read(Batch *b, Node *n)
{
    Store *st = b->st;
    Node *x = n->ops[0], *at = n->ops[1];
    int axis = (int)n->attrs[0].i, k = node_rank(at);
    Attr a = {.i = axis + 1};
    if (!batch_has(b, at))
        return batch_set(b, n, node2(st, n->op, &a, batch_value(b, x), batch_value(b, at)), true);
    if (!batch_has(b,
                   x)) { /* one tensor for all lanes: (before..., lanes, position..., after...) */
        a.i = axis;
        Node *r = node2(st, OP_GATHER, &a, batch_value(b, x), batch_value(b, at));
        return batch_set(b, n, move_axis(st, r, axis, 0), true);
    }
    Joined j;
    a.i = 0;
    Node *r = join(b, n, &j) ? node2(st, OP_GATHER, &a, j.joined, j.positions) : NULL;
    return batch_set(b, n, move_axes(st, r, 1, k, 1 + axis), true);
}

bool batch_slice(Batch *b, Node *n)
{
    if (batch_has(b, n->ops[1]) || batch_has(b, n->ops[2]))
        return batch_lanes(b, n);
    Attr a[] = {{.i = n->attrs[0].i + 1}, n->attrs[1]};
    return batch_set(b, n,
                     node3(b->st, OP_SLICE, a, batch_value(b, n->ops[0]), batch_value(b, n->ops[1]),
                           batch_value(b, n->ops[2])),
                     true);
}

/* ---- writing ---- */

/* The value for a part: a number that is the same everywhere stays one, a number per lane is
 * repeated to the part's shape, which is x's with the position's axes in place of the axis. */
static Node *part_value(Batch *b, const Node *n, Node *x, Node *at)
{
    const Node *v = n->ops[2];
    Node *ops[2 * MAX_RANK + 2] = {batch_value(b, v), b->lanes};
    int axis = (int)n->attrs[0].i, skip = batch_has(b, n->ops[1]) ? 1 : 0;
    u32 k = 2;
    i64 lane = 0;
    if (node_rank(v) || !batch_has(b, v))
        return node_rank(v) ? batch_full(b, v) : ops[0];
    if (node_rank(n->ops[0]) + node_rank(n->ops[1]) - 1 == 0)
        return ops[0];
    for (int i = 0; i < node_rank(n->ops[0]); i++)
        if (i != axis)
            ops[k++] = node_dim(b->st, x, i + 1);
        else
            for (int p = 0; p < node_rank(n->ops[1]); p++)
                ops[k++] = node_dim(b->st, at, p + skip);
    Attr a = {.ints = intlist(b->st, 1, &lane)};
    return node_make(b->st, OP_BROADCAST, &a, k, ops);
}

/* set_index, scatter */
bool batch_write(Batch *b, Node *n)
{
    Store *st = b->st;
    Node *x = batch_full(b, n->ops[0]), *at = batch_value(b, n->ops[1]);
    int axis = (int)n->attrs[0].i, k = node_rank(n->ops[1]);
    Node *v = x ? part_value(b, n, x, at) : NULL, *dims[MAX_RANK];
    Attr a[] = {{.i = axis + 1}, n->attrs[1]};
    if (!v)
        return false;
    if (!batch_has(b, n->ops[1]))
        return batch_set(b, n, node3(st, n->op, a, x, at, v), true);
    Joined j;
    if (!join(b, n, &j))
        return false;
    a[0].i = 0;
    if (node_rank(v))
        v = move_axes(st, v, 1 + axis, k, 1);
    Node *r = v ? node3(st, OP_SCATTER, a, j.joined, j.positions, v) : NULL;
    dims[0] = b->lanes;
    dims[1] = j.size;
    for (int i = 1; r && i < node_rank(r); i++)
        dims[i + 1] = node_dim(st, r, i);
    r = r ? build_reshape(st, r, node_rank(r) + 1, dims) : NULL;
    return batch_set(b, n, move_axis(st, r, 1, axis + 1), true);
}

bool batch_set_slice(Batch *b, Node *n)
{
    if (batch_has(b, n->ops[1]))
        return batch_lanes(b, n);
    Attr a[] = {{.i = n->attrs[0].i + 1}, n->attrs[1], n->attrs[2]};
    Node *x = batch_full(b, n->ops[0]), *v = batch_full(b, n->ops[2]);
    return x && v &&
           batch_set(b, n, node3(b->st, OP_SET_SLICE, a, x, batch_value(b, n->ops[1]), v), true);
}

/* ---- searching ---- */

bool batch_searchsorted(Batch *b, Node *n)
{
    if (batch_has(b, n->ops[0]))
        return batch_lanes(b, n);
    return batch_set(
        b, n, node2(b->st, n->op, n->attrs, batch_value(b, n->ops[0]), batch_value(b, n->ops[1])),
        true);
}
