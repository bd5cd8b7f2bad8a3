/* S18: a choice that is the same at every step is made once, before the loop.
 *
 *   scan { s' = if c then f(s) else g(s) }   =>   if c then scan { s' = f(s) } else scan { s' =
 * g(s) }
 *
 * where c does not change. Each loop is then free of the other branch: it may become a
 * product or a map. Exact: the same steps are taken, and only one of the loops runs.
 * Condition: the body is small enough to be there twice, and few choices are made in it. */
#include "passes/loops/loops.h"

enum { MAX_BODY = 300, MAX_CHOICES = 3 };

/* Only loops inside take what it gives: a guard of what they hoisted (hoist.c), say. A version of
 * the body for each answer would be no simpler. */
static bool is_handed_on(const Node *choice, const NodeVec *order, int nroots, Node *const *roots)
{
    for (size_t i = 0; i < order->len; i++)
        for (u32 k = 0; k < order->at[i]->nops; k++) {
            const Node *o = order->at[i]->ops[k];
            if (o->op == OP_PROJ && o->ops[0] == choice && order->at[i]->op != OP_SCAN)
                return false;
        }
    for (int i = 0; i < nroots; i++)
        if (roots[i]->op == OP_PROJ && roots[i]->ops[0] == choice)
            return false;
    return true;
}

/* The capture that some `if` of the body asks, or NULL. */
static Node *find_choice(const ScanEdit *ed)
{
    NodeVec roots = {0}, order = {0};
    Node *found = NULL;
    scan_roots(ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        if (order.at[i]->op == OP_IFELSE && scan_is_capture(ed, order.at[i]->ops[0]) &&
            !is_handed_on(order.at[i], &order, (int)roots.len, roots.at))
            found = order.at[i]->ops[0];
    vec_free(&roots);
    vec_free(&order);
    return found;
}

/* The loop with the choice made: its results, those that are used. */
static Node *one_version(Store *st, Node *scan, bool choice, Node **condition)
{
    ScanEdit ed;
    PtrMap memo = {0};
    if (!scan_open(st, scan, &ed))
        return NULL;
    Node *hole = find_choice(&ed), *r = NULL;
    if (hole) {
        *condition = scan_outer(&ed, hole);
        map_put(&memo, hole, node_bool(st, choice));
        r = scan_substitute(&ed, &memo) ? scan_close(&ed) : NULL;
    }
    map_free(&memo);
    scan_edit_free(&ed);
    return r;
}

static void used_results(Store *st, Node *version, const IntList *used, NodeVec *outs)
{
    ScanShape s = scan_shape(version);
    for (int i = 0; i < s.nresults; i++)
        if (result_is_used(used, i))
            vec_push(outs, node_proj(st, version, i));
}

static Node *choose(Store *st, Node *scan, Node *condition, Node *const *versions,
                    const IntList *used)
{
    PtrMap mentioned = {0};
    NodeVec yes = {0}, no = {0};
    for (u32 i = 0; i < scan->nops; i++)
        map_put(&mentioned, scan->ops[i], scan->ops[i]);
    used_results(st, versions[0], used, &yes);
    used_results(st, versions[1], used, &no);
    Node *r = build_if(st, condition, (int)yes.len, yes.at, no.at, &mentioned);
    map_free(&mentioned);
    vec_free(&yes);
    vec_free(&no);
    return r;
}

/* Different conditions that are parameters, so perhaps captures. */
static int count_choices(const Graph *body)
{
    NodeVec order = {0};
    PtrMap seen = {0};
    nodes_topo(body->nouts, body->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_IFELSE && order.at[i]->ops[0]->op == OP_PARAM &&
            !is_handed_on(order.at[i], &order, body->nouts, body->outs))
            map_put(&seen, order.at[i]->ops[0], order.at[i]);
    int count = (int)seen.len;
    map_free(&seen);
    vec_free(&order);
    return count;
}

bool loop_unswitch(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    const IntList *used = site_used(site);
    int choices = count_choices(s.body);
    if (!choices)
        return site_refuse(site, NULL, "there is no choice in its body");
    if (choices > MAX_CHOICES || graph_node_count(s.body) > MAX_BODY)
        return site_refuse(site, NULL, "its body is too large to be there twice");
    Node *condition = NULL, *versions[2], *choice = NULL;
    versions[0] = one_version(site->st, n, true, &condition);
    versions[1] = versions[0] ? one_version(site->st, n, false, &condition) : NULL;
    if (versions[1])
        choice = choose(site->st, n, condition, versions, used);
    for (int i = 0, k = 0; i < s.nresults && choice; i++) {
        if (!result_is_used(used, i))
            continue;
        Node *before = node_proj(site->st, n, i), *after = node_proj(site->st, choice, k++);
        if (!type_compatible(site->st, before->type, after->type))
            return false;
        site_put(site, before, after);
    }
    if (!choice)
        site_refuse(site, NULL, "no choice is the same at every step, and free of failure");
    site_why(site, "one loop for each answer");
    return choice != NULL;
}
