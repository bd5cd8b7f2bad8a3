/* :compare: an expression through two pipelines, side by side.
 *
 * Invariant: what it switches over is as before, and what was compiled meanwhile forgotten, when it
 * ends. */
#include "repl/commands/costs.h"
#include "rewrite/history.h"
#include "session/timing.h"

#include <math.h>

enum { RUNS = 5 };

/* How often a pass or a rule made a step. */
typedef struct {
    const char *name;
    u32 steps[2];
} Tally;
typedef VEC(Tally) Tallies;

typedef struct {
    u32 steps, nodes;
    double predicted; /* seconds, as :cost says; -1: nothing is run of it */
    Timing run;
} Outcome;

/* ---- what the two did ---- */

static void tally(Tallies *t, const char *name, int side, u32 steps)
{
    size_t i = 0;
    while (i < t->len && strcmp(t->at[i].name, name) != 0)
        i++;
    if (i == t->len)
        vec_push(t, ((Tally){name, {0, 0}}));
    t->at[i].steps[side] += steps;
}

static void tally_log(Tallies *t, const StepLog *log, int side)
{
    RulesFired rules = {0};
    steplog_fired(log, true, &rules);
    for (size_t i = 0; i < rules.len; i++)
        tally(t, rules.at[i].rule, side, rules.at[i].times);
    vec_free(&rules);
}

typedef struct {
    Outcome of[2];
    Tallies passes, rules;
} Comparison;

static bool run_pipeline(Call *c, int n, Node *const *roots, bool evaluate, int side,
                         Comparison *both)
{
    Session *s = &c->r->s;
    Outcome *o = &both->of[side];
    session_forget(s);
    s->st.span = c->rest;
    Exploration *x = session_explore(s, n, roots);
    if (!x)
        return false;
    o->steps = (u32)x->log.at.len;
    o->nodes = nodes_count(x->nroots, x->roots);
    o->predicted = predicted_seconds(c, x);
    tally_log(&both->rules, &x->log, side);
    for (size_t i = 0; i < x->passes.len; i++)
        tally(&both->passes, x->passes.at[i].name, side, x->passes.at[i].steps);
    return !evaluate || session_measure(s, n, roots, 1, RUNS, &o->run);
}

/* ---- what off= and passes= name ---- */

/* What the other side does otherwise. */
typedef struct {
    Options options;
    Place step; /* off=#7, #9.1; n = 0: none */
    Span span;  /* of it */
    SkippedFiring skip;
} Other;

static bool find_step(Call *c, const char *name, Span span, Other *other)
{
    if (other->step.n)
        return call_fail(c, span, "usage", NULL, "one step can be left out at a time");
    other->span = span;
    return place_parse(name + 1, &other->step) ||
           call_fail(c, span, "usage", ":steps numbers them", "a step is #7, or #9.1");
}

static bool find_firing(Call *c, const Exploration *x, Other *other)
{
    const Step *s = place_step(x, &other->step);
    if (!s) {
        Text number = {0};
        place_print(&number, &other->step);
        return call_fail(c, other->span, "usage", ":steps numbers them", "there is no step %s here",
                         report_take(&c->report, &number));
    }
    other->skip = (SkippedFiring){s->rule, s->changes[0].before, 0};
    other->options.skip = &other->skip;
    report_say(&c->report, "{=left_out}", text_of(step_rule(s)));
    return true;
}

/* Was it left out?  A pass that looks at the whole graph asks no rule at a node. */
static bool check_firing(Call *c, const Other *other)
{
    const Rule *r = other->skip.rule;
    Text number = {0};
    place_print(&number, &other->step);
    const char *step = report_take(&c->report, &number);
    return !r || other->skip.times ||
           call_fail(
               c, other->span, "usage",
               r->fn || r->pattern
                   ? report_format(&c->report, "off=%s leaves out the rule everywhere", r->name)
                   : report_format(&c->report, "the steps inside it can be left out: off=#%s.1",
                                   step),
               "this step of %s cannot be left out by itself", r->name);
}

static bool find_switch(Call *c, const char *name, Span span, void *ctx)
{
    Other *other = ctx;
    Options *o = &other->options;
    if (*name == '#')
        return find_step(c, name, span, other);
    if (call_option(c, "passes") && pass_named(name))
        return call_fail(c, span, "usage", NULL, "leave the pass %s out of passes=", name);
    if (pipeline_switch(&o->pipeline, name, true))
        return true;
    const Rule *k = call_rule(c, name, span);
    if (k)
        rule_switch(o, k, true);
    return k != NULL;
}

static bool find_pass(Call *c, const char *name, Span span, void *ctx)
{
    Options *o = &((Other *)ctx)->options;
    const Pass *p = pass_named(name);
    Pipeline usual = options_usual().pipeline;
    if (!p && strcmp(name, "default") != 0)
        return call_unknown_pass(c, name, span);
    for (u32 i = 0; i < (p ? 1 : usual.len) && o->pipeline.len < PIPELINE_MOST; i++)
        pipeline_add(&o->pipeline, p ? p : usual.at[i].pass);
    return true;
}

static bool read_switches(Call *c, Other *o)
{
    const Option *off = call_option(c, "off"), *passes = call_option(c, "passes");
    if (!off && !passes)
        return call_fail(c, c->span, "usage", ":compare EXPR off=stabilize",
                         ":compare needs off=, what is left out, or passes=, what runs instead");
    if (passes)
        pipeline_clear(&o->options.pipeline);
    return (!off || call_each_name(c, off, find_switch, o)) &&
           (!passes || call_each_name(c, passes, find_pass, o));
}

static double difference(const Tensor *a, const Tensor *b, bool *nan_changed)
{
    double worst = 0;
    if (a->count != b->count || a->dtype == DT_RNG) {
        *nan_changed = *nan_changed || a->count != b->count;
        return 0;
    }
    for (i64 i = 0; i < a->count; i++) {
        double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
        if (isnan(x) != isnan(y) || isinf(x) != isinf(y) || (isinf(x) && x != y))
            *nan_changed = true;
        else if (isfinite(x) && x != y)
            worst = fmax(worst, fabs(x - y) / fmax(fabs(x), fabs(y)));
    }
    return worst;
}

static void put_agreement(Report *r, const Timing *a, const Timing *b)
{
    double worst = 0;
    bool nan_changed = false;
    for (int i = 0; i < a->n && i < b->n; i++)
        worst = fmax(worst, difference(a->values[i], b->values[i], &nan_changed));
    report_say(r, "{=max_error}{=nan_changed}", real_of(worst), flag_of(nan_changed));
    if (nan_changed)
        text_put(r->text, "the values differ: nan or infinity in one where the other has none\n");
    if (worst > 0)
        text_printf(r->text, "the largest relative difference of the values is %.2g\n", worst);
    else if (!nan_changed)
        text_put(r->text, "the values are the same\n");
}

/* Finer than times that are measured: it is the same each time. */
static Datum prediction(Report *r, const Outcome *o)
{
    return o->predicted < 0
               ? text_of(NULL)
               : as(report_format(r, "%.4g us", o->predicted * 1e6), real_of(o->predicted));
}

static void put_outcome(Report *r, const char *key, const Outcome *o)
{
    json_open(r->data, key, '{');
    report_say(r, "{=steps}{=nodes}{=predicted}{=seconds}", int_of(o->steps), int_of(o->nodes),
               prediction(r, o), o->run.runs ? seconds_of(o->run.median) : text_of(NULL));
    json_end(r->data, '}');
}

/* What made another number of steps, each in a row. */
static void add_tallies(Rows *rows, const char *key, const char *what, const Tallies *all)
{
    Report *r = rows->report;
    const char *item = report_format(r, "{=%s}{=as_set}{=other}", what);
    json_open(r->data, key, '[');
    for (size_t i = 0; i < all->len; i++) {
        const Tally *one = &all->at[i];
        Datum steps[] = {int_of(one->steps[0]), int_of(one->steps[1])};
        if (one->steps[0] == one->steps[1])
            continue;
        rows_add(rows, text_of(report_format(r, "  %s %s", what, one->name)), steps[0], steps[1]);
        report_item(r, item, text_of(one->name), steps[0], steps[1]);
    }
    json_end(r->data, ']');
}

static void put_outcomes(Call *c, const Comparison *both, const Node *missing)
{
    Report *r = &c->report;
    const Outcome *o = both->of;
    const Option *off = call_option(c, "off"), *passes = call_option(c, "passes");
    char *other =
        report_format(r, "%s%s%s%s%s", passes ? "passes " : "", passes ? passes->value : "",
                      passes && off ? " " : "", off ? "without " : "", off ? off->value : "");
    const Column columns[] = {{"", NULL}, {"as set", NULL}, {other, NULL}};
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    rows_add(&rows, text_of("steps"), int_of(o[0].steps), int_of(o[1].steps));
    add_tallies(&rows, "passes", "pass", &both->passes);
    add_tallies(&rows, "rules", "rule", &both->rules);
    rows_add(&rows, text_of("nodes"), int_of(o[0].nodes), int_of(o[1].nodes));
    if (o[0].predicted >= 0 && o[1].predicted >= 0)
        rows_add(&rows, text_of("predicted"), prediction(r, &o[0]), prediction(r, &o[1]));
    if (!missing)
        rows_add(&rows, text_of("median time"), seconds_of(o[0].run.median),
                 seconds_of(o[1].run.median));
    rows_put(&rows, NULL);
    put_outcome(r, "as_set", &o[0]);
    put_outcome(r, "without", &o[1]);
    if (!missing)
        put_agreement(r, &o[0].run, &o[1].run);
    else if (missing->op == OP_SIZE)
        text_put(r->text, "not evaluated: a size is not known\n");
    else
        text_printf(r->text, "not evaluated: %s has no value\n", missing->attrs[0].name);
}

/* Both sides; the session's options are as before when it ends. */
static bool run_both(Call *c, int n, Node *const *roots, bool evaluate, Other *other,
                     Comparison *both)
{
    Session *s = &c->r->s;
    Options mine = s->options;
    if (!run_pipeline(c, n, roots, evaluate, 0, both))
        return false;
    Exploration *x = other->step.n ? session_explore(s, n, roots) : NULL;
    if (other->step.n && (!x || !find_firing(c, x, other)))
        return false;
    s->options = other->options;
    bool ok = run_pipeline(c, n, roots, evaluate, 1, both);
    s->options = mine;
    return ok && check_firing(c, other);
}

bool command_compare(Call *c)
{
    Other other = {.options = c->r->s.options};
    Comparison both = {.passes = {0}};
    Node **roots = NULL, *missing = NULL;
    int n = read_switches(c, &other) ? call_roots(c, &roots) : -1;
    if (n < 0)
        return false;
    session_missing(&c->r->s, n, roots, &missing);
    bool ok = run_both(c, n, roots, !missing, &other, &both);
    session_forget(&c->r->s);
    if (ok)
        put_outcomes(c, &both, missing);
    for (int k = 0; k < 2; k++)
        timing_free(&both.of[k].run);
    vec_free(&both.passes);
    vec_free(&both.rules);
    free(roots);
    return ok;
}
