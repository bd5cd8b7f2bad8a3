/* The operators that own graphs taken apart and put together; what they mean stands in
 * ops/control.c. */
#include "graph/control.h"

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
    for (int i = 0; i < s->nstates; i++)
        vec_push(&ops, s->inits[i]);
    for (int i = 0; i < s->nseqs; i++)
        vec_push(&ops, s->seqs[i]);
    for (int i = 0; i < s->ncaptures; i++)
        vec_push(&ops, s->captures[i]);
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
    for (int i = 0; i < s->nstates; i++)
        vec_push(&ops, s->inits[i]);
    for (int i = 0; i < s->ncaptures; i++)
        vec_push(&ops, s->captures[i]);
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
