/* How the passes go through a graph; the pipeline itself is a table in core/registry.c. */
#include "passes/passes.h"

bool pass_saturate(Engine *e, const char *groups)
{
    e->groups = groups;
    map_clear(e->bodies); /* what a body becomes depends on the rules that take part */
    return engine_saturate(e, 20);
}

/* Expands what is innermost, then straightens what that brought in, until none is left. */
bool pass_differentiate(Engine *e, const char *groups)
{
    bool changed = false;
    for (int round = 0; round < 20 && e->stop == STOP_SATURATED; round++) {
        e->groups = "differentiate";
        map_clear(e->bodies);
        if (!engine_saturate(e, 1))
            break;
        changed = true;
        pass_saturate(e, groups);
    }
    return changed;
}

bool pass_loops(Engine *e, const char *groups)
{
    engine_merge(e, "merge"); /* before dead results go: then equal loops still look alike */
    bool changed = pass_saturate(e, groups);
    for (int round = 0; round < 100 && engine_join(e); round++)
        changed = engine_saturate(e, 20) || changed; /* bodies are as they were */
    return changed;
}

bool pass_specialize(Engine *e, const char *groups)
{
    bool changed = pass_saturate(e, groups);
    return (e->stop == STOP_SATURATED && products_add(e)) || changed;
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
                .deadline = now_seconds() + rs->time_limit};
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
