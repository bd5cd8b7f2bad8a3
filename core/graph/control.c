/* The operators that own graphs taken apart and put together; what they mean stands in
 * ops/control.c. */
#include "graph/control.h"

static void add_all(NodeVec *out, int n, Node *const *nodes)
{
    for (int i = 0; i < n; i++)
        vec_push(out, nodes[i]);
}

ScanShape scan_shape(const Node *n)
{
    ScanShape s = {.body = n->attrs[0].graph,
                   .nstates = (int)n->attrs[1].i,
                   .nseqs = (int)n->attrs[2].i,
                   .reverse = n->attrs[3].i != 0,
                   .stop = n->attrs[4].i != 0,
                   .checkpoint = n->attrs[5].i};
    s.ncaptures = (int)n->nops - 1 - s.nstates - s.nseqs;
    s.nouts = s.body->nouts - s.nstates - s.stop;
    s.steps = s.nstates + s.nouts;
    s.nresults = s.steps + 2;
    s.n = n->ops[0];
    s.inits = n->ops + 1;
    s.seqs = s.inits + s.nstates;
    s.captures = s.seqs + s.nseqs;
    return s;
}

Node *scan_node(Store *st, const ScanShape *s)
{
    Attr attrs[] = {{.graph = s->body}, {.i = s->nstates}, {.i = s->nseqs},
                    {.i = s->reverse},  {.i = s->stop},    {.i = s->checkpoint}};
    NodeVec ops = {0};
    vec_push(&ops, s->n);
    add_all(&ops, s->nstates, s->inits);
    add_all(&ops, s->nseqs, s->seqs);
    add_all(&ops, s->ncaptures, s->captures);
    Node *n = node_make(st, OP_SCAN, attrs, (u32)ops.len, ops.at);
    vec_free(&ops);
    return n;
}

LoopShape loop_shape(const Node *n)
{
    LoopShape s = {.body = n->attrs[0].graph,
                   .nstates = (int)n->attrs[1].i,
                   .down = n->attrs[2].i != 0,
                   .grows = n->attrs[3].i != 0};
    s.ncaptures = (int)n->nops - 2 - s.nstates;
    s.ntraces = s.body->nouts - s.nstates - 1;
    s.steps = s.nstates + s.ntraces;
    s.rows = n->ops[0];
    s.go = n->ops[1];
    s.inits = n->ops + 2;
    s.captures = s.inits + s.nstates;
    return s;
}

Node *loop_node(Store *st, const LoopShape *s)
{
    Attr attrs[] = {{.graph = s->body}, {.i = s->nstates}, {.i = s->down}, {.i = s->grows}};
    NodeVec ops = {0};
    vec_push(&ops, s->rows);
    vec_push(&ops, s->go);
    add_all(&ops, s->nstates, s->inits);
    add_all(&ops, s->ncaptures, s->captures);
    Node *n = node_make(st, OP_LOOP, attrs, (u32)ops.len, ops.at);
    vec_free(&ops);
    return n;
}

IfShape if_shape(const Node *n)
{
    return (IfShape){.then_graph = n->attrs[0].graph,
                     .else_graph = n->attrs[1].graph,
                     .then_args = n->attrs[2].ints,
                     .else_args = n->attrs[3].ints,
                     .condition = n->ops[0],
                     .operands = n->ops + 1,
                     .noperands = (int)n->nops - 1};
}

void if_operand(IfParts *p, Node *operand, Node *stand)
{
    vec_push(&p->ops, operand);
    vec_push(&p->stands, stand);
}

void if_open(IfParts *p, Node *condition)
{
    *p = (IfParts){0};
    if_operand(p, condition, NULL);
}

static i64 operand_place(IfParts *p, Node *leaf)
{
    size_t k = 1; /* the condition comes first */
    while (k < p->stands.len && p->stands.at[k] != leaf)
        k++;
    if (k == p->stands.len)
        if_operand(p, leaf, leaf);
    return (i64)k - 1;
}

void if_closed_branch(Store *st, IfParts *p, int k, const Closed *c)
{
    i64 *at = xmalloc(((size_t)c->ncaptures + 1) * sizeof *at);
    for (int i = 0; i < c->ncaptures; i++)
        at[i] = operand_place(p, c->captures[i]);
    p->attrs[k].graph = c->graph;
    p->attrs[2 + k].ints = intlist(st, (u32)c->ncaptures, at);
    free(at);
}

bool if_branch(Store *st, IfParts *p, int k, const CloseRequest *rq)
{
    Closed c;
    if (!graph_close(st, rq, &c))
        return false;
    if_closed_branch(st, p, k, &c);
    return true;
}

Node *if_node(Store *st, const IfParts *p)
{
    return node_make(st, OP_IFELSE, p->attrs, (u32)p->ops.len, p->ops.at);
}

void if_parts_free(IfParts *p)
{
    vec_free(&p->ops);
    vec_free(&p->stands);
}

/* ---- from inside to outside ---- */

Node *body_operand(const Node *owner, const Graph *g, int i, bool *row)
{
    *row = false;
    if (owner->op == OP_IFELSE) {
        IfShape f = if_shape(owner);
        return f.operands[(g == f.then_graph ? f.then_args : f.else_args)->at[i]];
    }
    if (owner->op != OP_SCAN)
        return i < (int)owner->nops ? owner->ops[i] : NULL;
    ScanShape s = scan_shape(owner);
    *row = i >= s.nstates && i < s.nstates + s.nseqs;
    return i < s.nstates             ? s.inits[i]
           : i < s.nstates + s.nseqs ? s.seqs[i - s.nstates]
                                     : s.captures[i - s.nstates - s.nseqs];
}

Size *body_size_outside(Store *st, const Node *owner, const Graph *g, const SizeAtom *atom)
{
    bool value = atom->kind == ATOM_NODE && atom->node->op == OP_PARAM;
    if ((atom->kind != ATOM_PARAM && !value) || owner->op == OP_VMAP || owner->op == OP_LOOP)
        return NULL;
    for (int i = 0; i < g->nparams; i++) {
        bool row;
        const Type *inside = g->params[i];
        Node *from = body_operand(owner, g, i, &row);
        if (value && from && !row && g->param_nodes[i] == atom->node)
            return size_of_node(st, from);
        for (int a = 0; from && a < inside->rank && a + row < from->type->rank; a++)
            if (size_as_atom(inside->dims[a]) == atom)
                return from->type->dims[a + row];
    }
    return NULL;
}
