/* S10: a state that starts at a constant and never leaves it is that constant.
 *
 *   s' = f(s, ...) with s_0 = k and f(k, ...) = k     =>     s = k
 *
 * Optimistic: all states with constant initial values are assumed to be constants; those
 * whose next value, under the assumptions and with the arithmetic of constants, is
 * something else are not, and the others are looked at again without them. What can fail
 * is not computed. */
#include "passes/loops/loops.h"

/* The node with constants folded, bottom up; NULL if something cannot be built. */
static Node *fold(Store *st, Node *root, PtrMap *memo)
{
    NodeVec order = {0};
    Node *r = NULL;
    nodes_topo(1, &root, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if (map_has(memo, n))
            continue;
        Node **ops = xmalloc(((size_t)n->nops + 1) * sizeof *ops);
        for (u32 k = 0; k < n->nops; k++)
            ops[k] = map_get(memo, n->ops[k]);
        Node *x = n->nops ? node_with_operands(st, n, ops) : n;
        free(ops);
        if (x && can_fold(x) && !(op_table[x->op].flags & PARTIAL))
            x = fold_node(st, x);
        map_put(memo, n, x ? x : n);
    }
    r = map_get(memo, root);
    vec_free(&order);
    return r;
}

/* The assumptions that hold: `constant` of each state is left true. */
static int find_constants(ScanEdit *ed, bool *constant)
{
    int count = 0;
    for (int i = 0; i < ed->s.nstates; i++)
        count += constant[i] = node_is_const(ed->states[i].init);
    for (bool again = count > 0; again;) {
        PtrMap memo = {0};
        again = false;
        for (int i = 0; i < ed->s.nstates; i++)
            map_put(&memo, ed->states[i].hole,
                    constant[i] ? ed->states[i].init : ed->states[i].hole);
        for (int i = 0; i < ed->s.nstates; i++)
            if (constant[i] && fold(ed->st, ed->states[i].next, &memo) != ed->states[i].init) {
                constant[i] = false;
                count--;
                again = true;
            }
        map_free(&memo);
    }
    return count;
}

bool loop_constant(Site *site)
{
    Node *n = site->node;
    ScanEdit ed;
    if (!scan_shape(n).nstates)
        return site_refuse(site, NULL, "it has no state");
    if (!scan_open(site->st, n, &ed))
        return false;
    bool *constant = xcalloc((size_t)ed.s.nstates + 1, sizeof *constant);
    int count = find_constants(&ed, constant);
    PtrMap memo = {0};
    for (int i = 0; i < ed.s.nstates && !count; i++)
        refuse_state(site, &ed.s, i,
                     node_is_const(ed.states[i].init) ? "leaves its initial constant"
                                                      : "does not start at a constant");
    for (int i = 0; i < ed.s.nstates; i++)
        if (constant[i]) {
            ed.states[i].drop = true;
            map_put(&memo, ed.states[i].hole, ed.states[i].init);
        }
    Node *r = count ? scan_become(site, &ed, &memo) : NULL;
    map_free(&memo);
    if (r) {
        for (int i = 0; i < ed.s.nstates; i++)
            if (constant[i])
                site_put(site, node_proj(site->st, n, i),
                         scan_without(site->st, &ed.s, ed.states[i].init));
        site_why(site, "%d state%s", count, count == 1 ? "" : "s");
    }
    free(constant);
    scan_edit_free(&ed);
    return r != NULL;
}
