/* A sequence whose rows are all equal is one row, captured. It needs no memory then, and arithmetic
 * with it simplifies in the body.
 *
 * Condition: the sequence has a row for every step. */
#include "passes/loops/loops.h"

static bool enough_rows(Store *st, const ScanShape *s, const Node *seq)
{
    i64 spare;
    Size *missing = size_sub(st, seq->type->dims[0], size_of_node(st, s->n));
    return size_lower_bound(missing, &spare) && spare >= 0;
}

bool loop_repeated(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    NodeMap memo = {0};
    int count = 0;
    for (int i = 0; i < s.nseqs; i++)
        count += enough_rows(site->st, &s, s.seqs[i]) && scan_same_row(site->st, s.seqs[i]);
    if (!count)
        return site_refuse(site, NULL,
                           "no sequence is known to be one row, repeated for every step");
    if (!scan_open(site->st, n, &ed))
        return false;
    for (int i = 0; i < s.nseqs; i++) {
        Node *row =
            enough_rows(site->st, &s, s.seqs[i]) ? scan_same_row(site->st, s.seqs[i]) : NULL;
        if (row)
            map_put(&memo, ed.seqs[i].hole,
                    row->op == OP_CONST ? row : scan_capture(&ed, row, row));
    }
    Node *r = scan_become(site, &ed, &memo);
    map_free(&memo);
    site_why(site, "%d sequence%s", count, count == 1 ? "" : "s");
    scan_edit_free(&ed);
    return r != NULL;
}
