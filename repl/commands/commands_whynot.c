/* :whynot: why a rule does not fire, in every state that an exploration went through, or in one.
 *
 * A rule in text looks at a node and below: each form that a thing had is tried once. A rule in C
 * may look at all of a graph: it is run on whole states, those that its pass went through. */
#include "graph/print.h"
#include "graph/walk.h"
#include "repl/commands/alone.h"
#include "rewrite/history.h"

enum {
    SHOWN = 12,
    FEW = 4,
    MOST_VISITS = 400000 /* nodes of states on which a rule in C is run */
};

/* One place where the rule does not fire, or would. */
typedef struct {
    const Thing *thing;
    const Graph *within;
    Node *node;
    u32 step;         /* the state: after so many steps */
    bool fires, near; /* near: all but a condition fits */
    char *why;
} Reason;
typedef VEC(Reason) Reasons;

typedef struct {
    Call *c;
    Exploration *x;
    Rule *k;
    const Thing *only; /* the node asked about; NULL: all */
    i64 state;         /* the state asked about; -1: all */
    Reasons found;
    bool partly; /* not all states were tried */
} Question;

/* ---- what shuts a rule out ---- */

static bool pass_is_off(const RuleSet *rs, const Rule *k)
{
    const char *pass = rule_pass(k);
    bool some = false, off = true;
    for (size_t i = 0; i < rs->pipeline.len; i++) {
        bool own = strcmp(rs->pipeline.at[i].name, pass) == 0;
        some = some || own;
        off = off && (!own || rs->pipeline.at[i].off);
    }
    return some && off;
}

static bool is_shut(Call *c, const Rule *k, Text *why)
{
    const RuleSet *rs = &c->r->s.rules;
    u32 shut = k->classes & ~rs->allowed;
    if (k->off)
        text_printf(why, "it matches, but the rule is switched off: `:set rule %s on`", k->name);
    else if (shut)
        text_printf(why, "it matches, but its class is not allowed: `:set allow %s`",
                    classes_text(c, shut));
    else if (pass_is_off(rs, k))
        text_printf(why, "it matches, but the pass %s is switched off", k->pass);
    return why->len > 0;
}

/* ---- finding reasons ---- */

static void add(Question *q, const Thing *thing, const Graph *within, Node *n, u32 step, bool fires,
                bool near, Text *why)
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
    for (size_t i = 0; i < q->found.len; i++) { /* of one thing, a condition says most */
        Reason *r = &q->found.at[i];
        if (r->thing == thing && ((r->near && !near) || !strcmp(r->why, text_str(why))))
            return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < q->found.len; i++)
        if (q->found.at[i].thing != thing || q->found.at[i].near || !near)
            q->found.at[kept++] = q->found.at[i];
    q->found.len = kept;
    vec_push(&q->found, ((Reason){thing, within, n, step, fires, near,
                                  arena_strndup(&q->c->arena, text_str(why), why->len)}));
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

static void ask_text(Question *q, const Thing *thing, const Graph *within, Node *n, u32 step)
{
    Text why = {0};
    if (n->op == q->k->root || q->k->root == OP_COUNT) {
        bool fits = false;
        bool fires = rule_explain_text(q->x->st, q->k, within, n, &why, &fits);
        add(q, thing, within, n, step, fires, fits, &why);
    } else if (q->only) {
        text_printf(&why, "it is %s, the rule is for %s", op_table[n->op].name,
                    op_table[q->k->root].name);
        add(q, thing, within, n, step, false, false, &why);
    }
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
                ask_text(q, thing, thing_graph(thing), o->node, made_by(o));
    }
}

static const char *refusal_at(const Refusals *refusals, const Node *n, Text *why)
{
    for (size_t i = refusals->all.len; i-- > 0;) { /* the one that the rule came to latest */
        const Refused *r = &refusals->all.at[i];
        if (r->site != n)
            continue;
        text_put(why, r->why);
        if (r->at)
            text_printf(why, ": %s", op_table[r->at->op].name);
        return text_str(why);
    }
    return NULL;
}

static void ask_code_at(Question *q, const Exploration *tried, const Refusals *refusals,
                        const Thing *thing, const Graph *within, Node *n, u32 step)
{
    Text why = {0}, number = {0};
    const Graph *inner = NULL;
    bool fires = step_of_rule(&tried->log, q->k->name, n, &number, &inner) != NULL;
    bool fits = n->op == q->k->root || (q->k->root == OP_COUNT && n->op != OP_PROJ) || q->only;
    for (const Occurrence *o = fires && thing ? thing->first : NULL; o; o = o->next)
        if (was_replaced(q, o)) { /* it did, then or later */
            text_free(&number);
            return;
        }
    if (fits && (fires || refusal_at(refusals, n, &why))) {
        add(q, thing, within, n, step, fires, true, &why);
    } else if (n->op == q->k->root) {
        text_put(&why, "it is not tried here: another change comes first, or its pass leaves this "
                       "graph as it is");
        add(q, thing, within, n, step, false, false, &why);
    } else if (q->only && q->k->root < OP_COUNT) {
        text_printf(&why, "it is %s, the rule is for %s", op_table[n->op].name,
                    op_table[q->k->root].name);
        add(q, thing, within, n, step, false, false, &why);
    }
    text_free(&why);
    text_free(&number);
}

static void ask_state(Question *q, u32 step, Node *const *roots)
{
    StandingVec all = {0};
    Exploration tried;
    Refusals refusals = {0};
    nodes_standing(q->x->nroots, roots, NULL, &all);
    if (!q->k->text)
        alone_run(q->c, q->k, q->x->nroots, roots, q->c->r->s.rules.step_limit, &tried, &refusals);
    for (size_t i = 0; i < all.len; i++) {
        Node *n = all.at[i].node;
        const Graph *within = all.at[i].within;
        const Thing *thing = thing_of(q->x->things, within, n);
        if (q->only && thing != q->only)
            continue;
        if (q->k->text)
            ask_text(q, thing, within, n, step);
        else
            ask_code_at(q, &tried, &refusals, thing, within, n, step);
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

static void put_reason(Question *q, const Reason *r, bool shown)
{
    Call *c = q->c;
    Numbering *num = &q->x->numbering;
    Text name = {0};
    num->within = r->within;
    operand_print(&name, r->node, num);
    if (shown) {
        text_printf(&c->out, "  at %s, ", text_str(&name));
        put_called(&c->out, q->x->st, r->node, num);
        if (r->step && q->state < 0)
            text_printf(&c->out, " (after step %u)", r->step);
        text_printf(&c->out, ": %s\n", r->why);
    }
    num->within = NULL;
    json_begin(&c->data, '{');
    json_pair(&c->data, "node", text_str(&name));
    json_count(&c->data, "step", r->step);
    json_flag(&c->data, "fires", r->fires);
    json_pair(&c->data, "why", r->why);
    json_end(&c->data, '}');
    text_free(&name);
}

/* Where only a condition failed, then where the form is another; each in the order of numbers. */
static void put_reasons(Question *q)
{
    Call *c = q->c;
    size_t near = 0, shown = 0;
    for (size_t i = 0; i < q->found.len; i++)
        near += q->found.at[i].near;
    size_t most = near > FEW ? SHOWN : FEW;
    json_key(&c->data, "places");
    json_begin(&c->data, '[');
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
    Call *c = q->c;
    Text at = {0};
    const Graph *within = NULL;
    const Step *s = q->state < 0 ? step_of_rule(&q->x->log, q->k->name, NULL, &at, &within) : NULL;
    json_key(&c->data, "fired");
    json_bool(&c->data, s != NULL);
    if (s) {
        text_printf(&c->out, "%s fires, step %s: ", q->k->name, text_str(&at));
        q->x->numbering.within = within;
        put_changes(&c->out, q->x->st, s, &q->x->numbering, ", ");
        q->x->numbering.within = NULL;
        text_put(&c->out, q->found.len ? "\nand not\n" : "\n");
        json_pair(&c->data, "step", text_str(&at));
    } else {
        text_printf(&c->out, "%s does not fire\n", q->k->name);
    }
    text_free(&at);
    if (!s || q->found.len)
        put_reasons(q);
}

bool put_whynot(Call *c, Exploration *x, Rule *k, u32 state)
{
    Question q = {.c = c, .x = x, .k = k, .state = state};
    bool ok = ask(&q);
    if (ok)
        put_reasons(&q);
    vec_free(&q.found);
    return ok;
}

static bool asked_number(Call *c, i64 *k, Span *span)
{
    char *end;
    *k = -1;
    if (*c->text != '%')
        return true;
    *k = c->text[1] >= '0' && c->text[1] <= '9' ? strtoll(c->text + 1, &end, 10) : -1;
    if (*k < 0 || (*end && !strchr(" \t", *end)))
        return call_fail(c, c->rest, "usage", "the numbers are those of :steps and :graph",
                         "a node is %%3");
    const char *word;
    call_word(c, &word, span);
    return true;
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
    Rule *k = call_first_rule(c);
    i64 number, state = -1;
    Span span = c->rest;
    if (!k || !asked_number(c, &number, &span))
        return false;
    bool last = !call_has_expr(c);
    Exploration *x = last ? call_last(c) : call_explore(c);
    if (!x)
        return last ? call_fail(c, c->span, "usage", ":whynot RULE EXPR", "of which expression?")
                    : false;
    if (!call_count(c, "step", -1, (i64)x->log.at.len, &state))
        return false;
    const Thing *thing = number >= 0 ? thing_numbered(x, (u32)number) : NULL;
    if (number >= 0 && !thing)
        return call_fail(c, span, "unknown-name", ":graph and :steps show the numbers",
                         "there is no node %%%lld", (long long)number);
    json_pair(&c->data, "rule", k->name);
    return tell(&(Question){.c = c, .x = x, .k = k, .only = thing, .state = state});
}
