/* S2: a product in a step that depends on sequences only is one product of all rows,
 * before the loop.
 *
 *   x_t @ W for each t     =>     (X @ W)_t,      also W @ x_t, f(x_t) @ W, ...
 *
 * Condition: no state in it; no `until`, which might not need the later rows; the result
 * is not bigger than eight times what it is computed from (memory); all operators on the
 * way have a form for all rows (rows.c). Class R: the library may add in another order. */
#include "graph/reads.h"
#include "passes/loops/rows.h"

enum { MAX_GROWTH = 8 };

/* Products of rows of a sequence and of what stays, in the body. */
static void find_products(const ScanShape *s, NodeVec *out)
{
    const GraphReads *reads = graph_reads(s->body);
    for (size_t i = 0; i < reads->order.len; i++) {
        Node *n = reads->order.at[i];
        if (n->op == OP_MATMUL && !reads_among(reads, n, 0, s->nstates) &&
            reads_among(reads, n, s->nstates, s->nstates + s->nseqs))
            vec_push(out, n);
    }
}

/* The first of them that has a form for all rows, those rows as a sequence: one that two of them
 * share comes before them. */
static bool replace_one(ScanEdit *ed, const NodeVec *products, NodeMap *memo)
{
    NodeVec open = {0};
    Rows r;
    rows_open(&r, ed, NULL);
    scan_inside(ed, products, &open);
    for (size_t i = 0; i < open.len && !memo->len; i++) {
        Node *n = open.at[i], *rows = NULL;
        if (rows_estimate(n->type) <= MAX_GROWTH * r.limit && scan_may_store(ed, n))
            rows = rows_of(&r, n);
        if (rows)
            map_put(memo, n, scan_sequence(ed, rows, n));
    }
    rows_close(&r);
    vec_free(&open);
    return memo->len > 0;
}

bool loop_sequence_dot(Site *site)
{
    Node *n = site->node, *r = NULL;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    NodeVec products = {0};
    NodeMap memo = {0};
    if (s.stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    find_products(&s, &products);
    bool some = products.len > 0;
    if (some && scan_open(site->st, n, &ed)) {
        some = replace_one(&ed, &products, &memo);
        if (some && (r = scan_become(site, &ed, &memo)))
            site_why(site, "one product for all steps");
        scan_edit_free(&ed);
    }
    if (!some)
        site_refuse(site, NULL,
                    "no product has a sequence row and a loop-invariant matrix as its operands");
    map_free(&memo);
    vec_free(&products);
    return r != NULL;
}
