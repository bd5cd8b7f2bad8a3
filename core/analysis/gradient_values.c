/* Where a derivative stops at the values that inputs have: in branches that do not run, and where
 * the derivative of an operator is 0.  See gradient_flow.h.
 *
 * A node of a body has a value for each step: it is brought outside as one more trace of the loop,
 * one more result of the branch or map, level by level. */
#include "analysis/gradient_flow.h"

#include "grad/vjp.h"
#include "ops/scan_edit.h"

#include <math.h>

enum {
    MOST_ASKED = 400, /* operators whose derivatives are evaluated */
    WORK = 20000000   /* of each: a loop of some length */
};

/* ---- out of bodies ---- */

static Node *out_of_scan(Store *st, Node *scan, Node *n)
{
    ScanEdit ed;
    NodeVec holes = {0};
    Node *open = NULL, *all = NULL;
    if (!scan_open(st, scan, &ed))
        return NULL;
    for (int i = 0; i < ed.s.nstates; i++)
        vec_push(&holes, ed.states[i].hole);
    for (int i = 0; i < ed.s.nseqs; i++)
        vec_push(&holes, ed.seqs[i].hole);
    for (size_t i = 0; i < ed.captures.len; i++)
        vec_push(&holes, ed.captures.at[i].hole);
    int k = graph_instantiate_nodes(st, ed.s.body, holes.at, 1, &n, &open)
                ? scan_add_output(&ed, open)
                : -1;
    all = k >= 0 ? scan_close(&ed) : NULL;
    Node *trace = all ? scan_trace(&ed, all, k) : NULL;
    scan_edit_free(&ed);
    vec_free(&holes);
    return trace;
}

static Node *over(Store *st, const Graph *g, Node *n, Node *const *args)
{
    Node *out = NULL;
    Graph *of = (Graph *)(uintptr_t)g;
    return graph_instantiate_nodes(st, of, args, 1, &n, &out) ? out : NULL;
}

static Node *out_of_branch(Store *st, const FlowContext *in, Node *n)
{
    IfShape s = if_shape(in->owner);
    const IntList *args = in->graph == s.then_graph ? s.then_args : s.else_args;
    Node **ops = xcalloc((size_t)in->graph->nparams + 1, sizeof *ops);
    for (int i = 0; i < in->graph->nparams; i++)
        ops[i] = s.operands[args->at[i]];
    Node *out = over(st, in->graph, n, ops);
    free(ops);
    return out;
}

static Node *out_of_map(Store *st, const FlowContext *in, Node *n)
{
    const Node *owner = in->owner;
    i64 first = 0;
    Attr a[] = {{.graph = graph_make(st, in->graph->nparams, in->graph->params, 1, &n)},
                owner->attrs[1],
                {.ints = intlist(st, 1, &first)}};
    Node *map = a[0].graph ? node_make(st, OP_VMAP, a, owner->nops, owner->ops) : NULL;
    return map ? node_proj(st, map, 0) : NULL;
}

/* All the values that a node of that context has; NULL: it cannot be brought outside. */
static Node *outside(Store *st, const FlowContext *in, Node *n, const DerivativeAt *d)
{
    DiagTry trial;
    diag_try_begin(&trial, &st->diags);
    for (; n && in->owner; in = in->around)
        n = in->owner->op == OP_SCAN     ? out_of_scan(st, in->owner, n)
            : in->owner->op == OP_IFELSE ? out_of_branch(st, in, n)
            : in->owner->op == OP_VMAP   ? out_of_map(st, in, n)
                                         : over(st, in->graph, n, in->owner->ops);
    n = n ? over(st, in->graph, n, d->node->ops) : NULL;
    diag_try_end(&trial);
    return n;
}

static Tensor *value_of(Store *st, const Evaluator *e, const DerivativeAt *d, const FlowContext *in,
                        Node *n)
{
    Tensor *value = NULL;
    Node *out = n ? outside(st, in, n, d) : NULL;
    if (!out || !probe_known(e, 1, &out, WORK, &value))
        return NULL;
    return value;
}

Tensor *flow_value(const GradientFlow *f, const Evaluator *e, const DerivativeAt *d, u32 spot)
{
    const FlowSpot *s = &f->spots.at[spot];
    return value_of(f->st, e, d, s->in, s->node);
}

/* ---- what is 0 ---- */

static bool all_equal(const Tensor *t, double x)
{
    bool all = t && t->count;
    for (i64 i = 0; all && i < t->count; i++)
        all = tensor_f64_at(t, i) == x;
    return all;
}

/* What an operand gets of a cotangent: one without zeros, and unlike from element to element, so
 * that nothing cancels. */
static Node *local_derivative(Store *st, Node *n, Node *operand)
{
    Node *found = NULL;
    DiagTry trial;
    diag_try_begin(&trial, &st->diags);
    Node *bar = node1(st, OP_EXP, NULL, node1(st, OP_SIN, NULL, n));
    bool ok = bar && vjp_pull(st, 1, &n, &bar, 1, &operand, &found, NULL);
    diag_try_end(&trial);
    return ok ? found : NULL;
}

static bool is_zero_here(GradientFlow *f, const Evaluator *e, const DerivativeAt *d,
                         const FlowEdge *edge)
{
    const FlowSpot *to = &f->spots.at[edge->to];
    Node *at = local_derivative(f->st, to->node, to->node->ops[edge->operand]);
    Tensor *value = at ? value_of(f->st, e, d, to->in, at) : NULL;
    bool zero = all_equal(value, 0);
    tensor_unref(value);
    return zero;
}

/* ---- branches ---- */

static bool does_not_run(GradientFlow *f, const Evaluator *e, const DerivativeAt *d,
                         const FlowEdge *edge)
{
    const FlowSpot *from = &f->spots.at[edge->from], *to = &f->spots.at[edge->to];
    IfShape s = if_shape(to->node->ops[0]);
    Tensor *value = value_of(f->st, e, d, to->in, s.condition);
    bool never = all_equal(value, from->in->graph == s.then_graph ? 0 : 1);
    tensor_unref(value);
    return never;
}

static bool leaves_branch(const GradientFlow *f, const FlowEdge *e)
{
    const FlowSpot *from = &f->spots.at[e->from], *to = &f->spots.at[e->to];
    return to->node->op == OP_PROJ && to->node->ops[0]->op == OP_IFELSE &&
           from->in->owner == to->node->ops[0] && from->in->around == to->in;
}

bool flow_add_values(GradientFlow *f, const Evaluator *e, const DerivativeAt *d)
{
    u32 asked = 0;
    if (probe_missing(e, (int)d->node->nops, d->node->ops))
        return false;
    for (size_t i = 0; i < f->edges.len && asked < MOST_ASKED; i++) {
        FlowEdge *edge = &f->edges.at[i];
        const FlowSpot *from = &f->spots.at[edge->from], *to = &f->spots.at[edge->to];
        if (edge->stop || edge->choice || !from->flows || !to->flows)
            continue;
        bool branch = leaves_branch(f, edge);
        bool elementwise = edge->operand >= 0 && op_is_elementwise(to->node->op);
        asked += branch || elementwise;
        if (branch && does_not_run(f, e, d, edge))
            edge->stop = STOP_BRANCH;
        else if (elementwise && is_zero_here(f, e, d, edge))
            edge->stop = STOP_ZERO;
    }
    flow_spread(f);
    return true;
}
