/* Operands of fused groups that are a smaller array repeated: x once for each element of new last
 * axes, or whole for each element of new first axes. A tile of them is filled when it is needed;
 * the large array is never made.
 *
 * Invariant: an operation sees the operands that it would have seen. */
#include "exec/plan_work.h"

/* How the operand of a broadcast is repeated; REPEAT_NOT: in another way. */
static u8 repeat_of(const Node *n)
{
    if (n->op != OP_BROADCAST || !n->ops[0]->type->rank)
        return REPEAT_NOT;
    const Type *x = n->ops[0]->type;
    const IntList *axes = n->attrs[0].ints;
    int rank = x->rank;
    while (rank && size_is(x->dims[rank - 1], 1)) /* as good as no axes, if these are the last */
        rank--;
    bool first = rank > 0, last = x->rank < n->type->rank;
    for (int i = 0; i < x->rank; i++) {
        int at = (int)axes->at[i];
        bool same = x->dims[i] == n->type->dims[at];
        first = first && at == i && (same || i >= rank);
        last = last && at == n->type->rank - x->rank + i && same;
    }
    return rank == n->type->rank ? REPEAT_NOT
           : first               ? REPEAT_EACH
           : last                ? REPEAT_ALL
                                 : REPEAT_NOT;
}

typedef struct {
    Emit *e;
    u32 *uses; /* by value: those that are no operands of elementwise groups */
} Find;

static bool is_group(const Ins *ins)
{
    const Wide *w = ins->u.wide;
    return ins->op == I_FUSED || (ins->op == I_ARRAY && w->nout == 1 && fused_elementwise(w->node));
}

/* The broadcast that gives such a value; NULL: none does. */
static Ins *broadcast_of(const Find *f, u32 v)
{
    i64 def = f->e->values.at[v].def;
    Ins *ins = def >= 0 ? &f->e->code.at[def] : NULL;
    return ins && ins->op == I_ARRAY && repeat_of(ins->u.wide->node) ? ins : NULL;
}

/* An array that is no such operand tells how many elements there are. */
static bool has_like(const Find *f, const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++)
        if (w->in[k].kind == KIND_TENSOR && !broadcast_of(f, w->in[k].reg))
            return true;
    return false;
}

/* The last value of `uses`: how often a value is read where it must be there in full. */
static void count_uses(Find *f)
{
    Emit *e = f->e;
    plan_uses(e);
    for (size_t v = 0; v < e->values.len; v++)
        f->uses[v] = e->values.at[v].uses + (e->values.at[v].pinned || e->values.at[v].loop_state);
    for (size_t i = 0; i < e->code.len; i++) {
        const Ins *ins = &e->code.at[i];
        if (is_group(ins) && has_like(f, ins->u.wide))
            for (u32 k = 0; k < ins->u.wide->nin; k++)
                f->uses[ins->u.wide->in[k].reg]--;
    }
}

void emit_group_of(Emit *e, Ins *ins)
{
    Wide *w = ins->u.wide;
    u32 *columns = xmalloc(((size_t)w->nin + 1) * sizeof *columns);
    Tiles *t = w->tiles = plan_alloc(e->pl, 1, sizeof *t);
    ins->op = I_FUSED;
    t->nsteps = tile_step_count(w->node);
    t->steps = plan_alloc(e->pl, t->nsteps, sizeof *t->steps);
    t->size = plan_alloc(e->pl, w->nin, 1);
    t->outs = plan_alloc(e->pl, 1, sizeof *t->outs);
    t->reuse = plan_alloc(e->pl, 1, sizeof *t->reuse);
    for (u32 k = 0; k < w->nin; k++) {
        columns[k] = k;
        t->size[k] = w->in[k].kind == KIND_TENSOR ? (u8)dtype_size(node_dtype(w->node->ops[k])) : 0;
    }
    tile_steps_of(w->node, columns, w->nin, t->steps);
    t->outs[0] = t->nsteps - 1;
    t->steps[t->nsteps - 1].out = 0;
    for (u32 i = 0; i + 1 < t->nsteps; i++)
        t->steps[i].buffer = t->nbuffers++;
    t->reuse[0] = NO_REG;
    for (u32 k = 0; k < w->nin && t->nsteps == 1 && t->steps[0].kind == TILE_2; k++)
        if (t->size[k] && t->reuse[0] == NO_REG && !e->values.at[w->in[k].reg].constant)
            t->reuse[0] = k;
    plan_room(e->pl, w->nin + t->nsteps, t->nbuffers);
    free(columns);
}

static void repeat_operand(Find *f, Wide *w, u32 k)
{
    Emit *e = f->e;
    const Wide *from = broadcast_of(f, w->in[k].reg)->u.wide;
    tile_fill_operand(e->pl, w, k, repeat_of(from->node));
    w->in[k] = arg_of(e, from->in[0].reg);
}

static void repeat_operands(Find *f, Ins *ins)
{
    Emit *e = f->e;
    Wide *w = ins->u.wide;
    bool *full = xcalloc((size_t)w->nin + 1, sizeof *full);
    bool any = false, like = has_like(f, w);
    for (u32 k = 0; k < w->nin; k++) {
        u32 v = w->in[k].reg;
        full[k] = !like || !broadcast_of(f, v) || f->uses[v];
        any = any || !full[k];
    }
    if (any && ins->op == I_ARRAY)
        emit_group_of(e, ins);
    for (u32 k = 0; k < w->nin; k++)
        if (!full[k])
            repeat_operand(f, w, k);
    free(full);
}

static void remove_unused(Find *f)
{
    Emit *e = f->e;
    plan_uses(e);
    for (size_t v = 0; v < e->values.len; v++) {
        Ins *made = e->values.at[v].uses ? NULL : broadcast_of(f, (u32)v);
        if (made) {
            e->values.at[v].written = false;
            made->op = I_GONE;
        }
    }
    plan_compact(e);
}

void plan_repeats(Emit *e)
{
    Find f = {.e = e};
    f.uses = xcalloc(e->values.len + 1, sizeof *f.uses);
    count_uses(&f);
    for (size_t i = 0; i < e->code.len; i++)
        if (is_group(&e->code.at[i]))
            repeat_operands(&f, &e->code.at[i]);
    remove_unused(&f);
    free(f.uses);
}
