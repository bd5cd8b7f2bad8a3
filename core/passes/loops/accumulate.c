/* S4: a state that only adds up products becomes one product after the loop.
 *
 *   W' = W + a_t outer b_t     final W = W_0 + [a_0; a_1; ...]' @ [b_0; b_1; ...]
 *   W' = W + A_t' @ B_t        the same, with the rows of all steps under one another
 *
 * This is where the gradients of weights come from. Condition: the state is read by its
 * own sum only and its trace is not used; the order of additions changes (class R). It
 * holds for any initial value and for any number of executed steps, zero included. */
#include "passes/loops/loops.h"

#include "graph/walk.h"

/* a and b with product = a' @ b, where rows of a and b can be put under one another; NULL if it is
 * no such product. */
static bool factors(Node *product, Node **a, Node **b)
{
    if (product->op != OP_MATMUL || product->type->rank != 2)
        return false;
    Node *x = product->ops[0], *y = product->ops[1];
    if (x->op == OP_EXPAND_DIMS && x->ops[0]->type->rank == 1 && x->attrs[0].ints->at[0] == 1 &&
        y->op == OP_EXPAND_DIMS && y->ops[0]->type->rank == 1 && y->attrs[0].ints->at[0] == 0) {
        *a = x->ops[0], *b = y->ops[0];
        return true;
    }
    if (x->op != OP_TRANSPOSE || x->ops[0]->type->rank != 2 || y->type->rank != 2)
        return false;
    *a = x->ops[0], *b = y;
    return true;
}

typedef struct {
    int state;
    Node *a, *b; /* open */
} Sum;

/* next = state + product, and the state is read nowhere else. */
static bool is_sum(ScanEdit *ed, int i, Sum *out)
{
    Node *hole = ed->states[i].hole, *next = ed->states[i].next, *product = NULL;
    if (next->op != OP_ADD || next->nops != 2)
        return false;
    if (next->ops[0] == hole)
        product = next->ops[1];
    else if (next->ops[1] == hole)
        product = next->ops[0];
    out->state = i;
    if (!product || !factors(product, &out->a, &out->b) || node_reads(product, hole) ||
        !scan_may_store(ed, out->a) || !scan_may_store(ed, out->b))
        return false;
    for (int k = 0; k < ed->s.nstates; k++)
        if (k != i && node_reads(ed->states[k].next, hole))
            return false;
    for (int k = 0; k < ed->s.nouts; k++)
        if (node_reads(ed->outs[k].value, hole))
            return false;
    return !ed->stop || !node_reads(ed->stop, hole);
}

/* Where the rows of an open value are found after the loop: a sequence as it is, else a new trace.
 */
typedef struct {
    int seq; /* or -1 */
    int output;
} Found;

static Found find_rows(ScanEdit *ed, Node *open)
{
    for (int i = 0; i < ed->s.nseqs; i++)
        if (ed->seqs[i].hole == open && !ed->s.stop)
            return (Found){i, -1};
    return (Found){-1, scan_add_output(ed, open)};
}

/* The rows after the loop as a matrix: (T, m), or (T * B, m) for a matrix per step. */
static Node *stacked(ScanEdit *ed, Node *scan, Found r)
{
    Store *st = ed->st;
    Node *rows = r.seq >= 0 ? scan_rows(ed, r.seq) : scan_trace(ed, scan, r.output);
    return rows ? build_merged(st, rows, 0, rows->type->rank - 1) : NULL;
}

bool loop_accumulate(Site *site)
{
    Node *n = site->node;
    ScanEdit ed;
    if (!scan_open(site->st, n, &ed))
        return false;
    VEC(Sum) sums = {0};
    VEC(Found) rows = {0};
    for (int i = 0; i < ed.s.nstates; i++) {
        Sum s;
        if (!is_sum(&ed, i, &s))
            continue;
        vec_push(&sums, s);
        ed.states[i].drop = true;
        vec_push(&rows, find_rows(&ed, s.a));
        vec_push(&rows, find_rows(&ed, s.b));
    }
    if (!sums.len)
        site_refuse(site, NULL, "no state only adds up products of what its rows give");
    Node *r = sums.len ? scan_close(&ed) : NULL;
    bool ok = r != NULL;
    if (ok)
        scan_changes(site, &ed, r);
    for (size_t i = 0; i < sums.len && ok; i++) {
        Node *a = stacked(&ed, r, rows.at[2 * i]), *b = stacked(&ed, r, rows.at[2 * i + 1]);
        Node *init = ed.states[sums.at[i].state].init;
        Node *total =
            a && b ? node2(site->st, OP_MATMUL, NULL, build_swap_last(site->st, a), b) : NULL;
        if (total && !node_is_zeros(init)) /* the sums in a product begin with zero */
            total = build_add(site->st, init, total);
        ok = total && type_compatible(site->st, total->type, init->type);
        site_put(site, node_proj(site->st, n, sums.at[i].state), total);
    }
    if (ok)
        site_why(site, "%zu sum%s of products", sums.len, sums.len == 1 ? "" : "s");
    vec_free(&sums);
    vec_free(&rows);
    scan_edit_free(&ed);
    return ok;
}
