/* :whynot grad(E, x): where a derivative stops (core/analysis/gradient_flow.h), as text and data.
 */
#include "analysis/gradient_flow.h"
#include "repl/commands/commands.h"
#include "tensor/brief.h"

enum { MOST_ON_PATH = 6, MOST_STOPS = 12, MOST_ELEMENTS = 4 };

typedef struct {
    Call *c;
    Store *st;
    Evaluator e;
    DerivativeAt at;
    GradientFlow f;
    bool values; /* those of inputs are known */
} Stops;

/* ---- paths ---- */

/* "x -> u -> y": the data have all that is on it, the text both ends. */
static void put_path(Stops *t, const char *key, const FlowSpots *path)
{
    Report *r = &t->c->report;
    size_t told = 0;
    Text last = {0};
    json_open(r->data, key, '[');
    for (size_t i = 0; i < path->len; i++) {
        Text label = {0};
        flow_put_label(t->st, &label, &t->f.spots.at[path->at[i]]);
        if (strcmp(text_str(&label), text_str(&last)) != 0) {
            bool end = i < MOST_ON_PATH / 2 || path->len - i <= MOST_ON_PATH / 2;
            bool shown = end || path->len <= MOST_ON_PATH;
            report_say(r, !shown ? "{=}" : told++ ? " -> {}" : "{}", text_of(text_str(&label)));
            text_put(r->text, !shown && i == MOST_ON_PATH / 2 ? " -> …" : "");
        }
        text_free(&last);
        last = label;
    }
    text_free(&last);
    json_end(r->data, ']');
}

/* The value that stops it: "at x = -2". */
static void put_at_value(Stops *t, Text *out, const FlowEdge *e)
{
    Tensor *v =
        e->stop == STOP_ZERO && t->values ? flow_value(&t->f, &t->e, &t->at, e->from) : NULL;
    if (!v)
        return;
    text_put(out, ": ");
    flow_put_label(t->st, out, &t->f.spots.at[e->from]);
    text_put(out, " = ");
    brief_put(out, v, BRIEF_DIGITS, MOST_ELEMENTS);
    tensor_unref(v);
}

static void put_stop(Stops *t, const FlowEdge *e, bool shown)
{
    Report *r = &t->c->report;
    const FlowSpot *to = &t->f.spots.at[e->to];
    const Span *span = flow_place(t->st, to);
    FlowSpots path = {0};
    Text why = {0};
    flow_path(&t->f, e->from, &path);
    vec_push(&path, e->to);
    flow_put_kind(&t->f, &why, e);
    put_at_value(t, &why, e);
    report_hide(r, !shown);
    json_begin(r->data, '{');
    report_say(r, "  {=kind}{=operator}", text_of(stop_kind_word(e->stop)),
               text_of(node_info(to->node)->name));
    put_path(t, "path", &path);
    flow_put_place(r->text, span);
    int row = 0, column = 0, length = 0;
    if (span)
        span_locate(*span, &row, &column, &length);
    report_field(r, "line", span ? int_of(row) : text_of(NULL));
    report_field(r, "column", span ? int_of(column) : text_of(NULL));
    report_say(r, ": {why}\n", text_built(r, &why));
    json_end(r->data, '}');
    report_hide(r, false);
    vec_free(&path);
}

static void put_flow(Stops *t)
{
    FlowSpots path = {0};
    if (!flow_is_zero(&t->f))
        flow_path(&t->f, t->f.root, &path);
    text_put(t->c->report.text, path.len ? "  " : "");
    put_path(t, "flows", &path);
    text_put(t->c->report.text, path.len ? ": it flows\n" : "");
    vec_free(&path);
}

static void put_stops(Stops *t)
{
    FlowEdges stops = {0};
    flow_stops(&t->f, &stops);
    json_open(t->c->report.data, "stops", '[');
    for (size_t i = 0; i < stops.len; i++)
        put_stop(t, &t->f.edges.at[stops.at[i]], i < MOST_STOPS);
    json_end(t->c->report.data, ']');
    if (stops.len > MOST_STOPS)
        text_printf(&t->c->out, "  and it stops at %zu more\n", stops.len - MOST_STOPS);
    vec_free(&stops);
}

static void put_derivative(Stops *t)
{
    Report *r = &t->c->report;
    Text x = {0};
    flow_find(&t->f, t->st, &t->at);
    bool always = flow_is_zero(&t->f);
    t->values = !always && flow_add_values(&t->f, &t->e, &t->at);
    bool here = !always && flow_is_zero(&t->f);
    flow_put_label(t->st, &x,
                   &(FlowSpot){.in = t->f.contexts.at[0], .node = (Node *)(uintptr_t)t->f.x});
    json_begin(r->data, '{');
    report_say(r, "the derivative with respect to {by} {zero}\n", text_built(r, &x),
               as(always ? "is 0 for all inputs"
                  : here ? "is 0 at these values"
                         : "flows",
                  text_of(always ? "always"
                          : here ? "here"
                                 : "no")));
    put_flow(t);
    put_stops(t);
    json_end(r->data, '}');
    flow_free(&t->f);
}

bool whynot_gradient(Call *c)
{
    Node **roots = NULL;
    int n = call_roots(c, &roots);
    DerivativesAt all = {0};
    if (n < 0)
        return false;
    derivatives_of(n, roots, &all);
    free(roots);
    if (!all.len)
        return call_fail(c, c->rest, "usage", ":rules lists the rules",
                         ":whynot takes the name of a rule, or a derivative: grad(E, x)");
    json_open(&c->data, "derivatives", '[');
    for (size_t i = 0; i < all.len; i++) {
        Stops t = {.c = c, .st = &c->r->s.st, .e = session_evaluator(&c->r->s), .at = all.at[i]};
        put_derivative(&t);
    }
    json_end(&c->data, ']');
    vec_free(&all);
    return true;
}
