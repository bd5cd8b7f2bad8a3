/* S10: a state that starts at a constant and never leaves it is that constant.
 *
 *   s' = f(s, ...) with s_0 = k and f(k, ...) = k     =>     s = k
 *
 * Optimistic: all states with constant initial values are assumed to be constants; those
 * whose next value, under the assumptions and with the arithmetic of constants, is
 * something else are not, and the others are looked at again without them. What can fail
 * is not computed. */
#include "graph/reads.h"
#include "passes/loops/loops.h"

/* The node with constants folded, bottom up; NULL if something cannot be built. */
static Node *fold(Store *st, Node *root, NodeMap *memo)
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

/* What a sequence or a capture goes into is no constant. */
static bool may_stay_constant(const ScanShape *s, int i)
{
    return node_is_const(s->inits[i]) &&
           !reads_among(graph_reads(s->body), s->body->outs[i], s->nstates, s->body->nparams);
}

/* The assumptions that hold: `constant` of each state is left true. */
static int find_constants(Store *st, const ScanShape *s, bool *constant)
{
    int count = 0;
    for (int i = 0; i < s->nstates; i++)
        count += constant[i] = may_stay_constant(s, i);
    for (bool again = count > 0; again;) {
        NodeMap memo = {0};
        again = false;
        for (int i = 0; i < s->nstates; i++)
            if (constant[i])
                map_put(&memo, s->body->param_nodes[i], s->inits[i]);
        for (int i = 0; i < s->nstates; i++)
            if (constant[i] && fold(st, s->body->outs[i], &memo) != s->inits[i]) {
                constant[i] = false;
                count--;
                again = true;
            }
        map_free(&memo);
    }
    return count;
}

static void refuse_states(Site *site, const ScanShape *s)
{
    for (int i = 0; i < s->nstates; i++)
        refuse_state(site, s, i,
                     node_is_const(s->inits[i]) ? "leaves its initial constant"
                                                : "does not have a constant initial value");
}

/* The loop without the states that are constants. */
static bool drop_constants(Site *site, const bool *constant)
{
    Store *st = site->st;
    ScanEdit ed;
    NodeMap memo = {0};
    if (!scan_open(st, site->node, &ed))
        return false;
    for (int i = 0; i < ed.s.nstates; i++)
        if (constant[i]) {
            ed.states[i].drop = true;
            map_put(&memo, ed.states[i].hole, ed.states[i].init);
        }
    Node *r = scan_become(site, &ed, &memo);
    for (int i = 0; i < ed.s.nstates && r; i++)
        if (constant[i])
            site_put(site, node_proj(st, site->node, i),
                     scan_without(st, &ed.s, ed.states[i].init));
    map_free(&memo);
    scan_edit_free(&ed);
    return r != NULL;
}

bool loop_constant(Site *site)
{
    ScanShape s = scan_shape(site->node);
    if (!s.nstates)
        return site_refuse(site, NULL, "it has no state");
    bool *constant = xcalloc((size_t)s.nstates + 1, sizeof *constant);
    int count = find_constants(site->st, &s, constant);
    bool done = count && drop_constants(site, constant);
    if (!count)
        refuse_states(site, &s);
    if (done)
        site_why(site, "%d state%s", count, count == 1 ? "" : "s");
    free(constant);
    return done;
}
