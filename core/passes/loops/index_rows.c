/* S11, second part: w[t + k] in a loop whose t counts the steps is a row of a sequence.
 *
 *   w[t + k] for t = 0, 1, ..., n-1     =>     the rows of w[k : k+n]
 *
 * Condition: w does not change, k is a constant that is not negative (negative positions
 * count from the end), no `until`: the loop would fail at a step that it takes, wherever
 * the slice fails. */
#include "graph/reads.h"
#include "passes/loops/loops.h"

/* Does a node of the body count the steps' rows from 0? */
static bool is_counter(const ScanShape *s, const Node *n)
{
    return is_param_among(n, s->nstates, s->nstates + s->nseqs) &&
           s->seqs[n->attrs[0].i - s->nstates]->op == OP_IOTA;
}

/* The step's number, plus perhaps a constant that is not negative? */
static bool is_position(const ScanShape *s, const Node *n)
{
    bool sum = n->op == OP_ADD && n->nops == 2 && node_dtype(n) == DT_I64, found = false;
    i64 k;
    for (u32 i = 0; i < 2 && sum; i++)
        found = found || (is_counter(s, n->ops[i]) && node_const_i64(n->ops[1 - i], &k) && k >= 0);
    return found || is_counter(s, n);
}

static void find_reads(const ScanShape *s, NodeVec *out)
{
    const NodeVec *order = &graph_reads(s->body)->order;
    int first = s->nstates + s->nseqs;
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        if (n->op == OP_INDEX && n->attrs[0].i == 0 &&
            is_param_among(n->ops[0], first, s->body->nparams) && is_position(s, n->ops[1]))
            vec_push(out, n);
    }
}

/* The read as a row of a sequence from k on; NULL if it is to be none. */
static Node *as_row(ScanEdit *ed, const Node *read, i64 *k)
{
    Store *st = ed->st;
    Node *w = scan_outer(ed, read->ops[0]), *at = read->ops[1];
    *k = 0;
    for (u32 i = 0; i < at->nops; i++)
        (void)node_const_i64(at->ops[i], k);
    Node *rows = build_slice(st, w, 0, node_i64(st, *k), scan_count(st, &ed->s), 1);
    bool whole = !*k && w->type->dims[0] == size_of_node(st, ed->s.n);
    return rows ? scan_sequence(ed, whole ? w : rows, read) : NULL;
}

bool loop_index_rows(Site *site)
{
    Node *n = site->node, *r = NULL;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    NodeVec reads = {0}, open = {0};
    NodeMap memo = {0};
    i64 k;
    if (s.stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (!s.nseqs)
        return site_refuse(site, NULL, "it has no counter");
    find_reads(&s, &reads);
    if (!reads.len)
        return site_refuse(site, NULL, "no array is indexed by the step number");
    if (scan_open(site->st, n, &ed)) {
        Node *row = scan_inside(&ed, &reads, &open) ? as_row(&ed, open.at[0], &k) : NULL;
        if (row)
            map_put(&memo, open.at[0], row);
        if (row && (r = scan_become(site, &ed, &memo)))
            site_why(site, "rows from %lld on", (long long)k);
        scan_edit_free(&ed);
    }
    map_free(&memo);
    vec_free(&reads);
    vec_free(&open);
    return r != NULL;
}
