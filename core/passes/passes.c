/* How the passes go through a graph; the pipeline itself is a table in core/registry.c. */
#include "passes/passes.h"

bool pass_saturate(Engine *e, const char *groups)
{
    e->groups = groups;
    map_clear(e->bodies); /* what a body becomes depends on the rules that take part */
    return engine_saturate(e, 20);
}

/* What sums of the same terms have in common may show only once they are one. */
static bool straighten(Engine *e, const char *groups)
{
    bool changed = pass_saturate(e, groups);
    while (e->stop == STOP_SATURATED && order_share(e)) {
        changed = true;
        pass_saturate(e, groups);
    }
    return changed;
}

/* Is there a loop, or a graph that may hold one? */
static bool owns_graphs(const Engine *e)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(e->nroots, e->roots, &order);
    for (size_t i = 0; i < order.len && !found; i++) {
        int slots[4];
        found = order.at[i]->op != OP_FUSED && node_graphs(order.at[i], slots) > 0;
    }
    vec_free(&order);
    return found;
}

/* What only a branch needs goes there first, so that the rules see it there. Last, when equal
 * bodies look alike, what loops keep: derivatives are still to come, and take over what is kept. */
bool pass_canonicalize(Engine *e, const char *groups)
{
    bool changed = branches_sink(e);
    changed = straighten(e, groups) || changed;
    if (!owns_graphs(e) || e->stop != STOP_SATURATED)
        return changed;
    changed = pass_saturate(e, "canonicalize rows") || changed; /* in bodies */
    while (engine_merge(e, "rows"))
        changed = engine_saturate(e, 20) || changed;
    return changed;
}

/* Expands what is innermost, then straightens what that brought in, until none is left. */
bool pass_differentiate(Engine *e, const char *groups)
{
    bool changed = branches_sink(e);
    for (int round = 0; round < 20 && e->stop == STOP_SATURATED; round++) {
        e->groups = "differentiate";
        map_clear(e->bodies);
        if (!engine_saturate(e, 1))
            break;
        changed = true;
        pass_saturate(e, groups);
    }
    return branches_sink(e) || changed;
}

bool pass_loops(Engine *e, const char *groups)
{
    bool changed = branches_sink(e);
    engine_merge(e, "merge"); /* before dead results go: then equal loops still look alike */
    changed = pass_saturate(e, groups) || changed;
    for (int round = 0; round < 100 && engine_join(e); round++)
        changed = engine_saturate(e, 20) || changed; /* bodies are as they were */
    return changed;
}

bool pass_specialize(Engine *e, const char *groups)
{
    bool changed = pass_saturate(e, groups);
    changed = (e->stop == STOP_SATURATED && order_share(e)) || changed;
    return (e->stop == STOP_SATURATED && products_add(e)) || changed;
}

/* First the order of sums is fixed, so that lowering itself changes no bits. */
bool pass_lower(Engine *e, const char *groups)
{
    if (!owns_graphs(e))
        return false;
    bool changed = order_fix(e);
    return (e->stop == STOP_SATURATED && pass_saturate(e, groups)) || changed;
}

bool derivatives_expand(Store *st, RuleSet *rs, int nroots, Node **roots)
{
    PtrMap bodies = {0};
    LogList logs = {0};
    Facts facts = {0};
    Settled settled = {0};
    Engine e = {.st = st,
                .rs = rs,
                .pass = "differentiate",
                .nroots = nroots,
                .roots = roots,
                .logs = &logs,
                .bodies = &bodies,
                .facts = &facts,
                .settled = &settled,
                .first_node = st->node_count};
    for (int round = 0; round < 20; round++) {
        e.groups = "inline differentiate";
        map_clear(&bodies);
        if (!engine_saturate(&e, 1))
            break;
    }
    map_free(&bodies);
    facts_free(&facts);
    settled_free(&settled);
    loglist_free(&logs);
    return !e.failed && e.stop == STOP_SATURATED;
}
