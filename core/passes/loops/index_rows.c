/* S11, second part: w[t + k] in a loop whose t counts the steps is a row of a sequence.
 *
 *   w[t + k] for t = 0, 1, ..., n-1     =>     the rows of w[k : k+n]
 *
 * Condition: w does not change, k is a constant that is not negative (negative positions
 * count from the end), no `until`: the loop would fail at a step that it takes, wherever
 * the slice fails. */
#include "passes/loops/loops.h"

/* Does it count the steps' rows from 0? */
static bool is_counter(const ScanEdit *ed, const Node *n)
{
    for (int i = 0; i < ed->s.nseqs; i++)
        if (ed->seqs[i].hole == n)
            return ed->seqs[i].value->op == OP_IOTA;
    return false;
}

static bool is_position(const ScanEdit *ed, Node *n, i64 *k)
{
    *k = 0;
    if (is_counter(ed, n))
        return true;
    if (n->op != OP_ADD || n->nops != 2 || node_dtype(n) != DT_I64)
        return false;
    return (is_counter(ed, n->ops[0]) && node_const_i64(n->ops[1], k) && *k >= 0) ||
           (is_counter(ed, n->ops[1]) && node_const_i64(n->ops[0], k) && *k >= 0);
}

static Node *find_read(ScanEdit *ed, i64 *k)
{
    NodeVec roots = {0}, order = {0};
    Node *found = NULL;
    scan_roots(ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    for (size_t i = 0; i < order.len && !found; i++) {
        Node *n = order.at[i];
        if (n->op == OP_INDEX && n->attrs[0].i == 0 && scan_is_capture(ed, n->ops[0]) &&
            is_position(ed, n->ops[1], k))
            found = n;
    }
    vec_free(&roots);
    vec_free(&order);
    return found;
}

bool loop_index_rows(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    i64 k;
    if (s.stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (!s.nseqs)
        return site_refuse(site, NULL, "it has no counter");
    if (!scan_open(site->st, n, &ed))
        return false;
    Node *read = find_read(&ed, &k), *r = NULL;
    Node *w = read ? scan_outside(&ed, read->ops[0]) : NULL;
    Node *rows =
        w ? build_slice(site->st, w, 0, node_i64(site->st, k), scan_count(site->st, &s), 1) : NULL;
    if (!rows)
        site_refuse(site, NULL, "nothing is read at the step's own number");
    if (rows) {
        PtrMap memo = {0};
        bool whole = !k && w->type->dims[0] == size_of_node(site->st, s.n);
        map_put(&memo, read, scan_sequence(&ed, whole ? w : rows, read));
        if ((r = scan_become(site, &ed, &memo)))
            site_why(site, "rows from %lld on", (long long)k);
        map_free(&memo);
    }
    scan_edit_free(&ed);
    return r != NULL;
}
