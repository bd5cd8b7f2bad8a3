/* What a rule in C may ask and do at its site: see site.h. */
#include "rewrite/engine.h"

void site_open(Site *site, Engine *e, Node *n)
{
    *site = (Site){.st = e->st, .node = n, .facts = e->facts, .engine = e};
}

void site_close(Site *site)
{
    vec_free(&site->changes);
    vec_free(&site->records);
    text_free(&site->why);
}

/* ---- questions ---- */

const IntList *site_used(const Site *site)
{
    Node *n = site->node;
    return engine_used(site->engine, n->op == OP_PROJ ? n->ops[0] : n);
}

const NodeVec *site_order(const Site *site) { return &site->engine->order; }

int site_roots(const Site *site, int level, Node *const **roots)
{
    const Engine *e = site->engine;
    for (int i = 0; i < level && e; i++)
        e = e->outer;
    *roots = e ? e->roots : NULL;
    return e ? e->nroots : -1;
}

const Node *site_owner(const Site *site, int level)
{
    const Engine *e = site->engine;
    for (int i = 0; i < level && e; i++)
        e = e->outer;
    return e && e->outer ? e->owner : NULL;
}

bool site_is_inside(const Site *site) { return site->engine->outer != NULL; }
bool site_is_derived(const Site *site) { return site->engine->derived; }

bool site_may_fire(const Site *site, const Node *n)
{
    const RuleSet *rs = site->engine->rs;
    return rule_groups_asking(rs, n->op) & rule_groups(rs, "stabilize");
}

/* Those of `stabilize`, and inverse pairs: log(exp(x)). */
static bool keeps_range(const Rule *r)
{
    return r->root < OP_COUNT && (!strcmp(r->pass, "stabilize") || r->classes & HAZARD_NPLUS);
}

bool site_would_fire(const Site *site, Node *n)
{
    Site there;
    const RuleSet *rs = site->engine->rs;
    RuleList rules = {0};
    bool fires = false;
    u32 extra;
    if (!site_may_fire(site, n))
        return false;
    Refusals *asked = site->engine->refusals;
    site->engine->refusals = NULL; /* nobody asks about a node that is not there */
    site_open(&there, site->engine, n);
    rule_candidates(rs, n, rule_groups(rs, "stabilize canonicalize"), &rules);
    for (size_t i = 0; i < rules.len && !fires; i++) {
        const Rule *r = rs->all.at[rules.at[i]];
        fires = keeps_range(r) && rule_allowed(site->engine->options, r) &&
                engine_try(r, &there, &extra);
    }
    vec_free(&rules);
    site_close(&there);
    site->engine->refusals = asked;
    return fires;
}

/* ---- changes ---- */

DerivativeRecords *site_records(Site *site)
{
    site->records.len = 0;
    return site->engine && site->engine->log ? &site->records : NULL;
}

void site_put(Site *site, Node *before, Node *after)
{
    vec_push(&site->changes, ((Change){before, after}));
}

static Change *change_of(const Site *site, const Node *before)
{
    for (size_t i = 0; i < site->changes.len; i++)
        if (site->changes.at[i].before == before)
            return &site->changes.at[i];
    return NULL;
}

Node *site_found(const Site *site, const Node *before)
{
    const Change *c = change_of(site, before);
    return c ? c->after : NULL;
}

void site_put_instead(Site *site, const Node *before, Node *after)
{
    change_of(site, before)->after = after;
}

size_t site_count(const Site *site) { return site->changes.len; }

void site_forget(Site *site) { site->changes.len = 0; }

void site_why(Site *site, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    text_vprintf(&site->why, fmt, args);
    va_end(args);
}

Text *site_why_text(Site *site) { return &site->why; }

/* ---- refusals and failures ---- */

bool site_refuse(Site *site, const Node *at, const char *fmt, ...)
{
    Refusals *r = site->engine->refusals;
    if (!r)
        return false;
    Text why = {0};
    va_list args;
    va_start(args, fmt);
    text_vprintf(&why, fmt, args);
    va_end(args);
    vec_push(&r->all, ((Refused){site->node, at, arena_strndup(&r->arena, why.at, why.len)}));
    text_free(&why);
    return false;
}

void refusals_free(Refusals *r)
{
    vec_free(&r->all);
    arena_free(&r->arena);
}

void site_fail(Site *site, const char *code, size_t errors, const char *what, const char *else_why)
{
    const Diags *ds = site->st->diags;
    const Diag *last = ds->list.len > errors ? &ds->list.at[ds->list.len - 1] : NULL;
    if (!site->engine->failed)
        diag_add(site->engine->report, code, site->st->span, last ? last->hint : NULL, "%s: %s",
                 what, last ? last->message : else_why);
    site->engine->failed = true;
}
