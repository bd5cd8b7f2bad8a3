/* S2: a product in a step that depends on sequences only is one product of all rows,
 * before the loop.
 *
 *   x_t @ W for each t     =>     (X @ W)_t,      also W @ x_t, f(x_t) @ W, ...
 *
 * Condition: no state in it; no `until`, which might not need the later rows; the result
 * is not bigger than eight times what it is computed from (memory); all operators on the
 * way have a form for all rows (rows.c). Class R: the library may add in another order. */
#include "passes/loops/rows.h"

enum { MAX_GROWTH = 8 };

typedef struct {
    ScanEdit *ed;
    PtrMap carried, moving; /* open nodes that depend on a state; on a sequence */
    Rows rows;
} Search;

static void spread_marks(const NodeVec *order, PtrMap *marks)
{
    for (size_t i = 0; i < order->len; i++)
        for (u32 k = 0; k < order->at[i]->nops; k++)
            if (map_has(marks, order->at[i]->ops[k]))
                map_put(marks, order->at[i], order->at[i]);
}

/* A product that two of them share is found first: operands come before users. */
static Node *find_product(Search *s, Node **rows)
{
    ScanEdit *ed = s->ed;
    NodeVec roots = {0}, order = {0};
    Node *found = NULL;
    scan_roots(ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    for (int i = 0; i < ed->s.nstates; i++)
        map_put(&s->carried, ed->states[i].hole, ed->states[i].hole);
    for (int i = 0; i < ed->s.nseqs; i++)
        map_put(&s->moving, ed->seqs[i].hole, ed->seqs[i].hole);
    spread_marks(&order, &s->carried);
    spread_marks(&order, &s->moving);
    for (size_t i = 0; i < order.len && !found; i++) {
        Node *n = order.at[i];
        if (n->op == OP_MATMUL && map_has(&s->moving, n) && !map_has(&s->carried, n) &&
            rows_estimate(n->type) <= MAX_GROWTH * s->rows.limit && scan_may_store(ed, n) &&
            (*rows = rows_of(&s->rows, n)))
            found = n;
    }
    vec_free(&roots);
    vec_free(&order);
    return found;
}

bool loop_sequence_dot(Site *site)
{
    Node *n = site->node;
    ScanEdit ed;
    if (scan_shape(n).stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (!scan_open(site->st, n, &ed))
        return false;
    Search s = {.ed = &ed};
    rows_open(&s.rows, &ed, NULL);
    Node *rows, *dot = find_product(&s, &rows), *r = NULL;
    if (!dot)
        site_refuse(site, NULL, "no product is only of rows of a sequence and of what stays");
    if (dot) {
        PtrMap memo = {0};
        map_put(&memo, dot, scan_sequence(&ed, rows, dot));
        if ((r = scan_become(site, &ed, &memo)))
            site_why(site, "one product for all steps");
        map_free(&memo);
    }
    rows_close(&s.rows);
    map_free(&s.carried);
    map_free(&s.moving);
    scan_edit_free(&ed);
    return r != NULL;
}
