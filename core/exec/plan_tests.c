/* Conditions on elements that only checks look at: the group that computes them tells whether all
 * hold, and stores none.
 *
 * Invariant: where one does not hold the group runs once more and makes all of them, so the check
 * fails with its own message. Such a group leaves its operands as they are until then. */
#include "exec/plan_work.h"

static bool checks(const Ins *ins)
{
    const Wide *w = ins->u.wide;
    return ins->op == I_ARRAY && w->node->op == OP_CHECK && w->out[0].reg == NO_REG &&
           w->in[0].reg == w->in[1].reg && w->in[0].kind == KIND_TENSOR;
}

/* Does it go over its elements a tile at a time, whatever it runs on? */
static bool is_plain(const Wide *w)
{
    const Tiles *t = w->tiles;
    int last = t->over.first + t->over.count;
    return !t->repeat && (!t->nfolds || last == node_rank(t->folds[0].node->ops[0]));
}

static bool is_reduced(const Wide *w, u32 column)
{
    for (u32 i = 0; i < w->tiles->nfolds; i++)
        if (w->tiles->folds[i].arg == column)
            return true;
    return false;
}

static bool may_be_tested(const Emit *e, const Wide *w, u32 k, const u32 *looks)
{
    const Tiles *t = w->tiles;
    const Value *v = &e->values.at[w->out[k].reg];
    return t->outs[k] != NO_REG && t->steps[t->outs[k]].to == DT_BOOL && !v->pinned && v->uses &&
           v->uses == looks[w->out[k].reg] && !is_reduced(w, w->nin + t->outs[k]);
}

static void test(Emit *e, Wide *w, u32 k)
{
    Tiles *t = w->tiles;
    Program *p = e->pl->p;
    if (!t->test) {
        t->test = plan_alloc(e->pl, w->nout, sizeof *t->test);
        for (u32 i = 0; i < w->nout; i++)
            t->test[i] = t->reuse[i] = NO_REG;
    }
    t->test[k] = t->nbuffers++;
    p->max_buffers = t->nbuffers > p->max_buffers ? t->nbuffers : p->max_buffers;
}

/* Bodies of loops have native code that knows only what is stored. */
void plan_tests(Emit *e)
{
    if (e->b != e->pl->p->root)
        return;
    u32 *looks = xcalloc(e->values.len + 1, sizeof *looks);
    bool *tested = xcalloc(e->values.len + 1, sizeof *tested);
    plan_uses(e);
    for (size_t i = 0; i < e->code.len; i++)
        if (checks(&e->code.at[i]))
            looks[e->code.at[i].u.wide->in[0].reg] += 2;
    for (size_t i = 0; i < e->code.len; i++) {
        Wide *w = e->code.at[i].op == I_FUSED ? e->code.at[i].u.wide : NULL;
        for (u32 k = 0; w && is_plain(w) && k < w->nout; k++)
            if (may_be_tested(e, w, k, looks)) {
                test(e, w, k);
                tested[w->out[k].reg] = true;
            }
    }
    for (size_t i = 0; i < e->code.len; i++)
        if (checks(&e->code.at[i]) && tested[e->code.at[i].u.wide->in[0].reg])
            e->code.at[i].op = I_CHECK_ALL;
    free(looks);
    free(tested);
}
