/* Equality saturation at the prompt: :saturate.
 *
 * Invariant: passes and limits of the session are as before when a command ends; what was explored
 * meanwhile can be looked at, and is not used for anything else. */
#include <math.h>

#include "surface/surface.h"
#include "repl/commands/costs.h"
#include "repl/commands/egraph.h"
#include "session/saturated.h"
#include "session/would_run.h"

/* ---- options ---- */

static bool pass_or_rule(Call *c, const char *name, Span span, void *ctx)
{
    (void)ctx;
    return pass_named(name) || call_rule(c, name, span);
}

/* `rules=` names rules or passes. */
static bool read_rules(Call *c, Saturating *how)
{
    const Option *o = call_option(c, "rules");
    how->rules = o ? o->value : NULL;
    return !o || call_each_name(c, o, pass_or_rule, NULL);
}

/* `n=1000`: what stands for the name of a size where costs are compared. */
static bool read_sizes(Call *c, Saturating *how)
{
    if (!call_check_sizes(c))
        return false;
    SizeGiven *sizes = arena_alloc(&c->arena, COUNT_OF(c->options) * sizeof *sizes);
    how->sizes = sizes;
    how->nsizes = 0;
    for (int i = 0; i < c->noptions; i++)
        if (c->options[i].size)
            sizes[how->nsizes++] = (SizeGiven){symbol(&c->r->s.st, c->options[i].key),
                                               strtod(c->options[i].value, NULL)};
    return true;
}

/* cost="exp=20 dot=5" */
static bool read_operators(Call *c, Saturating *how)
{
    const Option *o = call_option(c, "cost");
    OpCost *ops = arena_alloc(&c->arena, (strlen(o->value) + 1) * sizeof *ops);
    how->ops = ops;
    how->nops = 0;
    for (const char *s = o->value; *s || !how->nops;) {
        size_t name = strcspn(s, "= ,");
        char *word = arena_strndup(&c->arena, s, name), *end = NULL;
        double x = s[name] == '=' ? strtod(s + name + 1, &end) : -1;
        if (!name || !end || end == s + name + 1 || !(x >= 0 && x <= 1e15))
            return call_fail(c, o->span, "usage", "cost=\"exp=20 dot=5\"",
                             "cost= is time, flops, bytes, nodes, or what operators count");
        OpId op = op_by_name(word);
        if (op == OP_COUNT)
            return call_fail(c, o->span, "unknown-name", ":ops lists them",
                             "there is no operator %s", word);
        ops[how->nops++] = (OpCost){(int)op, x};
        s = end + strspn(end, " ,");
    }
    return true;
}

bool call_saturating(Call *c, Saturating *how)
{
    i64 iterations, nodes, size;
    *how = c->r->s.options.saturating;
    if (!call_number(c, "iterations", how->iterations, 1, 1000, &iterations) ||
        !call_number(c, "nodes", how->nodes, 1, 10000000, &nodes) ||
        !call_number(c, "assume", (i64)how->assumed, 1, 1000000000, &size))
        return false;
    how->cost = call_choice(c, "cost", how->cost);
    how->iterations = (u32)iterations;
    how->nodes = (u32)nodes;
    how->assumed = (double)size;
    return (how->cost != COST_OPERATORS || read_operators(c, how)) && read_sizes(c, how) &&
           read_rules(c, how);
}

/* ---- what it did ---- */

Datum cost_in_units(Report *r, int kind, double x)
{
    static const char *const units[] = {"", " operations", " bytes", " nodes", ""};
    return as(kind == COST_TIME ? report_format(r, "%.4g us", x / 1e3)
                                : report_format(r, "%.6g%s", x, units[kind]),
              real_of(x));
}

/* `left_out`: in the text it stands for those that are hidden. */
static void add_growth(Call *c, Rows *rows, const Growth *g, size_t i, int kind, bool left_out)
{
    const GrowthRow *row = &g->rows.at[i];
    Datum cells[] = {int_of((i64)i + 1),
                     int_of(row->nodes),
                     int_of(row->classes),
                     int_of(row->matches),
                     cost_in_units(&c->report, kind, row->best),
                     int_of((i64)row->searched),
                     report_milliseconds(&c->report, row->search_seconds),
                     report_milliseconds(&c->report, row->seconds)};
    for (size_t k = 0; k < COUNT_OF(cells) && left_out; k++)
        cells[k].shown = k ? "" : "...";
    rows_add_(rows, COUNT_OF(cells), cells);
}

/* All iterations in the data; in the text the first and the last ones, where there are many. */
static void put_growth(Call *c, const Growth *g, int kind)
{
    bool all = call_switch(c, "all"), times = call_switch(c, "times");
    enum { FIRST = 6, LAST = 3 };
    static const Column columns[] = {{"iteration", NULL},          {"e-nodes", "nodes"},
                                     {"classes", "classes"},       {"matches", "matches"},
                                     {"best cost", "best"},        {"searched", "searched"},
                                     {"search", "search_seconds"}, {"time", "seconds"}};
    size_t n = g->rows.len, width = COUNT_OF(columns) - (times ? 0 : 3);
    bool cut = !all && n > FIRST + LAST + 1;
    Rows rows = rows_begin(&c->report, columns, width);
    for (size_t i = 0; i < n; i++) {
        rows.hidden = cut && i > FIRST && i + LAST < n;
        add_growth(c, &rows, g, i, kind, cut && i == FIRST);
    }
    rows_put(&rows, "iterations");
    if (cut)
        text_printf(&c->out, "%zu more iterations: all=on shows them\n", n - FIRST - LAST);
}

/* The cost knows of fusion, but not of all that passes and plan do: a form that costs less may take
 * longer than what the passes alone lead to. */
static void put_running(Call *c, const Saturating *how, const Exploration *x, int n,
                        Node *const *roots)
{
    Session *s = &c->r->s;
    bool time = how->cost == COST_TIME;
    double before = time ? would_run(s, how, n, roots) : NAN,
           now = time ? would_run(s, how, x->nroots, x->roots) : NAN;
    bool known = !isnan(before) && !isnan(now);
    Datum runs = known ? cost_in_units(&c->report, COST_TIME, now) : text_of(NULL),
          passes = known ? cost_in_units(&c->report, COST_TIME, before) : text_of(NULL);
    report_say(&c->report,
               known && now > before * COST_DEARER
                   ? "it would run longer than what the passes alone lead to: {runs}, not "
                     "{runs_by_passes}\n"
                   : "{=runs}{=runs_by_passes}",
               runs, passes);
}

static void put_result(Call *c, Exploration *x)
{
    for (int i = 0; i < x->nroots; i++) {
        Text t = {0};
        node_source_limited(x->st, &t, x->roots[i], true, 2000);
        text_printf(&c->out, "%s\n", text_str(&t));
        json_pair(&c->data, i ? "also" : "result", text_str(&t));
        text_free(&t);
    }
}

static void put_saturated(Call *c, const Saturating *how, const Growth *g, Exploration *x, int n,
                          Node *const *roots)
{
    put_growth(c, g, how->cost);
    report_say(&c->report, "{stop}: cost {cost_before} -> {cost_after} ({-}, {-})\n",
               text_of(saturate_stop_name(g->stop)),
               cost_in_units(&c->report, how->cost, g->before),
               cost_in_units(&c->report, how->cost, g->after), text_of(cost_names[how->cost]),
               text_of(g->exact ? "exact" : "nothing better was found"));
    put_running(c, how, x, n, roots);
    report_field(&c->report, "exact", flag_of(g->exact));
    report_field(&c->report, "searched", int_of((i64)g->searched));
    put_result(c, x);
}

bool command_saturate(Call *c)
{
    Saturating how;
    Growth growth = {.stop = SATURATE_DONE}, *g = &growth;
    SaturatedForms forms = {0};
    Node **roots = NULL;
    if (!call_saturating(c, &how))
        return false;
    int n = call_roots(c, &roots);
    bool several = call_wants_several(c);
    Exploration *x = NULL;
    if (n >= 0 && (!several || call_several(c, n, roots, &forms))) {
        how.several = several ? &forms : NULL;
        c->r->s.st.span = c->rest;
        x = session_saturate(&c->r->s, &how, n, roots, g);
    }
    if (x) {
        put_saturated(c, &how, g, x, n, roots);
        call_list_steps(c, x, false);
        session_note_recent(&c->r->s, x, c->text);
        session_note_saturated(&c->r->s, &how, &forms, x);
        put_forms(c, &how, x, &forms);
    }
    free(roots);
    growth_free(g);
    several_free(&forms);
    return x != NULL;
}
