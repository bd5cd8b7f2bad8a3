/* The list of steps: pass by pass, equal steps in a row told once, those inside bodies under their
 * owner. The data has every step.
 *
 * Invariant: what was folded is printed before anything else is. */
#include "repl/commands/change.h"
#include "graph/print.h"
#include "rewrite/history.h"
#include "repl/commands/commands.h"

/* Equal steps in a row. */
typedef struct {
    const Step *step; /* the first; NULL: there is none */
    u32 count;
    u32 last; /* the number of the last one in its log */
    char *number, *why;
    ChangeLines lines; /* of the first */
    int indent;
} Fold;

typedef struct {
    Call *c;
    Store *st;
    Exploration *x;
    Text *out;
    Json *j;
    PtrMap shown;     /* inner logs: each is listed once */
    const char *open; /* number of a step whose children are listed, or "all"; NULL: none */
    bool opened;      /* there was such a step */
    const char *only; /* the rule whose steps are listed, wherever they are; NULL: all */
    bool times;
    const Graph *within; /* the graph whose steps are listed; NULL: the outermost */
    Fold fold;
    u32 top;   /* the step of the outermost log */
    u32 count; /* listed */
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

static void list_log(Lister *l, const StepLog *log, u32 from, u32 count, const char *path,
                     const char *number);
static void unfold(Lister *l);

/* Is it the step that is to be opened? */
static bool wanted_open(const Lister *l, const Step *s, const char *number)
{
    return l->open && step_opens(s) && (!strcmp(l->open, "all") || !strcmp(l->open, number));
}

static void list_children(Lister *l, const Step *s, const char *path, const char *number)
{
    const Opened *o = exploration_opened(l->x, s);
    l->opened = true;
    unfold(l);
    things_open(l->x);
    const char *only = l->only;
    l->only = NULL;
    json_open(l->j, "children", '[');
    if (o)
        list_log(l, &o->log, 0, (u32)o->log.at.len, path, number);
    json_end(l->j, ']');
    l->only = only;
}

static void json_step(Lister *l, const Step *s, const char *path, const char *number)
{
    Text before = {0}, after = {0}, why = {0};
    put_side(&before, l->st, s, false, &l->x->numbering);
    put_side(&after, l->st, s, true, &l->x->numbering);
    put_why(&why, s);
    json_begin(l->j, '{');
    report_say(&l->c->report, "{=seq}{=pass}{=rule}{=classes}{=path}", int_of(l->top),
               text_of(s->pass), text_of(step_rule(s)), classes_of(l->c, step_classes(s)),
               text_of(path));
    json_text(l->j, "before", &before);
    json_text(l->j, "after", &after);
    json_text(l->j, "why", &why);
    if (l->times)
        report_field(&l->c->report, "seconds", seconds_of(s->seconds));
    if (wanted_open(l, s, number))
        list_children(l, s, path, number);
    json_end(l->j, '}');
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

/* In one line if that is not too long; else what changed stands below. */
static void put_fold(Lister *l, const Fold *f)
{
    int columns = repl_width(l->c->r), below = f->indent + 4;
    Text head = {0}, change = {0};
    bool beside = change_in_a_line(&change, &f->lines), one = beside;
    below = below < MOST_INDENT ? below : MOST_INDENT;
    text_printf(&head, "%*s%s", f->indent, "", f->number);
    if (f->count > 1)
        text_printf(&head, "-%u", f->last);
    text_printf(&head, "  %s [", step_rule(f->step));
    hazard_print(&head, step_classes(f->step));
    text_put(&head, "]");
    if (f->count > 1)
        text_printf(&head, "  %u times", f->count);
    size_t why = strlen(f->why), room = (size_t)columns;
    if (f->lines.of.len == 1 && f->lines.of.at[0].sign == '.' && step_rewrites_inside(f->step)) {
        text_printf(&change, "%s", f->lines.of.at[0].text);
        beside = true;
    }
    beside = beside && f->count == 1 && head.len + change.len + why + 8 <= room;
    text_put(l->out, text_str(&head));
    if (beside)
        text_printf(l->out, "  %s", text_str(&change));
    bool told = why && head.len + (beside ? change.len : 0) + why + 8 <= room;
    if (told)
        text_printf(l->out, "    # %s", f->why);
    if (l->times)
        text_printf(l->out, "    (%.3f ms)", 1e3 * f->step->seconds);
    text_putc(l->out, '\n');
    if (!told)
        put_wrapped_why(l->out, f->why, below, columns);
    if (!beside && one && (size_t)below + change.len + 5 <= room)
        text_printf(l->out, "%*s%s%s\n", below, "", f->count > 1 ? "e.g. " : "", text_str(&change));
    else if (!beside)
        change_put(l->out, &f->lines, below, columns, call_marks(l->c));
    text_free(&head);
    text_free(&change);
}

static void unfold(Lister *l)
{
    Fold *f = &l->fold;
    if (f->step)
        put_fold(l, f);
    free(f->number);
    free(f->why);
    change_free(&f->lines);
    *f = (Fold){.step = NULL};
}

static bool is_listed_alone(const Lister *l, const Step *s)
{
    bool opens = l->open && (step_opens(s) || strcmp(l->open, "all") == 0);
    return l->times || l->only || opens;
}

/* Is it the next one of what is folded? */
static bool folds(const Lister *l, const Step *s, const char *number, u32 k)
{
    const Fold *f = &l->fold;
    return f->step && !is_listed_alone(l, s) && !is_listed_alone(l, f->step) &&
           steps_alike(f->step, s) && f->last + 1 == k &&
           !(l->open && (!strcmp(l->open, number) || !strcmp(l->open, f->number)));
}

static void put_line(Lister *l, const Step *s, const char *number, u32 k)
{
    Text why = {0}, own = {0};
    int depth = 1;
    for (const char *d = number; *d && !l->only; d++)
        depth += *d == '.';
    if (!step_rewrites_inside(s))
        put_why(&why, s);
    l->opened = l->opened || (l->open && strcmp(l->open, number) == 0);
    if (folds(l, s, number, k)) {
        l->fold.count++;
        l->fold.last = k;
        text_free(&why);
        return;
    }
    unfold(l);
    Fold *f = &l->fold;
    *f = (Fold){.step = s, .count = 1, .last = k, .indent = 2 * depth};
    text_put(&own, number);
    f->number = text_take(&own);
    text_put(&why, "");
    f->why = text_take(&why);
    Telling t = {l->x,         l->within, repl_width(l->c->r) - f->indent - 6,
                 MOST_CHANGES, &f->lines, NULL};
    if (step_rewrites_inside(s))
        change_where(&t, s);
    else
        change_of_step(&t, s);
}

static void list_step(Lister *l, const Step *s, const char *path, const char *number, u32 k)
{
    if (!l->only || strcmp(l->only, step_rule(s)) == 0) {
        put_line(l, s, number, k);
        json_step(l, s, path, number);
        l->count++;
    }
    if (!s->inner || s->again || map_has(&l->shown, s->inner))
        return;
    map_put(&l->shown, s->inner, l);
    Text inside = {0};
    text_printf(&inside, "%s%s", path, *path ? "/" : "");
    operand_print(&inside, s->changes[0].before, &l->x->numbering);
    text_putc(&inside, '.');
    put_slot(&inside, s);
    const Graph *outer = l->within;
    l->x->numbering.within = l->within = s->inner_before;
    list_log(l, s->inner, 0, (u32)s->inner->at.len, text_str(&inside), number);
    l->x->numbering.within = l->within = outer;
    text_free(&inside);
}

static void list_log(Lister *l, const StepLog *log, u32 from, u32 count, const char *path,
                     const char *number)
{
    unfold(l);
    for (u32 i = from; i < from + count && i < log->at.len; i++) {
        Text own = {0};
        text_printf(&own, "%s%s%u", number, *number ? "." : "", i + 1);
        if (!*number)
            l->top = i + 1;
        list_step(l, &log->at.at[i], path, text_str(&own), i + 1);
        text_free(&own);
    }
    unfold(l);
}

/* ---- passes ---- */

static void put_pass(Text *out, const PassRun *p, bool times)
{
    text_printf(out, "%s: %u step%s, %u -> %u nodes, %s", p->name, p->steps,
                p->steps == 1 ? "" : "s", p->nodes_before, p->nodes_after, stop_name(p->stop));
    if (times)
        text_printf(out, ", %.3f ms", 1e3 * p->seconds);
    text_putc(out, '\n');
    if (p->told)
        text_printf(out, "  %s\n", p->told);
}

/* Nothing to tell but that it ran? */
static bool is_idle(const Lister *l, const PassRun *p)
{
    return !p->steps && p->stop == STOP_SATURATED && !p->told && !l->times &&
           !call_option(l->c, "pass");
}

static void list_pass(Lister *l, const PassRun *p)
{
    u32 before = l->count;
    size_t head = l->out->len;
    put_pass(l->out, p, l->times);
    list_log(l, &l->x->log, p->first_step, p->steps, "", "");
    if (l->only && l->count == before) /* nothing to say of this pass */
        l->out->at[l->out->len = head] = '\0';
}

bool call_list_steps(Call *c, Exploration *x, bool times)
{
    Lister l = {.c = c, .st = &c->r->s.st, .x = x, .out = &c->out, .j = &c->data, .times = times};
    const Option *open = call_option(c, "open"), *pass = call_option(c, "pass"),
                 *rule = call_option(c, "rule");
    Text idle = {0};
    l.open = open ? open->value : NULL;
    l.only = rule ? rule->value : NULL;
    json_open(&c->data, "steps", '[');
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *p = &x->passes.at[i];
        if (pass && strcmp(pass->value, p->name) != 0)
            continue;
        if (is_idle(&l, p))
            text_printf(&idle, "%s%s", idle.len ? ", " : "", p->name);
        else
            list_pass(&l, p);
    }
    json_end(&c->data, ']');
    if (idle.len && !rule)
        text_printf(&c->out, "nothing to do: %s\n", text_str(&idle));
    text_free(&idle);
    map_free(&l.shown);
    if (rule && !l.count)
        text_printf(&c->out, "no step of %s; `:whynot %s EXPR` tells why\n", l.only, l.only);
    return !open || l.opened || call_no_opening(c, open);
}

void call_list_from(Call *c, Exploration *x, u32 from)
{
    Lister l = {.c = c, .st = &c->r->s.st, .x = x, .out = &c->out, .j = &c->data};
    json_open(&c->data, "steps", '[');
    list_log(&l, &x->log, from, (u32)x->log.at.len - from, "", "");
    json_end(&c->data, ']');
    map_free(&l.shown);
}
