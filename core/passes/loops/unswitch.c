/* S18: a choice that is the same at every step is made once, before the loop.
 *
 *   scan { s' = if c then f(s) else g(s) }   =>   if c then scan { s' = f(s) } else scan { s' =
 * g(s) }
 *
 * where c does not change. Each loop is then free of the other branch: it may become a
 * product or a map. Exact: the same steps are taken, and only one of the loops runs.
 * Condition: the body is small enough to be there twice, and few choices are made in it. */
#include "graph/reads.h"
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

/* The choices of the body that a capture makes; how many conditions there are that are parameters,
 * so perhaps captures once the loop is another. */
static int find_choices(const ScanShape *s, NodeVec *out)
{
    Graph *body = s->body;
    const NodeVec *order = &graph_reads(body)->order;
    NodeSet conditions = {0};
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        if (n->op != OP_IFELSE || n->ops[0]->op != OP_PARAM ||
            is_handed_on(n, order, body->nouts, body->outs))
            continue;
        set_add(&conditions, n->ops[0]);
        if (is_param_among(n->ops[0], s->nstates + s->nseqs, body->nparams))
            vec_push(out, n);
    }
    int count = (int)conditions.len;
    map_free(&conditions);
    return count;
}

/* The loop with the choice made: its results, those that are used. */
static Node *one_version(Store *st, Node *scan, const NodeVec *choices, bool answer,
                         Node **condition)
{
    ScanEdit ed;
    NodeMap memo = {0};
    NodeVec open = {0};
    if (!scan_open(st, scan, &ed))
        return NULL;
    Node *r = NULL;
    if (scan_inside(&ed, choices, &open)) {
        Node *hole = open.at[0]->ops[0];
        *condition = scan_outer(&ed, hole);
        map_put(&memo, hole, node_bool(st, answer));
        r = scan_substitute(&ed, &memo) ? scan_close(&ed) : NULL;
    }
    map_free(&memo);
    vec_free(&open);
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
    NodeSet mentioned = {0};
    NodeVec yes = {0}, no = {0};
    for (u32 i = 0; i < scan->nops; i++)
        set_add(&mentioned, scan->ops[i]);
    used_results(st, versions[0], used, &yes);
    used_results(st, versions[1], used, &no);
    Node *r = build_if(st, condition, (int)yes.len, yes.at, no.at, &mentioned);
    map_free(&mentioned);
    vec_free(&yes);
    vec_free(&no);
    return r;
}

static bool put_versions(Site *site, const NodeVec *choices)
{
    Node *n = site->node, *condition = NULL, *choice = NULL;
    const IntList *used = site_used(site);
    Node *yes = one_version(site->st, n, choices, true, &condition);
    Node *no = yes ? one_version(site->st, n, choices, false, &condition) : NULL;
    if (no)
        choice = choose(site->st, n, condition, (Node *[]){yes, no}, used);
    for (int i = 0, k = 0; i < scan_shape(n).nresults && choice; i++) {
        if (!result_is_used(used, i))
            continue;
        Node *before = node_proj(site->st, n, i), *after = node_proj(site->st, choice, k++);
        if (!type_compatible(site->st, before->type, after->type))
            return false;
        site_put(site, before, after);
    }
    site_why(site, "one loop for each value of the condition");
    return choice != NULL;
}

bool loop_unswitch(Site *site)
{
    ScanShape s = scan_shape(site->node);
    NodeVec choices = {0};
    int count = find_choices(&s, &choices);
    bool done = false;
    if (!count)
        site_refuse(site, NULL, "there is no choice in its body");
    else if (count > MAX_CHOICES || graph_node_count(s.body) > MAX_BODY)
        site_refuse(site, NULL, "its body is too large to duplicate");
    else if (!choices.len || !(done = put_versions(site, &choices)))
        site_refuse(site, NULL, "no condition is loop-invariant and unable to raise an error");
    vec_free(&choices);
    return done;
}
