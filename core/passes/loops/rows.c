/* Each operator applied to all rows at once. */
#include "passes/loops/rows.h"

enum { UNKNOWN_SIZE = 64, SMALL_ROW = 64, SMALL_TOTAL = 1 << 16 };

i64 rows_estimate(const Type *t)
{
    i64 n = 1;
    for (int i = 0; i < t->rank; i++) {
        i64 k;
        if (__builtin_mul_overflow(n, size_is_const(t->dims[i], &k) ? k : UNKNOWN_SIZE, &n))
            return INT64_MAX;
    }
    return n;
}

void rows_open(Rows *r, ScanEdit *ed, Node *count)
{
    bool all = !count;
    count = all ? scan_count(ed->st, &ed->s) : count;
    *r = (Rows){.st = ed->st, .count = count, .runs = scan_runs(&ed->s), .limit = SMALL_ROW};
    for (int i = 0; i < ed->s.nseqs; i++) {
        Node *rows = all ? scan_rows(ed, i)
                         : build_slice(r->st, ed->seqs[i].value, 0, node_i64(r->st, 0), count, 1);
        if (rows)
            map_put(&r->each, ed->seqs[i].hole, rows);
        i64 n = rows_estimate(ed->seqs[i].hole->type);
        r->limit = n > r->limit ? n : r->limit;
    }
    for (size_t i = 0; i < ed->captures.len; i++)
        map_put(&r->fixed, ed->captures.at[i].hole, ed->captures.at[i].value);
}

void rows_close(Rows *r)
{
    map_free(&r->each);
    map_free(&r->fixed);
}

/* ---- operands ---- */

static Node *each(const Rows *r, const Node *open) { return map_get(&r->each, open); }
static Node *fixed(const Rows *r, const Node *open) { return map_get(&r->fixed, open); }

/* x along a new first axis, one row for each step. */
static Node *repeat(Rows *r, Node *x)
{
    Node *dims[MAX_RANK + 1] = {r->count};
    if (!x || node_rank(x) >= MAX_RANK)
        return NULL;
    for (int i = 0; i < node_rank(x); i++)
        dims[i + 1] = node_dim(r->st, x, i);
    return build_broadcast_to(r->st, x, node_rank(x) + 1, dims);
}

static Node *rows_or_repeat(Rows *r, Node *open)
{
    Node *rows = each(r, open);
    return rows ? rows : repeat(r, fixed(r, open));
}

/* One number per row, repeated to the shape of the rows of `like`. */
static Node *spread(Rows *r, Node *numbers, Node *like)
{
    i64 first = 0;
    Attr a = {.ints = intlist(r->st, 1, &first)};
    Node *ops[MAX_RANK + 1] = {numbers};
    for (int i = 0; i < node_rank(like); i++)
        ops[i + 1] = node_dim(r->st, like, i);
    return node_make(r->st, OP_BROADCAST, &a, (u32)node_rank(like) + 1, ops);
}

static const IntList *shifted(Store *st, const IntList *axes)
{
    i64 at[MAX_RANK];
    for (u32 i = 0; i < axes->n; i++)
        at[i] = axes->at[i] + 1;
    return intlist(st, axes->n, at);
}

/* ---- operators ---- */

static Node *elementwise_rows(Rows *r, Node *n)
{
    Node *small[16], **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    Node *shape = NULL;
    bool ok = true;
    for (u32 i = 0; i < n->nops && ok; i++) {
        ops[i] = fixed(r, n->ops[i]);
        if (!ops[i] || node_rank(ops[i])) /* scalars stay as they are */
            ok = (ops[i] = rows_or_repeat(r, n->ops[i])) != NULL;
        if (ok && node_rank(ops[i]) && (!shape || node_rank(ops[i]) > node_rank(shape)))
            shape = ops[i];
    }
    for (u32 i = 0; i < n->nops && ok; i++)
        if (node_rank(ops[i]) && node_rank(ops[i]) < node_rank(shape))
            ok = (ops[i] = spread(r, ops[i], shape)) != NULL;
    Node *result = ok ? node_make(r->st, n->op, n->attrs, n->nops, ops) : NULL;
    if (ops != small)
        free(ops);
    return result;
}

/* Operators that keep the order of axes: their axes move by one. */
static Node *axes_rows(Rows *r, Node *n)
{
    Attr a[2] = {{.ints = shifted(r->st, n->attrs[0].ints)}};
    if (n->nattrs > 1)
        a[1] = n->attrs[1];
    return node1(r->st, n->op, a, each(r, n->ops[0]));
}

static Node *axis_rows(Rows *r, Node *n)
{
    Attr a[3];
    memcpy(a, n->attrs, n->nattrs * sizeof *a);
    a[0].i++;
    return node1(r->st, n->op, a, each(r, n->ops[0]));
}

static Node *transpose_rows(Rows *r, Node *n)
{
    int perm[MAX_RANK + 1] = {0};
    for (u32 i = 0; i < n->attrs[0].ints->n; i++)
        perm[i + 1] = (int)n->attrs[0].ints->at[i] + 1;
    return build_transpose(r->st, each(r, n->ops[0]), perm);
}

/* Sizes must be the same at every step. */
static bool fixed_sizes(Rows *r, Node *n, u32 first, Node **dims)
{
    dims[0] = r->count;
    for (u32 i = first; i < n->nops; i++)
        if (!(dims[i - first + 1] = fixed(r, n->ops[i])))
            return false;
    return true;
}

static Node *broadcast_rows(Rows *r, Node *n)
{
    Node *ops[MAX_RANK + 2] = {each(r, n->ops[0])};
    i64 axes[MAX_RANK + 1] = {0};
    const IntList *old = n->attrs[0].ints;
    if (!fixed_sizes(r, n, 1, ops + 1))
        return NULL;
    for (u32 i = 0; i < old->n; i++)
        axes[i + 1] = old->at[i] + 1;
    Attr a = {.ints = intlist(r->st, old->n + 1, axes)};
    return node_make(r->st, OP_BROADCAST, &a, n->nops + 1, ops);
}

static Node *reshape_rows(Rows *r, Node *n)
{
    Node *dims[MAX_RANK + 1];
    return fixed_sizes(r, n, 1, dims) ? build_reshape(r->st, each(r, n->ops[0]), (int)n->nops, dims)
                                      : NULL;
}

static Node *concat_rows(Rows *r, Node *n)
{
    Node **parts = arena_alloc(&r->st->scratch, n->nops * sizeof *parts);
    Attr a = {.i = n->attrs[0].i + 1};
    for (u32 i = 0; i < n->nops; i++)
        if (!(parts[i] = rows_or_repeat(r, n->ops[i])))
            return NULL;
    return node_make(r->st, OP_CONCAT, &a, n->nops, parts);
}

/* Reading: one position for all rows, or a position per row of something that does not change. */
static Node *index_rows(Rows *r, Node *n)
{
    Attr a[] = {{.i = n->attrs[0].i + 1}, {.i = 0}};
    Node *x = each(r, n->ops[0]), *at = fixed(r, n->ops[1]);
    if (n->op == OP_SLICE) {
        Node *len = fixed(r, n->ops[2]);
        a[1] = n->attrs[1];
        return x && at && len ? node3(r->st, OP_SLICE, a, x, at, len) : NULL;
    }
    if (x && at)
        return node2(r->st, n->op, a, x, at);
    x = fixed(r, n->ops[0]), at = each(r, n->ops[1]);
    return x && at && n->attrs[0].i == 0 ? node2(r->st, OP_GATHER, n->attrs, x, at) : NULL;
}

/* A product per row; where one side does not change it is one product for all rows. */
static Node *product_rows(Rows *r, Node *n)
{
    Store *st = r->st;
    Node *a = each(r, n->ops[0]), *b = each(r, n->ops[1]);
    Node *x = a ? a : fixed(r, n->ops[0]), *y = b ? b : fixed(r, n->ops[1]);
    int ra = node_rank(n->ops[0]), rb = node_rank(n->ops[1]);
    if (!x || !y || ra > 2 || rb > 2)
        return NULL;
    if (ra == 1 && rb == 1) {
        if (!a || !b)
            return a ? node2(st, OP_MATMUL, NULL, x, y) : node2(st, OP_MATMUL, NULL, y, x);
        return build_sum(st, build_mul(st, x, y), intlist(st, 1, (i64[]){1}));
    }
    if (a && !b && ra == 1)
        return node2(st, OP_MATMUL, NULL, x, y);
    if (!a && b && rb == 1)
        return node2(st, OP_MATMUL, NULL, y, build_swap_last(st, x));
    if (a && ra == 1) {
        Node *p = node2(st, OP_MATMUL, NULL, build_expand(st, x, 1), y);
        return p ? build_squeeze(st, p, 1) : NULL;
    }
    if (b && rb == 1) {
        Node *p = node2(st, OP_MATMUL, NULL, x, build_expand(st, y, 2));
        return p ? build_squeeze(st, p, 2) : NULL;
    }
    return node2(st, OP_MATMUL, NULL, x, y);
}

/* The error comes if one row's condition is false. */
static Node *check_rows(Rows *r, Node *n)
{
    Node *ok = each(r, n->ops[0]), *x = rows_or_repeat(r, n->ops[1]);
    Attr a = {.ints = all_axes(r->st, 1)};
    ok = ok ? node1(r->st, OP_ALL, &a, ok) : fixed(r, n->ops[0]);
    return ok && x ? node2(r->st, OP_CHECK, n->attrs, ok, x) : NULL;
}

/* Does the form for all rows fail only if the loop does? With no row it must not fail at all. */
static bool no_new_errors(const Rows *r, Node *n)
{
    bool per_row = op_is_elementwise(n->op) || n->op == OP_CHECK || n->op == OP_CHOLESKY ||
                   n->op == OP_INV || (n->op == OP_INDEX && each(r, n->ops[1]));
    return r->runs || per_row || node_is_total(r->st, n);
}

static Node *apply(Rows *r, Node *n)
{
    if (op_is_elementwise(n->op))
        return elementwise_rows(r, n);
    switch (n->op) {
    case OP_STOP_GRADIENT:
    case OP_CHOLESKY: /* on batches of matrices as they are */
    case OP_INV:
    case OP_DET:
    case OP_TRIANGLE: return node1(r->st, n->op, n->attrs, each(r, n->ops[0]));
    case OP_SUM:
    case OP_PROD:
    case OP_MAX:
    case OP_MIN:
    case OP_ANY:
    case OP_ALL:
    case OP_PEAK:
    case OP_SOFTMAX:
    case OP_LOG_SOFTMAX:
    case OP_LOGSUMEXP:
    case OP_MEAN:
    case OP_VAR:
    case OP_STD:
    case OP_NORM:
    case OP_EXPAND_DIMS:
    case OP_SQUEEZE:
    case OP_FLIP: return axes_rows(r, n);
    case OP_ARGMAX:
    case OP_ARGMIN:
    case OP_CUMSUM:
    case OP_CUMPROD:
    case OP_CUMMAX:
    case OP_SORT:
    case OP_ARGSORT: return axis_rows(r, n);
    case OP_TRANSPOSE: return transpose_rows(r, n);
    case OP_BROADCAST: return broadcast_rows(r, n);
    case OP_RESHAPE: return reshape_rows(r, n);
    case OP_CONCAT: return concat_rows(r, n);
    case OP_INDEX:
    case OP_SLICE: return index_rows(r, n);
    case OP_MATMUL: return product_rows(r, n);
    case OP_CHECK: return check_rows(r, n);
    case OP_MATCH_SHAPE: {
        Node *x = rows_or_repeat(r, n->ops[0]), *like = rows_or_repeat(r, n->ops[1]);
        return build_like(r->st, x, like);
    }
    default: return NULL;
    }
}

static bool affordable(const Rows *r, const Node *n)
{
    i64 core = rows_estimate(n->type), count, total;
    return core <= 4 * r->limit ||
           (node_const_i64(r->count, &count) && !__builtin_mul_overflow(core, count, &total) &&
            total <= SMALL_TOTAL);
}

/* Puts n into one of the maps. */
static bool visit(Rows *r, Node *n)
{
    bool moves = false;
    if (!n->open) /* it runs outside, once */
        return (r->runs || nodes_are_total(r->st, n)) && (map_put(&r->fixed, n, n), true);
    if (!n->nops)
        return false; /* a hole that nothing is known of */
    for (u32 i = 0; i < n->nops; i++)
        moves = moves || each(r, n->ops[i]);
    if (n->op == OP_DIM && moves) {
        Node *dim = node_dim(r->st, each(r, n->ops[0]), (int)n->attrs[0].i + 1);
        return dim && (map_put(&r->fixed, n, dim), true);
    }
    if (!moves) {
        if (!r->runs && !node_is_total(r->st, n))
            return false;
        Node **ops = arena_alloc(&r->st->scratch, n->nops * sizeof *ops);
        for (u32 i = 0; i < n->nops; i++)
            ops[i] = fixed(r, n->ops[i]);
        Node *value = node_with_operands(r->st, n, ops);
        return value && (map_put(&r->fixed, n, value), true);
    }
    if (n->type->kind != TYPE_TENSOR || node_dtype(n) == DT_RNG || node_rank(n) >= MAX_RANK ||
        !no_new_errors(r, n) || !affordable(r, n))
        return false;
    Node *rows = apply(r, n);
    if (!rows || node_rank(rows) != node_rank(n) + 1 || node_dtype(rows) != node_dtype(n))
        return false;
    map_put(&r->each, n, rows);
    return true;
}

Node *rows_of(Rows *r, Node *open)
{
    NodeVec stack = {0};
    bool ok = true;
    vec_push(&stack, open);
    while (stack.len && ok) {
        Node *n = stack.at[stack.len - 1];
        size_t before = stack.len;
        bool known = each(r, n) || fixed(r, n);
        for (u32 i = 0; i < n->nops && !known; i++)
            if (!each(r, n->ops[i]) && !fixed(r, n->ops[i]))
                vec_push(&stack, n->ops[i]);
        if (stack.len > before)
            continue;
        stack.len--;
        ok = known || visit(r, n);
        r->failed = ok ? NULL : n;
    }
    vec_free(&stack);
    return ok ? rows_or_repeat(r, open) : NULL;
}
