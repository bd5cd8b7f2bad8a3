/* S2: a product of a sequence's row with a matrix that does not change is one product of
 * the whole sequence, before the loop.
 *
 *   x_t @ W for each t     =>     (X @ W)_t
 *
 * Condition: no `until`, which might not need the later rows; the row is not bigger after
 * the product than four times what it was (memory). Class R: the library may add in
 * another order. */
#include "loops/scan_edit.h"

enum { MAX_GROWTH = 4 };

static int sequence_of(const ScanEdit *ed, const Node *n)
{
    for (int i = 0; i < ed->s.nseqs; i++)
        if (ed->seqs[i].hole == n)
            return i;
    return -1;
}

static bool grows_too_much(const Node *w)
{
    i64 rows, cols;
    return size_is_const(w->type->dims[0], &rows) && size_is_const(w->type->dims[1], &cols) &&
           cols > MAX_GROWTH * rows;
}

static Node *find_product(ScanEdit *ed)
{
    NodeVec roots = {0}, order = {0};
    scan_roots(ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    Node *found = NULL;
    for (size_t i = 0; i < order.len && !found; i++) {
        Node *n = order.at[i];
        if (n->op == OP_MATMUL && sequence_of(ed, n->ops[0]) >= 0 && n->ops[0]->type->rank == 1 &&
            n->ops[1]->type->rank == 2 && scan_is_capture(ed, n->ops[1]) &&
            !grows_too_much(n->ops[1]))
            found = n;
    }
    vec_free(&roots);
    vec_free(&order);
    return found;
}

bool loop_sequence_dot(Engine *e, Node *n, Changes *out, Text *why)
{
    ScanEdit ed;
    if (scan_shape(n).stop || !scan_open(e->st, n, &ed))
        return false;
    Node *dot = find_product(&ed), *r = NULL;
    if (dot) {
        Node *rows = scan_rows(&ed, sequence_of(&ed, dot->ops[0]));
        Node *product =
            rows ? node2(e->st, OP_MATMUL, NULL, rows, scan_outside(&ed, dot->ops[1])) : NULL;
        PtrMap memo = {0};
        if (product)
            map_put(&memo, dot, scan_sequence(&ed, product, dot->type));
        if (product && scan_substitute(&ed, &memo) && (r = scan_close(&ed))) {
            scan_changes(&ed, r, out);
            text_put(why, "one product for all steps");
        }
        map_free(&memo);
    }
    scan_edit_free(&ed);
    return r != NULL;
}
