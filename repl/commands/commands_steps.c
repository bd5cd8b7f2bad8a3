/* Commands on the steps of an exploration: :passes, :steps, :why. */
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "graph/print.h"
#include "repl/commands/commands.h"
#include "repl/commands/show.h"

#include <math.h>

/* Times only where they are asked for, so that what is printed is the same every time. false after
 * a diagnostic. */
static bool wants_times(Call *c, bool *times)
{
    static const char *const words[] = {"on", "off"};
    int which = 1;
    bool ok = call_choice(c, "times", words, 2, &which);
    *times = which == 0;
    return ok;
}

static Datum milliseconds(Report *r, double seconds)
{
    return as(report_format(r, "%.3f ms", 1e3 * seconds), real_of(seconds));
}

/* ---- :passes ---- */

static Rows pass_runs(Report *r, const Exploration *x, bool times)
{
    static const Column columns[] = {
        {"pass", "name"},         {"steps", "steps"}, {"nodes before", "nodes_before"},
        {"after", "nodes_after"}, {"stop", "stop"},   {NULL, "told"},
        {"time", "seconds"}};
    Rows rows = rows_begin(r, columns, COUNT_OF(columns) - !times);
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *p = &x->passes.at[i];
        rows_add(&rows, text_of(p->name), int_of(p->steps), int_of(p->nodes_before),
                 int_of(p->nodes_after), text_of(stop_name(p->stop)),
                 p->told ? text_of(p->told) : absent(), milliseconds(r, p->seconds));
    }
    return rows;
}

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

static void add_pass(Rows *rows, const Pass *p, bool runs)
{
    rows_add(rows, text_of(p->name),
             text_of(!runs    ? "not run"
                     : p->off ? "off"
                              : "on"),
             text_of(p->doc), flag_of(runs && !p->off));
}

/* In their order; then those that `:set passes` left out. */
static bool list_passes(Call *c)
{
    static const Column columns[] = {{"", "name"}, {"", NULL}, {"", "doc"}, {NULL, "on"}};
    const RuleSet *rs = &c->r->s.rules;
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    for (size_t i = 0; i < rs->pipeline.len; i++)
        add_pass(&rows, &rs->pipeline.at[i], true);
    for (size_t i = 0; i < pass_count(); i++) {
        bool runs = false;
        for (size_t k = 0; k < rs->pipeline.len; k++)
            runs = runs || strcmp(rs->pipeline.at[k].name, pass_table[i].name) == 0;
        if (!runs)
            add_pass(&rows, &pass_table[i], false);
    }
    rows_put(&rows, "passes");
    return true;
}

bool command_passes(Call *c)
{
    bool times;
    if (!call_has_expr(c))
        return list_passes(c);
    Exploration *x = call_explore(c);
    if (!x || !wants_times(c, &times))
        return false;
    Rows rows = pass_runs(&c->report, x, times);
    rows_put(&rows, "passes");
    for (size_t i = 0; i < x->passes.len; i++)
        if (x->passes.at[i].told)
            text_printf(&c->out, "%s: %s\n", x->passes.at[i].name, x->passes.at[i].told);
    return true;
}

/* ---- :steps ---- */

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

/* Is it the step that is to be opened? */
static bool wanted_open(const Lister *l, const Step *s, const char *number)
{
    return l->open && step_opens(s) && (!strcmp(l->open, "all") || !strcmp(l->open, number));
}

/* Numbers of child states stay with this list: what it shows does not move other numbers. */
static void list_children(Lister *l, const Step *s, const char *path, const char *number)
{
    Opened o;
    l->opened = true;
    Numbering saved = l->x->numbering;
    const char *only = l->only;
    l->only = NULL;
    l->x->numbering = numbering_copy(&saved);
    json_open(l->j, "children", '[');
    if (step_open(l->st, s, &o))
        list_log(l, &o.log, 0, (u32)o.log.at.len, path, number);
    json_end(l->j, ']');
    opened_free(&o);
    map_free(&l->x->numbering.of);
    l->x->numbering = saved;
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

enum { COLUMNS = 100, MOST_INDENT = 24 };

/* "# REASON" in as many lines as it takes. */
static void put_wrapped_why(Text *out, const char *why, int indent)
{
    while (*why) {
        size_t width = (size_t)(COLUMNS - indent), n = strlen(why);
        for (size_t i = width; i > 0 && n > width; i--)
            if (why[i] == ' ')
                n = i;
        text_printf(out, "%*s# %.*s\n", indent, "", (int)n, why);
        why += n + (why[n] == ' ');
    }
}

/* In one line if that is not too long; else the changes stand below, one in each line. */
static void put_step_lines(Lister *l, const Step *s, const char *number, int indent)
{
    int below = indent + 4 < MOST_INDENT ? indent + 4 : MOST_INDENT;
    Numbering *num = &l->x->numbering;
    Text head = {0}, change = {0}, why = {0};
    text_printf(&head, "%*s%s  %s [", indent, "", number, step_rule(s));
    hazard_print(&head, step_classes(s));
    text_putc(&head, ']');
    put_changes(&change, l->st, s, num, ", ");
    put_why(&why, s);
    text_put(l->out, text_str(&head));
    if (head.len + change.len + why.len + 8 <= COLUMNS) {
        text_printf(l->out, "  %s", text_str(&change));
        change.len = 0;
    }
    bool beside = !change.len || head.len + why.len + 6 <= COLUMNS;
    if (why.len && beside)
        text_printf(l->out, "    # %s", text_str(&why));
    if (l->times)
        text_printf(l->out, "    (%.3f ms)", 1e3 * s->seconds);
    text_putc(l->out, '\n');
    if (!beside)
        put_wrapped_why(l->out, text_str(&why), below);
    if (change.len) {
        char between[32];
        snprintf(between, sizeof between, "\n%*s", below, "");
        text_printf(l->out, "%s", between + 1);
        put_changes(l->out, l->st, s, num, between);
        text_putc(l->out, '\n');
    }
    text_free(&head);
    text_free(&change);
    text_free(&why);
}

/* The step's own line. */
static void put_line(Lister *l, const Step *s, const char *path, const char *number)
{
    int depth = 1;
    for (const char *d = number; *d && !l->only; d++)
        depth += *d == '.';
    put_step_lines(l, s, number, 2 * depth);
    json_step(l, s, path, number);
    l->count++;
}

static void list_step(Lister *l, const Step *s, const char *path, const char *number)
{
    if (!l->only || strcmp(l->only, step_rule(s)) == 0)
        put_line(l, s, path, number);
    if (!s->inner || s->again || map_has(&l->shown, s->inner))
        return;
    map_put(&l->shown, s->inner, l);
    Text inside = {0};
    text_printf(&inside, "%s%s", path, *path ? "/" : "");
    operand_print(&inside, s->changes[0].before, &l->x->numbering);
    text_putc(&inside, '.');
    put_slot(&inside, s);
    const Graph *outer = l->x->numbering.within;
    l->x->numbering.within = s->inner_before;
    list_log(l, s->inner, 0, (u32)s->inner->at.len, text_str(&inside), number);
    l->x->numbering.within = outer;
    text_free(&inside);
}

static void list_log(Lister *l, const StepLog *log, u32 from, u32 count, const char *path,
                     const char *number)
{
    for (u32 i = from; i < from + count && i < log->at.len; i++) {
        Text own = {0};
        text_printf(&own, "%s%s%u", number, *number ? "." : "", i + 1);
        if (!*number)
            l->top = i + 1;
        list_step(l, &log->at.at[i], path, text_str(&own));
        text_free(&own);
    }
}

/* ---- :steps by=rule ---- */

typedef struct {
    const Step *step; /* the first */
    u32 steps, inside;
    u32 classes;
    double seconds;
} RuleSum;

typedef struct {
    VEC(RuleSum) of;
    PtrMap place; /* rule -> place + 1 */
    PtrMap seen;  /* logs */
} Summary;

static void sum_log(Summary *sum, const StepLog *log, u32 from, u32 count, bool inside)
{
    for (u32 i = from; i < from + count && i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        size_t k = (size_t)(uintptr_t)map_get(&sum->place, s->rule);
        if (!k) {
            vec_push(&sum->of, ((RuleSum){.step = s}));
            k = sum->of.len;
            map_put(&sum->place, s->rule, (void *)(uintptr_t)k);
        }
        RuleSum *r = &sum->of.at[k - 1];
        r->steps++;
        r->inside += inside;
        r->classes |= step_classes(s);
        r->seconds += s->seconds;
        if (!s->inner || s->again || map_has(&sum->seen, s->inner))
            continue;
        map_put(&sum->seen, s->inner, sum);
        sum_log(sum, s->inner, 0, (u32)s->inner->at.len, true);
    }
}

/* Most steps first, then as they came. */
static int by_steps(const void *a, const void *b)
{
    const RuleSum *x = a, *y = b;
    return x->steps != y->steps ? (x->steps < y->steps ? 1 : -1)
                                : strcmp(step_rule(x->step), step_rule(y->step));
}

static void put_summary(Call *c, Exploration *x, const char *pass, bool times)
{
    Summary sum = {.of = {0}};
    for (size_t i = 0; i < x->passes.len; i++)
        if (!pass || strcmp(pass, x->passes.at[i].name) == 0)
            sum_log(&sum, &x->log, x->passes.at[i].first_step, x->passes.at[i].steps, false);
    if (sum.of.len)
        qsort(sum.of.at, sum.of.len, sizeof *sum.of.at, by_steps);
    static const Column columns[] = {{"steps", NULL}, {"inside", NULL},   {"rule", "rule"},
                                     {NULL, "steps"}, {NULL, "inside"},   {"classes", "classes"},
                                     {"pass", NULL},  {"time", "seconds"}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns) - !times);
    for (size_t i = 0; i < sum.of.len; i++) {
        const RuleSum *r = &sum.of.at[i];
        rows_add(&rows, int_of(r->steps), int_of(r->inside), text_of(step_rule(r->step)),
                 int_of(r->steps), int_of(r->inside), classes_of(c, r->classes),
                 text_of(r->step->rule->pass), milliseconds(&c->report, r->seconds));
    }
    rows_put(&rows, "rules");
    vec_free(&sum.of);
    map_free(&sum.place);
    map_free(&sum.seen);
}

/* ---- :steps ---- */

static bool known_pass(Call *c, const Exploration *x)
{
    const Option *o = call_option(c, "pass");
    for (size_t i = 0; o && i < x->passes.len; i++)
        if (strcmp(x->passes.at[i].name, o->value) == 0)
            return true;
    return !o || call_unknown_pass(c, o->value, o->span);
}

static bool list_steps(Call *c, Exploration *x, bool times)
{
    Lister l = {.c = c, .st = &c->r->s.st, .x = x, .out = &c->out, .j = &c->data, .times = times};
    const Option *open = call_option(c, "open"), *pass = call_option(c, "pass"),
                 *rule = call_option(c, "rule");
    l.open = open ? open->value : NULL;
    l.only = rule ? rule->value : NULL;
    json_open(&c->data, "steps", '[');
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *p = &x->passes.at[i];
        u32 before = l.count;
        size_t head = c->out.len;
        if (pass && strcmp(pass->value, p->name) != 0)
            continue;
        put_pass(&c->out, p, times);
        list_log(&l, &x->log, p->first_step, p->steps, "", "");
        if (rule && l.count == before) /* nothing to say of this pass */
            c->out.at[c->out.len = head] = '\0';
    }
    json_end(&c->data, ']');
    map_free(&l.shown);
    if (rule && !l.count)
        text_printf(&c->out, "no step of %s; `:whynot %s EXPR` tells why\n", l.only, l.only);
    return !open || l.opened ||
           call_fail(c, open->span, "usage", ":steps EXPR lists them: expand-derivative opens",
                     "no step %s expands a derivative", open->value);
}

bool command_steps(Call *c)
{
    static const char *const by[] = {"step", "rule"};
    const Option *rule = call_option(c, "rule"), *pass = call_option(c, "pass");
    int by_rule = 0;
    bool times;
    if (!wants_times(c, &times) || !call_choice(c, "by", by, 2, &by_rule))
        return false;
    if (rule && strcmp(rule->value, "inner") != 0 && strncmp(rule->value, "d ", 2) != 0 &&
        !call_rule(c, rule->value, rule->span))
        return false;
    Exploration *x = call_explore(c);
    if (!x || !known_pass(c, x))
        return false;
    Rows passes = pass_runs(&c->report, x, times);
    rows_put_data(&passes, "passes");
    if (by_rule)
        put_summary(c, x, pass ? pass->value : NULL, times);
    return by_rule || list_steps(c, x, times);
}

/* ---- :why ---- */

static void put_source(Call *c, const Node *n)
{
    const Span *span = node_span(n);
    if (!span || !span->src)
        return;
    int line, column, length;
    span_locate(*span, &line, &column, &length);
    int shown = (int)(span->end - span->start);
    shown = shown > 60 ? 60 : shown;
    const char *text = span->src->text + span->start;
    for (int i = 0; i < shown; i++)
        if (text[i] == '\n')
            shown = i;
    report_say(&c->report, "  written at {file}:{line}:{column}: ", text_of(span->src->name),
               int_of(line), int_of(column));
    text_printf(&c->out, "%.*s\n", shown, text);
}

static void why_step(Call *c, Exploration *x, const Origin *o)
{
    Report *r = &c->report;
    Text why = {0}, change = {0};
    put_why(&why, o->step);
    put_changes(&change, &c->r->s.st, o->step, &x->numbering, ", ");
    const char *number = report_format(r, "%s%s%u", o->log, *o->log ? "." : "", o->number),
               *operand = o->operands_only ? " (of an operand)" : "";
    json_begin(r->data, '{');
    report_say(r, "  step {step}, {pass}: {rule}{-}\n      {change}\n", text_of(number),
               text_of(o->step->pass), text_of(step_rule(o->step)), text_of(operand),
               text_of(report_take(r, &change)));
    report_say(r, why.len ? "      # {why}\n" : "{=why}", text_of(text_str(&why)));
    json_end(r->data, '}');
    text_free(&why);
}

bool command_why(Call *c)
{
    Exploration *x = call_has_expr(c) ? call_explore(c) : call_last(c);
    if (!x && !call_has_expr(c))
        return call_fail(c, c->span, "usage", ":steps EXPR shows one", "nothing was explored yet");
    const Thing *thing = x ? thing_numbered(x, (u32)c->number) : NULL;
    if (x && !thing)
        return call_fail(c, c->number_span, "unknown-name", ":graph and :steps show the numbers",
                         "there is no node %%%lld", (long long)c->number);
    if (!x)
        return false;
    const Occurrence *at = thing->last, *next;
    x->numbering.within = thing_graph(thing);
    node_print_line(&c->r->s.st, &c->out, at->node, &x->numbering);
    text_putc(&c->out, '\n');
    json_open(&c->data, "steps", '[');
    for (u32 i = 0; at->origin && i <= x->log.at.len + 1000; i++) {
        why_step(c, x, at->origin);
        next = thing_before(x->things, at);
        if (!next)
            break;
        at = next;
    }
    json_end(&c->data, ']');
    text_put(&c->out, "  from the source: ");
    put_short(&c->out, &c->r->s.st, at->node, &x->numbering);
    x->numbering.within = NULL;
    text_putc(&c->out, '\n');
    put_source(c, at->node);
    return true;
}
