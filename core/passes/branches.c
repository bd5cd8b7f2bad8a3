/* What only one branch of an `if` needs is computed in it, not before.
 *
 * Whether a node is needed elsewhere is seen from the whole graph only, so this is a sweep and not
 * a rule tried node by node. What is the same at every step of a loop stays outside the branch: it
 * may leave the loop, and the evaluator computes it when a branch first needs it
 * (exec/plan_lazy.c).
 *
 * Invariant: nothing is computed twice, and nothing that was not computed before is. */
#include "ops/branches.h"
#include "passes/passes.h"

static Node *became(void *engine, Node *n) { return engine_became(engine, n); }
static Node *as_it_is(void *ctx, Node *n) { return (void)ctx, n; }

static void changes_of(Site *site, Node *before, Node *after)
{
    for (int i = 0; i < before->type->nitems; i++)
        site_put(site, node_proj(site->st, before, i), node_proj(site->st, after, i));
}

static void explain(Site *site, const Branches *b, size_t place)
{
    u32 moved = 0;
    for (size_t i = 0; i < b->order.len; i++)
        moved += branch_takes(b, place, b->order.at[i]) && b->order.at[i]->op != OP_PROJ;
    site_why(site, "%u operator%s that nothing else uses", moved, moved == 1 ? "" : "s");
}

/* The rule at one node, as if nothing else were there. */
static bool sink_here(Site *site)
{
    Node *n = site->node;
    Node *choice = n->ops[0];
    if (choice->op != OP_IFELSE)
        return site_refuse(site, NULL, "it is not the result of an `if`");
    Branches b;
    branches_find(site->st, 1, &n, false, NULL, &b);
    size_t place = b.order.len - 2;
    Node *after = branches_take(site->st, &b, place, choice, as_it_is, NULL);
    if (after == choice)
        site_refuse(site, NULL, "nothing computed before it is used by only one branch");
    else
        explain(site, &b, place);
    branches_free(&b);
    if (after != choice)
        changes_of(site, choice, after);
    return after != choice;
}

typedef struct {
    Branches branches;
    const Rule *rule;
} Sink;

static Node *at_place(Engine *e, size_t place, Node *now, void *ctx)
{
    Sink *s = ctx;
    if (now->op != OP_IFELSE)
        return now;
    double since = now_seconds();
    Node *after = branches_take(e->st, &s->branches, place, now, became, e);
    if (after == now)
        return now;
    Site site;
    site_open(&site, e, now);
    changes_of(&site, now, after);
    explain(&site, &s->branches, place);
    engine_record(&site, s->rule, since);
    site_close(&site);
    return after;
}

/* Of a loop's body: what changes from step to step. */
static void find_moving(const Engine *e, NodeSet *moving)
{
    NodeVec order = {0};
    i64 changing = e->owner->attrs[1].i + (e->owner->op == OP_SCAN ? e->owner->attrs[2].i : 0);
    nodes_topo(e->nroots, e->roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        bool moves = n->op == OP_PARAM && n->attrs[0].i < changing;
        for (u32 k = 0; k < n->nops && !moves; k++)
            moves = map_has(moving, n->ops[k]);
        if (moves)
            set_add(moving, n);
    }
    vec_free(&order);
}

static bool sweep(Engine *e)
{
    Sink s = {.rule = engine_rule(e, "sink-branch")};
    NodeSet moving = {0};
    bool loop = e->owner && (e->owner->op == OP_SCAN || e->owner->op == OP_LOOP);
    if (loop)
        find_moving(e, &moving);
    branches_find(e->st, e->nroots, e->roots, false, loop ? &moving : NULL, &s.branches);
    bool changed = engine_walk(e, &s.branches.order, at_place, &s);
    branches_free(&s.branches);
    map_free(&moving);
    return changed;
}

bool branches_sink(Engine *e)
{
    if (e->stop != STOP_SATURATED || !engine_rule(e, "sink-branch") || !engine_reached(e)->bodies ||
        !nodes_choose(e->nroots, e->roots))
        return false;
    return engine_sweep_with(e, sweep, PASS_SWEEPS, true);
}

const CodeRule branch_rules[] = {
    {"sink-branch", "branches", HAZARD_E, OP_PROJ, sink_here,
     "a value that only one branch uses is computed inside that branch", NULL},
    {0}};
