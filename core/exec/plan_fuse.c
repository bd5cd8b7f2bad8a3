/* Code for a fused node: its graph as steps that run tile by tile, then what is reduced.
 *
 * Which nodes run together is decided by the pass `fuse` (passes/groups.c), never here.
 *
 * Invariant: the bits of every result are those of the nodes run one by one. */
#include "exec/plan_work.h"

typedef struct {
    Emit *e;
    Wide *w;
    Tiles *t;
    NodeVec order;     /* what the wanted results need */
    NodeCounts column; /* node of the body -> 1 + column */
    u32 *last;         /* by column: the last step that reads it; nsteps: a reduction does */
    u32 nin, nfolds;
} Group;

static void wanted_outs(const Graph *g, const bool *used, NodeVec *outs)
{
    for (int i = 0; i < g->nouts; i++)
        if (used && used[i])
            vec_push(outs, g->outs[i]);
}

/* What the used results of a fused graph need, operands first. */
static void needed_nodes(const Graph *g, const bool *used, NodeVec *order)
{
    NodeVec outs = {0};
    wanted_outs(g, used, &outs);
    nodes_topo((int)outs.len, outs.at, order);
    vec_free(&outs);
}

void need_fused(Need *need, const Node *n, const bool *used, u8 level)
{
    NodeVec order = {0};
    needed_nodes(n->attrs[0].graph, used, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_PARAM) {
            u8 *needed = &need->needed[need_place(need, n->ops[order.at[i]->attrs[0].i])];
            *needed = level > *needed ? level : *needed;
        }
    vec_free(&order);
}

static u32 column_of(const Group *g, const Node *n) { return map_get(&g->column, n) - 1; }

/* ---- operands ---- */

/* Two parameters with one value are one column. */
static void add_input(Group *g, const Node *n, u32 value, Arg *in)
{
    u32 k = 0;
    while (k < g->nin && in[k].reg != value)
        k++;
    if (k == g->nin)
        in[g->nin++] = arg_of(g->e, value);
    map_put(&g->column, n, k + 1);
}

static void add_inputs(Group *g, const Node *n)
{
    Emit *e = g->e;
    Arg *in = xmalloc((g->order.len + 1) * sizeof *in);
    u32 nsteps = 0;
    for (size_t i = 0; i < g->order.len; i++) {
        Node *x = g->order.at[i];
        nsteps += tile_step_count(x);
        g->nfolds += fused_reduction(x, NULL);
        if (x->op == OP_PARAM)
            add_input(g, x, value_of(e, n->ops[x->attrs[0].i]), in);
        else if (x->op == OP_CONST)
            add_input(g, x, value_of_constant(e, x), in);
    }
    Wide *w = g->w = emit_wide(e, I_FUSED, n, g->nin, (u32)n->type->nitems);
    g->t = w->tiles = plan_alloc(e->pl, 1, sizeof *w->tiles);
    g->t->size = plan_alloc(e->pl, g->nin, sizeof *g->t->size);
    for (u32 k = 0; k < g->nin; k++)
        w->in[k] = in[k];
    for (size_t i = 0; i < g->order.len; i++) {
        const Node *x = g->order.at[i];
        if ((x->op == OP_PARAM || x->op == OP_CONST) && x->type->rank)
            g->t->size[column_of(g, x)] = (u8)dtype_size(node_dtype(x));
    }
    g->t->steps = plan_alloc(e->pl, nsteps, sizeof *g->t->steps);
    g->t->folds = plan_alloc(e->pl, g->nfolds, sizeof *g->t->folds);
    free(in);
}

/* ---- steps ---- */

static void add_steps(Group *g, const Node *n)
{
    u32 *columns = xmalloc((n->nops + 1) * sizeof *columns);
    for (u32 k = 0; k < n->nops; k++)
        columns[k] = column_of(g, n->ops[k]);
    tile_steps_of(n, columns, g->nin + g->t->nsteps, &g->t->steps[g->t->nsteps]);
    free(columns);
    g->t->nsteps += tile_step_count(n);
    map_put(&g->column, n, g->nin + g->t->nsteps);
}

/* After the steps of a tile: nothing may take a column's memory before. */
static void add_fold(Group *g, const Node *n)
{
    TileFold *f = &g->t->folds[g->t->nfolds++];
    fused_reduction(n, &g->t->over);
    *f = (TileFold){.node = n,
                    .op = reduce_of(n->op),
                    .from = node_dtype(n->ops[0]),
                    .to = node_dtype(n),
                    .arg = column_of(g, n->ops[0])};
    g->last[f->arg] = g->t->nsteps;
    map_put(&g->column, n, g->t->nfolds);
}

/* ---- results ---- */

/* The input whose memory result k may take: nothing reads it after the result is written. */
static void find_reuse(Group *g)
{
    Tiles *t = g->t;
    t->reuse = plan_alloc(g->e->pl, g->w->nout, sizeof *t->reuse);
    bool *taken = xcalloc(g->nin + 1, sizeof *taken);
    for (u32 k = 0; k < g->w->nout; k++) {
        t->reuse[k] = NO_REG;
        if (t->outs[k] == NO_REG) /* reduced */
            continue;
        const TileStep *s = &t->steps[t->outs[k]];
        for (u32 c = 0; c < g->nin && t->reuse[k] == NO_REG; c++) {
            const Value *v = &g->e->values.at[g->w->in[c].reg];
            bool condition = s->kind == TILE_WHERE && s->arg[0] == c;
            if (taken[c] || condition || v->kind != KIND_TENSOR || g->last[c] > t->outs[k])
                continue;
            t->reuse[k] = c;
            taken[c] = true;
        }
    }
    free(taken);
}

static void add_results(Group *g, const Node *n, const bool *used)
{
    Emit *e = g->e;
    const Graph *body = n->attrs[0].graph;
    u32 first = (u32)e->values.len, nout = 0;
    e->value[need_place(&e->need, n)] = first;
    g->t->outs = plan_alloc(e->pl, (size_t)body->nouts, sizeof *g->t->outs);
    for (int i = 0; i < body->nouts; i++) {
        const Node *x = body->outs[i];
        u8 kind = kind_of(x->type);
        u32 v = value_new(e, kind), column;
        if (!used || !used[i])
            continue;
        e->values.at[v].written = true;
        column = column_of(g, x);
        if (fused_elementwise(x))
            g->t->steps[g->t->outs[nout] = column - g->nin].out = nout;
        else
            g->t->folds[column].out = nout, g->t->outs[nout] = NO_REG;
        g->w->out[nout++] = (Arg){.reg = v, .kind = kind};
    }
    g->w->nout = nout;
}

void emit_fused(Emit *e, const Node *n)
{
    const bool *used = e->need.used[need_place(&e->need, n)];
    Group g = {.e = e};
    needed_nodes(n->attrs[0].graph, used, &g.order);
    add_inputs(&g, n);
    for (size_t i = 0; i < g.order.len; i++)
        if (fused_elementwise(g.order.at[i]))
            add_steps(&g, g.order.at[i]);
    g.last = tile_last_reads(g.t, g.nin);
    for (size_t i = 0; i < g.order.len; i++)
        if (fused_reduction(g.order.at[i], NULL))
            add_fold(&g, g.order.at[i]);
    add_results(&g, n, used);
    tile_place_steps(g.t, g.nin, g.last);
    find_reuse(&g);
    plan_room(e->pl, g.nin + g.t->nsteps, g.t->nbuffers);
    map_free(&g.column);
    vec_free(&g.order);
    free(g.last);
}
