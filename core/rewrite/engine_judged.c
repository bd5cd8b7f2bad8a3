/* Where in a graph that is being rewritten steps of class O are not made (judged.h).
 *
 * Invariant: nothing is looked for before a step of class O is found somewhere. */
#include "graph/walk.h"
#include "rewrite/engine.h"

/* Found when it is first asked for in a sweep: of the roots, and of what became of their nodes. */
static void find_judged(Engine *e)
{
    bool all = e->outer && e->owner && engine_judged(e->outer, (Node *)(uintptr_t)e->owner);
    Judged was = {0};
    judged_find(&was, e->nroots, e->roots, e->owner, e->body, all);
    e->judged.known = e->judged.asked = true;
    NodeVec order = {0};
    nodes_topo(e->nroots, e->roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i], *now = node_map_get(&e->memo, n);
        if (!judged_has(&was, n))
            continue;
        judged_add(&e->judged, n);
        if (now)
            judged_add(&e->judged, now);
    }
    vec_free(&order);
    judged_free(&was);
}

bool engine_judged(Engine *e, Node *n)
{
    if (!e->judged.known)
        find_judged(e);
    return judged_has(&e->judged, n);
}

void engine_carry_judged(Engine *e, const Node *from, Node *to)
{
    if (e->judged.known && from != to && judged_has(&e->judged, from))
        judged_add(&e->judged, to);
}

/* Of integers and truths, whose sums and products wrap around alike in any order. */
static bool is_whole(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && !dtype_is_float(n->type->dtype);
}

bool engine_may_take(Engine *e, const Rule *r, Site *site, u32 extra)
{
    if (extra & ~e->options->allowed)
        return false;
    bool risky = (r->classes | extra) & HAZARD_O && !is_whole(site->node);
    return !risky || !engine_judged(e, site->node) || site_refuse(site, NULL, "%s", judged_says);
}
