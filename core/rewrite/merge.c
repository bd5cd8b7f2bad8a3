/* Rules that compare nodes of the whole graph: they see it as it is between two sweeps.
 *
 * `rows` has what loops need not keep;
 * `merge` finds loops that are the same, as soon as possible; `join` puts loops together
 * that are not, once each is in its normal form; `last` has what would be in their way. */
#include "rewrite/rewrite.h"

static const char *const groups[] = {"rows", "merge", "join", "last"};

bool rule_is_global(const Rule *r)
{
    for (size_t i = 0; i < COUNT_OF(groups); i++)
        if (!strcmp(r->pass, groups[i]))
            return true;
    return false;
}

/* The first rule of the groups that fires at n. */
static bool merge_at(Engine *e, Node *n, u32 mask)
{
    Site site;
    site_open(&site, e, n);
    RuleList rules = {0};
    double since = now_seconds();
    bool done = false;
    rule_candidates(e->rs, n, mask, &rules);
    for (size_t k = 0; k < rules.len && !done; k++) {
        const Rule *r = e->rs->all.at[rules.at[k]];
        site.changes.len = site.why.len = 0;
        done = rule_allowed(e->rs, r) && r->fn(&site) && engine_apply(&site, r, since);
    }
    vec_free(&rules);
    site_close(&site);
    return done;
}

/* Whether two nodes go together is up to them and what is below them, and each rule tries a node
 * with all others: so a node that found no other is not tried again. */
bool engine_merge(Engine *e, const char *group)
{
    u32 mask = rule_groups(e->rs, group);
    PtrMap tried = {0};
    Diags scratch = {0}, *saved = e->st->diags;
    e->st->diags = &scratch; /* construction inside rules may fail: then they do not fire */
    bool merged = false, again = true;
    while (again && engine_within_limits(e)) {
        again = false;
        nodes_topo(e->nroots, e->roots, &e->order);
        for (size_t i = 0; i < e->order.len && !again; i++) {
            Node *n = e->order.at[i];
            if (n->type->kind != TYPE_TUPLE || map_has(&tried, n))
                continue;
            again = merge_at(e, n, mask);
            map_put(&tried, n, n);
        }
        e->order.len = 0;
        merged = merged || again;
    }
    vec_free(&e->order);
    e->order = (NodeVec){0};
    map_free(&tried);
    e->st->diags = saved;
    diags_free(&scratch);
    return merged;
}

bool engine_join(Engine *e)
{
    bool done = false;
    for (size_t i = 0; i < COUNT_OF(groups) && !done; i++)
        done = e->stop == STOP_SATURATED && engine_merge(e, groups[i]);
    return done;
}
