/* :whynot grad(E, x): where a derivative stops (core/analysis/gradient_flow.h), as text and data;
 * and the note on those that are zero for all inputs. */
#include "analysis/gradient_flow.h"
#include "graph/names.h"
#include "graph/print.h"
#include "repl/commands/commands.h"
#include "surface/surface.h"
#include "tensor/brief.h"

enum {
    LABEL = 48, /* bytes of a node on a path */
    MOST_ON_PATH = 6,
    MOST_STOPS = 12,
    MOST_ELEMENTS = 4
};

typedef struct {
    Call *c;
    Store *st;
    Evaluator e;
    DerivativeAt at;
    GradientFlow f;
    bool values; /* those of inputs are known */
} Telling;

/* ---- what spots are called ---- */

static void put_label(Store *st, Text *out, const FlowSpot *s)
{
    const Graph *g = s->in->graph;
    Symbol name = s->node->op == OP_CONST ? NULL : node_name_in(st, g, s->node);
    Text label = {0};
    if (name)
        text_put(&label, name);
    else
        node_source_within(st, &label, s->node, LABEL, g);
    text_join_lines(&label);
    text_put(out, text_str(&label));
    text_free(&label);
}

static void put_place(Text *out, const Span *span)
{
    int line, column, length;
    if (!span)
        return;
    span_locate(*span, &line, &column, &length);
    text_printf(out, " (%s:%d:%d)", span->src->name ? span->src->name : "line", line, column);
}

/* "floor is flat everywhere" */
static void put_kind(const GradientFlow *f, Text *out, const FlowEdge *e)
{
    const Node *n = f->spots.at[e->to].node;
    const char *name = node_info(n)->name;
    switch (e->stop) {
    case STOP_NONE: break;
    case STOP_FLAT: text_printf(out, "%s is flat wherever it is smooth", name); break;
    case STOP_COMPARISON: text_put(out, "a truth value has no derivative"); break;
    case STOP_UNTIL: text_put(out, "only `until` reads it"); break;
    case STOP_MARKED: text_put(out, "stop_gradient"); break;
    case STOP_CAST:
        text_printf(out, "cast to %s, which has no derivative", dtype_name(n->type->dtype));
        break;
    case STOP_POSITION: text_printf(out, "%s gives a whole number", name); break;
    case STOP_TRUNCATED:
        text_put(out, "truncate= lets nothing flow from before the last steps");
        break;
    case STOP_BRANCH: text_put(out, "this branch does not run"); break;
    case STOP_ZERO: text_printf(out, "the derivative of %s is 0 there", name); break;
    }
}

/* ---- paths ---- */

/* "x -> u -> y": the data have all that is on it, the text both ends. */
static void put_path(Telling *t, const char *key, const FlowSpots *path)
{
    Report *r = &t->c->report;
    size_t told = 0;
    Text last = {0};
    json_open(r->data, key, '[');
    for (size_t i = 0; i < path->len; i++) {
        Text label = {0};
        put_label(t->st, &label, &t->f.spots.at[path->at[i]]);
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
static void put_at_value(Telling *t, Text *out, const FlowEdge *e)
{
    Tensor *v =
        e->stop == STOP_ZERO && t->values ? flow_value(&t->f, &t->e, &t->at, e->from) : NULL;
    if (!v)
        return;
    text_put(out, ": ");
    put_label(t->st, out, &t->f.spots.at[e->from]);
    text_put(out, " = ");
    brief_put(out, v, BRIEF_DIGITS, MOST_ELEMENTS);
    tensor_unref(v);
}

static void put_stop(Telling *t, const FlowEdge *e, bool shown)
{
    Report *r = &t->c->report;
    const FlowSpot *to = &t->f.spots.at[e->to];
    const Span *span = flow_place(t->st, to);
    FlowSpots path = {0};
    Text why = {0};
    flow_path(&t->f, e->from, &path);
    vec_push(&path, e->to);
    put_kind(&t->f, &why, e);
    put_at_value(t, &why, e);
    report_hide(r, !shown);
    json_begin(r->data, '{');
    report_say(r, "  {=kind}{=operator}", text_of(stop_kind_word(e->stop)),
               text_of(node_info(to->node)->name));
    put_path(t, "path", &path);
    put_place(r->text, span);
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

static void put_flow(Telling *t)
{
    FlowSpots path = {0};
    if (!flow_is_zero(&t->f))
        flow_path(&t->f, t->f.root, &path);
    text_put(t->c->report.text, path.len ? "  " : "");
    put_path(t, "flows", &path);
    text_put(t->c->report.text, path.len ? ": it flows\n" : "");
    vec_free(&path);
}

static void put_stops(Telling *t)
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

static void put_derivative(Telling *t)
{
    Report *r = &t->c->report;
    Text x = {0};
    flow_find(&t->f, t->st, &t->at);
    bool always = flow_is_zero(&t->f);
    t->values = !always && flow_add_values(&t->f, &t->e, &t->at);
    bool here = !always && flow_is_zero(&t->f);
    put_label(t->st, &x, &(FlowSpot){.in = t->f.contexts.at[0], .node = (Node *)(uintptr_t)t->f.x});
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
        Telling t = {.c = c, .st = &c->r->s.st, .e = session_evaluator(&c->r->s), .at = all.at[i]};
        put_derivative(&t);
    }
    json_end(&c->data, ']');
    vec_free(&all);
    return true;
}

/* ---- the note ---- */

static void note_zero(Store *st, Diags *diags, const DerivativeAt *d, Span span)
{
    GradientFlow f;
    FlowEdges stops = {0};
    flow_find(&f, st, d);
    if (flow_is_zero(&f))
        flow_stops(&f, &stops);
    if (stops.len) {
        const FlowEdge *e = &f.edges.at[stops.at[0]];
        const FlowSpot *to = &f.spots.at[e->to];
        Text x = {0}, at = {0}, why = {0};
        put_label(st, &x, &(FlowSpot){.in = f.contexts.at[0], .node = (Node *)(uintptr_t)f.x});
        put_label(st, &at, to);
        put_place(&at, flow_place(st, to));
        put_kind(&f, &why, e);
        diag_note(diags, "zero-gradient", span,
                  "the derivative with respect to %s is 0 for all inputs; %s: %s", text_str(&x),
                  text_str(&at), text_str(&why));
        text_free(&x);
        text_free(&at);
        text_free(&why);
    }
    vec_free(&stops);
    flow_free(&f);
}

void note_zero_gradients(Repl *r, int n, Node *const *roots, Span span)
{
    DerivativesAt all = {0};
    derivatives_of(n, roots, &all);
    for (size_t i = 0; i < all.len; i++)
        note_zero(&r->s.st, &r->s.diags, &all.at[i], span);
    vec_free(&all);
}
