/* Values of loops to watch; see loop_values.h. */
#include "analysis/loop_values.h"

#include "graph/name.h"
#include "graph/names.h"
#include "surface/surface.h"

enum { LABEL = 44 };

/* ---- labels ---- */

/* NULL: it has none. */
static Symbol name_of(Store *st, const Node *scan, const Node *n)
{
    ScanShape s = scan_shape(scan);
    ScanRoles roles = scan_roles(st, scan);
    if (n->op == OP_PARAM && roles.names[n->attrs[0].i])
        return roles.names[n->attrs[0].i];
    for (int o = 0; o < s.nouts && n->op != OP_PARAM; o++) /* of two equations, the first */
        if (n == s.body->outs[s.nstates + o] && roles.outs[o])
            return roles.outs[o];
    return node_name_in(st, s.body, n);
}

static void put_label(Store *st, const Node *scan, Text *out, Node *n)
{
    Numbering num = {.within = scan_shape(scan).body};
    node_source_numbered(st, out, n, &num, 8);
    if (out->len > LABEL || strchr(text_str(out), '\n')) {
        out->len = 0;
        text_printf(out, "%s of ", node_info(n)->name);
        type_print(out, n->type);
    }
    map_free(&num.of);
}

Symbol loop_label(Store *st, const Node *scan, Node *n)
{
    ScanShape s = scan_shape(scan);
    bool stops = s.stop && n == s.body->outs[s.steps] && n->op != OP_PARAM;
    Symbol label = stops ? symbol(st, "until") : name_of(st, scan, n);
    Text t = {0};
    if (!label) {
        put_label(st, scan, &t, n);
        label = symbol(st, text_str(&t));
    }
    text_free(&t);
    return label;
}

/* ---- which ---- */

static void add_value(Store *st, const Node *scan, LoopValues *out, Symbol label, Node *n,
                      int state)
{
    vec_push(out, ((LoopValue){label ? label : loop_label(st, scan, n), n, state}));
}

void loop_body_values(Store *st, const Node *scan, LoopValues *out)
{
    const ScanShape shape = scan_shape(scan), *s = &shape;
    NodeVec order = {0};
    NodeSet there = {0};
    for (int i = 0; i < s->nstates + s->nseqs; i++) {
        add_value(st, scan, out, NULL, s->body->param_nodes[i], -1);
        set_add(&there, s->body->param_nodes[i]);
    }
    nodes_topo(s->body->nouts, s->body->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if (n->op != OP_PARAM && n->op != OP_CONST && n->type->kind == TYPE_TENSOR &&
            !map_has(&there, n))
            add_value(st, scan, out, NULL, n, -1);
    }
    map_free(&there);
    vec_free(&order);
}

/* The index of a while loop counts itself; its name has no [t-1]. */
static bool is_index(Store *st, const Node *scan, int state)
{
    const Symbol *names = scan_roles(st, scan).names;
    Type *t = scan_shape(scan).body->params[state];
    return names[state] && !name_data(st, names[state]).indexed && t == type_scalar(st, DT_I64);
}

void loop_states(Store *st, const Node *scan, LoopValues *out)
{
    const ScanShape shape = scan_shape(scan), *s = &shape;
    ScanRoles roles = scan_roles(st, scan);
    bool *shown = xcalloc((size_t)s->nouts + 1, 1);
    i64 after = s->reverse ? -1 : 1; /* the state after the step: h[t] of what it knows as h[t-1] */
    for (int i = 0; i < s->nstates; i++) {
        if (roles.traces[i] >= 0)
            shown[roles.traces[i]] = true;
        if (!roles.earlier[i] && !is_index(st, scan, i))
            add_value(st, scan, out, name_shifted(st, roles.names[i], after), s->body->outs[i], i);
    }
    for (int o = 0; o < s->nouts; o++)
        if (!shown[o])
            add_value(st, scan, out, roles.outs[o], s->body->outs[s->nstates + o], -1);
    free(shown);
}
