/* Batching of matrix products and linear systems.
 *
 * A product with a vector or a matrix that is the same in every lane becomes one product of
 * all lanes; so does a system with one matrix. */
#include "batch/batch.h"
#include "ops/functions.h"

static Node *product(Store *st, Node *a, Node *x) { return node2(st, OP_MATMUL, NULL, a, x); }

/* ---- products ---- */

/* Can matmul take the batched operand as a batch of its own beside one that serves all lanes? */
static Node *one_batched(Batch *b, const Node *x, const Node *y)
{
    Store *st = b->st;
    Node *vx = batch_value(b, x), *vy = batch_value(b, y);
    int rx = node_rank(x), ry = node_rank(y);
    if (batch_has(b, x)) /* the lanes are rows of x, or batches */
        return ry <= 2 ? product(st, vx, vy) : NULL;
    if (rx > 2)
        return NULL;
    if (ry > 1)
        return product(st, vx, vy);
    /* x @ y[lane], y a vector: y @ x' */
    return product(st, vy, rx == 1 ? vx : build_swap_last(st, vx));
}

/* (lanes, batch..., matrix): a vector is a row on the left and a column on the right; batch axes
 * that only the other operand has are repeated. */
static Node *as_batch(Batch *b, const Node *x, const Node *other, bool left)
{
    Store *st = b->st;
    Node *v = batch_full(b, x), *o = batch_value(b, other), *ops[MAX_RANK + 1];
    int rank = node_rank(x), want = node_rank(other), skip = batch_has(b, other) ? 1 : 0;
    i64 axes[MAX_RANK];
    if (v && rank == 1) {
        v = build_expand(st, v, left ? 1 : 2);
        rank = 2;
    }
    int extra = want - rank; /* both have two axes for the matrix, if any is wider */
    if (!v || want <= 2 || extra <= 0 || rank > 2)
        return v;
    ops[0] = v;
    ops[1] = b->lanes;
    axes[0] = 0;
    for (int i = 0; i < extra; i++)
        ops[i + 2] = node_dim(st, o, i + skip);
    for (int i = 0; i < 2; i++) {
        ops[2 + extra + i] = node_dim(st, v, 1 + i);
        axes[1 + i] = 1 + extra + i;
    }
    Attr a = {.ints = intlist(st, 3, axes)};
    return node_make(st, OP_BROADCAST, &a, (u32)(extra + 4), ops);
}

bool batch_matmul(Batch *b, Node *n)
{
    Store *st = b->st;
    Node *x = n->ops[0], *y = n->ops[1];
    if (batch_has(b, x) != batch_has(b, y)) {
        Node *r = one_batched(b, x, y);
        if (r)
            return batch_set(b, n, r, true);
    }
    Node *vx = as_batch(b, x, y, true), *vy = as_batch(b, y, x, false);
    Node *r = vx && vy ? product(st, vx, vy) : NULL;
    if (r && node_rank(y) == 1)
        r = build_squeeze(st, r, node_rank(r) - 1);
    if (r && node_rank(x) == 1)
        r = build_squeeze(st, r, node_rank(r) - (node_rank(y) == 1 ? 1 : 2));
    return batch_set(b, n, r, true);
}

/* ---- linear systems ---- */

/* One matrix, a right side per lane: all of them are columns of one right side. */
static Node *shared_matrix(Batch *b, Node *n)
{
    Store *st = b->st;
    Node *a = batch_value(b, n->ops[0]), *y = batch_value(b, n->ops[1]);
    if (node_rank(n->ops[1]) == 1) {
        Node *x = node2(st, n->op, n->attrs, a, build_swap_last(st, y));
        return x ? build_swap_last(st, x) : NULL;
    }
    Node *rows = move_axis(st, y, 1, 0); /* (lanes, n, k) -> (n, lanes, k) */
    Node *dims[3];
    for (int i = 0; i < 3; i++)
        dims[i] = node_dim(st, rows, i);
    Node *wide = build_merged(st, rows, 1, 2);
    Node *x = wide ? node2(st, n->op, n->attrs, a, wide) : NULL;
    return x ? move_axis(st, build_reshape(st, x, 3, dims), 0, 1) : NULL;
}

bool batch_solve(Batch *b, Node *n)
{
    Store *st = b->st;
    if (!batch_has(b, n->ops[0]) && node_rank(n->ops[0]) == 2)
        return batch_set(b, n, shared_matrix(b, n), true);
    Node *a = batch_full(b, n->ops[0]), *y = batch_full(b, n->ops[1]);
    bool vector = node_rank(n->ops[1]) == 1;
    if (y && vector)
        y = build_expand(st, y, 2);
    Node *x = a && y ? node2(st, n->op, n->attrs, a, y) : NULL;
    return batch_set(b, n, x && vector ? build_squeeze(st, x, 2) : x, true);
}
