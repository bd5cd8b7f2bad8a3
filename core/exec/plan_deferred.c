/* Operands of fused groups that are made tile by tile, as they are read: numbers that count up,
 * random numbers, elements that are gathered. The array that they would be is never stored.
 *
 * Invariant: only fused groups read such an operand, and what takes time to make is read once. */
#include "exec/plan_work.h"
#include "ops/deferred.h"

typedef struct {
    Emit *e;
    u32 *good;  /* by value: uses that can read what is made tile by tile */
    bool *sunk; /* by value: one of these takes it in order, on one thread */
} Find;

/* Result 0 of it, if it can be deferred; NO_REG. Bodies of loops keep to memory of their own. */
static u32 deferrable(const Find *f, const Ins *ins)
{
    const Wide *w = ins->u.wide;
    if (ins->op != I_ARRAY || !w->nout || w->out[0].reg == NO_REG ||
        w->out[0].kind != KIND_TENSOR || !deferred_eval(w->node))
        return NO_REG;
    const Value *v = &f->e->values.at[w->out[0].reg];
    return v->pinned || v->loop_state ? NO_REG : w->out[0].reg;
}

/* What else it gives in full may have to be there row by row (plan_rows.c). */
static bool group_takes(const Wide *w)
{
    const Tiles *t = w->tiles;
    bool columns = t->nfolds && t->over.first + t->over.count < node_rank(t->folds[0].node->ops[0]);
    for (u32 k = 0; t->nfolds && !columns && k < w->nout; k++)
        if (t->outs[k] != NO_REG)
            return false;
    return true;
}

static bool runs_tiles(const Ins *ins) { return ins->op == I_FUSED || ins->op == I_SINKS; }

static void count_good(Find *f, const Wide *w)
{
    for (u32 k = 0; k < w->nin - w->tiles->nbases; k++) {
        f->good[w->in[k].reg] += w->in[k].kind == KIND_TENSOR && !tile_repeat(w->tiles, k);
        f->sunk[w->in[k].reg] |= w->tiles->nsinks > 0;
    }
}

static void defer_operand(Emit *e, Wide *w, u32 k)
{
    Tiles *t = w->tiles;
    if (!t->deferred)
        t->deferred = plan_alloc(e->pl, w->nin, sizeof *t->deferred);
    t->deferred[k] = true;
    t->ndeferred++;
    tile_fill_operand(e->pl, w, k, REPEAT_NOT);
}

/* Counting up is no work; the rest is made once, and by threads. */
static bool is_deferred(const Find *f, const Ins *ins, u32 v)
{
    const Value *value = &f->e->values.at[v];
    bool few = ins->u.wide->node->op == OP_IOTA || (value->uses == 1 && !f->sunk[v]);
    return value->uses && few && f->good[v] == value->uses;
}

void plan_deferred(Emit *e)
{
    Find f = {.e = e};
    if (e->b != e->pl->p->root)
        return;
    f.good = xcalloc(e->values.len + 1, sizeof *f.good);
    f.sunk = xcalloc(e->values.len + 1, sizeof *f.sunk);
    bool *deferred = xcalloc(e->values.len + 1, sizeof *deferred);
    plan_uses(e);
    for (size_t i = 0; i < e->code.len; i++)
        if (runs_tiles(&e->code.at[i]) && group_takes(e->code.at[i].u.wide))
            count_good(&f, e->code.at[i].u.wide);
    for (size_t i = 0; i < e->code.len; i++) {
        const Ins *ins = &e->code.at[i];
        u32 v = deferrable(&f, ins);
        if (v == NO_REG || !is_deferred(&f, ins, v))
            continue;
        deferred[v] = true;
        ins->u.wide->eval = deferred_eval(ins->u.wide->node);
    }
    for (size_t i = 0; i < e->code.len; i++) {
        const Ins *ins = &e->code.at[i];
        for (u32 k = 0; runs_tiles(ins) && k < ins->u.wide->nin; k++)
            if (deferred[ins->u.wide->in[k].reg])
                defer_operand(e, ins->u.wide, k);
    }
    free(f.good);
    free(f.sunk);
    free(deferred);
}
