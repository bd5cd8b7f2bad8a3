/* Engines: how one is opened and closed, what bounds its work, and the rules that it may use. */
#include "rewrite/engine.h"

void engine_open(Engine *e, Store *st, RuleSet *rs, const char *pass, int nroots, Node **roots)
{
    *e = (Engine){.st = st,
                  .rs = rs,
                  .pass = pass,
                  .nroots = nroots,
                  .roots = roots,
                  .logs = &e->own.logs,
                  .bodies = &e->own.bodies,
                  .facts = &e->own.facts,
                  .settled = &e->own.settled,
                  .reached = &e->own.reached,
                  .first_node = st->node_count,
                  .began = st->clock};
}

void engine_close(Engine *e)
{
    map_free(&e->own.bodies);
    facts_free(&e->own.facts);
    settled_free(&e->own.settled);
    reached_free(&e->own.reached);
    loglist_free(&e->own.logs);
}

bool engine_within_limits(Engine *e)
{
    if (e->stop != STOP_SATURATED)
        return false;
    if (e->rs->interrupt && *e->rs->interrupt)
        e->stop = STOP_INTERRUPTED;
    else if (memory_short())
        e->stop = STOP_MEMORY;
    else if (e->steps >= e->rs->step_limit)
        e->stop = STOP_STEPS;
    else if (e->st->node_count - e->first_node >= e->rs->node_limit)
        e->stop = STOP_NODES;
    else if (e->tries++ >= e->rs->try_limit)
        e->stop = STOP_TRIES;
    return e->stop == STOP_SATURATED;
}

const Rule *engine_rule(Engine *e, const char *name)
{
    Rule *r = rule_by_name(e->rs, name);
    return r && rule_allowed(e->rs, r) ? r : NULL;
}
