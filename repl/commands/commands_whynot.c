/* :whynot: why a rule does not fire (core/analysis/unfired.h), as text and data. */
#include "graph/print.h"
#include "analysis/unfired.h"
#include "repl/commands/commands.h"
#include "rewrite/history.h"

enum {
    SHOWN = 12,
    FEW = 4,
    EXPR_SHOWN = 40 /* bytes of an expression that a command is to take */
};

typedef struct {
    Call *c;
    UnfiredQuestion q;
    const char *action; /* the one told last, or NULL */
} Asking;

/* ---- what would make it fire ---- */

/* ":compare EXPR", of the expression asked about; it may be left out where it is long, as it was
 * explored last. */
static const char *command_on(Asking *a, const char *command)
{
    const Call *c = a->c;
    bool told = !c->recent && call_has_expr(c) && strlen(c->text) <= EXPR_SHOWN;
    return told ? report_format(&a->c->report, "%s %s", command, c->text) : command;
}

/* The passes that run, "," between, and one more where it belongs, or last. */
static const char *passes_with(Asking *a, const Pass *more, bool last)
{
    Pipeline p = a->c->r->s.options.pipeline;
    Text out = {0};
    if (last && p.len < PIPELINE_MOST)
        pipeline_add(&p, more);
    else
        pipeline_add_in_order(&p, more);
    for (u32 i = 0; i < p.len; i++)
        text_printf(&out, "%s%s", i ? "," : "", p.at[i].pass->name);
    return report_take(&a->c->report, &out);
}

static const char *allow_also(Asking *a, u32 shut)
{
    u32 also = a->c->r->s.options.allowed & ~(u32)HAZARD_DEFAULT;
    return classes_text(a->c, also | shut);
}

/* Is it a derivation, in which rules fire that somebody chose? */
static bool is_by_hand(const Asking *a)
{
    const Exploration *x = a->q.x;
    return x->passes.len && x->passes.at[x->passes.len - 1].stop == STOP_BY_HAND;
}

/* A command; NULL: none would. */
static const char *action_of(Asking *a, const Unfired *u)
{
    Report *r = &a->c->report;
    const Rule *k = a->q.k;
    bool itself = u->by.step && !strcmp(step_rule(u->by.step), k->name);
    switch (u->verdict) {
    case VERDICT_TAKEN:
        return itself ? NULL
                      : report_format(r, "%s off=%s", command_on(a, ":compare"),
                                      step_rule(u->by.step));
    case VERDICT_RULE_OFF: return report_format(r, ":set rule %s on", k->name);
    case VERDICT_PASS_OFF: return report_format(r, ":set pass %s on", u->pass);
    case VERDICT_NO_PASS:
        return report_format(r, "%s passes=%s", command_on(a, ":compare"),
                             passes_with(a, pass_trying(k), false));
    case VERDICT_SATURATION: /* a form that a step made is reached by all rules */
        return u->at.step ? command_on(a, ":saturate")
                          : report_format(r, "%s rules=%s", command_on(a, ":saturate"), k->name);
    case VERDICT_CLASS: return report_format(r, ":set allow %s", allow_also(a, u->shut));
    case VERDICT_LATE:
        return report_format(r, "%s passes=%s", command_on(a, ":compare"),
                             passes_with(a, pass_named(u->pass), true));
    case VERDICT_OTHER: return is_by_hand(a) ? report_format(r, ":move rule=%s", k->name) : NULL;
    case VERDICT_FIRED:
    case VERDICT_NEAR: break;
    }
    return NULL;
}

/* ---- places ---- */

/* What took it, which `why` says, too. */
static void put_by(Report *r, const Unfired *u)
{
    if (!u->by.step) {
        report_field(r, "by", text_of(NULL));
        return;
    }
    json_open(r->data, "by", '{');
    report_say(r, "{=step}{=rule}", text_of(u->by.number), text_of(step_rule(u->by.step)));
    json_end(r->data, '}');
}

/* Where it fires is told once, above, unless one node is asked about. */
static bool is_told(const Asking *a, const Unfired *u)
{
    return u->verdict != VERDICT_FIRED || a->q.only;
}

static void put_place(Asking *a, const Unfired *u, bool shown)
{
    Call *c = a->c;
    Exploration *x = a->q.x;
    Text name = {0};
    x->numbering.within = u->at.within;
    operand_print(&name, u->at.node, &x->numbering);
    Text why = {0};
    unfired_put_reason(&why, &a->q, u);
    const char *node = report_take(&c->report, &name), *action = action_of(a, u);
    bool told = shown && is_told(a, u);
    bool again = action && a->action && !strcmp(a->action, action);
    Report *r = &c->report;
    report_hide(r, !told);
    json_begin(r->data, '{');
    report_say(r, "  at {node}, ", text_of(node));
    put_called(r->text, x->st, u->at.node, &x->numbering);
    report_say(r, u->at.step && !a->q.roots ? " (after step {state})" : "{=state}",
               int_of(u->at.step));
    report_field(r, "verdict", text_of(verdict_word(u->verdict)));
    put_by(r, u);
    report_say(r, "{=matched}{=of}: {why}\n", u->of ? int_of(u->matched) : text_of(NULL),
               u->of ? int_of(u->of) : text_of(NULL), text_built(r, &why));
    report_say(r, action && !again ? "    to see it fire: {action}\n" : "{=action}",
               text_of(action));
    json_end(r->data, '}');
    report_hide(r, false);
    a->action = told && action ? action : a->action;
    x->numbering.within = NULL;
}

/* What fitted is told first, then what only a condition missed. */
static void put_reasons(Asking *a)
{
    Call *c = a->c;
    const UnfiredQuestion *q = &a->q;
    size_t close = 0, shown = 0, told = 0;
    for (size_t i = 0; i < q->found.len; i++) {
        const Unfired *u = &q->found.at[i];
        close += u->verdict != VERDICT_FIRED && (u->verdict < VERDICT_NEAR || u->condition);
    }
    size_t most = close > FEW ? SHOWN : FEW;
    json_open(&c->data, "places", '[');
    for (size_t i = 0; i < q->found.len; i++) {
        put_place(a, &q->found.at[i], told < most);
        told += is_told(a, &q->found.at[i]);
    }
    shown = told < most ? told : most;
    json_end(&c->data, ']');
    if (told > shown)
        text_printf(&c->out, "  and at %zu more: %%K asks about one, step= about one state\n",
                    told - shown);
    if (!q->found.len && q->k->root < OP_COUNT)
        text_printf(&c->out, "  there is no %s in it\n", rule_root_name(q->k));
    else if (!q->found.len)
        text_printf(&c->out, "  its conditions hold nowhere in it (%s)\n", q->k->reason);
    else if (told && !a->action && q->found.at[0].verdict != VERDICT_FIRED)
        text_printf(&c->out, "  `:help %s`: what it matches, and when\n", q->k->name);
    if (q->partly)
        text_put(&c->out,
                 "  (it was tried where its pass begins and ends: there are many steps)\n");
}

static void put_fired(Asking *a)
{
    Report *r = &a->c->report;
    Exploration *x = a->q.x;
    const char *name = a->q.k->name;
    bool others = a->q.found.len && a->q.found.at[a->q.found.len - 1].verdict != VERDICT_FIRED;
    Text at = {0}, change = {0};
    const Graph *within = NULL;
    const Step *s = a->q.roots ? NULL : step_of_rule(&x->log, name, NULL, &at, &within);
    const char *number = report_take(r, &at);
    if (s) {
        x->numbering.within = within;
        put_changes(&change, x->st, s, &x->numbering, ", ");
        x->numbering.within = NULL;
        report_say(r, "{-} fires{=fired}, step {step}: {-}\n{-}", text_of(name), flag_of(true),
                   text_of(number), text_built(r, &change), text_of(others ? "and not\n" : ""));
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
                      .state = state}};
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
    if (!c->word)
        return whynot_gradient(c);
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
