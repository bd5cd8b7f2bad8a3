/* Loops that draw one number from each state of a sequence, as a vmap of a draw does: all lanes
 * are drawn together.
 *
 * Invariant: the loop does nothing else, and a draw cannot fail. */
#include "exec/plan_work.h"

typedef struct {
    Block *b;
    u32 element, value, next; /* registers; NO_REG: not met yet */
    Draws draws;
} Find;

static bool find_draw(Find *f, const Wide *w)
{
    bool draws = w->node->op == OP_UNIFORM || w->node->op == OP_NORMAL;
    if (!draws || w->nin != 1 || w->in[0].reg != f->element || f->draws.node)
        return false;
    f->draws.node = w->node;
    f->value = w->out[0].reg;
    f->next = w->nout > 1 ? w->out[1].reg : NO_REG;
    return true;
}

/* The trace takes the value that was drawn, or the state after it. */
static bool find_row(Find *f, u32 trace, u32 reg, bool state)
{
    f->draws.state[trace] = state;
    return f->draws.node && reg == (state ? f->next : f->value);
}

static bool find_ins(Find *f, const Ins *ins)
{
    switch ((InsOp)ins->op) {
    case I_SEQT: f->element = ins->d; return true;
    case I_ARRAY: return find_draw(f, ins->u.wide);
    case I_ROWT: return find_row(f, ins->c, ins->a, true);
    case I_ROW8:
    case I_LOOP_ROW8: {
        for (u32 k = 0; k < f->b->ntraces; k++)
            if (f->b->traces[k].pointer == ins->a)
                return find_row(f, k, ins->b, false);
        return false;
    }
    case I_DROP:
    case I_KEEP:
    case I_LOOP: return true;
    default: return false;
    }
}

void plan_draws(Planner *pl, Block *b)
{
    Find f = {.b = b, .element = NO_REG, .value = NO_REG, .next = NO_REG};
    if ((pl->flags & PLAN_PLAIN) || b->stop || b->ndelays || b->nstates || b->nseqs != 1 ||
        b->params[0].kind != KIND_TENSOR)
        return;
    f.draws.state = plan_alloc(pl, b->ntraces, sizeof *f.draws.state);
    for (u32 i = 0; i < b->ncode; i++)
        if (!find_ins(&f, &b->code[i]))
            return;
    if (!f.draws.node)
        return;
    b->draws = plan_alloc(pl, 1, sizeof *b->draws);
    *b->draws = f.draws;
}
