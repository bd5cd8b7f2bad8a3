/* The pipeline: one table, run in this order. */
#include "rewrite/rewrite.h"

static bool saturate(Engine *e, const char *groups)
{
    e->groups = groups;
    map_clear(e->bodies); /* what a body becomes depends on the rules that take part */
    return engine_saturate(e, 20);
}

/* Expands what is innermost, then straightens what that brought in, until none is left. */
static bool differentiate(Engine *e, const char *groups)
{
    bool changed = false;
    for (int round = 0; round < 20 && e->stop == STOP_SATURATED; round++) {
        e->groups = "differentiate";
        map_clear(e->bodies);
        if (!engine_saturate(e, 1))
            break;
        changed = true;
        saturate(e, groups);
    }
    return changed;
}

static bool loops(Engine *e, const char *groups)
{
    engine_merge(e, "merge"); /* before dead results go: then equal loops still look alike */
    bool changed = saturate(e, groups);
    for (int round = 0; round < 100 && engine_join(e); round++)
        changed = engine_saturate(e, 20) || changed; /* bodies are as they were */
    return changed;
}

static bool specialize(Engine *e, const char *groups)
{
    bool changed = saturate(e, groups);
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
static bool lower(Engine *e, const char *groups)
{
    if (!owns_graphs(e))
        return false;
    bool changed = order_fix(e);
    return (e->stop == STOP_SATURATED && saturate(e, groups)) || changed;
}

const Pass pass_table[] = {
    {"inline", "function bodies in place of their calls", saturate, "inline", false},
    {"canonicalize",
     "one normal form: constants folded, signs and nesting straightened, shapes lifted", saturate,
     "canonicalize", false},
    {"stabilize", "the same functions without cancellation or overflow", saturate, "stabilize",
     false},
    {"differentiate", "implicit derivatives expanded, innermost first, and the result straightened",
     differentiate, "canonicalize stabilize", false},
    {"expand", "composites opened: nothing is left to say about them as a whole", saturate,
     "expand canonicalize", false},
    {"loops", "loops that do less, run together, or become products, reductions and maps", loops,
     "loops canonicalize", false},
    {"specialize", "cheaper operators for special cases", specialize, "specialize", false},
    {"fuse", "elementwise operators over the same elements in one pass over them", fuse_groups,
     "fuse", false},
    {"lower", "scans as the loops that run: counters, indices and tests spelled out", lower,
     "lower", false},
};
const size_t pass_count = COUNT_OF(pass_table);

const Pass *pass_named(const char *name)
{
    for (size_t i = 0; i < pass_count; i++)
        if (strcmp(pass_table[i].name, name) == 0)
            return &pass_table[i];
    return NULL;
}

static void run_pass(Exploration *x, RuleSet *rs, const Pass *p, Settled *settled)
{
    const PassRun *last = x->passes.len ? &x->passes.at[x->passes.len - 1] : NULL;
    PassRun run = {.name = p->name, .first_step = (u32)x->log.at.len};
    run.nodes_before = last ? last->nodes_after : nodes_count(x->nroots, x->roots);
    double start = now_seconds();
    PtrMap bodies = {0};
    Facts facts = {0};
    Engine e = {.st = x->st,
                .rs = rs,
                .pass = p->name,
                .nroots = x->nroots,
                .roots = x->roots,
                .log = rs->unrecorded ? NULL : &x->log,
                .logs = &x->inner_logs,
                .bodies = &bodies,
                .facts = &facts,
                .settled = settled};
    if (p->off)
        e.stop = STOP_OFF;
    else
        p->run(&e, p->groups);
    map_free(&bodies);
    facts_free(&facts);
    x->failed = x->failed || e.failed;
    run.stop = e.stop;
    run.steps = (u32)x->log.at.len - run.first_step;
    run.nodes_after = e.steps ? nodes_count(x->nroots, x->roots) : run.nodes_before;
    run.seconds = now_seconds() - start;
    vec_push(&x->passes, run);
}

Exploration *explore(Store *st, RuleSet *rs, int nroots, Node *const *roots)
{
    Exploration *x = xcalloc(1, sizeof *x);
    x->st = st;
    x->nroots = nroots;
    x->start = xmalloc(((size_t)nroots + 1) * sizeof *x->start);
    x->roots = xmalloc(((size_t)nroots + 1) * sizeof *x->roots);
    for (int i = 0; i < nroots; i++)
        x->start[i] = x->roots[i] = roots[i];
    Settled settled = {0};
    for (size_t i = 0; i < rs->pipeline.len; i++)
        run_pass(x, rs, &rs->pipeline.at[i], &settled);
    settled_free(&settled);
    return x;
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
                .settled = &settled};
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
