/* Engines: how one is opened and closed, what bounds its work, the rules that it may use, and
 * trying one. */
#include "rewrite/engine.h"

void engine_open(Engine *e, Store *st, const RuleSet *rs, const Options *options, const char *pass,
                 int nroots, Node **roots)
{
    *e = (Engine){.st = st,
                  .rs = rs,
                  .options = options,
                  .pass = pass,
                  .nroots = nroots,
                  .roots = roots,
                  .logs = &e->own.logs,
                  .counts = &e->own.counts,
                  .bodies = &e->own.bodies,
                  .facts = &e->own.facts,
                  .settled = &e->own.settled,
                  .reached = &e->own.reached,
                  .first_node = st->node_count};
}

void engine_close(Engine *e)
{
    map_free(&e->own.bodies);
    facts_free(&e->own.facts);
    settled_free(&e->own.settled);
    reached_free(&e->own.reached);
    loglist_free(&e->own.logs);
    rule_counts_free(&e->own.counts);
}

bool engine_within_limits(Engine *e)
{
    if (e->stop != STOP_SATURATED)
        return false;
    if (interrupted(e->st->interrupt))
        e->stop = STOP_INTERRUPTED;
    else if (memory_short())
        e->stop = STOP_MEMORY;
    else if (e->steps >= e->options->step_limit)
        e->stop = STOP_STEPS;
    else if (e->st->node_count - e->first_node >= e->options->node_limit)
        e->stop = STOP_NODES;
    else if (e->counts->tries++ >= e->options->try_limit)
        e->stop = STOP_TRIES;
    return e->stop == STOP_SATURATED;
}

const Rule *engine_rule(Engine *e, const char *name)
{
    const Rule *r = rule_by_name(e->rs, name);
    return r && rule_allowed(e->options, r) ? r : NULL;
}

bool engine_try(const Rule *r, Site *site, u32 *extra)
{
    *extra = 0;
    site->changes.len = site->why.len = site->records.len = 0;
    if (r->fn)
        return r->fn(site) && site->changes.len;
    Node *m = site->node;
    if (rule_is_on_loop(r))
        return rule_apply_loop(site->st, r, site->facts, m, &site->why, &site->changes);
    Node *after = rule_apply_text(site->st, r, site->facts, m, &site->why, extra);
    if (!after || after == m)
        return false;
    site_put(site, m, after);
    return true;
}

bool engine_try_timed(Engine *e, const Rule *r, Site *site, u32 *extra)
{
    if (!e->options->timed)
        return engine_try(r, site, extra);
    double since = now_seconds();
    bool fires = engine_try(r, site, extra);
    rule_counts_time(e->counts, r, fires, now_seconds() - since);
    return fires;
}

bool engine_skips(Engine *e, const Rule *r, const Site *site)
{
    SkippedFiring *k = e->options->skip;
    bool skips = k && k->rule == r && site->changes.len && site->changes.at[0].before == k->node;
    if (skips)
        k->times++;
    return skips;
}
