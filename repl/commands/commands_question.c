/* Questions about an exploration: :audit, :bisect. */
#include "rewrite/history.h"
#include "graph/print.h"
#include "repl/commands/stepper.h"
#include "session/differences.h"

#include <math.h>

/* ---- :audit ---- */

static const char *remark(const AuditRow *a)
{
    return a->unevaluated   ? "not evaluated"
           : a->by.passed   ? "an error became a value"
           : a->by.unmade   ? "nan or infinity is gone"
           : a->by.overflow ? "nan became infinity, or back"
                            : "";
}

static Datum measured(Report *r, const AuditRow *a, int digits, double x)
{
    return as(a->unevaluated ? "" : report_format(r, "%.*g", digits, x), real_of(x));
}

static void add_audit(Report *r, Rows *rows, const AuditRow *a)
{
    Text classes = {0}, place = {0};
    hazard_print(&classes, a->classes);
    place_print(&place, &a->place);
    char *said = report_take(r, &classes);
    rows_add(rows, int_of(a->place.at[0]), text_built(r, &place), text_of(a->step->pass),
             text_of(step_rule(a->step)), as(report_format(r, "[%s]", said), text_of(said)),
             measured(r, a, 2, a->by.error), measured(r, a, 3, a->by.ulp),
             text_of(a->breaks ? report_format(r, "broken: %s", a->breaks) : remark(a)),
             flag_of(a->by.made || a->by.unmade || a->by.overflow), flag_of(a->by.zero),
             flag_of(a->by.shape), flag_of(a->by.failed || a->by.passed), flag_of(!a->unevaluated),
             flag_of(a->breaks != NULL), text_of(a->breaks));
}

/* ---- :audit by=differences ---- */

static const char *verdict_text(SlopeVerdict v)
{
    return v == SLOPE_AGREES    ? ""
           : v == SLOPE_DIFFERS ? "broken: not the slope"
                                : "unsure: there is a kink nearby";
}

static bool audit_derivative(Call *c, const DerivativeAt *d, Rows *rows, u32 *counts)
{
    Report *r = &c->report;
    SlopeRow at[DIRECTIONS];
    bool given;
    if (d->node->op != OP_GRAD)
        return call_fail(c, c->rest, "usage", ":audit grad(E, x) by=differences",
                         "by=differences is for the gradient of a number");
    if (!session_differences(&c->r->s, d, at, &given))
        return false;
    for (int k = 0; k < DIRECTIONS; k++) {
        counts[at[k].verdict]++;
        rows_add(rows, int_of(k + 1), text_of(given ? "given" : "at random"),
                 as(report_format(r, "%.6g", at[k].along), real_of(at[k].along)),
                 as(report_format(r, "%.6g", at[k].slope), real_of(at[k].slope)),
                 real_of(fabs(at[k].slope - at[k].along)), text_of(verdict_text(at[k].verdict)),
                 flag_of(at[k].verdict == SLOPE_DIFFERS), flag_of(at[k].verdict == SLOPE_UNSURE));
    }
    return true;
}

static bool audit_differences(Call *c)
{
    static const Column columns[] = {{"direction", "direction"},
                                     {"values", "values"},
                                     {"gradient", "gradient"},
                                     {"differences", "differences"},
                                     {NULL, "error"},
                                     {"", NULL},
                                     {NULL, "differs"},
                                     {NULL, "unsure"}};
    Node **roots = NULL;
    DerivativesAt all = {0};
    u32 counts[3] = {0};
    int n = call_roots(c, &roots);
    if (n < 0)
        return false;
    derivatives_of(n, roots, &all);
    free(roots);
    if (!all.len)
        return call_fail(c, c->rest, "usage", ":audit grad(E, x) by=differences",
                         "by=differences takes a gradient: grad(E, x)");
    c->r->s.st.span = c->rest;
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    bool ok = true;
    for (size_t i = 0; i < all.len && ok; i++)
        ok = audit_derivative(c, &all.at[i], &rows, counts);
    rows_put(&rows, "directions");
    u32 broken = counts[SLOPE_DIFFERS], sure = counts[SLOPE_AGREES];
    report_say(&c->report, "{=ok}{-}\n", flag_of(!broken),
               text_of(broken                 ? "the gradient is not the slope of the function"
                       : !sure                ? "not decided: no direction is free of kinks"
                       : counts[SLOPE_UNSURE] ? "the gradient is the slope where there is no kink"
                                              : "the gradient is the slope of the function"));
    if (broken && c->r->status < EXIT_PROGRAM)
        c->r->status = EXIT_PROGRAM;
    vec_free(&all);
    return ok;
}

bool command_audit(Call *c)
{
    static const Column columns[] = {{NULL, "seq"},           {"step", "place"},
                                     {"pass", NULL},          {"rule", "rule"},
                                     {"classes", "classes"},  {"error", "max_error"},
                                     {"ulp", "max_ulp"},      {"", NULL},
                                     {NULL, "nan_changed"},   {NULL, "zero_changed"},
                                     {NULL, "shape_changed"}, {NULL, "error_changed"},
                                     {NULL, "evaluated"},     {NULL, "differs"},
                                     {NULL, "breaks"}};
    const Option *open = call_option(c, "open");
    Place of = {0};
    if (call_option(c, "by"))
        return audit_differences(c);
    if (open && strcmp(open->value, "all") != 0 && !place_parse(open->value, &of))
        return call_no_opening(c, open);
    Exploration *x = call_explore(c);
    Report *r = &c->report;
    Audit a = {0};
    if (!x || !session_audit_open(&c->r->s, x, open ? &of : NULL, &a))
        return false;
    if (open && of.n && !a.opened) {
        audit_free(&a);
        return call_no_opening(c, open);
    }
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    for (size_t i = 0; i < a.rows.len; i++)
        add_audit(r, &rows, &a.rows.at[i]);
    rows_put(&rows, "rows");
    char *verdict = a.differing ? report_format(r, "%u broke %s class", a.differing,
                                                a.differing == 1 ? "its" : "their")
                                : "all within what their classes allow";
    report_say(r,
               "{=ok}{steps step}, {compared} compared: {-}; {=differing}largest error {worst}\n",
               flag_of(!a.differing), int_of(a.steps), int_of(a.compared), text_of(verdict),
               int_of(a.differing), as(report_format(r, "%.2g", a.worst), real_of(a.worst)));
    if (a.differing) {
        put_reduction(c, "audit");
        c->r->status = c->r->status < EXIT_PROGRAM ? EXIT_PROGRAM : c->r->status;
    }
    audit_free(&a);
    return true;
}

/* ---- :bisect ---- */

static bool put_guilty(Call *c, Exploration *x, const Audit *a, const AuditRow *row)
{
    Stepper at;
    Report *r = &c->report;
    report_say(r, "{=steps}step {step} changes the value more than its classes allow:\n",
               int_of(a->steps), report_place(r, &row->place));
    stepper_init(&at, c, x);
    bool ok = cursor_goto(&at.at, &row->place) && stepper_put(&at, &c->out, SHOW_CHANGE);
    report_say(r,
               "  {=rule}{=pass}{-}; error {max_error}{=nan_changed}{=breaks}, {-} units in the "
               "last place\n",
               text_of(step_rule(row->step)), text_of(row->step->pass), text_of(row->breaks),
               measured(r, row, 2, row->by.error),
               flag_of(row->by.made || row->by.unmade || row->by.overflow), text_of(row->breaks),
               measured(r, row, 3, row->by.ulp));
    put_reduction(c, "audit");
    return ok;
}

bool command_bisect(Call *c)
{
    Exploration *x = call_explore(c);
    Audit a = {0};
    if (!x || !session_audit(&c->r->s, x, &a))
        return false;
    size_t i = 0;
    while (i < a.rows.len && !a.rows.at[i].breaks)
        i++;
    bool ok = true;
    if (i < a.rows.len)
        ok = put_guilty(c, x, &a, &a.rows.at[i]);
    else
        report_say(&c->report,
                   "{steps step}, {-} compared: none differs more than its classes allow{=step}\n",
                   int_of(a.steps), int_of(a.compared), text_of(NULL));
    audit_free(&a);
    return ok;
}
