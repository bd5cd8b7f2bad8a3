/* Operands of fused groups that are slices, broadcasts or transposes: they become views with
 * strides, which the group reads where they lie; the array that they would be is never made.
 *
 * Invariant: a view with strides goes to fused groups only, as an operand that is nobody's result
 * in place, and to other operators that make such views of it. */
#include "exec/plan_work.h"
#include "ops/strided.h"

typedef struct {
    Emit *e;
    u32 *good;    /* by value: uses that can read a view with strides */
    bool *spread; /* by value: a broadcast gives it */
    bool *view;
    i64 *stride; /* by value: as in Tiles */
} Find;

enum {
    STRIDE_MOST = 8
}; /* elements: of wider ones native code takes no vectors, so they are put
      together */

static bool is_tensor(const Arg *a) { return a->kind == KIND_TENSOR; }

/* Does it make a view, of an array? What an index along the first axis gives lies side by side, and
 * in loops an index is written as what it reads. */
static bool makes_view(const Emit *e, const Ins *ins)
{
    const Wide *w = ins->u.wide;
    return ins->op == I_ARRAY && w->nout == 1 && w->out[0].reg != NO_REG && is_tensor(&w->out[0]) &&
           is_tensor(&w->in[0]) && !w->updates && strided_eval(w->node->op) &&
           (w->node->op != OP_INDEX || (!e->b->loop && w->node->attrs[0].i > 0));
}

/* Elements along the last axis of what it gives, as far as that is known of an array that is stored
 * row by row; 0: it is not. */
static i64 stride_of(const Wide *w)
{
    const Type *x = w->node->ops[0]->type;
    i64 last = x->rank - 1, axis = w->node->attrs[0].i, n;
    if (w->node->op == OP_SLICE)
        return axis == last ? w->node->attrs[1].i : 1;
    if (w->node->op == OP_INDEX && size_is_const(x->dims[last], &n))
        return axis == last ? n : 1;
    return 0;
}

/* It would copy what does not lie side by side. */
static bool copies(const Emit *e, const Ins *ins)
{
    const Wide *w = ins->u.wide;
    return makes_view(e, ins) && (w->node->op == OP_INDEX || w->node->op == OP_SLICE) &&
           (w->node->attrs[0].i > 0 || w->node->attrs[1].i != 1);
}

/* An elementwise operator that can become a group. */
static bool could_group(const Emit *e, const Ins *ins)
{
    return ins->op == I_ARRAY && !e->b->loop && ins->u.wide->nout == 1 &&
           ins->u.wide->out[0].reg != NO_REG && is_tensor(&ins->u.wide->out[0]) &&
           fused_elementwise(ins->u.wide->node);
}

/* Are all its arrays smaller ones that are repeated, as in pairwise differences? */
static bool is_outer_form(const Find *f, const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++)
        if (is_tensor(&w->in[k]) && !tile_repeat(w->tiles, k) && !f->spread[w->in[k].reg])
            return false;
    return true;
}

/* A part that runs row by row reads rows that lie side by side (plan_rows.c); in loops there are
 * few of them, and an outer form is never stored. */
static bool group_takes(const Find *f, const Wide *w)
{
    const Emit *e = f->e;
    const Tiles *t = w->tiles;
    if (is_outer_form(f, w))
        return true;
    for (u32 k = 0; t->repeat && k < w->nin; k++)
        if (t->repeat[k] == REPEAT_EACH && !e->b->loop)
            return false;
    if (!t->nfolds)
        return true;
    int rank = node_rank(t->folds[0].node->ops[0]);
    return e->b->loop || t->over.first + t->over.count < rank;
}

/* Steps read it, no reduction does. */
static bool operand_may_be(const Wide *w, u32 k)
{
    const Tiles *t = w->tiles;
    if (!is_tensor(&w->in[k]) || (t->repeat && t->repeat[k]))
        return false;
    for (u32 i = 0; i < t->nfolds; i++)
        if (t->folds[i].arg == k)
            return false;
    return t->size[k] > 0;
}

static void count_good(Find *f, const Ins *ins, bool group)
{
    const Wide *w = ins->u.wide;
    for (u32 k = 0; k < (group ? w->nin : 1); k++)
        if (!group || operand_may_be(w, k))
            f->good[w->in[k].reg]++;
}

/* An operator alone reads views in place of copies only. */
static void count_copies(Find *f, const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++) {
        i64 def = f->e->values.at[w->in[k].reg].def;
        if (is_tensor(&w->in[k]) && def >= 0 && copies(f->e, &f->e->code.at[def]))
            f->good[w->in[k].reg]++;
    }
}

/* From the end to the beginning: who uses a value stands behind it. */
static void find_views(Find *f)
{
    Emit *e = f->e;
    for (size_t i = 0; i < e->code.len; i++)
        if (makes_view(e, &e->code.at[i]) && e->code.at[i].u.wide->node->op == OP_BROADCAST)
            f->spread[e->code.at[i].u.wide->out[0].reg] = true;
    for (size_t i = e->code.len; i-- > 0;) {
        const Ins *ins = &e->code.at[i];
        if (ins->op == I_FUSED && group_takes(f, ins->u.wide))
            count_good(f, ins, true);
        else if (could_group(e, ins))
            count_copies(f, ins->u.wide);
        if (!makes_view(e, ins))
            continue;
        u32 v = ins->u.wide->out[0].reg;
        const Value *value = &e->values.at[v];
        f->view[v] =
            value->uses && f->good[v] == value->uses && !value->pinned && !value->loop_state;
        if (f->view[v])
            count_good(f, ins, false);
    }
}

static void take_view(Find *f, Wide *w, u32 k)
{
    Tiles *t = w->tiles;
    if (!t->stride)
        t->stride = plan_alloc(f->e->pl, w->nin, sizeof *t->stride);
    t->stride[k] = f->stride[w->in[k].reg];
    tile_fill_operand(f->e->pl, w, k, REPEAT_VIEW);
}

static void make_view(Find *f, Wide *w)
{
    i64 stride = f->view[w->in[0].reg] ? 0 : stride_of(w);
    w->eval = strided_eval(w->node->op);
    f->stride[w->out[0].reg] = stride > 1 && stride <= STRIDE_MOST ? stride : 0;
}

static bool reads_view(const Find *f, const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++)
        if (is_tensor(&w->in[k]) && f->view[w->in[k].reg])
            return true;
    return false;
}

void plan_views(Emit *e)
{
    Find f = {.e = e};
    f.good = xcalloc(e->values.len + 1, sizeof *f.good);
    f.view = xcalloc(e->values.len + 1, sizeof *f.view);
    f.spread = xcalloc(e->values.len + 1, sizeof *f.spread);
    f.stride = xcalloc(e->values.len + 1, sizeof *f.stride);
    plan_uses(e);
    find_views(&f);
    for (size_t i = 0; i < e->code.len; i++) {
        Ins *ins = &e->code.at[i];
        if (makes_view(e, ins) && f.view[ins->u.wide->out[0].reg])
            make_view(&f, ins->u.wide);
        if (could_group(e, ins) && reads_view(&f, ins->u.wide))
            emit_group_of(e, ins);
        for (u32 k = 0; ins->op == I_FUSED && k < ins->u.wide->nin; k++)
            if (is_tensor(&ins->u.wide->in[k]) && f.view[ins->u.wide->in[k].reg])
                take_view(&f, ins->u.wide, k);
    }
    free(f.good);
    free(f.view);
    free(f.spread);
    free(f.stride);
}
