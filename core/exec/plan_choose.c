/* Short branches of scalars: both sides are computed and one is taken, so no frame is needed and
 * nothing jumps.
 *
 * Invariant: only where both sides surely run, on values that are there; so what is not taken shows
 * in nothing but time, and the bits are those of the side that is taken. */
#include "exec/plan_work.h"
#include "ops/cost.h"

static bool surely_runs(const Emit *e, const Block *b, u32 at)
{
    const Ins *ins = &b->code[at];
    switch ((InsOp)ins->op) {
    case I_END:
    case I_MOVE:
    case I_SELECT:
    case I_CAST:
    case I_I64_F64:
    case I_BOOL_F64:
    case I_BOOL_I64:
    case I_MASK:
    case I_SHIFT: return true;
    case I_KERNEL1:
    case I_KERNEL2: return node_is_total(e->pl->st, b->where[at]);
    default: break;
    }
    bool pair = ins->op >= I_ADD_ADD && ins->op <= I_MUL_MUL_R;
    bool select = ins->op >= I_SELECT_LT && ins->op <= I_SELECT_GE;
    return pair || select || (ins->op >= I_F64_NEG && node_is_total(e->pl->st, b->where[at]));
}

static bool is_choosable(const Emit *e, const Block *b)
{
    for (u32 i = 0; i < b->nparams; i++)
        if (b->params[i].kind >= KIND_TENSOR)
            return false;
    if (b->ntensors || b->ndelays || !args_are_scalars(b->outs, b->nouts))
        return false;
    for (u32 i = 0; i < b->ncode; i++)
        if (!surely_runs(e, b, i))
            return false;
    return true;
}

/* That much of what a branch costs both sides may: native code, too, runs both. */
enum { CALL_PARTS = 4 };

bool branches_are_chosen(const Emit *e, const Block *const side[2])
{
    return !(e->pl->flags & PLAN_PLAIN) &&
           side[0]->nanoseconds + side[1]->nanoseconds <= machine.call / CALL_PARTS &&
           is_choosable(e, side[0]) && is_choosable(e, side[1]);
}

/* The code of a block on these values for its parameters; caller frees the values of its results.
 */
static u32 *emit_block(Emit *e, const Block *b, const u32 *params)
{
    u32 *value = xmalloc(((size_t)b->nregs + 1) * sizeof *value);
    u32 *outs = xmalloc(((size_t)b->nouts + 1) * sizeof *outs);
    for (u32 i = 0; i < b->nparams; i++)
        value[b->params[i].reg] = params[i];
    for (u32 i = 0; i < b->nconstants; i++)
        value[b->constants[i].reg] =
            value_of_tensor(e, b->constants[i].value, b->kinds[b->constants[i].reg]);
    for (u32 i = 0; i < b->ncode; i++) {
        Ins ins = b->code[i];
        if (ins.op == I_END)
            continue;
        for (const char *f = ins_form((InsOp)ins.op); *f; f++)
            if (*f != 'd')
                *ins_field(&ins, *f) = value[*ins_field(&ins, *f)];
        if (ins.d != NO_REG)
            ins.d = value[ins.d] = value_new(e, b->kinds[ins.d]);
        e->at = b->where[i];
        *emit(e, (InsOp)ins.op, ins.d, ins.a, ins.b) = ins;
    }
    for (u32 k = 0; k < b->nouts; k++)
        outs[k] = value[b->outs[k].reg];
    free(value);
    return outs;
}

void emit_choice(Emit *e, const Wide *w)
{
    const Node *at = e->at;
    u32 *outs[2];
    for (int k = 0; k < 2; k++) {
        const Block *b = w->body[k];
        u32 *params = xmalloc(((size_t)b->nparams + 1) * sizeof *params);
        for (u32 i = 0; i < b->nparams; i++)
            params[i] = w->in[w->map[k][i]].reg;
        outs[k] = emit_block(e, b, params);
        free(params);
    }
    e->at = at;
    for (u32 k = 0; k < w->nout; k++)
        emit(e, I_SELECT, w->out[k].reg, w->in[0].reg, outs[0][k])->c = outs[1][k];
    free(outs[0]);
    free(outs[1]);
}
