/* Which operators are applied to all rows at once; how is the business of core/batch. */
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
    *r = (Rows){.batch = {.st = ed->st, .lanes = count, .unnamed = true},
                .runs = scan_runs(&ed->s),
                .limit = SMALL_ROW};
    for (int i = 0; i < ed->s.nseqs; i++) {
        Node *rows = all ? scan_rows(ed, i)
                         : build_slice(ed->st, ed->seqs[i].value, 0, node_i64(ed->st, 0), count, 1);
        batch_set(&r->batch, ed->seqs[i].hole, rows, true);
        i64 n = rows_estimate(ed->seqs[i].hole->type);
        r->limit = n > r->limit ? n : r->limit;
    }
    for (size_t i = 0; i < ed->captures.len; i++)
        batch_set(&r->batch, ed->captures.at[i].hole, ed->captures.at[i].value, false);
}

void rows_close(Rows *r) { batch_free(&r->batch); }

/* ---- policy ---- */

/* Does the form for all rows fail only if the loop does? With no row it must not fail at all. */
static bool no_new_errors(const Rows *r, Node *n)
{
    bool per_row = op_is_elementwise(n->op) || n->op == OP_CHECK || n->op == OP_CHOLESKY ||
                   n->op == OP_INV || (n->op == OP_INDEX && batch_has(&r->batch, n->ops[1]));
    return r->runs || per_row || node_is_total(r->batch.st, n);
}

static bool affordable(const Rows *r, const Node *n)
{
    i64 core = rows_estimate(n->type), count, total;
    return core <= 4 * r->limit ||
           (node_const_i64(r->batch.lanes, &count) &&
            !__builtin_mul_overflow(core, count, &total) && total <= SMALL_TOTAL);
}

/* Products of batches of matrices are left to the loop, and parts at several positions. */
static bool worth_it(const Rows *r, const Node *n)
{
    bool wide = n->op == OP_MATMUL && (node_rank(n->ops[0]) > 2 || node_rank(n->ops[1]) > 2);
    return n->type->kind == TYPE_TENSOR && node_dtype(n) != DT_RNG && node_rank(n) < MAX_RANK &&
           !wide && n->op != OP_GATHER && batch_is_direct(&r->batch, n);
}

/* A product of two vectors per row: the elements' products, summed. */
static bool dot_rows(Rows *r, Node *n)
{
    Batch *b = &r->batch;
    i64 last = 1;
    Node *all = build_mul(b->st, batch_value(b, n->ops[0]), batch_value(b, n->ops[1]));
    return batch_set(b, n, all ? build_sum(b->st, all, intlist(b->st, 1, &last)) : NULL, true);
}

static bool apply(Rows *r, Node *n)
{
    const Batch *b = &r->batch;
    bool vectors = n->op == OP_MATMUL && node_rank(n->ops[0]) == 1 && node_rank(n->ops[1]) == 1;
    bool dot = vectors && batch_has(b, n->ops[0]) && batch_has(b, n->ops[1]);
    if (!(dot ? dot_rows(r, n) : op_table[n->op].batch(&r->batch, n)))
        return false;
    Node *rows = batch_value(b, n);
    return node_rank(rows) == node_rank(n) + batch_has(b, n) && node_dtype(rows) == node_dtype(n);
}

/* The same at every step: computed once, outside. */
static bool apply_once(Rows *r, Node *n)
{
    Store *st = r->batch.st;
    if (!r->runs && !node_is_total(st, n))
        return false;
    Node **ops = arena_alloc(&st->scratch, n->nops * sizeof *ops);
    for (u32 i = 0; i < n->nops; i++)
        ops[i] = batch_value(&r->batch, n->ops[i]);
    return batch_set(&r->batch, n, node_with_operands(st, n, ops), false);
}

/* Gives n a counterpart. */
static bool visit(Rows *r, Node *n)
{
    bool moves = false;
    if (!n->open) /* it runs outside, once */
        return (r->runs || nodes_are_total(r->batch.st, n)) && batch_set(&r->batch, n, n, false);
    if (!n->nops)
        return false; /* a hole that nothing is known of */
    for (u32 i = 0; i < n->nops; i++)
        moves = moves || batch_has(&r->batch, n->ops[i]);
    if (!moves)
        return apply_once(r, n);
    return worth_it(r, n) && no_new_errors(r, n) && affordable(r, n) && apply(r, n);
}

Node *rows_of(Rows *r, Node *open)
{
    NodeVec stack = {0};
    bool ok = true;
    vec_push(&stack, open);
    while (stack.len && ok) {
        Node *n = stack.at[stack.len - 1];
        size_t before = stack.len;
        bool known = batch_value(&r->batch, n);
        for (u32 i = 0; i < n->nops && !known; i++)
            if (!batch_value(&r->batch, n->ops[i]))
                vec_push(&stack, n->ops[i]);
        if (stack.len > before)
            continue;
        stack.len--;
        ok = known || visit(r, n);
        r->failed = ok ? NULL : n;
    }
    vec_free(&stack);
    return ok ? batch_full(&r->batch, open) : NULL;
}
