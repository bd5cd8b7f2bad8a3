/* Where derivatives stop, in words; see gradient_flow.h. */
#include "analysis/gradient_flow.h"

#include "graph/names.h"
#include "graph/print.h"
#include "surface/surface.h"

enum { LABEL = 48 /* bytes of a node on a path */ };

void flow_put_label(Store *st, Text *out, const FlowSpot *s)
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

void flow_put_place(Text *out, const Span *span)
{
    int line, column, length;
    if (!span)
        return;
    span_locate(*span, &line, &column, &length);
    text_printf(out, " (%s:%d:%d)", span->src->name ? span->src->name : "line", line, column);
}

void flow_put_kind(const GradientFlow *f, Text *out, const FlowEdge *e)
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
        flow_put_label(st, &x, &(FlowSpot){.in = f.contexts.at[0], .node = (Node *)(uintptr_t)f.x});
        flow_put_label(st, &at, to);
        flow_put_place(&at, flow_place(st, to));
        flow_put_kind(&f, &why, e);
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

void flow_note_zeros(Store *st, int n, Node *const *roots, Span span)
{
    DerivativesAt all = {0};
    derivatives_of(n, roots, &all);
    for (size_t i = 0; i < all.len; i++)
        note_zero(st, st->diags, &all.at[i], span);
    vec_free(&all);
}
