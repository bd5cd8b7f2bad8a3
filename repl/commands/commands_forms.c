/* The forms that :saturate found: the cheapest ones, and one that is looked for. */
#include "egraph/usual.h"
#include "surface/surface.h"
#include "repl/commands/egraph.h"

enum {
    MOST_FORMS = 1000,
    FORM_BYTES = 200 /* of a form in a row of the text; the data have ten times as much */
};

bool call_several(Call *c, int n, Node *const *roots, SaturatedForms *f)
{
    const Option *has = call_option(c, "has");
    i64 best;
    *f = (SaturatedForms){.wanted = 1};
    if (!call_number(c, "best", 1, 1, MOST_FORMS, &best))
        return false;
    f->wanted = (u32)best;
    if (!has)
        return true;
    Span sought = has->span;
    const Source *src = sought.src;
    bool quoted = src->text[sought.start] == '"';
    sought.start += quoted;
    sought.end -= quoted;
    if (n != 1)
        return call_fail(c, has->span, "type-mismatch", "compare its parts one by one",
                         "has= is for an expression of one tensor");
    Node *form = call_root_like(c, sought, roots[0]);
    f->sought.roots = form ? session_saturable(&c->r->s, 1, &form) : NULL;
    return f->sought.roots != NULL;
}

bool call_wants_several(const Call *c) { return call_option(c, "best") || call_option(c, "has"); }

/* ---- the list ---- */

static char *form_text(Call *c, const Exploration *x, const SaturatedForm *f, int bytes)
{
    Text t = {0};
    put_sources(&t, x->st, x->nroots, f->roots, true, bytes);
    return report_take(&c->report, &t);
}

static bool shares_nothing(const SaturatedForm *f) { return f->tree <= f->cost * COST_DEARER; }

static void put_list(Call *c, int kind, const SaturatedForms *f, const Exploration *x)
{
    static const Column columns[] = {
        {"form", "form"}, {"cost", "cost"}, {"as a tree", "tree"}, {"", NULL}, {NULL, "text"}};
    bool shares = false;
    for (size_t i = 0; i < f->at.len; i++)
        shares = shares || !shares_nothing(&f->at.at[i]);
    Column used[COUNT_OF(columns)];
    memcpy(used, columns, sizeof used);
    used[2].head = shares ? used[2].head : NULL;
    Rows rows = rows_begin(&c->report, used, COUNT_OF(used));
    for (size_t i = 0; i < f->at.len; i++) {
        const SaturatedForm *one = &f->at.at[i];
        rows_add(&rows, int_of((i64)i + 1), cost_in_units(&c->report, kind, one->cost),
                 cost_in_units(&c->report, kind, one->tree),
                 text_of(form_text(c, x, one, FORM_BYTES)),
                 text_of(form_text(c, x, one, 10 * FORM_BYTES)));
    }
    rows_put(&rows, "forms");
    if (f->all)
        text_printf(&c->out, "no other form was found\n");
    report_field(&c->report, "all_forms", flag_of(f->all));
}

/* ---- what is looked for ---- */

/* Why saturation may not use the rule of the step; NULL: it may. */
static const char *why_not(Call *c, const Saturating *how, const Step *s)
{
    u32 classes = step_classes(s) & ~(c->r->s.options.allowed | HAZARD_Z | HAZARD_UNTRIED);
    return rule_is_off(&c->r->s.options, s->rule)   ? "it is switched off"
           : !saturation_names(how->rules, s->rule) ? "rules= does not name it"
           : classes ? report_format(&c->report, "`:set allow default %s` allows its class",
                                     classes_text(c, classes))
                     : NULL;
}

static bool told_before(const StepLog *log, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (log->at.at[k].rule == log->at.at[i].rule)
            return true;
    return false;
}

/* The rules of a proof that it is equal, and what kept saturation from using them. */
static void put_producers(Call *c, const Saturating *how, const SidesCompared *e)
{
    Report *r = &c->report;
    const StepLog *log = &e->x->log;
    u32 missing = 0;
    text_put(r->text, "  it is equal by");
    json_open(r->data, "by", '[');
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        const char *why = why_not(c, how, s);
        if (told_before(log, i))
            continue;
        missing += why != NULL;
        report_item(r, why ? "{-}{rule} ({why})" : "{-}{rule}{=why}", text_of(i ? ", " : " "),
                    text_of(step_rule(s)), text_of(why));
    }
    json_end(r->data, ']');
    text_put(r->text,
             missing ? ""
             : e->growth.rows.len && !how->rules
                 ? "; these start from it, or need more iterations or e-nodes than the limits allow"
                 : "");
    text_put(r->text, "\n");
}

static void put_missing(Call *c, const Saturating *how, const Exploration *x,
                        const SaturatedForms *f)
{
    Session *s = &c->r->s;
    Options mine = s->options;
    Saturating all = *how;
    SidesCompared e;
    Node *sides[] = {x->start[0], f->sought.roots[0]};
    all.several = NULL;
    all.rules = NULL;
    memset(s->options.off, 0, sizeof mine.off);
    bool ok = session_equal(s, &all, sides, &e);
    s->options = mine;
    if (ok && verdict_is_equal(e.verdict) && e.x->log.at.len)
        put_producers(c, how, &e);
    else if (ok)
        report_say(&c->report, "  `:equal` {=equal}{-}\n",
                   text_of(e.verdict == VERDICT_DIFFERENT ? "different" : "unknown"),
                   text_of(e.verdict == VERDICT_DIFFERENT
                               ? "shows inputs for which the two are different"
                               : "proves it neither, nor that the two are different"));
    equal_free(&e);
}

static void put_sought(Call *c, const Saturating *how, const Exploration *x,
                       const SaturatedForms *f)
{
    static const char *const states[] = {"missing", "apart", "one-way", "found"};
    const SoughtForm *a = &f->sought;
    Report *r = &c->report;
    const char *text = call_option(c, "has")->value;
    bool best = a->state == SOUGHT_FOUND && f->at.len && a->cost <= f->at.at[0].cost * COST_DEARER;
    json_open(r->data, "has", '{');
    report_say(r, "{text}: {=state}", text_of(text), text_of(states[a->state]));
    if (a->state == SOUGHT_FOUND) {
        report_say(r, "it is there, and costs {cost}", cost_in_units(r, how->cost, a->cost));
        if (best)
            text_put(r->text, ", as little as the best form");
        else if (f->at.len)
            report_say(r, ", the best form {best}", cost_in_units(r, how->cost, f->at.at[0].cost));
        report_say(r, a->steps ? "\n  {steps step} to it: {rules}\n" : "{=steps}{=rules}\n",
                   int_of(a->steps), text_of(a->by.len ? a->by.at : ""));
    } else if (a->state == SOUGHT_ONE_WAY)
        report_say(r,
                   "it is there, but no program may become it: {rules} leads from it, and not "
                   "back\n",
                   text_of(a->by.at));
    else {
        text_put(r->text, a->state == SOUGHT_APART ? "it is there, but it was not found equal\n"
                                                   : "it was not found\n");
        put_missing(c, how, x, f);
    }
    json_end(r->data, '}');
}

void put_forms(Call *c, const Saturating *how, const Exploration *x, const SaturatedForms *f)
{
    if (call_option(c, "best"))
        put_list(c, how->cost, f, x);
    if (call_option(c, "has"))
        put_sought(c, how, x, f);
}
