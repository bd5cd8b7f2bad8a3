/* Commands on the passes of an exploration and their steps: :passes, :steps. */
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "graph/print.h"
#include "repl/commands/commands.h"
#include "repl/commands/show.h"

#include <math.h>

bool call_times(Call *c, bool *times)
{
    static const char *const words[] = {"on", "off"};
    int which = 1;
    bool ok = call_choice(c, "times", words, 2, &which);
    *times = which == 0;
    return ok;
}

Datum report_milliseconds(Report *r, double seconds)
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
                 p->told ? text_of(p->told) : absent(), report_milliseconds(r, p->seconds));
    }
    return rows;
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
    Exploration *x = call_steps(c);
    if (!x || !call_times(c, &times))
        return false;
    Rows rows = pass_runs(&c->report, x, times);
    rows_put(&rows, "passes");
    for (size_t i = 0; i < x->passes.len; i++)
        if (x->passes.at[i].told)
            text_printf(&c->out, "%s: %s\n", x->passes.at[i].name, x->passes.at[i].told);
    return true;
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
                 text_of(r->step->rule->pass), report_milliseconds(&c->report, r->seconds));
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

bool command_steps(Call *c)
{
    static const char *const by[] = {"step", "rule"};
    const Option *rule = call_option(c, "rule"), *pass = call_option(c, "pass");
    int by_rule = 0;
    bool times;
    if (!call_times(c, &times) || !call_choice(c, "by", by, 2, &by_rule))
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
    return by_rule || call_list_steps(c, x, times);
}
