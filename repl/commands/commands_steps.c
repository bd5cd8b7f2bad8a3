/* Commands on the passes of an exploration and their steps: :passes, :steps. */
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "graph/print.h"
#include "analysis/step_view.h"
#include "repl/commands/commands.h"
#include "repl/commands/show.h"
#include "passes/openers.h"
#include "session/would_run.h"

#include <math.h>

Datum report_milliseconds(Report *r, double seconds)
{
    return as(report_format(r, "%.3f ms", 1e3 * seconds), real_of(seconds));
}

/* ---- :passes ---- */

static void put_passes(Report *r, const Exploration *x, bool times, bool hidden)
{
    static const Column columns[] = {
        {"pass", "name"},         {"steps", "steps"}, {"nodes before", "nodes_before"},
        {"after", "nodes_after"}, {"stop", "stop"},   {NULL, "told"},
        {"time", "seconds"}};
    Rows rows = rows_begin(r, columns, COUNT_OF(columns) - !times);
    rows.hidden = hidden;
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *p = &x->passes.at[i];
        rows_add(&rows, text_of(p->name), int_of(p->steps), int_of(p->nodes_before),
                 int_of(p->nodes_after), text_of(stop_name(p->stop)),
                 p->told ? text_of(p->told) : absent(), report_milliseconds(r, p->seconds));
    }
    rows_put(&rows, "passes");
}

static void add_pass(Rows *rows, const PassUse *use, bool runs)
{
    const Pass *p = use->pass;
    rows_add(rows, text_of(p->name),
             text_of(!runs      ? "not run"
                     : use->off ? "off"
                                : "on"),
             text_of(p->doc), flag_of(runs && !use->off));
}

/* In their order; then those that `:set passes` left out. */
static bool list_passes(Call *c)
{
    static const Column columns[] = {{"", "name"}, {"", NULL}, {"", "doc"}, {NULL, "on"}};
    const Pipeline *p = &c->r->s.options.pipeline;
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    for (u32 i = 0; i < p->len; i++)
        add_pass(&rows, &p->at[i], true);
    for (size_t i = 0; i < pass_count(); i++)
        if (!pipeline_find(p, pass_table[i].name))
            add_pass(&rows, &(PassUse){.pass = &pass_table[i]}, false);
    rows_put(&rows, "passes");
    return true;
}

bool command_passes(Call *c)
{
    if (!call_has_expr(c))
        return list_passes(c);
    Exploration *x = call_steps(c);
    if (!x)
        return false;
    put_passes(&c->report, x, call_switch(c, "times"), false);
    for (size_t i = 0; i < x->passes.len; i++)
        if (x->passes.at[i].told)
            text_printf(&c->out, "%s: %s\n", x->passes.at[i].name, x->passes.at[i].told);
    return true;
}

/* ---- :steps by=rule ---- */

enum { MOST_IDLE_RULES = 10 };

typedef struct {
    const Rule *rule;
    u32 steps, inside;
    u32 classes;
    double seconds;
    RuleTime failed; /* tries that did not fire */
} RuleSum;

typedef struct {
    Call *c;
    StepView v;
    VEC(RuleSum) of;
    MAP(const Rule *, size_t) place; /* rule -> place + 1 */
    size_t fired;                    /* as many of them have steps */
} Summary;

static void sum_step(Summary *sum, const Step *s, bool inside)
{
    size_t k = map_get(&sum->place, s->rule);
    if (!k) {
        vec_push(&sum->of, ((RuleSum){.rule = s->rule}));
        k = sum->of.len;
        map_put(&sum->place, s->rule, k);
    }
    RuleSum *r = &sum->of.at[k - 1];
    r->steps++;
    r->inside += inside;
    r->classes |= step_classes(s);
    r->seconds += s->seconds;
}

static void sum_run(StepView *v, const StepRun *run)
{
    if (!view_hides(v, run))
        sum_step(v->ctx, run->step, v->within != NULL);
    view_inside(v, run);
}

static void sum_pass(StepView *v, const PassRun *p)
{
    view_log(v, &v->x->log, p->first_step, p->steps, "");
}

/* Most steps first, then as they came. */
static int by_steps(const void *a, const void *b)
{
    const RuleSum *x = a, *y = b;
    return x->steps != y->steps ? (x->steps < y->steps ? 1 : -1)
                                : strcmp(x->rule->name, y->rule->name);
}

/* The longest first. */
static int by_failed_time(const void *a, const void *b)
{
    double x = ((const RuleSum *)a)->failed.failed_seconds,
           y = ((const RuleSum *)b)->failed.failed_seconds;
    return (x < y) - (x > y);
}

/* How often and how long rules were tried without firing, of the same exploration once more; and
 * the rules that never fired. */
static void sum_times(Summary *sum)
{
    Session *s = &sum->c->r->s;
    Options o = s->options;
    o.timed = true;
    const Exploration *x = session_explore_apart(s, &o, sum->v.x->nroots, sum->v.x->start);
    for (size_t i = 0; x && i < s->rules->all.len; i++) {
        const Rule *r = s->rules->all.at[i];
        RuleTime t = r->id < x->counts.times.len ? x->counts.times.at[r->id] : (RuleTime){0};
        size_t k = map_get(&sum->place, r);
        if (k)
            sum->of.at[k - 1].failed = t;
        else if (t.failed)
            vec_push(&sum->of, ((RuleSum){.rule = r, .classes = r->classes, .failed = t}));
    }
}

static void add_rule(Summary *sum, Rows *rows, const RuleSum *r)
{
    rows_add(rows, int_of(r->steps), int_of(r->inside), text_of(r->rule->name), int_of(r->steps),
             int_of(r->inside), classes_of(sum->c, r->classes), text_of(r->rule->pass),
             report_milliseconds(rows->report, r->seconds), int_of(r->failed.failed),
             report_milliseconds(rows->report, r->failed.failed_seconds));
}

/* All rules in the data; in the text of those that never fired the first ones. */
static void add_rules(Summary *sum, Rows *rows)
{
    size_t shown = sum->fired + MOST_IDLE_RULES;
    double rest = 0;
    for (size_t i = 0; i < sum->of.len; i++) {
        rows->hidden = i >= shown;
        rest += rows->hidden ? sum->of.at[i].failed.failed_seconds : 0;
        add_rule(sum, rows, &sum->of.at[i]);
    }
    rows->hidden = false;
    rows_put(rows, "rules");
    if (sum->of.len > shown)
        text_printf(rows->report->text, "%zu more rules never fired: %.3f ms\n",
                    sum->of.len - shown, 1e3 * rest);
}

static void sort_sums(RuleSum *at, size_t n, int (*order)(const void *, const void *))
{
    if (n)
        qsort(at, n, sizeof *at, order);
}

static void put_summary(Call *c, Exploration *x, const char *pass, bool times)
{
    Summary sum = {.c = c, .v = {x, &c->arena, sum_run, &sum, .apart = true}};
    call_hide_rules(c, &sum.v);
    view_passes(&sum.v, pass, true, sum_pass);
    sum.fired = sum.of.len;
    bool tried = times && !pass && !session_is_apart(&c->r->s, x);
    if (tried)
        sum_times(&sum);
    sort_sums(sum.of.at, sum.fired, by_steps);
    sort_sums(sum.of.at + sum.fired, sum.of.len - sum.fired, by_failed_time);
    static const Column columns[] = {{"steps", NULL},
                                     {"inside", NULL},
                                     {"rule", "rule"},
                                     {NULL, "steps"},
                                     {NULL, "inside"},
                                     {"classes", "classes"},
                                     {"pass", NULL},
                                     {"time", "seconds"},
                                     {"failed tries", "failed"},
                                     {"their time", "failed_seconds"}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns) - (tried ? 0 : times ? 2 : 3));
    add_rules(&sum, &rows);
    put_hidden(c, &sum.v);
    vec_free(&sum.of);
    map_free(&sum.place);
    view_end(&sum.v);
}

/* ---- :steps ---- */

static bool known_pass(Call *c, const Exploration *x)
{
    const Option *o = call_option(c, "pass");
    u32 k;
    return !o || call_state_after_pass(c, x, o, &k);
}

/* One line where equality saturation finds much more than the passes, in a few milliseconds. */
static void put_hint(Call *c, const Exploration *x)
{
    double now, then;
    if (c->noptions || !saturating_pays(&c->r->s, x->nroots, x->start, &now, &then))
        return;
    report_say(&c->report,
               ":saturate finds a form that would run in {saturated_ns}, not {passes_ns}\n",
               as(report_format(&c->report, "%.4g us", then / 1e3), real_of(then)),
               as(report_format(&c->report, "%.4g us", now / 1e3), real_of(now)));
}

/* A rule, or what a step is called that no rule made. */
static bool check_rule(Call *c, const char *name, Span span)
{
    return !strcmp(name, "inner") || is_derivative_step(name) || call_rule(c, name, span);
}

static bool check_hidden(Call *c, const char *name, Span span, void *ctx)
{
    (void)ctx;
    const Option *rule = call_option(c, "rule");
    return check_rule(c, name, span) &&
           (!rule || strcmp(name, rule->value) != 0 ||
            call_fail(c, span, "usage", NULL, "rule= and hide= both name %s", name));
}

static bool check_rules(Call *c)
{
    const Option *rule = call_option(c, "rule"), *hide = call_option(c, "hide");
    return (!rule || check_rule(c, rule->value, rule->span)) &&
           (!hide || call_each_name(c, hide, check_hidden, NULL));
}

bool command_steps(Call *c)
{
    const Option *pass = call_option(c, "pass");
    bool times = call_switch(c, "times"), by_rule = call_option(c, "by") != NULL;
    if (!check_rules(c))
        return false;
    Exploration *x = call_explore(c);
    if (!x || !known_pass(c, x))
        return false;
    put_passes(&c->report, x, times, true);
    if (by_rule)
        put_summary(c, x, pass ? pass->value : NULL, times);
    if (by_rule)
        return true;
    bool ok = call_list_steps(c, x, times);
    if (ok)
        put_hint(c, x);
    return ok;
}
