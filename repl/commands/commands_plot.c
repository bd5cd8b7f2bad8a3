/* :plot: values as lines, points, bars or a heat map, in the terminal or as SVG.
 *
 *   :plot a, b            two vectors over their index
 *   :plot y over x        over the numbers of a vector
 *   :plot f(k) over k from 0 to 1     what each value of an input gives
 *
 * Everything is evaluated first; then it is drawn (viz/plot). */
#include "repl/commands/arguments.h"
#include "session/sweep.h"
#include "graph/name.h"
#include "viz/plot/plot.h"

#include <math.h>

enum { LOG_X, LOG_Y, LOG_BOTH, LOG_NONE }; /* as in commands.def */
enum { MOST_SERIES = 16, FEW_COLUMNS = 6, SAMPLES = 201, MOST_SAMPLES = 100000 };

typedef struct {
    Call *c;
    Span exprs[MOST_SERIES];
    int n;
    Plot plot;
    i64 samples;
} Plotting;

/* ---- what was asked for ---- */

static char *text_of_span(const Plotting *t, Span s)
{
    return arena_strndup(&t->c->arena, s.src->text + s.start, s.end - s.start);
}

/* What the commas outside of brackets and quotes separate; nothing after the last one is no part.
 */
static bool read_parts(Plotting *t)
{
    Call *c = t->c;
    Span part = c->rest;
    for (const char *comma = c->text; comma; part.start = part.end + 1) {
        comma = comma_of(rest_text(c, part));
        part.end = comma ? c->rest.start + (u32)(comma - c->text) : c->rest.end;
        Span one = rest_trimmed(c, part);
        if (t->n == MOST_SERIES)
            return call_fail(c, c->rest, "usage", NULL, "at most %d expressions", MOST_SERIES);
        if (comma || one.end > one.start || !t->n)
            t->exprs[t->n++] = one;
    }
    return true;
}

/* ---- values ---- */

/* The one tensor that a part stands for; NULL after a diagnostic. */
static Node *node_of(Plotting *t, Span p)
{
    Node **roots = NULL;
    bool typed = p.end > p.start; /* else it is about what was explored last */
    int n = typed ? session_roots_at(&t->c->r->s, p, &roots) : call_roots(t->c, &roots);
    Node *x = n == 1 ? roots[0] : NULL;
    free(roots);
    if (n >= 0 && (!x || x->type->kind != TYPE_TENSOR || x->type->dtype == DT_RNG)) {
        call_fail(t->c, p, "usage", "give its parts, one after the other",
                  ":plot needs a numeric array");
        return NULL;
    }
    return x;
}

/* NULL after a diagnostic. */
static Tensor *value_of(Plotting *t, Node *n)
{
    Tensor *v = NULL;
    return session_evaluate(&t->c->r->s, 1, &n, &v) ? v : NULL;
}

static bool one_number(Plotting *t, Span p, double *x)
{
    Node *n = node_of(t, p);
    Tensor *v = n ? value_of(t, n) : NULL;
    bool ok = v && v->count == 1 && isfinite(tensor_f64_at(v, 0));
    if (v && !ok)
        call_fail(t->c, p, "usage", NULL, "a number is expected here");
    if (ok)
        *x = tensor_f64_at(v, 0);
    tensor_unref(v);
    return ok;
}

static char *label_of(const Plotting *t, Span p, int column)
{
    char *name = p.end > p.start ? text_of_span(t, p) : t->c->text;
    return column < 0 ? name : report_format(&t->c->report, "%s[%d]", name, column);
}

static double *numbers_of(const Plotting *t, const Tensor *v, i64 from, i64 step, i64 n)
{
    double *out = xcalloc((size_t)n + 1, sizeof *out);
    for (i64 i = 0; i < n && !interrupted(t->plot.interrupt); i++)
        out[i] = tensor_f64_at(v, from + i * step);
    return out;
}

/* A vector is a line, a matrix a line for each column. */
static bool add_lines(Plotting *t, Span p, const Tensor *v, const Tensor *over)
{
    i64 rows = v->rank ? v->shape[0] : 0, columns = v->rank == 2 ? v->shape[1] : 1;
    if (v->rank < 1 || v->rank > 2 || rows < 1)
        return call_fail(t->c, p, "usage",
                         v->rank ? NULL : "`over k from 0 to 1` shows it over an input k",
                         v->rank > 2 ? "this has %d axes: index it down to two"
                         : v->rank   ? "this has no rows"
                                     : "a plot needs more than one number",
                         v->rank);
    if (over && (over->rank != 1 || over->shape[0] != rows))
        return call_fail(t->c, t->c->over.x, "usage", NULL, "it should be a vector of %lld numbers",
                         (long long)rows);
    if (columns > MOST_SERIES || rows > INT32_MAX)
        return call_fail(t->c, p, "usage", "kind=heat shows a matrix as a heat map",
                         "%lld lines are too many", (long long)columns);
    double *x = over ? numbers_of(t, over, 0, 1, rows) : NULL;
    for (i64 k = 0; k < columns; k++) {
        double *y = numbers_of(t, v, k, columns, rows);
        plot_add(&t->plot, label_of(t, p, v->rank == 2 ? (int)k : -1), (int)rows, x, y);
        free(y);
    }
    free(x);
    return true;
}

static bool add_all(Plotting *t, Span p, const Tensor *v)
{
    double *y = numbers_of(t, v, 0, 1, v->count);
    if (v->count > INT32_MAX || v->count < 1) {
        free(y);
        return call_fail(t->c, p, "usage", NULL, "this has no numbers");
    }
    plot_add(&t->plot, label_of(t, p, -1), (int)v->count, NULL, y);
    free(y);
    return true;
}

/* A row for each lane, as vmap gives them. */
static bool add_bands(Plotting *t, Span p, const Tensor *v, const Tensor *over)
{
    if (v->rank != 2 || !v->count || v->count > INT32_MAX)
        return call_fail(t->c, p, "usage", "transpose(H) has a row for each column of H",
                         "bands are of a matrix with a row for each lane");
    if (over && (over->rank != 1 || over->shape[0] != v->shape[1]))
        return call_fail(t->c, t->c->over.x, "usage", NULL, "it should be a vector of %lld numbers",
                         (long long)v->shape[1]);
    double *x = over ? numbers_of(t, over, 0, 1, v->shape[1]) : NULL;
    double *y = numbers_of(t, v, 0, 1, v->count);
    plot_add_bands(&t->plot, label_of(t, p, -1), (int)v->shape[1], (int)v->shape[0], x, y);
    free(x);
    free(y);
    return true;
}

static bool set_cells(Plotting *t, Span p, const Tensor *v)
{
    if (v->rank != 2 || !v->count || v->count > INT32_MAX || t->n > 1)
        return call_fail(t->c, p, "usage", NULL, "a heat map is of one matrix");
    t->plot.rows = (int)v->shape[0];
    t->plot.columns = (int)v->shape[1];
    t->plot.cells = numbers_of(t, v, 0, 1, v->count);
    return true;
}

/* What one looks at a matrix by: the few columns of a trace are what several numbers become from
 * step to step. */
static bool is_trace(const Node *n) { return n->op == OP_PROJ && n->ops[0]->op == OP_SCAN; }

static bool is_picture(const Node *n, const Tensor *v)
{
    return v->rank == 2 && !(is_trace(n) && v->shape[1] <= FEW_COLUMNS);
}

/* "t": what the steps are counted by where this is a trace; NULL. */
static const char *steps_of(const Plotting *t, const Node *n)
{
    Store *st = &t->c->r->s.st;
    int slots[4];
    if (!is_trace(n) || node_graphs(n->ops[0], slots) < 1)
        return NULL;
    const Graph *body = n->ops[0]->attrs[slots[0]].graph;
    for (int k = 0; k < body->nouts; k++) {
        Symbol name = node_name_in(st, body, body->outs[k]);
        if (name && name_has_index(st, name))
            return name_data(st, name).letter;
    }
    return NULL;
}

static bool plot_values(Plotting *t)
{
    Node *x = t->c->over.given ? node_of(t, t->c->over.x) : NULL;
    Tensor *over = x ? value_of(t, x) : NULL;
    bool ok = !t->c->over.given || over;
    for (int i = 0; i < t->n && ok; i++) {
        Node *n = node_of(t, t->exprs[i]);
        Tensor *v = n ? value_of(t, n) : NULL;
        ok = v != NULL;
        if (ok && i == 0 && is_picture(n, v) && t->n == 1 && !over && !call_option(t->c, "kind"))
            t->plot.kind = PLOT_HEAT;
        if (ok)
            ok = t->plot.kind == PLOT_HEAT    ? set_cells(t, t->exprs[i], v)
                 : t->plot.kind == PLOT_HIST  ? add_all(t, t->exprs[i], v)
                 : t->plot.kind == PLOT_BANDS ? add_bands(t, t->exprs[i], v, over)
                                              : add_lines(t, t->exprs[i], v, over);
        if (ok && !over && i == 0 && t->plot.kind <= PLOT_POINTS)
            t->plot.over = steps_of(t, n);
        tensor_unref(v);
    }
    tensor_unref(over);
    return ok;
}

/* ---- over an input ---- */

/* The input that is varied; NULL after a diagnostic. */
static Node *varied(Plotting *t)
{
    Node *x = node_of(t, t->c->over.x);
    bool fits = x && x->op == OP_INPUT && x->type->rank == 0 && dtype_is_number(x->type->dtype);
    if (x && !fits)
        call_fail(t->c, t->c->over.x, "usage", "declare one: k : f64 = 0.5",
                  "%s is not a scalar input", text_of_span(t, t->c->over.x));
    return fits ? x : NULL;
}

/* One point for each sample. */
static bool sweep(Plotting *t, Node *x, double low, double high)
{
    int n = sweep_points(x, low, high, (int)t->samples, NULL);
    double *at = xcalloc((size_t)n + 1, sizeof *at), *y = xcalloc((size_t)n + 1, sizeof *y);
    bool ok = true;
    sweep_points(x, low, high, n, at);
    for (int k = 0; k < t->n && ok; k++) {
        Node *root = node_of(t, t->exprs[k]);
        ok = root && session_sweep(&t->c->r->s, root, t->exprs[k], x, n, at, y);
        if (ok)
            plot_add(&t->plot, label_of(t, t->exprs[k], -1), n, at, y);
    }
    free(at);
    free(y);
    return ok;
}

static bool plot_sweep(Plotting *t)
{
    double low, high;
    Node *x = varied(t);
    if (!x || !one_number(t, t->c->over.low, &low) || !one_number(t, t->c->over.high, &high))
        return false;
    if (!(high > low))
        return call_fail(t->c, t->c->over.low, "usage", NULL, "the range is empty: from %g to %g",
                         low, high);
    return sweep(t, x, low, high);
}

/* ---- telling ---- */

static bool show(Plotting *t)
{
    Call *c = t->c;
    Text out = {0}, about = {0};
    int left_out = plot_left_out(&t->plot);
    if (t->plot.kind == PLOT_HIST)
        plot_bin(&t->plot);
    if (c->r->json)
        plot_put_json(&t->plot, &c->data);
    bool ok = true;
    if (c->file) {
        plot_svg(&t->plot, &out);
        plot_describe(&t->plot, &about);
        ok = call_put_file(c, &out, text_str(&about));
        text_printf(&c->out, "%s: %s\n", c->file, text_str(&about));
    } else {
        plot_text(&t->plot, &c->out);
    }
    if (left_out)
        text_printf(&c->out,
                    t->plot.log_x || t->plot.log_y
                        ? "%d number%s left out: an axis is logarithmic, and not everything is "
                          "positive and finite\n"
                        : "%d number%s not finite and left out; :trace nan EXPR finds why\n",
                    left_out, left_out == 1 ? " is" : "s are");
    text_free(&out);
    text_free(&about);
    return ok;
}

/* "-1..2.5" */
static bool read_range(Call *c, const char *key, PlotRange *r)
{
    const Option *o = call_option(c, key);
    char *dots = o ? strstr(o->value, "..") : NULL, *end = NULL;
    if (!o)
        return true;
    if (dots) {
        Text low = {0};
        text_putn(&low, o->value, (size_t)(dots - o->value)); /* "1..2" reads as 1. and .2 */
        r->low = strtod(text_str(&low), &end);
        r->given = low.len && !*end;
        text_free(&low);
        r->high = strtod(dots + 2, &end);
        r->given = r->given && dots[2] && !*end;
    }
    if (!r->given)
        return call_fail(c, o->span, "usage", NULL,
                         "%s= goes from one number to another: %s=-1..2.5", key, key);
    return (r->low < r->high && isfinite(r->low) && isfinite(r->high)) ||
           call_fail(c, o->span, "usage", NULL, "%s= goes from the smaller to the larger number",
                     key);
}

static bool plot_options(Plotting *t)
{
    i64 width, height;
    Call *c = t->c;
    const Option *title = call_option(c, "title");
    t->plot.title = title ? title->value : NULL;
    if (!call_number(c, "width", repl_width(c->r), LEAST_WIDTH, 1000, &width) ||
        !call_number(c, "height", 16, 4, 1000, &height) ||
        !call_number(c, "samples", SAMPLES, 2, MOST_SAMPLES, &t->samples))
        return false;
    t->plot.kind = (PlotKind)call_choice(c, "kind", PLOT_LINES);
    t->plot.panels = call_switch(c, "panels");
    t->plot.width = (int)width;
    t->plot.height = (int)height;
    t->plot.color = !c->file && call_marks(c) == MARKS_COLOR;
    if (!read_range(c, "xrange", &t->plot.within_x) || !read_range(c, "yrange", &t->plot.within_y))
        return false;
    int log = call_choice(c, "log", LOG_NONE);
    t->plot.log_x = log == LOG_X || log == LOG_BOTH;
    t->plot.log_y = log == LOG_Y || log == LOG_BOTH;
    return true;
}

/* Counts and shades have no logarithmic axis. */
static bool axes_fit(const Plotting *t)
{
    const Option *log = call_option(t->c, "log");
    bool none = t->plot.kind == PLOT_HIST || t->plot.kind == PLOT_HEAT;
    const char *const ranges[] = {"xrange", "yrange"};
    for (size_t k = 0; k < COUNT_OF(ranges) && none; k++)
        if (call_option(t->c, ranges[k]))
            return call_fail(t->c, call_option(t->c, ranges[k])->span, "usage",
                             "kind=lines or kind=points", "%s= is of lines, points and bands",
                             ranges[k]);
    for (int k = 0; k < 2 && log; k++) {
        const PlotRange *r = k ? &t->plot.within_y : &t->plot.within_x;
        if (r->given && (k ? t->plot.log_y : t->plot.log_x) && r->low <= 0)
            return call_fail(t->c, call_option(t->c, ranges[k])->span, "usage", NULL,
                             "on a logarithmic axis, %s= is of positive numbers", ranges[k]);
    }
    return !log || !none ||
           call_fail(t->c, log->span, "usage", "kind=lines or kind=points",
                     "log= is of lines, points and bands");
}

bool command_plot(Call *c)
{
    Plotting t = {.c = c, .plot = {.interrupt = c->r->s.st.interrupt}};
    bool ok = plot_options(&t) && read_parts(&t);
    if (ok && c->over.given)
        t.plot.over = text_of_span(&t, c->over.x);
    ok = ok && (c->over.range ? plot_sweep(&t) : plot_values(&t)) && axes_fit(&t) && show(&t);
    plot_free(&t.plot);
    return ok;
}
