/* Rewriting by hand: see hand.h. Both finding and doing are sweeps of the engine, which knows how
 * to come into bodies and what to record there. */
#include "rewrite/hand.h"

#include "rewrite/engine.h"
#include "rewrite/things.h"

static const char by_hand[] = "by hand";

/* The graph that the engine rewrites; NULL: the outermost. */
static const Graph *graph_of(const Engine *e) { return e->outer ? e->facts->within : NULL; }

static Node *stays(Engine *e, size_t place, Node *now, void *ctx)
{
    (void)e;
    (void)place;
    (void)ctx;
    return now;
}

/* Goes through the graphs in this one. */
static bool sweep_inside(Engine *e, const NodeVec *order)
{
    return engine_walk(e, order, stays, NULL);
}

/* Tries the rule; those that look at the whole graph find its nodes in e->order. */
static bool try_at(Engine *e, const Rule *r, Site *site, const NodeVec *order, u32 *extra)
{
    bool global = rule_is_global(r);
    if (global && site->node->type->kind != TYPE_TUPLE)
        return false;
    if (global)
        e->order = *order;
    bool fires = engine_try(r, site, extra);
    e->order = (NodeVec){0};
    return fires && site->changes.at[0].after != site->changes.at[0].before;
}

/* Construction inside rules may fail, and derivatives may have no form: then rules do not fire. */
typedef struct {
    DiagTry trial;
    Diags *report;
} Quiet;

static void begin_quietly(Engine *e, Quiet *q)
{
    q->report = e->report;
    diag_try_begin(&q->trial, &e->st->diags);
    e->report = e->st->diags;
    engine_count_uses(e);
}

static void end_quietly(Engine *e, Quiet *q)
{
    diag_try_end(&q->trial);
    e->report = q->report;
    e->failed = false;
}

/* ---- finding ---- */

static void find_at(Engine *e, Node *n, const NodeVec *order, RuleList *rules)
{
    HandMoves *out = e->ctx;
    Site site;
    u32 extra;
    site_open(&site, e, n);
    rule_candidates(e->rs, n, ~0u, rules);
    for (size_t i = 0; i < rules->len && engine_within_limits(e); i++) {
        const Rule *r = e->rs->all.at[rules->at[i]];
        if (rule_is_off(e->options, r) || !try_at(e, r, &site, order, &extra))
            continue;
        const Change *c = &site.changes.at[0];
        u32 classes = r->classes | extra | (e->derived ? HAZARD_DERIVED : 0);
        vec_push(out, ((HandMove){r, graph_of(e), n, c->before, c->after, classes}));
    }
    site_close(&site);
}

static bool find_sweep(Engine *e)
{
    NodeVec order = {0};
    RuleList rules = {0};
    Quiet quiet;
    begin_quietly(e, &quiet);
    nodes_topo(e->nroots, e->roots, &order);
    for (size_t i = 0; i < order.len; i++)
        find_at(e, order.at[i], &order, &rules);
    end_quietly(e, &quiet);
    sweep_inside(e, &order);
    vec_free(&order);
    vec_free(&rules);
    return false;
}

StopReason hand_find(Store *st, const RuleSet *rs, const Options *options, int n,
                     Node *const *roots, HandMoves *out)
{
    Engine e;
    Node **mine = xmalloc(((size_t)n + 1) * sizeof *mine);
    memcpy(mine, roots, (size_t)n * sizeof *mine);
    engine_open(&e, st, rs, options, by_hand, n, mine);
    e.ctx = out;
    engine_sweep_with(&e, find_sweep, 1, false);
    StopReason stop = e.stop;
    engine_close(&e);
    free(mine);
    return stop;
}

MoveBar hand_bar(const Options *options, const HandMove *m)
{
    return m->rule->backwards                 ? MOVE_ONE_WAY
           : (m->classes & ~options->allowed) ? MOVE_CLASS
                                              : MOVE_ALLOWED;
}

/* ---- doing ---- */

static void apply_here(Engine *e, const HandMove *m, const NodeVec *order)
{
    Site site;
    u32 extra;
    double since = now_seconds();
    Quiet quiet;
    begin_quietly(e, &quiet);
    site_open(&site, e, m->node);
    if (try_at(e, m->rule, &site, order, &extra) && engine_apply(&site, m->rule, since)) {
        Step *s = &e->log->at.at[e->log->at.len - 1];
        s->extra |= extra;
    }
    site_close(&site);
    end_quietly(e, &quiet);
}

static bool apply_sweep(Engine *e)
{
    const HandMove *m = e->ctx;
    NodeVec order = {0};
    nodes_topo(e->nroots, e->roots, &order);
    if (graph_of(e) == m->within)
        apply_here(e, m, &order);
    else
        sweep_inside(e, &order);
    vec_free(&order);
    return false;
}

Exploration *hand_apply(Store *st, const RuleSet *rs, const Options *options, int n,
                        Node *const *roots, const HandMove *move)
{
    Exploration *x = exploration_new(st, n, roots);
    Engine e;
    HandMove mine = *move;
    engine_open(&e, st, rs, options, by_hand, n, x->roots);
    e.log = &x->log;
    e.logs = &x->inner_logs;
    e.counts = &x->counts;
    e.ctx = &mine;
    engine_sweep_with(&e, apply_sweep, 1, false);
    engine_close(&e);
    if (x->log.at.len)
        return x;
    exploration_free(x);
    return NULL;
}

u32 hand_place(Exploration *x, const HandMove *m)
{
    const Thing *t = thing_of(exploration_things(x), m->within, m->node);
    return t ? t->number : 0;
}

u32 hand_nth(Exploration *x, const HandMoves *moves, const HandMove *m)
{
    u32 all = 0, nth = 0, at = hand_place(x, m);
    for (const HandMove *other = moves->at; other < moves->at + moves->len; other++) {
        all += !strcmp(m->rule->name, other->rule->name) && (!at || hand_place(x, other) == at);
        nth = other == m ? all : nth;
    }
    return all > 1 ? nth : 0;
}
