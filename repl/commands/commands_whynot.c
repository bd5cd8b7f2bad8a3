/* :whynot: why a rule does not fire (core/analysis/unfired.h), as text and data. */
#include "analysis/unfired.h"
#include "graph/print.h"
#include "repl/commands/commands.h"
#include "rewrite/history.h"

enum { SHOWN = 12, FEW = 4 };

typedef struct {
    Call *c;
    UnfiredQuestion q;
    const char *shut; /* what keeps the rule from firing anywhere; NULL: nothing does */
} Asking;

/* What shuts a rule out where it matches. */
static const char *bar_of(Call *c, const Rule *k)
{
    Report *r = &c->report;
    const Options *o = &c->r->s.options;
    const PassUse *pass = pipeline_find(&o->pipeline, rule_pass(k));
    u32 shut = k->classes & ~o->allowed;
    return rule_is_off(o, k) ? report_format(r,
                                             "it matches, but the rule is switched off: "
                                             "`:set rule %s on`",
                                             k->name)
           : shut ? report_format(r, "it matches, but its class is not allowed: `:set allow %s`",
                                  classes_text(c, shut))
           : pass && pass->off
               ? report_format(r, "it matches, but the pass %s is switched off", k->pass)
               : NULL;
}

static void put_reason(Asking *a, const Unfired *why, bool shown)
{
    Report *r = &a->c->report;
    Exploration *x = a->q.x;
    Text name = {0}, at = {0};
    x->numbering.within = why->at.within;
    operand_print(&name, why->at.node, &x->numbering);
    if (shown) {
        text_printf(&at, "%s, ", text_str(&name));
        put_called(&at, x->st, why->at.node, &x->numbering);
        if (why->at.step && !a->q.roots)
            text_printf(&at, " (after step %u)", why->at.step);
    }
    x->numbering.within = NULL;
    report_item(r, shown ? "  at {node}{=step}{=fires}: {why}\n" : "{=node}{=step}{=fires}{=why}",
                as(report_take(r, &at), text_built(r, &name)), int_of(why->at.step),
                flag_of(why->fires && !a->shut),
                text_of(!why->fires ? why->why
                        : a->shut   ? a->shut
                                    : "it would fire"));
}

/* Where only a condition failed, then where the form is another; each in the order of numbers. */
static void put_reasons(Asking *a)
{
    Call *c = a->c;
    const UnfiredQuestion *q = &a->q;
    size_t near = 0, shown = 0;
    for (size_t i = 0; i < q->found.len; i++)
        near += q->found.at[i].near;
    size_t most = near > FEW ? SHOWN : FEW;
    json_open(&c->data, "places", '[');
    for (int far = 0; far < 2; far++)
        for (size_t i = 0; i < q->found.len; i++)
            if (q->found.at[i].near != far)
                put_reason(a, &q->found.at[i], shown++ < most);
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

static void put_fired(Asking *a)
{
    Report *r = &a->c->report;
    Exploration *x = a->q.x;
    const char *name = a->q.k->name;
    Text at = {0}, change = {0};
    const Graph *within = NULL;
    const Step *s = a->q.roots ? NULL : step_of_rule(&x->log, name, NULL, &at, &within);
    const char *number = report_take(r, &at);
    if (s) {
        x->numbering.within = within;
        put_changes(&change, x->st, s, &x->numbering, ", ");
        x->numbering.within = NULL;
        report_say(r, "{-} fires{=fired}, step {step}: {-}\n{-}", text_of(name), flag_of(true),
                   text_of(number), text_built(r, &change),
                   text_of(a->q.found.len ? "and not\n" : ""));
    } else {
        report_say(r, "{-} does not fire{=fired}\n", text_of(name), flag_of(false));
    }
    if (!s || a->q.found.len)
        put_reasons(a);
}

/* About the state with these roots after so many steps; NULL: about all of them. */
static Asking ask(Call *c, Exploration *x, const Rule *k, const Thing *only, Node *const *roots,
                  u32 state)
{
    Asking a = {.c = c,
                .q = {.x = x,
                      .rules = c->r->s.rules,
                      .options = &c->r->s.options,
                      .k = k,
                      .only = only,
                      .roots = roots,
                      .state = state},
                .shut = bar_of(c, k)};
    unfired_find(&a.q);
    return a;
}

void put_whynot(Call *c, Exploration *x, const Rule *k)
{
    Asking a = ask(c, x, k, NULL, x->start, 0);
    put_reasons(&a);
    unfired_free(&a.q);
}

bool command_whynot(Call *c)
{
    const Rule *k = call_rule(c, c->word, c->word_span);
    i64 state = -1;
    Exploration *x = k ? call_explore(c) : NULL;
    if (!x || !call_count(c, "step", -1, (i64)x->log.at.len, &state))
        return false;
    const Thing *thing = c->number >= 0 ? call_thing(c, x) : NULL;
    if (c->number >= 0 && !thing)
        return false;
    report_field(&c->report, "rule", text_of(k->name));
    things_of_states(x);
    Node **roots = state < 0 ? NULL : call_roots_at(c, x, "step", &(Place){1, {(u32)state}});
    if (state >= 0 && !roots)
        return false;
    Asking a = ask(c, x, k, thing, roots, (u32)state);
    if (thing) {
        text_printf(&c->out, "%s\n", k->name);
        put_reasons(&a);
    } else {
        put_fired(&a);
    }
    unfired_free(&a.q);
    free(roots);
    return true;
}
