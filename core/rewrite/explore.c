/* Taking an expression through the pipeline. */
#include "rewrite/engine.h"
#include "graph/provenance.h"
#include "rewrite/exploration.h"
#include "rewrite/history.h"

size_t pass_count(void)
{
    size_t n = 0;
    while (pass_table[n].name)
        n++;
    return n;
}

const Pass *pass_named(const char *name)
{
    for (size_t i = 0; i < pass_count(); i++)
        if (strcmp(pass_table[i].name, name) == 0)
            return &pass_table[i];
    return NULL;
}

#ifdef GRADUS_VERIFY
/* The rule whose step broke the graph; NULL: none did, or none was recorded. */
static const Rule *culprit(Exploration *x, u32 first)
{
    Node **roots = xmalloc(((size_t)x->nroots + 1) * sizeof *roots);
    const Rule *found = NULL;
    for (u32 k = first; k < x->log.at.len && !found; k++)
        if (exploration_replay(x, k + 1, roots) && !graph_verify(x->st, x->nroots, roots, NULL))
            found = x->log.at.at[k].rule;
    free(roots);
    return found;
}

/* A pass must leave a graph in order. */
static void verify_after(Exploration *x, const PassRun *run)
{
    Text why = {0};
    if (store_stops(x->st) || graph_verify(x->st, x->nroots, x->roots, &why)) {
        text_free(&why);
        return;
    }
    const Rule *rule = culprit(x, run->first_step);
    die("after the pass %s, rule %s: %s", run->name, rule ? rule->name : "unknown", text_str(&why));
}
#endif

static u32 count_nodes(Engine *e)
{
    const Reach *r = engine_reached(e);
    return r->graphs ? nodes_count(e->nroots, e->roots) : (u32)r->order.len;
}

static void run_pass(Exploration *x, const RuleSet *rs, const Options *options, const PassUse *use,
                     Settled *settled, Reach *reached)
{
    const Pass *p = use->pass;
    const PassRun *last = x->passes.len ? &x->passes.at[x->passes.len - 1] : NULL;
    PassRun run = {.name = p->name, .first_step = (u32)x->log.at.len};
    double start = now_seconds();
    Engine e;
    engine_open(&e, x->st, rs, options, p->name, x->nroots, x->roots);
    e.tells = p->tells;
    e.log = options->unrecorded ? NULL : &x->log;
    e.logs = &x->inner_logs;
    e.counts = &x->counts;
    x->counts.tries = 0;
    e.settled = settled;
    e.reached = reached;
    run.nodes_before = last ? last->nodes_after : count_nodes(&e);
    if (use->off)
        e.stop = STOP_OFF;
    else
        p->run(&e, p->phases);
    run.nodes_after = e.steps ? count_nodes(&e) : run.nodes_before;
    engine_close(&e);
    run.told = e.told;
    x->failed = x->failed || e.failed;
    run.stop = e.stop;
    run.steps = (u32)x->log.at.len - run.first_step;
    run.seconds = now_seconds() - start;
    vec_push(&x->passes, run);
#ifdef GRADUS_VERIFY
    verify_after(x, &run);
#endif
}

static Node **copy_roots(int n, Node *const *roots)
{
    Node **copy = xcalloc((size_t)n + 1, sizeof *copy);
    for (int i = 0; i < n; i++)
        copy[i] = roots[i];
    return copy;
}

Exploration *exploration_new(Store *st, int nroots, Node *const *roots)
{
    Exploration *x = xcalloc(1, sizeof *x);
    x->st = st;
    x->around = st->provenance;
    x->provenance = provenance_open(st);
    provenance_refer(st, x->around);
    x->nroots = nroots;
    x->start = copy_roots(nroots, roots);
    x->roots = copy_roots(nroots, roots);
    return x;
}

Exploration *explore(Store *st, const RuleSet *rs, const Options *options, int nroots,
                     Node *const *roots)
{
    Exploration *x = exploration_new(st, nroots, roots);
    Settled settled = {0};
    Reach reached = {0};
    for (u32 i = 0; i < options->pipeline.len; i++)
        run_pass(x, rs, options, &options->pipeline.at[i], &settled, &reached);
    settled_free(&settled);
    reached_free(&reached);
    return x;
}

void explore_rule(Exploration *x, Store *st, const RuleSet *rs, const Options *options,
                  const Rule *k, int n, Node *const *roots, u32 limit, Refusals *why)
{
    Options alone = *options;
    *x = (Exploration){.st = st, .nroots = n};
    x->start = copy_roots(n, roots);
    x->roots = copy_roots(n, roots);
    alone.allowed = ~0u;
    alone.step_limit = limit;
    rule_only(&alone, k);
    Engine e;
    engine_open(&e, x->st, rs, &alone, k->pass, x->nroots, x->roots);
    e.tells = pass_named(k->pass) && pass_named(k->pass)->tells;
    e.log = &x->log;
    e.logs = &x->inner_logs;
    e.counts = &x->counts;
    e.refusals = why;
    if (rule_is_global(k))
        engine_merge(&e, k->pass);
    else
        engine_phase(&e, &(Phase){.groups = k->pass}, 1);
    engine_close(&e);
}
