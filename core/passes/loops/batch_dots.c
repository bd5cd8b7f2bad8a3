/* S16: several products in a step with one left operand become one product.
 *
 *   v @ W1, v @ W2, ...     =>     (v @ [W1 | W2 | ...])[part]
 *
 * The matrices do not change from step to step, so joining them is done once, before the
 * loop. This is the four gates of an LSTM, written naively. Condition: the W are distinct
 * captures of rank 2. A product library may add in another order for another width:
 * class R. */
#include "graph/names.h"
#include "passes/loops/loops.h"

enum { MAX_PARTS = 32 };

typedef struct {
    Node *left;
    Node *dots[MAX_PARTS];
    int n;
} Group;

/* v @ W with v of rank 1 or 2 that changes, W a captured matrix. */
static bool is_candidate(const ScanEdit *ed, const Node *n)
{
    return n->op == OP_MATMUL && n->ops[1]->type->rank == 2 && scan_is_capture(ed, n->ops[1]) &&
           n->ops[0]->type->rank >= 1 && n->ops[0]->type->rank <= 2 &&
           !scan_is_capture(ed, n->ops[0]) && n->ops[0]->op != OP_CONST;
}

static bool find_group(ScanEdit *ed, Group *g)
{
    NodeVec roots = {0}, order = {0};
    scan_roots(ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    bool found = false;
    for (size_t i = 0; i < order.len && !found; i++) {
        if (!is_candidate(ed, order.at[i]))
            continue;
        *g = (Group){.left = order.at[i]->ops[0]};
        for (size_t k = i; k < order.len && g->n < MAX_PARTS; k++)
            if (is_candidate(ed, order.at[k]) && order.at[k]->ops[0] == g->left)
                g->dots[g->n++] = order.at[k];
        found = g->n > 1;
    }
    vec_free(&roots);
    vec_free(&order);
    return found;
}

/* The joined matrix as a new capture. */
static Node *join_matrices(ScanEdit *ed, const Group *g)
{
    Node *inside[MAX_PARTS], *outside[MAX_PARTS];
    Attr axis = {.i = 1};
    for (int i = 0; i < g->n; i++) {
        inside[i] = g->dots[i]->ops[1];
        outside[i] = scan_outside(ed, inside[i]);
    }
    Node *open = node_make(ed->st, OP_CONCAT, &axis, (u32)g->n, inside);
    Node *joined = node_make(ed->st, OP_CONCAT, &axis, (u32)g->n, outside);
    return open && joined ? scan_capture(ed, joined, open) : NULL;
}

bool loop_batch_dots(Site *site)
{
    Node *n = site->node;
    ScanEdit ed;
    Group g;
    if (!scan_open(site->st, n, &ed))
        return false;
    Node *r = NULL, *joined = find_group(&ed, &g) ? join_matrices(&ed, &g) : NULL;
    Node *all = joined ? node2(site->st, OP_MATMUL, NULL, g.left, joined) : NULL;
    if (!joined)
        site_refuse(site, NULL, "no two products of a step have one left operand");
    PtrMap memo = {0};
    Node *start = node_i64(site->st, 0);
    bool ok = all != NULL;
    for (int i = 0; i < g.n && ok; i++) {
        Node *len = node_dim(site->st, g.dots[i]->ops[1], 1);
        Node *part = build_slice(site->st, all, all->type->rank - 1, start, len, 1);
        ok = part && type_compatible(site->st, part->type, g.dots[i]->type);
        if (ok)
            node_set_name(site->st, part, node_composed(site->st, g.dots[i]));
        map_put(&memo, g.dots[i], part);
        start = build_add(site->st, start, len);
        if (ok && can_fold(start))
            start = fold_node(site->st, start);
    }
    if (ok && (r = scan_become(site, &ed, &memo)))
        site_why(site, "%d products with one left operand", g.n);
    map_free(&memo);
    scan_edit_free(&ed);
    return r != NULL;
}
