/* Places where a rule does not fire, and why.  See unfired.h. */
#include "analysis/unfired.h"

#include "graph/walk.h"
#include "rewrite/history.h"
#include "rewrite/judged.h"

enum { MOST_VISITS = 400000 /* nodes of states on which a rule in C is run */ };

static bool same_reason(const Unfired *a, bool fires, const char *why)
{
    return a->fires == fires && !strcmp(a->why, why);
}

/* Of one thing, a condition says most. */
static void add(UnfiredQuestion *q, const RulePlace *at, bool fires, bool near, Text *why)
{
    near = near || fires;
    size_t kept = 0;
    for (size_t i = 0; i < q->found.len; i++) {
        const Unfired *r = &q->found.at[i];
        if (r->at.thing == at->thing &&
            ((r->near && !near) || same_reason(r, fires, text_str(why))))
            return;
    }
    for (size_t i = 0; i < q->found.len; i++)
        if (q->found.at[i].at.thing != at->thing || q->found.at[i].near || !near)
            q->found.at[kept++] = q->found.at[i];
    q->found.len = kept;
    vec_push(&q->found,
             ((Unfired){*at, fires, near, arena_strndup(&q->arena, text_str(why), why->len)}));
}

/* The outermost step that made a node; 0: it was there from the start. */
static u32 made_by(const Occurrence *o)
{
    if (!o->origin)
        return 0;
    return *o->origin->log ? (u32)strtoul(o->origin->log, NULL, 10) : o->origin->number;
}

/* Did this rule replace it? */
static bool was_replaced(const UnfiredQuestion *q, const Occurrence *o)
{
    const Origin *end = o->next ? o->next->origin : o->thing->gone;
    if (!end || !end->step)
        return false;
    bool here = false;
    for (int i = 0; i < end->step->nchanges; i++) {
        const Node *before = end->step->changes[i].before;
        here = here || before == o->node || (before->op == OP_PROJ && before->ops[0] == o->node);
    }
    return here && !strcmp(step_rule(end->step), q->k->name);
}

/* A step of class O, where something is decided by the value? */
static bool is_judged(UnfiredQuestion *q, const RulePlace *at)
{
    if (!(q->k->classes & HAZARD_O))
        return false;
    Judged j = {0};
    Node **roots = xcalloc((size_t)q->x->nroots + 1, sizeof *roots);
    if (at->within)
        judged_find(&j, at->within->nouts, at->within->outs, NULL, at->within, false);
    else if (exploration_replay(q->x, at->step, roots))
        judged_find(&j, q->x->nroots, roots, NULL, NULL, false);
    bool judged = judged_has(&j, at->node);
    free(roots);
    judged_free(&j);
    return judged;
}

static void put_other_kind(const UnfiredQuestion *q, Text *why, const Node *n)
{
    text_printf(why, "it is %s, the rule is for %s", op_table[n->op].name,
                op_table[q->k->root].name);
}

static void ask_text(UnfiredQuestion *q, const RulePlace *at)
{
    Text why = {0};
    bool fires = false, fits = false, heads = at->node->op == q->k->root || q->k->root >= OP_COUNT;
    if (heads)
        fires = rule_explain_text(q->x->st, q->k, at->within, at->node, &why, &fits);
    else
        put_other_kind(q, &why, at->node);
    if (fires && is_judged(q, at)) {
        fires = false;
        text_put(&why, judged_says);
    }
    if (heads || q->only)
        add(q, at, fires, fits, &why);
    text_free(&why);
}

static void ask_text_everywhere(UnfiredQuestion *q)
{
    const Things *t = exploration_things(q->x);
    for (size_t i = 0; i < t->all.len; i++) {
        const Thing *thing = t->all.at[i];
        if (q->only && thing != q->only)
            continue;
        for (const Occurrence *o = thing->first; o; o = o->next)
            if (!was_replaced(q, o))
                ask_text(q, &(RulePlace){thing, thing_graph(thing), o->node, made_by(o)});
    }
}

static bool refusal_at(const Refusals *refusals, const Node *n, Text *why)
{
    for (size_t i = refusals->all.len; i-- > 0;) { /* the one that the rule came to latest */
        const Refused *r = &refusals->all.at[i];
        if (r->site != n)
            continue;
        text_put(why, r->why);
        if (r->at)
            text_printf(why, ": %s", op_table[r->at->op].name);
        return true;
    }
    return false;
}

static void ask_code_at(UnfiredQuestion *q, const Exploration *tried, const Refusals *refusals,
                        const RulePlace *at)
{
    const Node *n = at->node;
    Text why = {0}, number = {0};
    const Graph *inner = NULL;
    bool fires = step_of_rule(&tried->log, q->k->name, n, &number, &inner) != NULL,
         replaced = false;
    bool fits = n->op == q->k->root || (q->k->root >= OP_COUNT && n->op != OP_PROJ) || q->only;
    text_free(&number);
    for (const Occurrence *o = fires && at->thing ? at->thing->first : NULL; o; o = o->next)
        replaced = replaced || was_replaced(q, o); /* it did, then or later */
    bool near = fits && (fires || refusal_at(refusals, n, &why));
    if (!near && n->op == q->k->root)
        text_put(&why, "it is not tried here: another change comes first, or its pass leaves this "
                       "graph as it is");
    else if (!near && q->only && q->k->root < OP_COUNT)
        put_other_kind(q, &why, n);
    if (!replaced && (near || why.len))
        add(q, at, fires, near, &why);
    text_free(&why);
}

static void ask_state(UnfiredQuestion *q, u32 step, Node *const *roots)
{
    StandingVec all = {0};
    Exploration tried;
    Refusals refusals = {0};
    nodes_standing(q->x->nroots, roots, NULL, &all);
    if (!q->k->text)
        explore_rule(&tried, q->x->st, q->rules, q->options, q->k, q->x->nroots, roots,
                     q->options->step_limit, &refusals);
    for (size_t i = 0; i < all.len; i++) {
        const Standing *n = &all.at[i];
        RulePlace at = {thing_of(q->x->things, n->within, n->node), n->within, n->node, step};
        if (q->only && at.thing != q->only)
            continue;
        if (q->k->text)
            ask_text(q, &at);
        else
            ask_code_at(q, &tried, &refusals, &at);
    }
    if (!q->k->text)
        exploration_clear(&tried);
    refusals_free(&refusals);
    vec_free(&all);
}

/* The states that the rule's pass went through; if it never ran, the first. */
static void ask_code_everywhere(UnfiredQuestion *q)
{
    const Exploration *x = q->x;
    const char *pass = rule_pass(q->k);
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    u64 visits = 0;
    bool any = false;
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *run = &x->passes.at[i];
        if (strcmp(run->name, pass))
            continue;
        for (u32 k = run->first_step; k <= run->first_step + run->steps; k++) {
            bool end = k == run->first_step || k == run->first_step + run->steps;
            visits += run->nodes_before;
            if (visits > MOST_VISITS && !end) {
                q->partly = true;
                continue;
            }
            if (exploration_replay(q->x, k, roots))
                ask_state(q, k, roots);
            any = true;
        }
    }
    if (!any)
        ask_state(q, 0, x->start);
    free(roots);
}

void unfired_find(UnfiredQuestion *q)
{
    things_of_states(q->x);
    if (q->roots)
        ask_state(q, q->state, q->roots);
    else if (q->k->text)
        ask_text_everywhere(q);
    else
        ask_code_everywhere(q);
}

void unfired_free(UnfiredQuestion *q)
{
    vec_free(&q->found);
    arena_free(&q->arena);
}
