/* Batching of elementwise operators, reductions, shapes and checks: the same operator
 * with every axis moved by one. */
#include "batch/batch.h"
#include "ops/functions.h"

/* The node over other operands and attributes, as the counterpart of n. */
static bool set_made(Batch *b, Node *n, const Attr *attrs, u32 nops, Node *const *ops)
{
    for (u32 i = 0; i < nops; i++)
        if (!ops[i])
            return false;
    return batch_set(b, n, node_make(b->st, n->op, attrs, nops, ops), true);
}

static const IntList *shifted(Store *st, const IntList *axes, bool first)
{
    i64 at[MAX_RANK + 1];
    u32 n = 0;
    if (first)
        at[n++] = 0;
    for (u32 i = 0; i < axes->n; i++)
        at[n++] = axes->at[i] + 1;
    return intlist(st, n, at);
}

/* ---- elementwise ---- */

/* x (a number per lane, [lanes]) repeated to the shape that `like` has in each lane. */
static Node *spread(Batch *b, Node *x, Node *like, bool like_batched)
{
    Node *ops[MAX_RANK + 2] = {x, b->lanes};
    i64 axis = 0;
    int skip = like_batched ? 1 : 0, rank = node_rank(like) - skip;
    for (int i = 0; i < rank; i++)
        ops[i + 2] = node_dim(b->st, like, i + skip);
    Attr a = {.ints = intlist(b->st, 1, &axis)};
    return node_make(b->st, OP_BROADCAST, &a, (u32)rank + 2, ops);
}

/* The operand that shows the shape of one lane, rather a batched one; NULL: all are scalars. */
static const Node *shaped_operand(const Batch *b, const Node *n)
{
    const Node *shaped = NULL;
    for (u32 i = 0; i < n->nops; i++)
        if (node_rank(n->ops[i]) && (!shaped || !batch_has(b, shaped)))
            shaped = n->ops[i];
    return shaped;
}

/* Operands are scalars or of one shape: a scalar that is the same everywhere stays one. */
bool batch_elem(Batch *b, Node *n)
{
    const Node *shaped = shaped_operand(b, n);
    Node *small[16], **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    bool ok = true;
    for (u32 i = 0; i < n->nops && ok; i++) {
        const Node *o = n->ops[i];
        ops[i] = batch_value(b, o);
        if (node_rank(o))
            ops[i] = batch_full(b, o);
        else if (shaped && batch_has(b, o))
            ops[i] = spread(b, ops[i], batch_value(b, shaped), batch_has(b, shaped));
        ok = ops[i] != NULL;
    }
    Node *r = !ok          ? NULL
              : b->unnamed ? node_like(b->st, n, ops)
                           : node_with_operands(b->st, n, ops);
    ok = batch_set(b, n, r, true);
    if (ops != small)
        free(ops);
    return ok;
}

/* ---- one operand, axes moved by one ---- */

/* No axes among the attributes, or counted from the end: flip of the last two, determinants. */
bool batch_same(Batch *b, Node *n)
{
    Node *x = batch_value(b, n->ops[0]);
    if (n->type->kind == TYPE_TENSOR)
        return set_made(b, n, n->attrs, 1, &x);
    Node *t = node_make(b->st, n->op, n->attrs, 1, &x);
    for (int i = 0; i < n->type->nitems && t; i++)
        if (!batch_set(b, node_proj(b->st, n, i), node_proj(b->st, t, i), true))
            return false;
    return t != NULL;
}

/* As batch_same, of several operands of one shape. */
bool batch_dft(Batch *b, Node *n)
{
    Node *ops[2], *t;
    for (u32 i = 0; i < n->nops; i++)
        if (!(ops[i] = batch_full(b, n->ops[i])))
            return false;
    t = node_make(b->st, n->op, n->attrs, n->nops, ops);
    for (int i = 0; i < n->type->nitems && t; i++)
        if (!batch_set(b, node_proj(b->st, n, i), node_proj(b->st, t, i), true))
            return false;
    return t != NULL;
}

/* The axes are the first attribute. */
bool batch_axes(Batch *b, Node *n)
{
    Attr a[4] = {{0}};
    Node *x = batch_value(b, n->ops[0]);
    memcpy(a, n->attrs, n->nattrs * sizeof *a);
    a[0].ints = shifted(b->st, n->attrs[0].ints, n->op == OP_TRANSPOSE);
    return set_made(b, n, a, 1, &x);
}

/* The axis is the first attribute. */
bool batch_axis(Batch *b, Node *n)
{
    Attr a[4] = {{0}};
    Node *x = batch_value(b, n->ops[0]);
    memcpy(a, n->attrs, n->nattrs * sizeof *a);
    a[0].i++;
    return set_made(b, n, a, 1, &x);
}

/* Both operands have the axis. */
bool batch_recurrence(Batch *b, Node *n)
{
    Attr at[] = {{.i = n->attrs[0].i + 1}, n->attrs[1]};
    Node *ops[] = {batch_full(b, n->ops[0]), batch_full(b, n->ops[1])};
    return ops[0] && ops[1] && set_made(b, n, at, 2, ops);
}

/* The same in every lane, although the operand is not. */
bool batch_dim(Batch *b, Node *n)
{
    return batch_set(b, n, node_dim(b->st, batch_value(b, n->ops[0]), (int)n->attrs[0].i + 1),
                     false);
}

/* ---- sizes as operands ---- */

static bool with_sizes(Batch *b, Node *n, const Attr *attrs)
{
    Node *ops[MAX_RANK + 2] = {batch_full(b, n->ops[0]), b->lanes};
    for (u32 i = 1; i < n->nops; i++) {
        if (batch_has(b, n->ops[i]))
            return batch_lanes(b, n);
        ops[i + 1] = batch_value(b, n->ops[i]);
    }
    return set_made(b, n, attrs, n->nops + 1, ops);
}

bool batch_reshape(Batch *b, Node *n) { return with_sizes(b, n, NULL); }

bool batch_broadcast(Batch *b, Node *n)
{
    Attr a = {.ints = shifted(b->st, n->attrs[0].ints, true)};
    return with_sizes(b, n, &a);
}

bool batch_concat(Batch *b, Node *n)
{
    Node **ops = xcalloc(n->nops + 1, sizeof *ops);
    for (u32 i = 0; i < n->nops; i++)
        ops[i] = batch_full(b, n->ops[i]);
    Attr a = {.i = n->attrs[0].i + 1};
    bool ok = set_made(b, n, &a, n->nops, ops);
    free(ops);
    return ok;
}

/* ---- checks ---- */

/* Every lane's condition must hold: the first axis of the conditions is that of the lanes. */
bool batch_check(Batch *b, Node *n)
{
    Node *ops[] = {batch_value(b, n->ops[0]), batch_value(b, n->ops[1])};
    return batch_set(b, n, node2(b->st, OP_CHECK, n->attrs, ops[0], ops[1]),
                     batch_has(b, n->ops[1]));
}

/* Only the shape of y counts; it is that of one lane if x has no lanes. */
bool batch_match_shape(Batch *b, Node *n)
{
    Node *x = batch_value(b, n->ops[0]), *y = batch_value(b, n->ops[1]), *dims[MAX_RANK];
    bool batched = batch_has(b, n->ops[0]);
    if (batched)
        y = batch_full(b, n->ops[1]);
    for (int i = 0; y && !batched && i < node_rank(n->ops[1]); i++)
        dims[i] = node_dim(b->st, y, i + 1);
    if (!batched)
        y = build_full(b->st, node_bool(b->st, false), node_rank(n->ops[1]), dims);
    return y && batch_set(b, n, node2(b->st, OP_MATCH_SHAPE, NULL, x, y), batched);
}
