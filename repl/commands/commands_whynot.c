/* :whynot: why a rule does not fire, in every state that an exploration went through, or in one.
 *
 * A rule in text looks at a node and below: each form that a thing had is tried once. A rule in C
 * may look at all of a graph: it is run on whole states, those that its pass went through. */
#include "graph/print.h"
#include "graph/walk.h"
#include "repl/commands/alone.h"
#include "rewrite/history.h"
#include "rewrite/judged.h"

enum {
    SHOWN = 12,
    FEW = 4,
    MOST_VISITS = 400000 /* nodes of states on which a rule in C is run */
};

typedef struct {
    const Thing *thing;
    const Graph *within;
    Node *node;
    u32 step; /* the state: after so many steps */
} Spot;

/* One place where the rule does not fire, or would. */
typedef struct {
    Spot at;
    bool fires, near; /* near: all but a condition fits */
    char *why;
} Reason;
typedef VEC(Reason) Reasons;

typedef struct {
    Call *c;
    Exploration *x;
    const Rule *k;
    const Thing *only; /* the node asked about; NULL: all */
    i64 state;         /* the state asked about; -1: all */
    Reasons found;
    bool partly; /* not all states were tried */
} Question;

/* ---- what shuts a rule out ---- */

static bool is_shut(Call *c, const Rule *k, Text *why)
{
    const Options *o = &c->r->s.options;
    const PassUse *pass = pipeline_find(&o->pipeline, rule_pass(k));
    u32 shut = k->classes & ~o->allowed;
    if (rule_is_off(o, k))
        text_printf(why, "it matches, but the rule is switched off: `:set rule %s on`", k->name);
    else if (shut)
        text_printf(why, "it matches, but its class is not allowed: `:set allow %s`",
                    classes_text(c, shut));
    else if (pass && pass->off)
        text_printf(why, "it matches, but the pass %s is switched off", k->pass);
    return why->len > 0;
}

/* ---- finding reasons ---- */

static void add(Question *q, const Spot *at, bool fires, bool near, Text *why)
{
    Text shut = {0};
    near = near || fires;
    if (fires && is_shut(q->c, q->k, &shut)) {
        fires = false;
        why->len = 0;
        text_put(why, text_str(&shut));
    } else if (fires) {
        text_put(why, "it would fire");
    }
    text_free(&shut);
    size_t kept = 0;
    for (size_t i = 0; i < q->found.len; i++) { /* of one thing, a condition says most */
        const Reason *r = &q->found.at[i];
        if (r->at.thing == at->thing && ((r->near && !near) || !strcmp(r->why, text_str(why))))
            return;
    }
    for (size_t i = 0; i < q->found.len; i++)
        if (q->found.at[i].at.thing != at->thing || q->found.at[i].near || !near)
            q->found.at[kept++] = q->found.at[i];
    q->found.len = kept;
    vec_push(&q->found,
             ((Reason){*at, fires, near, arena_strndup(&q->c->arena, text_str(why), why->len)}));
}

/* The outermost step that made a node; 0: it was there from the start. */
static u32 made_by(const Occurrence *o)
{
    if (!o->origin)
        return 0;
    return *o->origin->log ? (u32)strtoul(o->origin->log, NULL, 10) : o->origin->number;
}

/* Did this rule replace it? */
static bool was_replaced(const Question *q, const Occurrence *o)
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
static bool is_judged(Question *q, const Spot *at)
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

static void put_other_kind(const Question *q, Text *why, const Node *n)
{
    text_printf(why, "it is %s, the rule is for %s", op_table[n->op].name,
                op_table[q->k->root].name);
}

static void ask_text(Question *q, const Spot *at)
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

static void ask_text_everywhere(Question *q)
{
    const Things *t = exploration_things(q->x);
    for (size_t i = 0; i < t->all.len; i++) {
        const Thing *thing = t->all.at[i];
        if (q->only && thing != q->only)
            continue;
        for (const Occurrence *o = thing->first; o; o = o->next)
            if (!was_replaced(q, o))
                ask_text(q, &(Spot){thing, thing_graph(thing), o->node, made_by(o)});
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

static void ask_code_at(Question *q, const Exploration *tried, const Refusals *refusals,
                        const Spot *at)
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

static void ask_state(Question *q, u32 step, Node *const *roots)
{
    StandingVec all = {0};
    Exploration tried;
    Refusals refusals = {0};
    nodes_standing(q->x->nroots, roots, NULL, &all);
    if (!q->k->text)
        alone_run(q->c, q->k, q->x->nroots, roots, q->c->r->s.options.step_limit, &tried,
                  &refusals);
    for (size_t i = 0; i < all.len; i++) {
        const Standing *n = &all.at[i];
        Spot at = {thing_of(q->x->things, n->within, n->node), n->within, n->node, step};
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
static void ask_code_everywhere(Question *q)
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

static bool ask(Question *q)
{
    things_of_states(q->x);
    if (q->state >= 0) {
        Node **roots = call_roots_at(q->c, q->x, "step", &(Place){1, {(u32)q->state}});
        if (roots)
            ask_state(q, (u32)q->state, roots);
        free(roots);
        return roots != NULL;
    }
    if (q->k->text)
        ask_text_everywhere(q);
    else
        ask_code_everywhere(q);
    return true;
}

/* ---- telling ---- */

static void put_reason(Question *q, const Reason *why, bool shown)
{
    Report *r = &q->c->report;
    Numbering *num = &q->x->numbering;
    Text name = {0}, at = {0};
    num->within = why->at.within;
    operand_print(&name, why->at.node, num);
    if (shown) {
        text_printf(&at, "%s, ", text_str(&name));
        put_called(&at, q->x->st, why->at.node, num);
        if (why->at.step && q->state < 0)
            text_printf(&at, " (after step %u)", why->at.step);
    }
    num->within = NULL;
    report_item(r, shown ? "  at {node}{=step}{=fires}: {why}\n" : "{=node}{=step}{=fires}{=why}",
                as(report_take(r, &at), text_of(report_take(r, &name))), int_of(why->at.step),
                flag_of(why->fires), text_of(why->why));
}

/* Where only a condition failed, then where the form is another; each in the order of numbers. */
static void put_reasons(Question *q)
{
    Call *c = q->c;
    size_t near = 0, shown = 0;
    for (size_t i = 0; i < q->found.len; i++)
        near += q->found.at[i].near;
    size_t most = near > FEW ? SHOWN : FEW;
    json_open(&c->data, "places", '[');
    for (int far = 0; far < 2; far++)
        for (size_t i = 0; i < q->found.len; i++)
            if (q->found.at[i].near != far)
                put_reason(q, &q->found.at[i], shown++ < most);
    json_end(&c->data, ']');
    if (shown > most)
        text_printf(&c->out, "  and at %zu more: %%K asks about one, step= about one state\n",
                    shown - most);
    if (!q->found.len && q->k->root < OP_COUNT)
        text_printf(&c->out, "  there is no %s in it\n", rule_root_name(q->k));
    else if (!q->found.len)
        text_printf(&c->out, "  its conditions hold nowhere in it (%s)\n", q->k->reason);
    if (q->partly)
        text_put(&c->out,
                 "  (it was tried where its pass begins and ends: there are many steps)\n");
}

static void put_fired(Question *q)
{
    Report *r = &q->c->report;
    Text at = {0}, change = {0};
    const Graph *within = NULL;
    const Step *s = q->state < 0 ? step_of_rule(&q->x->log, q->k->name, NULL, &at, &within) : NULL;
    const char *number = report_take(r, &at);
    if (s) {
        q->x->numbering.within = within;
        put_changes(&change, q->x->st, s, &q->x->numbering, ", ");
        q->x->numbering.within = NULL;
        report_say(r, "{-} fires{=fired}, step {step}: {-}\n{-}", text_of(q->k->name),
                   flag_of(true), text_of(number), text_of(report_take(r, &change)),
                   text_of(q->found.len ? "and not\n" : ""));
    } else {
        report_say(r, "{-} does not fire{=fired}\n", text_of(q->k->name), flag_of(false));
    }
    if (!s || q->found.len)
        put_reasons(q);
}

bool put_whynot(Call *c, Exploration *x, const Rule *k, u32 state)
{
    Question q = {.c = c, .x = x, .k = k, .state = state};
    bool ok = ask(&q);
    if (ok)
        put_reasons(&q);
    vec_free(&q.found);
    return ok;
}

static bool tell(Question *q)
{
    bool ok = ask(q);
    if (ok && q->only) {
        text_printf(&q->c->out, "%s\n", q->k->name);
        put_reasons(q);
    } else if (ok) {
        put_fired(q);
    }
    vec_free(&q->found);
    return ok;
}

bool command_whynot(Call *c)
{
    const Rule *k = call_rule(c, c->word, c->word_span);
    i64 state = -1;
    Exploration *x = k ? call_explore(c) : NULL;
    if (!x || !call_count(c, "step", -1, (i64)x->log.at.len, &state))
        return false;
    const Thing *thing = c->number >= 0 ? thing_numbered(x, (u32)c->number) : NULL;
    if (c->number >= 0 && !thing)
        return call_fail(c, c->number_span, "unknown-name",
                         ":graph ssa=on and :steps show the numbers", "there is no node %%%lld",
                         (long long)c->number);
    report_field(&c->report, "rule", text_of(k->name));
    return tell(&(Question){.c = c, .x = x, .k = k, .only = thing, .state = state});
}
