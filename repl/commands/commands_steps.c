/* Commands on the steps of an exploration: :passes, :steps, :why. */
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "graph/print.h"
#include "repl/commands/commands.h"
#include "repl/commands/show.h"

#include <math.h>

/* ---- times: only where they are asked for, so that what is printed is the same every time ---- */

/* false after a diagnostic. */
static bool wants_times(Call *c, bool *times)
{
    const Option *o = call_option(c, "times");
    *times = o && strcmp(o->value, "on") == 0;
    return !o || *times || strcmp(o->value, "off") == 0 ||
           call_fail(c, o->span, "usage", NULL, "times= is on or off");
}

static void json_seconds(Json *j, bool times, double seconds)
{
    if (!times)
        return;
    json_key(j, "seconds");
    json_double(j, seconds);
}

static void cell_seconds(Table *t, bool times, double seconds)
{
    if (times)
        table_cell(t, "%.3f ms", 1e3 * seconds);
}

/* ---- :passes ---- */

static void json_passes(Json *j, const Exploration *x, bool times)
{
    json_key(j, "passes");
    json_begin(j, '[');
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *p = &x->passes.at[i];
        json_begin(j, '{');
        json_pair(j, "name", p->name);
        json_count(j, "steps", p->steps);
        json_count(j, "nodes_before", p->nodes_before);
        json_count(j, "nodes_after", p->nodes_after);
        json_pair(j, "stop", stop_name(p->stop));
        if (p->told)
            json_pair(j, "told", p->told);
        json_seconds(j, times, p->seconds);
        json_end(j, '}');
    }
    json_end(j, ']');
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

static void list_pass(Call *c, Table *t, const Pass *p, bool runs)
{
    table_cell(t, "%s", p->name);
    table_cell(t, "%s", !runs ? "not run" : p->off ? "off" : "on");
    table_cell(t, "%s", p->doc);
    json_begin(&c->data, '{');
    json_pair(&c->data, "name", p->name);
    json_pair(&c->data, "doc", p->doc);
    json_flag(&c->data, "on", runs && !p->off);
    json_end(&c->data, '}');
}

/* In their order; then those that `:set passes` left out. */
static bool list_passes(Call *c)
{
    const RuleSet *rs = &c->r->s.rules;
    Table t = {.columns = 3};
    json_key(&c->data, "passes");
    json_begin(&c->data, '[');
    for (size_t i = 0; i < rs->pipeline.len; i++)
        list_pass(c, &t, &rs->pipeline.at[i], true);
    for (size_t i = 0; i < pass_count(); i++) {
        bool runs = false;
        for (size_t k = 0; k < rs->pipeline.len; k++)
            runs = runs || strcmp(rs->pipeline.at[k].name, pass_table[i].name) == 0;
        if (!runs)
            list_pass(c, &t, &pass_table[i], false);
    }
    json_end(&c->data, ']');
    table_print(&t, &c->out, 0);
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
    Table t = {.columns = times ? 6 : 5};
    const char *const heads[] = {"pass", "steps", "nodes before", "after", "stop", "time"};
    for (int i = 0; i < t.columns; i++)
        table_cell(&t, "%s", heads[i]);
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *p = &x->passes.at[i];
        table_cell(&t, "%s", p->name);
        table_cell(&t, "%u", p->steps);
        table_cell(&t, "%u", p->nodes_before);
        table_cell(&t, "%u", p->nodes_after);
        table_cell(&t, "%s", stop_name(p->stop));
        cell_seconds(&t, times, p->seconds);
    }
    table_print(&t, &c->out, 0);
    for (size_t i = 0; i < x->passes.len; i++)
        if (x->passes.at[i].told)
            text_printf(&c->out, "%s: %s\n", x->passes.at[i].name, x->passes.at[i].told);
    json_passes(&c->data, x, times);
    return true;
}

/* ---- :steps ---- */

typedef struct {
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
    json_key(l->j, "children");
    json_begin(l->j, '[');
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
    Text t[4] = {{0}};
    put_side(&t[0], l->st, s, false, &l->x->numbering);
    put_side(&t[1], l->st, s, true, &l->x->numbering);
    put_why(&t[2], s);
    const char *const keys[] = {"before", "after", "why"};
    json_begin(l->j, '{');
    json_count(l->j, "seq", l->top);
    json_pair(l->j, "pass", s->pass);
    json_pair(l->j, "rule", step_rule(s));
    hazard_print(&t[3], step_classes(s));
    json_pair(l->j, "classes", text_str(&t[3]));
    json_pair(l->j, "path", path);
    for (int i = 0; i < 3; i++)
        json_pair(l->j, keys[i], text_str(&t[i]));
    json_seconds(l->j, l->times, s->seconds);
    if (wanted_open(l, s, number))
        list_children(l, s, path, number);
    json_end(l->j, '}');
    for (int i = 0; i < 4; i++)
        text_free(&t[i]);
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
    Table t = {.columns = times ? 6 : 5};
    const char *const heads[] = {"steps", "inside", "rule", "classes", "pass", "time"};
    for (int i = 0; i < t.columns; i++)
        table_cell(&t, "%s", heads[i]);
    json_key(&c->data, "rules");
    json_begin(&c->data, '[');
    for (size_t i = 0; i < sum.of.len; i++) {
        const RuleSum *r = &sum.of.at[i];
        table_cell(&t, "%u", r->steps);
        table_cell(&t, "%u", r->inside);
        table_cell(&t, "%s", step_rule(r->step));
        table_cell(&t, "[%s]", classes_text(c, r->classes));
        table_cell(&t, "%s", r->step->rule->pass ? r->step->rule->pass : "");
        cell_seconds(&t, times, r->seconds);
        json_begin(&c->data, '{');
        json_pair(&c->data, "rule", step_rule(r->step));
        json_count(&c->data, "steps", r->steps);
        json_count(&c->data, "inside", r->inside);
        json_pair(&c->data, "classes", classes_text(c, r->classes));
        json_seconds(&c->data, times, r->seconds);
        json_end(&c->data, '}');
    }
    json_end(&c->data, ']');
    table_print(&t, &c->out, 0);
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
    Lister l = {.st = &c->r->s.st, .x = x, .out = &c->out, .j = &c->data, .times = times};
    const Option *open = call_option(c, "open"), *pass = call_option(c, "pass"),
                 *rule = call_option(c, "rule");
    l.open = open ? open->value : NULL;
    l.only = rule ? rule->value : NULL;
    json_key(&c->data, "steps");
    json_begin(&c->data, '[');
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
    const Option *rule = call_option(c, "rule"), *by = call_option(c, "by"),
                 *pass = call_option(c, "pass");
    bool times, by_rule = by && strcmp(by->value, "rule") == 0;
    if (!wants_times(c, &times))
        return false;
    if (by && !by_rule && strcmp(by->value, "step") != 0)
        return call_fail(c, by->span, "usage", NULL, "by= is step or rule");
    if (rule && strcmp(rule->value, "inner") != 0 && strncmp(rule->value, "d ", 2) != 0 &&
        !call_rule(c, rule->value, rule->span))
        return false;
    Exploration *x = call_explore(c);
    if (!x || !known_pass(c, x))
        return false;
    json_passes(&c->data, x, times);
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
    text_printf(&c->out, "  written at %s:%d:%d: %.*s\n", span->src->name, line, column, shown,
                text);
    json_pair(&c->data, "file", span->src->name);
    json_count(&c->data, "line", line);
    json_count(&c->data, "column", column);
}

static void why_step(Call *c, Exploration *x, const Origin *o)
{
    Text why = {0}, change = {0};
    put_why(&why, o->step);
    put_changes(&change, &c->r->s.st, o->step, &x->numbering, ", ");
    char number[96];
    snprintf(number, sizeof number, "%s%s%u", o->log, *o->log ? "." : "", o->number);
    text_printf(&c->out, "  step %s, %s: %s%s\n      %s\n", number, o->step->pass,
                step_rule(o->step), o->operands_only ? " (of an operand)" : "", text_str(&change));
    if (why.len)
        text_printf(&c->out, "      # %s\n", text_str(&why));
    json_begin(&c->data, '{');
    json_pair(&c->data, "step", number);
    json_pair(&c->data, "pass", o->step->pass);
    json_pair(&c->data, "rule", step_rule(o->step));
    json_pair(&c->data, "change", text_str(&change));
    json_pair(&c->data, "why", text_str(&why));
    json_end(&c->data, '}');
    text_free(&why);
    text_free(&change);
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
    json_key(&c->data, "steps");
    json_begin(&c->data, '[');
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
