/* The operators that own graphs taken apart and put together; what they mean stands in
 * ops/control.c. */
#include "graph/control.h"

#include "graph/reads.h"
#include "graph/walk.h"

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

static LoopShape shape_of_loop(const Attr *attrs, u32 nops, Node *const *ops)
{
    LoopShape s = {.body = attrs[0].graph,
                   .nstates = (int)attrs[1].i,
                   .down = attrs[2].i != 0,
                   .grows = attrs[3].i != 0,
                   .counter = (int)attrs[4].i,
                   .walked = attrs[5].ints};
    s.ncaptures = (int)nops - 2 - s.nstates;
    s.ntraces = s.body->nouts - s.nstates - 1;
    s.steps = s.nstates + s.ntraces;
    s.rows = ops[0];
    s.go = ops[1];
    s.inits = (Node **)(uintptr_t)ops + 2;
    s.captures = s.inits + s.nstates;
    return s;
}

LoopShape loop_shape(const Node *n) { return shape_of_loop(n->attrs, n->nops, n->ops); }

Node *loop_node(Store *st, const LoopShape *s)
{
    Attr attrs[] = {{.graph = s->body}, {.i = s->nstates}, {.i = s->down},
                    {.i = s->grows},    {.i = s->counter}, {.ints = intlist(st, 0, NULL)}};
    NodeVec ops = {0};
    vec_push(&ops, s->rows);
    vec_push(&ops, s->go);
    add_all(&ops, s->nstates, s->inits);
    add_all(&ops, s->ncaptures, s->captures);
    Node *n = node_make(st, OP_LOOP, attrs, (u32)ops.len, ops.at);
    vec_free(&ops);
    return n;
}

/* ---- what a loop records: nodes are interned, so what should be there is built and compared ----
 */

Node *counter_first(Store *st, Node *rows, bool down)
{
    i64 n;
    return !down                      ? node_i64(st, 0)
           : node_const_i64(rows, &n) ? node_i64(st, n - 1)
                                      : node2(st, OP_ADD, NULL, rows, node_i64(st, -1));
}

Node *counter_go(Store *st, Node *rows, bool down)
{
    i64 n;
    Node *zero = node_i64(st, 0);
    return node_const_i64(rows, &n) ? node_bool(st, n > 0)
           : down                   ? node2(st, OP_GE, NULL, counter_first(st, rows, down), zero)
                                    : node2(st, OP_LT, NULL, zero, rows);
}

Node *counter_next(Store *st, Node *counter, bool down)
{
    return node2(st, OP_ADD, NULL, counter, node_i64(st, down ? -1 : 1));
}

Node *counter_test(Store *st, Node *next, Node *rows, bool down)
{
    return down ? node2(st, OP_GE, NULL, next, node_i64(st, 0))
                : node2(st, OP_LT, NULL, next, rows);
}

Node *loop_counter_test(Store *st, const LoopShape *s)
{
    Node *rows = node_is_const(s->rows) || s->down ? s->rows : NULL; /* as the body sees it */
    for (int i = 0; i < s->ncaptures && !rows; i++)
        if (s->captures[i] == s->rows)
            rows = s->body->param_nodes[s->nstates + i];
    return rows ? counter_test(st, s->body->outs[s->counter], rows, s->down) : NULL;
}

bool loop_counts(Store *st, const LoopShape *s, int k)
{
    Type *whole = type_scalar(st, DT_I64);
    if (k < 0 || k >= s->nstates || s->inits[k]->type != whole || s->rows->type != whole ||
        s->body->params[k] != whole || s->inits[k] != counter_first(st, s->rows, s->down) ||
        s->go != counter_go(st, s->rows, s->down) ||
        s->body->outs[k] != counter_next(st, s->body->param_nodes[k], s->down))
        return false;
    LoopShape it = *s;
    it.counter = k;
    Node *go = s->body->outs[s->steps], *test = loop_counter_test(st, &it);
    return test && (go == test || (go->op == OP_LOGICAL_AND && go->nops == 2 &&
                                   (go->ops[0] == test || go->ops[1] == test)));
}

Node *loop_walked_row(Store *st, const LoopShape *s, int k)
{
    Attr axis = {.i = 0};
    return node2(st, OP_INDEX, &axis, s->body->param_nodes[s->nstates + k],
                 s->body->param_nodes[s->counter]);
}

const Attr *loop_recorded(Store *st, const Attr *attrs, u32 nops, Node *const *ops, Attr *room)
{
    if (op_attr_count(OP_LOOP) != LOOP_ATTRS)
        die("a loop has another number of attributes than LOOP_ATTRS");
    memcpy(room, attrs, LOOP_ATTRS * sizeof *room);
    LoopShape s = shape_of_loop(attrs, nops, ops);
    bool counts = nops >= 2 && s.nstates >= 0 && s.body->nparams == (int)nops - 2 &&
                  s.ntraces >= 0 && loop_counts(st, &s, s.counter);
    VEC(i64) walked = {0};
    for (int k = 0; counts && k < s.ncaptures; k++) {
        const Type *t = s.captures[k]->type;
        Node *row = t->kind == TYPE_TENSOR && t->rank ? loop_walked_row(st, &s, k) : NULL;
        if (row && map_has(&graph_reads(s.body)->places, row))
            vec_push(&walked, k);
    }
    room[4].i = counts ? s.counter : -1;
    room[5].ints = intlist(st, (u32)walked.len, walked.at);
    vec_free(&walked);
    return room;
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

void scans_of(int nroots, Node *const *roots, NodeVec *out)
{
    NodeVec order = {0};
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SCAN)
            vec_push(out, order.at[i]);
    vec_free(&order);
}

u32 loops_count(int nroots, Node *const *roots)
{
    StandingVec all = {0};
    u32 n = 0;
    nodes_standing(nroots, roots, NULL, &all);
    for (size_t i = 0; i < all.len; i++)
        n += node_is_loop(all.at[i].node);
    vec_free(&all);
    return n;
}
