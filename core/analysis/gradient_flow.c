/* Where a derivative stops, by the structure of a graph.  See gradient_flow.h. */
#include "analysis/gradient_flow.h"

#include "grad/vjp.h"
#include "graph/provenance.h"

const char *stop_kind_word(StopKind k)
{
    static const char *const words[] = {
        [STOP_NONE] = "flows",
        [STOP_FLAT] = "flat",
        [STOP_COMPARISON] = "comparison",
        [STOP_UNTIL] = "until",
        [STOP_MARKED] = "stop_gradient",
        [STOP_CAST] = "cast",
        [STOP_POSITION] = "position",
        [STOP_TRUNCATED] = "truncated",
        [STOP_BRANCH] = "branch",
        [STOP_ZERO] = "zero here",
    };
    return words[k];
}

/* ---- spots ---- */

static FlowContext *context_open(GradientFlow *f, const FlowContext *around, Node *owner,
                                 const Graph *g)
{
    for (size_t i = 0; i < f->contexts.len; i++) {
        FlowContext *c = f->contexts.at[i];
        if (c->around == around && c->owner == owner && c->graph == g)
            return c;
    }
    FlowContext *c = arena_alloc(&f->arena, sizeof *c);
    *c = (FlowContext){.around = around, .owner = owner, .graph = g};
    vec_push(&f->contexts, c);
    return c;
}

static u32 spot_of(GradientFlow *f, FlowContext *in, Node *n)
{
    u32 known = node_map_get(&in->spots, n);
    if (known)
        return known - 1;
    vec_push(&f->spots, ((FlowSpot){.in = in, .node = n}));
    node_map_put(&in->spots, n, (u32)f->spots.len);
    return (u32)f->spots.len - 1;
}

static FlowEdge *add_edge(GradientFlow *f, u32 to, FlowContext *in, Node *from)
{
    u32 place = spot_of(f, in, from);
    FlowSpot *s = &f->spots.at[place];
    vec_push(&f->edges, ((FlowEdge){.from = place, .to = to, .operand = -1, .also = s->users}));
    s->users = (u32)f->edges.len;
    return &f->edges.at[f->edges.len - 1];
}

/* ---- operators ---- */

/* Does a cotangent of n reach that operand? The rule of n alone says. */
static bool passes(Store *st, Node *n, Node *operand)
{
    Node *found = NULL;
    DiagTry trial;
    u32 temps = st->temp_count;
    diag_try_begin(&trial, &st->diags);
    Node *bar = node_temp(st, n->type, NULL);
    bool ok = vjp_pull(st, 1, &n, &bar, 1, &operand, &found, NULL);
    diag_try_end(&trial);
    st->temp_count = temps;
    return !ok || found;
}

/* Of an elementwise operator that is the same at all nodes, so that large graphs are quick; where
 * an operand comes twice it is not told which of the two it is. */
static bool passes_at(GradientFlow *f, Node *n, u32 k)
{
    bool twice = false;
    for (u32 i = 0; i < n->nops && !twice; i++)
        twice = i != k && n->ops[i] == n->ops[k];
    if (!op_is_elementwise(n->op) || k >= FLOW_OPERANDS || twice)
        return passes(f->st, n, n->ops[k]);
    u8 *known = &f->passing[n->op][k];
    if (!*known)
        *known = passes(f->st, n, n->ops[k]) ? FLOW_PASSES : FLOW_STOPS;
    return *known == FLOW_PASSES;
}

static bool is_real(const Node *n) { return type_has_floats(n->type); }

/* What an operator that a cotangent does not pass is. */
static StopKind kind_of(const Node *n)
{
    bool tensor = n->type->kind == TYPE_TENSOR;
    if (n->op == OP_STOP_GRADIENT)
        return STOP_MARKED;
    if (tensor && n->type->dtype == DT_BOOL)
        return STOP_COMPARISON;
    if (n->op == OP_CAST)
        return STOP_CAST;
    return tensor && !dtype_is_float(n->type->dtype) ? STOP_POSITION : STOP_FLAT;
}

static void add_operands(GradientFlow *f, u32 to, FlowContext *in, Node *n)
{
    for (u32 k = 0; k < n->nops; k++) {
        if (!is_real(n->ops[k]) && !n->ops[k]->nops && n->ops[k]->op != OP_PARAM)
            continue;
        FlowEdge *e = add_edge(f, to, in, n->ops[k]);
        e->operand = (int)k;
        if (is_real(n->ops[k]) && n->type->kind == TYPE_TENSOR &&
            (!is_real(n) || !passes_at(f, n, k)))
            e->stop = kind_of(n);
    }
}

/* ---- owners of graphs ---- */

/* A loop in a loop belongs to a step of that. */
static bool is_truncated(const GradientFlow *f, const FlowContext *in, const ScanShape *s)
{
    i64 n;
    for (const FlowContext *c = in; c->owner; c = c->around)
        if (c->owner->op == OP_SCAN)
            return false;
    return f->truncate >= 0 && node_const_i64(s->n, &n) && n > f->truncate;
}

static void add_scan_result(GradientFlow *f, u32 to, FlowContext *in, Node *scan, int result)
{
    ScanShape s = scan_shape(scan);
    FlowContext *inside = context_open(f, in, scan, s.body);
    i64 n;
    if (result < s.nstates + s.nouts) {
        FlowEdge *e = add_edge(f, to, inside, s.body->outs[result]);
        e->stop = f->truncate == 0 && is_truncated(f, in, &s) ? STOP_TRUNCATED : STOP_NONE;
    }
    if (result < s.nstates && !(node_const_i64(s.n, &n) && n > 0))
        add_edge(f, to, in, s.inits[result]);
    if (s.stop)
        add_edge(f, to, inside, s.body->outs[s.nstates + s.nouts])->choice = true;
    add_edge(f, to, in, s.n)->choice = true;
}

static void add_if_result(GradientFlow *f, u32 to, FlowContext *in, Node *choice, int result)
{
    IfShape s = if_shape(choice);
    add_edge(f, to, context_open(f, in, choice, s.then_graph), s.then_graph->outs[result]);
    add_edge(f, to, context_open(f, in, choice, s.else_graph), s.else_graph->outs[result]);
    add_edge(f, to, in, s.condition)->choice = true;
}

static void add_result(GradientFlow *f, u32 to, FlowContext *in, Node *n)
{
    Node *of = n->ops[0];
    int k = (int)n->attrs[0].i;
    if (of->op == OP_SCAN) {
        add_scan_result(f, to, in, of, k);
    } else if (of->op == OP_IFELSE) {
        add_if_result(f, to, in, of, k);
    } else if (of->op == OP_CALL || of->op == OP_VMAP) {
        const Graph *g = of->attrs[0].graph;
        add_edge(f, to, context_open(f, in, of, g), g->outs[k]);
    } else {
        add_operands(f, to, in, of);
    }
}

static void add_scan_parameter(GradientFlow *f, u32 to, FlowContext *in, int k)
{
    ScanShape s = scan_shape(in->owner);
    FlowContext *around = (FlowContext *)(uintptr_t)in->around;
    FlowEdge *e = add_edge(f, to, around, in->owner->ops[1 + k]);
    if (k >= s.nstates)
        return;
    e->stop = is_truncated(f, around, &s) ? STOP_TRUNCATED : STOP_NONE;
    add_edge(f, to, in, s.body->outs[k]);
}

static void add_parameter(GradientFlow *f, u32 to, FlowContext *in, Node *n)
{
    Node *owner = in->owner;
    FlowContext *around = (FlowContext *)(uintptr_t)in->around;
    int k = (int)n->attrs[0].i;
    if (owner->op == OP_SCAN) {
        add_scan_parameter(f, to, in, k);
    } else if (owner->op == OP_IFELSE) {
        IfShape s = if_shape(owner);
        const IntList *args = in->graph == s.then_graph ? s.then_args : s.else_args;
        add_edge(f, to, around, s.operands[args->at[k]]);
    } else {
        add_edge(f, to, around, owner->ops[k]);
    }
}

static void open_spot(GradientFlow *f, u32 place)
{
    FlowSpot s = f->spots.at[place];
    if (s.node == f->x && !s.in->owner)
        return;
    if (s.node->op == OP_PARAM && s.in->owner)
        add_parameter(f, place, s.in, s.node);
    else if (s.node->op == OP_PROJ)
        add_result(f, place, s.in, s.node);
    else
        add_operands(f, place, s.in, s.node);
}

/* ---- places ---- */

/* Of what enters a body, where that was written. */
static const Span *place_in(Store *st, const FlowContext *in, const Node *n)
{
    bool row;
    while (n && n->op == OP_PARAM && in->owner) {
        n = body_operand(in->owner, in->graph, (int)n->attrs[0].i, &row);
        in = in->around;
    }
    return n ? node_span(st, n) : NULL;
}

/* Results of `if` have no place of their own: the condition has. */
const Span *flow_place(Store *st, const FlowSpot *s)
{
    const Span *span = node_span(st, s->node);
    Node *of = s->node->op == OP_PROJ ? s->node->ops[0] : NULL;
    if (!span && of)
        span = place_in(st, s->in, of->op == OP_IFELSE ? of->ops[0] : of);
    for (const FlowContext *in = s->in; !span && in->owner; in = in->around)
        span = node_span(st, in->owner);
    return span;
}

/* ---- what flows ---- */

static bool is_start(const GradientFlow *f, const FlowSpot *s)
{
    return s->node == f->x && !s->in->owner;
}

/* In the order of distance, so that ways back to x are short. */
void flow_spread(GradientFlow *f)
{
    FlowSpots now = {0};
    for (u32 i = 0; i < f->spots.len; i++) {
        FlowSpot *s = &f->spots.at[i];
        s->flows = is_start(f, s);
        s->from = 0;
        if (s->flows)
            vec_push(&now, i);
    }
    for (size_t k = 0; k < now.len; k++)
        for (u32 i = f->spots.at[now.at[k]].users; i; i = f->edges.at[i - 1].also) {
            const FlowEdge *e = &f->edges.at[i - 1];
            FlowSpot *to = &f->spots.at[e->to];
            if (e->stop || e->choice || to->flows || !is_real(to->node))
                continue;
            to->flows = true;
            to->from = i;
            vec_push(&now, e->to);
        }
    vec_free(&now);
}

static bool is_until(const GradientFlow *f, const FlowEdge *e)
{
    return e->choice && f->spots.at[e->to].node->ops[0]->op == OP_SCAN;
}

/* What reaches the value only by saying whether a loop goes on. */
static void find_deciding(GradientFlow *f)
{
    FlowSpots now = {0};
    for (size_t i = 0; i < f->spots.len; i++)
        f->spots.at[i].decides = i != f->root;
    vec_push(&now, f->root);
    for (size_t k = 0; k < now.len; k++) {
        const FlowSpot *to = &f->spots.at[now.at[k]];
        for (u32 i = to->first; i < to->first + to->count; i++) {
            const FlowEdge *e = &f->edges.at[i];
            if (is_until(f, e) || !f->spots.at[e->from].decides)
                continue;
            f->spots.at[e->from].decides = false;
            vec_push(&now, e->from);
        }
    }
    vec_free(&now);
    for (size_t i = 0; i < f->edges.len; i++)
        if (f->edges.at[i].stop && f->spots.at[f->edges.at[i].to].decides)
            f->edges.at[i].stop = STOP_UNTIL;
}

/* ---- the whole ---- */

static bool is_derivative(const Node *n) { return n->op == OP_GRAD || n->op == OP_VJP; }

static void add_derivatives(Node *n, DerivativesAt *out)
{
    if (n->op == OP_TUPLE)
        for (u32 i = 0; i < n->nops; i++)
            add_derivatives(n->ops[i], out);
    if (n->op == OP_PROJ && is_derivative(n->ops[0]) && n->attrs[0].i < n->ops[0]->attrs[1].i)
        vec_push(out, ((DerivativeAt){n->ops[0], (int)n->attrs[0].i}));
}

void derivatives_of(int n, Node *const *roots, DerivativesAt *out)
{
    for (int i = 0; i < n; i++)
        add_derivatives(roots[i], out);
}

void flow_find(GradientFlow *f, Store *st, const DerivativeAt *d)
{
    const Graph *g = d->node->attrs[0].graph;
    *f = (GradientFlow){.st = st, .x = g->param_nodes[d->by], .truncate = d->node->attrs[2].i};
    FlowContext *outer = context_open(f, NULL, NULL, g);
    f->root = spot_of(f, outer, g->outs[0]);
    for (u32 i = 0; i < f->spots.len; i++) {
        u32 first = (u32)f->edges.len;
        open_spot(f, i);
        f->spots.at[i].first = first;
        f->spots.at[i].count = (u32)f->edges.len - first;
    }
    find_deciding(f);
    flow_spread(f);
}

void flow_free(GradientFlow *f)
{
    for (size_t i = 0; i < f->contexts.len; i++)
        node_map_free(&f->contexts.at[i]->spots);
    vec_free(&f->contexts);
    vec_free(&f->spots);
    vec_free(&f->edges);
    arena_free(&f->arena);
}

bool flow_is_zero(const GradientFlow *f) { return !f->spots.at[f->root].flows; }

void flow_stops(const GradientFlow *f, FlowEdges *out)
{
    for (u32 i = 0; i < f->edges.len; i++)
        if (f->edges.at[i].stop && f->spots.at[f->edges.at[i].from].flows)
            vec_push(out, i);
}

void flow_path(const GradientFlow *f, u32 spot, FlowSpots *out)
{
    vec_push(out, spot);
    while (f->spots.at[spot].from) {
        spot = f->edges.at[f->spots.at[spot].from - 1].from;
        vec_push(out, spot);
    }
    for (size_t i = 0; i < out->len / 2; i++) {
        u32 swap = out->at[i];
        out->at[i] = out->at[out->len - 1 - i];
        out->at[out->len - 1 - i] = swap;
    }
}
