/* The list of steps: pass by pass, equal steps in a row told once, those inside bodies under their
 * owner. The data has every step. */
#include "analysis/step_view.h"
#include "repl/commands/commands.h"
#include "graph/print.h"
#include "rewrite/history.h"
#include "repl/terminal/paging.h"

typedef struct {
    Call *c;
    StepView v;
    const char *only; /* the rule whose steps are listed, wherever they are; NULL: all */
    bool times;
    const char *path; /* of the body whose steps are listed */
    u32 top;          /* the step of the outermost log */
    u32 count;        /* listed */
} Lister;

/* "body" if a node has one inner graph of that name: the attribute that changed. */
static void put_slot(Text *out, const Step *s)
{
    const Node *n = s->changes[0].before;
    int slots[4], count = node_graphs(n, slots);
    const char *name = "body";
    for (int i = 0; i < count; i++)
        if (n->attrs[slots[i]].graph == s->inner_before)
            name = op_attr_name(n->op, slots[i]);
    text_put(out, name);
}

/* Sets the rule; steps of one rule are listed one by one. */
static void list_only(Lister *l, const char *rule)
{
    l->only = rule;
    l->v.apart = l->times || rule || (l->v.open && !strcmp(l->v.open, "all"));
}

/* Its children are listed there, in text as in data. */
static void json_step(Lister *l, const StepRun *run, const Step *s)
{
    Report *r = &l->c->report;
    Store *st = l->v.x->st;
    Numbering *num = &l->v.x->numbering;
    const char *only = l->only;
    json_begin(r->data, '{');
    if (l->c->r->json) { /* thousands of expressions, which nobody else reads */
        Text before = {0}, after = {0}, why = {0};
        put_side(&before, st, s, false, num);
        put_side(&after, st, s, true, num);
        put_why(&why, s);
        report_say(
            r, "{=seq}{=pass}{=rule}{=classes}{=path}{=before}{=after}{=why}{=untried}{=seconds}",
            int_of(l->top), text_of(s->pass), text_of(step_rule(s)),
            classes_of(l->c, step_classes(s)), text_of(l->path), text_built(r, &before),
            text_built(r, &after), text_built(r, &why),
            step_classes(s) & HAZARD_UNTRIED ? flag_of(true) : absent(),
            l->times ? seconds_of(s->seconds) : absent());
    }
    if (view_opens(&l->v, run)) {
        list_only(l, NULL);
        json_open(r->data, "children", '[');
        view_children(&l->v, run);
        json_end(r->data, ']');
        list_only(l, only);
    }
    json_end(r->data, '}');
}

/* ---- lines ---- */

enum { MOST_INDENT = 24, MOST_CHANGES = 2 };

/* "# REASON" in as many lines as it takes. */
static void put_wrapped_why(Text *out, const char *why, int indent, int columns)
{
    while (*why) {
        size_t width = (size_t)(columns - indent - 2), n = strlen(why);
        for (size_t i = width; i > 0 && n > width; i--)
            if (why[i] == ' ')
                n = i;
        text_printf(out, "%*s# %.*s\n", indent, "", (int)n, why);
        why += n + (why[n] == ' ');
    }
}

/* What it changed, as lines. */
static ChangeLines run_lines(Lister *l, const StepRun *run, int indent)
{
    ChangeLines lines = {.of = {0}};
    Telling t = {l->v.x, l->v.within, repl_width(l->c->r) - indent - 6, MOST_CHANGES, &lines, NULL,
                 0};
    if (step_rewrites_inside(run->step))
        change_where(&t, run->step);
    else
        change_of_step(&t, run->step);
    return lines;
}

/* In one line if that is not too long; else what changed stands below. */
static void put_run(Lister *l, const StepRun *run)
{
    const Step *s = run->step;
    Text *out = l->c->report.text, head = {0}, change = {0}, why = {0};
    int columns = repl_width(l->c->r), indent = 2;
    for (const char *d = run->number; *d && !l->only; d++)
        indent += *d == '.' ? 2 : 0;
    int below = indent + 4 < MOST_INDENT ? indent + 4 : MOST_INDENT;
    if (!step_rewrites_inside(s))
        put_why(&why, s);
    ChangeLines lines = run_lines(l, run, indent);
    bool beside = change_in_a_line(&change, &lines), one = beside;
    text_printf(&head, "%*s%s  %s [", indent, "", run->range, step_rule(s));
    hazard_print(&head, step_classes(s));
    text_put(&head, "]");
    if (run->count > 1)
        text_printf(&head, "  %u times", run->count);
    if (lines.of.len == 1 && lines.of.at[0].sign == '.' && step_rewrites_inside(s)) {
        text_put(&change, lines.of.at[0].text);
        beside = true;
    }
    size_t room = (size_t)columns;
    beside = beside && run->count == 1 && head.len + change.len + why.len + 8 <= room;
    text_put(out, text_str(&head));
    if (beside)
        text_printf(out, "  %s", text_str(&change));
    bool told = why.len && head.len + (beside ? change.len : 0) + why.len + 8 <= room;
    if (told)
        text_printf(out, "    # %s", text_str(&why));
    if (l->times)
        text_printf(out, "    (%.3f ms)", 1e3 * s->seconds);
    text_putc(out, '\n');
    if (!told)
        put_wrapped_why(out, text_str(&why), below, columns);
    if (!beside && one && (size_t)below + change.len + 5 <= room)
        text_printf(out, "%*s%s%s\n", below, "", run->count > 1 ? "e.g. " : "", text_str(&change));
    else if (!beside)
        change_put(out, &lines, below, columns, call_marks(l->c));
    text_free(&head);
    text_free(&change);
    text_free(&why);
    change_free(&lines);
}

static void list_run(StepView *v, const StepRun *run)
{
    Lister *l = v->ctx;
    const char *path = l->path;
    bool asked = !l->only || strcmp(l->only, step_rule(run->step)) == 0,
         wanted = asked && !view_hides(v, run), outermost = !strchr(run->number, '.');
    v->opened = v->opened || (asked && v->open && strcmp(v->open, run->number) == 0) ||
                (asked && !wanted && view_opens(v, run));
    l->top = outermost ? run->from : l->top;
    if (wanted)
        put_run(l, run);
    for (u32 k = 0; wanted && k < run->count;
         k++, l->top += outermost && k < run->count, l->count++)
        json_step(l, run, run->step + k);
    if (!view_enters(v, run->step))
        return;
    Text inside = {0};
    text_printf(&inside, "%s%s", path, *path ? "/" : "");
    operand_print(&inside, run->step->changes[0].before, &v->x->numbering);
    text_putc(&inside, '.');
    put_slot(&inside, run->step);
    l->path = report_take(&l->c->report, &inside);
    view_inside(v, run);
    l->path = path;
}

static void list_pass(StepView *v, const PassRun *p)
{
    Lister *l = v->ctx;
    Text *out = l->c->report.text;
    u32 before = l->count;
    size_t head = out->len;
    text_printf(out, "%s: ", p->name);
    pass_run_put(out, p);
    if (l->times)
        text_printf(out, ", %.3f ms", 1e3 * p->seconds);
    text_printf(out, p->told ? "\n  %s\n" : "\n", p->told);
    view_log(v, &v->x->log, p->first_step, p->steps, "");
    if (l->only && l->count == before) /* nothing to say of this pass */
        out->at[out->len = head] = '\0';
}

/* The passes in which no rule fired. */
static void put_idle(Call *c, const char *passes)
{
    Text line = {0};
    text_printf(&line, "nothing to do: %s\n", passes);
    paging_wrap(&c->out, text_str(&line), repl_width(c->r));
    text_free(&line);
}

static bool hide_rule(Call *c, const char *name, Span span, void *ctx)
{
    (void)c, (void)span;
    view_hide(ctx, name);
    return true;
}

void call_hide_rules(Call *c, StepView *v)
{
    const Option *hide = call_option(c, "hide");
    if (hide)
        call_each_name(c, hide, hide_rule, v);
}

void put_hidden(Call *c, const StepView *v)
{
    Report *r = &c->report;
    if (!v->hidden.len)
        return;
    json_open(r->data, "hidden", '[');
    for (size_t i = 0; i < v->hidden.len; i++) {
        const HiddenRule *h = &v->hidden.at[i];
        report_item(r, i ? ", {steps} of {rule}" : "hidden: {steps step} of {rule}",
                    int_of(h->steps), text_of(h->rule));
    }
    json_end(r->data, ']');
    text_putc(r->text, '\n');
}

bool call_list_steps(Call *c, Exploration *x, bool times)
{
    const Option *open = call_option(c, "open"), *pass = call_option(c, "pass"),
                 *rule = call_option(c, "rule");
    Lister l = {.c = c,
                .v = {x, &c->arena, list_run, &l, .open = open ? open->value : NULL},
                .times = times,
                .path = ""};
    list_only(&l, rule ? rule->value : NULL);
    call_hide_rules(c, &l.v);
    json_open(&c->data, "steps", '[');
    const char *idle = view_passes(&l.v, pass ? pass->value : NULL, pass || times, list_pass);
    json_end(&c->data, ']');
    if (*idle && !rule)
        put_idle(c, idle);
    put_hidden(c, &l.v);
    if (rule && !l.count)
        text_printf(&c->out, "no step of %s; `:whynot %s EXPR` says why\n", l.only, l.only);
    view_end(&l.v);
    return !open || l.v.opened || call_no_opening(c, open);
}

void call_list_from(Call *c, Exploration *x, u32 from)
{
    Lister l = {.c = c, .v = {x, &c->arena, list_run, &l}, .path = ""};
    json_open(&c->data, "steps", '[');
    view_log(&l.v, &x->log, from, (u32)x->log.at.len - from, "");
    json_end(&c->data, ']');
    view_end(&l.v);
}
