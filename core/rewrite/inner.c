/* Taking expressions out of the graphs of branches, derivatives and maps, and closing new ones. */
#include "rewrite/inner.h"

/* The only sequence of a map that goes over the first axis of one operand; -1: it is another map.
 */
static int mapped_operand(const Node *n, i64 result)
{
    const IntList *in = n->attrs[1].ints, *out = n->attrs[2].ints;
    int found = -1;
    for (u32 i = 0; i < in->n; i++)
        if (in->at[i] >= 0)
            found = found < 0 && in->at[i] == 0 ? (int)i : -2;
    return found >= 0 && out->at[result] == 0 ? found : -1;
}

/* Which operand of the owner is the variable of result n; -1: there is not just one. */
static int variable_of(const Node *n)
{
    const Node *d = n->ops[0];
    i64 result = n->attrs[0].i, wrt = d->op == OP_VMAP ? 0 : d->attrs[1].i;
    switch (d->op) {
    case OP_GRAD:
    case OP_VJP:
        return d->attrs[2].i == -1 && d->attrs[0].graph->nouts == 1 && result < wrt ? (int)result
                                                                                    : -1;
    case OP_JVP: return d->attrs[0].graph->nouts == 1 && wrt == 1 && result == 0 ? 0 : -1;
    case OP_VMAP: return mapped_operand(d, result);
    default: return -1;
    }
}

static Node *take_out(Store *st, Graph *g, Node **args, i64 result)
{
    Node **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    Node *value = graph_instantiate(st, g, args, outs) ? outs[result] : NULL;
    free(outs);
    return value;
}

Node *if_result(Store *st, const Node *n, int k)
{
    IfShape s = if_shape(n->ops[0]);
    const IntList *taken = k ? s.else_args : s.then_args;
    Node **args = xcalloc(taken->n + 1, sizeof *args);
    for (u32 i = 0; i < taken->n; i++)
        args[i] = s.operands[taken->at[i]];
    Node *value = take_out(st, k ? s.else_graph : s.then_graph, args, n->attrs[0].i);
    free(args);
    return value;
}

LoopParts *loop_parts(Store *st, Node *scan)
{
    ScanShape s = scan_shape(scan);
    LoopParts *l = arena_alloc(&st->scratch, sizeof *l);
    int first = s.nstates + s.nseqs;
    Node **args = arena_alloc(&st->scratch, ((size_t)s.body->nparams + 1) * sizeof *args);
    l->scan = scan;
    l->states = args;
    l->seqs = args + s.nstates;
    l->outs = arena_alloc(&st->scratch, ((size_t)s.body->nouts + 1) * sizeof *l->outs);
    const Symbol *names = scan_roles(st, scan).names;
    for (int i = 0; i < s.nstates; i++)
        args[i] = node_temp(st, s.inits[i]->type, names[i]);
    for (int i = 0; i < s.nseqs; i++) {
        Type *t = s.seqs[i]->type;
        l->seqs[i] = node_temp(st, type_tensor(st, t->dtype, t->rank - 1, t->dims + 1),
                               names[s.nstates + i]);
    }
    for (int i = first; i < s.body->nparams; i++)
        args[i] = s.captures[i - first];
    return graph_instantiate(st, s.body, args, l->outs) ? l : NULL;
}

int loop_index_sequence(const LoopParts *l)
{
    ScanShape s = scan_shape(l->scan);
    for (int i = 0; i < s.nseqs; i++)
        if (s.seqs[i]->op == OP_IOTA && s.seqs[i]->ops[0] == s.n)
            return i;
    return -1;
}

bool applied_shape(const Node *n, OpId op, Applied *out)
{
    if (n->op != OP_PROJ || n->ops[0]->op != op)
        return false;
    const Node *d = n->ops[0];
    int variable = variable_of(n);
    *out = (Applied){.op = op};
    if (variable < 0)
        return false;
    out->at = d->ops[variable];
    if (op == OP_VJP || op == OP_JVP)
        out->with = d->ops[d->attrs[0].graph->nparams];
    return true;
}

Type *applied_parameter(Store *st, const Applied *a)
{
    Type *t = a->at->type;
    if (a->op != OP_VMAP)
        return t;
    return t->rank ? type_tensor(st, t->dtype, t->rank - 1, t->dims + 1) : NULL;
}

Node *applied_value(Store *st, const Node *n, Node *hole)
{
    const Node *d = n->ops[0];
    Graph *g = d->attrs[0].graph;
    Node **args = xcalloc((size_t)g->nparams + 1, sizeof *args);
    for (int i = 0; i < g->nparams; i++)
        args[i] = d->ops[i];
    args[variable_of(n)] = hole;
    Node *value = take_out(st, g, args, d->op == OP_VMAP ? n->attrs[0].i : 0);
    free(args);
    return value;
}

/* What the value needs and the variable does not reach: it is captured where it stands. */
static void find_frontier(Node *value, Node *hole, NodeSet *frontier)
{
    NodeVec order = {0};
    NodeSet depends = {0};
    nodes_topo(1, &value, &order);
    set_add(&depends, hole);
    for (size_t i = 0; i < order.len; i++)
        for (u32 k = 0; k < order.at[i]->nops; k++)
            if (map_has(&depends, order.at[i]->ops[k]))
                set_add(&depends, order.at[i]);
    for (size_t i = 0; i < order.len; i++)
        for (u32 k = 0; map_has(&depends, order.at[i]) && k < order.at[i]->nops; k++)
            if (!map_has(&depends, order.at[i]->ops[k]))
                set_add(frontier, order.at[i]->ops[k]);
    if (!map_has(&depends, value))
        set_add(frontier, value);
    map_free(&depends);
    vec_free(&order);
}

static void set_attrs(Store *st, const Applied *a, const Closed *c, Attr attrs[3])
{
    attrs[0].graph = c->graph;
    if (a->op != OP_VMAP) {
        attrs[1].i = 1;
        attrs[2].i = -1;
        return;
    }
    i64 *in = xcalloc((size_t)c->ncaptures + 1, sizeof *in);
    for (int i = 1; i <= c->ncaptures; i++)
        in[i] = -1;
    attrs[1].ints = intlist(st, (u32)c->ncaptures + 1, in);
    attrs[2].ints = intlist(st, 1, (i64[]){0});
    free(in);
}

Node *applied_build(Store *st, const Applied *a)
{
    NodeSet frontier = {0};
    NodeVec ops = {0};
    Attr attrs[3] = {{0}};
    Closed c;
    Node *r = NULL;
    find_frontier(a->value, a->hole, &frontier);
    CloseRequest rq = {
        .nfixed = 1, .fixed = &a->hole, .nouts = 1, .outs = &a->value, .mentioned = &frontier};
    if (graph_close(st, &rq, &c)) {
        vec_push(&ops, a->at);
        for (int i = 0; i < c.ncaptures; i++)
            vec_push(&ops, c.captures[i]);
        if (a->with)
            vec_push(&ops, a->with);
        set_attrs(st, a, &c, attrs);
        r = node_make(st, a->op, attrs, (u32)ops.len, ops.at);
    }
    map_free(&frontier);
    vec_free(&ops);
    return r ? node_proj(st, r, 0) : NULL;
}
