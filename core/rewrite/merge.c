/* Rules that compare nodes of the whole graph: they see it as it is between two sweeps. Which they
 * are, the phases of the passes say (core/registry.c). */
#include "rewrite/engine.h"

static bool has_global(const Phase *p, const char *group)
{
    bool found = p->before && !strcmp(p->before, group);
    for (int i = 0; p->after[i] && !found; i++)
        found = !strcmp(p->after[i], group);
    return found;
}

static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words; at && (at = strstr(at, word)) != NULL; at += n)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

static bool phases_try(const Pass *p, const char *group, bool following)
{
    bool tries = has_word(p->also, group);
    for (int i = 0; i < PASS_PHASES && !tries; i++)
        tries = (following || !p->phases[i].follows) &&
                (has_word(p->phases[i].groups, group) || has_global(&p->phases[i], group));
    return tries;
}

bool pass_tries(const Pass *p, const char *group) { return phases_try(p, group, true); }

bool pass_tries_first(const Pass *p, const char *group) { return phases_try(p, group, false); }

/* The last pass that has the group between its sweeps, or NULL. */
static const Pass *pass_of_global(const char *group)
{
    const Pass *pass = NULL;
    for (const Pass *p = pass_table; p->name; p++)
        for (int i = 0; i < PASS_PHASES; i++)
            if (has_global(&p->phases[i], group))
                pass = p;
    return pass;
}

const char *pass_with_group(const char *name)
{
    for (const Pass *p = pass_table; p->name; p++)
        if (has_global(&p->phases[0], name) && !pass_named(name))
            return p->name;
    return NULL;
}

bool rule_is_global(const Rule *r) { return pass_of_global(r->pass) != NULL; }

const char *rule_pass(const Rule *r)
{
    const Pass *p = pass_of_global(r->pass);
    return p ? p->name : r->pass;
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
        u32 extra;
        done = rule_allowed(e->options, r) && engine_try_timed(e, r, &site, &extra) &&
               !engine_skips(e, r, &site) && engine_apply(&site, r, since);
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
    NodeSet tried = {0};
    DiagTry trial;
    /* Construction inside rules may fail: then they do not fire. */
    diag_try_begin(&trial, &e->st->diags);
    bool merged = false, again = true;
    while (again && engine_within_limits(e)) {
        again = false;
        const Reach *r = engine_reached(e);
        for (size_t i = 0; i < r->order.len && r->tuples; i++)
            vec_push(&e->order, r->order.at[i]);
        for (size_t i = 0; i < e->order.len && !again; i++) {
            Node *n = e->order.at[i];
            if (n->type->kind != TYPE_TUPLE || map_has(&tried, n))
                continue;
            again = merge_at(e, n, mask);
            set_add(&tried, n);
        }
        e->order.len = 0;
        merged = merged || again;
    }
    vec_free(&e->order);
    e->order = (NodeVec){0};
    map_free(&tried);
    diag_try_end(&trial);
    return merged;
}

bool engine_join(Engine *e)
{
    bool done = false;
    for (int i = 0; e->phase->after[i] && !done; i++)
        done = e->stop == STOP_SATURATED && engine_merge(e, e->phase->after[i]);
    return done;
}
