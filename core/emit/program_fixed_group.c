/* Instructions of loops over arrays of known shapes (program_fixed.c) whose steps are elementwise,
 * as groups: what is fused, one operator, and an outer product that is added to a matrix.
 *
 * Invariant: the steps compute what the operator's eval function does, in its order. */
#include "emit/program_fixed.h"

#include "exec/plan_work.h"
#include "ops/fused.h"

static const Node times = {.op = OP_MUL}, plus = {.op = OP_ADD};

static u32 add_step(Tiles *t, const Node *n, DType d, u32 nin, u32 a, u32 b)
{
    t->steps[t->nsteps++] = (TileStep){.node = n,
                                       .kind = TILE_2,
                                       .from = d,
                                       .to = d,
                                       .arg = {a, b, NO_REG},
                                       .buffer = NO_REG,
                                       .out = NO_REG};
    return nin + t->nsteps - 1;
}

Tensor fixed_outer_like(const Fixed *f, const Wide *w)
{
    const Tensor *x = &f->v[w->in[0].reg].like, *y = &f->v[w->in[1].reg].like;
    return w->nin > 2 ? f->v[w->in[2].reg].like
                      : (Tensor){.dtype = x->dtype,
                                 .rank = 2,
                                 .shape = {x->shape[0], y->shape[0]},
                                 .count = x->shape[0] * y->shape[0]};
}

/* x * y, or alpha * (x * y) + beta * c, as eval_ger computes it. */
static void outer_steps(const Fixed *f, const Wide *w, Tiles *t)
{
    double alpha, beta;
    DType d = node_dtype(w->node);
    fixed_factors(f, w, &alpha, &beta);
    t->steps = xcalloc(4, sizeof *t->steps);
    t->repeat = xcalloc((size_t)w->nin + 1, 1);
    t->repeat[0] = REPEAT_EACH;
    t->repeat[1] = REPEAT_ALL;
    u32 product = add_step(t, &times, d, w->nin, 0, 1), added = 2;
    if (alpha != 1)
        product = add_step(t, &times, d, w->nin, 3, product);
    if (w->nin > 2 && beta != 1)
        added = add_step(t, &times, d, w->nin, 4, added);
    if (w->nin > 2)
        add_step(t, &plus, d, w->nin, product, added);
}

static void operator_steps(const Wide *w, Tiles *t)
{
    u32 *columns = xmalloc(((size_t)w->nin + 1) * sizeof *columns);
    for (u32 k = 0; k < w->nin; k++)
        columns[k] = k;
    t->nsteps = tile_step_count(w->node);
    t->steps = xcalloc((size_t)t->nsteps + 1, sizeof *t->steps);
    tile_steps_of(w->node, columns, w->nin, t->steps);
    free(columns);
}

bool fixed_group_open(const Fixed *f, const Ins *ins, FixedGroup *g)
{
    bool array = ins->op == I_ARRAY, fused = ins->op == I_FUSED;
    *g = (FixedGroup){{0}, {0}};
    if (!array && !fused)
        return false;
    g->w = *ins->u.wide;
    if (fused)
        return true;
    bool outer = g->w.node->op == OP_GER;
    if (g->w.nout != 1 || !(outer || fused_elementwise(g->w.node)))
        return false;
    g->t.size = xcalloc((size_t)g->w.nin + 1, 1);
    g->t.outs = xcalloc(1, sizeof *g->t.outs);
    for (u32 k = 0; k < g->w.nin; k++)
        g->t.size[k] =
            g->w.in[k].kind == KIND_TENSOR ? (u8)dtype_size(f->v[g->w.in[k].reg].like.dtype) : 0;
    if (outer)
        outer_steps(f, &g->w, &g->t);
    else
        operator_steps(&g->w, &g->t);
    g->t.outs[0] = g->t.nsteps - 1;
    g->w.tiles = &g->t;
    return true;
}

void fixed_group_close(FixedGroup *g)
{
    free(g->t.steps);
    free(g->t.size);
    free(g->t.outs);
    free(g->t.repeat);
}

Tensor fixed_group_like(const Fixed *f, const Wide *w)
{
    if (w->node->op == OP_GER)
        return fixed_outer_like(f, w);
    for (u32 k = 0; k < w->nin; k++)
        if (w->in[k].kind == KIND_TENSOR && tile_repeat(w->tiles, k) != REPEAT_EACH &&
            tile_repeat(w->tiles, k) != REPEAT_ALL)
            return f->v[w->in[k].reg].like;
    die("a group without arrays");
}
