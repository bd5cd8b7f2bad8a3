/* A sequence whose rows are all equal is one row, captured. The cotangent of sum(trace) is such a
 * sequence: it needs no memory then, and arithmetic with it simplifies in the body.
 *
 * Condition: the sequence has a row for every step. */
#include "passes/loops/loops.h"
#include "ops/build.h"

/* The one scalar that all elements are, or NULL. */
static Node *only_element(Node *x)
{
    for (;;)
        switch (x->op) {
        case OP_BROADCAST:
        case OP_RESHAPE:
        case OP_TRANSPOSE:
        case OP_EXPAND_DIMS:
        case OP_SQUEEZE:
        case OP_FLIP:
        case OP_SLICE: x = x->ops[0]; break;
        default: return x->type->rank ? NULL : x;
        }
}

static bool enough_rows(Store *st, const ScanShape *s, const Node *seq)
{
    i64 spare;
    Size *missing = size_sub(st, seq->type->dims[0], size_of_node(st, s->n));
    return size_lower_bound(missing, &spare) && spare >= 0;
}

/* A tensor repeated along axis 0, without that axis. */
static Node *without_first(Store *st, Node *x)
{
    const IntList *from = x->attrs[0].ints;
    i64 at[MAX_RANK];
    for (u32 i = 0; i < from->n; i++)
        if ((at[i] = from->at[i] - 1) < 0)
            return NULL;
    Node *ops[MAX_RANK + 1] = {x->ops[0]};
    for (u32 i = 2; i < x->nops; i++)
        ops[i - 1] = x->ops[i];
    Attr axes = {.ints = intlist(st, from->n, at)};
    Node *r = x->nops > 2 ? node_make(st, OP_BROADCAST, &axes, x->nops - 1, ops) : ops[0];
    return r && r->type == ops[0]->type ? ops[0] : r;
}

/* What every row is, or NULL. */
static Node *row_of(Store *st, Node *seq)
{
    Node *one = only_element(seq), *dims[MAX_RANK];
    if (!one)
        return seq->op == OP_BROADCAST ? without_first(st, seq) : NULL;
    if (seq->op == OP_BROADCAST || seq->type->rank == 1)
        return seq->type->rank == 1 ? one : without_first(st, seq);
    for (int i = 1; i < seq->type->rank; i++)
        dims[i - 1] = node_dim(st, seq, i);
    return build_full(st, one, seq->type->rank - 1, dims);
}

bool loop_repeated(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    PtrMap memo = {0};
    int count = 0;
    for (int i = 0; i < s.nseqs; i++)
        count += enough_rows(site->st, &s, s.seqs[i]) && row_of(site->st, s.seqs[i]);
    if (!count)
        return site_refuse(site, NULL,
                           "no sequence is one row repeated, with enough rows for sure");
    if (!scan_open(site->st, n, &ed))
        return false;
    for (int i = 0; i < s.nseqs; i++) {
        Node *row = enough_rows(site->st, &s, s.seqs[i]) ? row_of(site->st, s.seqs[i]) : NULL;
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
