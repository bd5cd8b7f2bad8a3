/* Where a program may take over the values of variables that are about to get its results.
 *
 * Invariant: what comes after I_LEND either fails before it writes to an operand, or does not fail:
 * it allocates nothing once an operand is its own, and polls say yes (vm_poll). */
#include "exec/plan_work.h"

/* Arithmetic that no element can fail. */
static bool is_total(const Node *n)
{
    bool total = op_is_elementwise(n->op) && dtype_is_float(n->type->dtype);
    for (u32 k = 0; k < n->nops; k++)
        total = total && dtype_is_float(n->ops[k]->type->dtype);
    return total;
}

/* One element or slice that is replaced, whose place is looked at first; arithmetic; or one fused
 * group with one result in the room of an operand. */
static bool can_overwrite(const Ins *ins)
{
    bool wide = ins->op == I_PUT || ins->op == I_ARRAY || ins->op == I_FUSED;
    const Wide *w = wide ? ins->u.wide : NULL;
    if (!w || w->nout != 1 || w->out[0].kind != KIND_TENSOR)
        return false;
    if (ins->op == I_FUSED)
        return !w->tiles->nfolds && w->tiles->reuse[0] != NO_REG;
    return w->node->op == OP_SET_INDEX || w->node->op == OP_SET_SLICE || is_total(w->node);
}

/* It only hands on what there is. */
static bool only_hands_on(const Ins *ins)
{
    return ins->op == I_DROP || ins->op == I_TAKE || ins->op == I_SHARE || ins->op == I_MOVE ||
           ins->op == I_END;
}

/* Scalar results are given boxes, for which there may be no memory. */
static bool results_are_there(const Block *b)
{
    for (u32 k = 0; k < b->nouts; k++)
        if (b->outs[k].kind != KIND_TENSOR)
            return false;
    return true;
}

/* Then operands are read again after parts of the result were made. */
static bool runs_by_rows(const Block *b, u32 at)
{
    for (u32 i = 0; i < at; i++)
        if (b->code[i].op == I_ROWS && at <= i + b->code[i].u.sweep->count)
            return true;
    return false;
}

void program_lends(Program *p)
{
    Block *b = p->root;
    u32 at = b->ncode;
    while (at && only_hands_on(&b->code[at - 1]))
        at--;
    if (!at || !can_overwrite(&b->code[at - 1]) || !results_are_there(b))
        return;
    at--;
    if (runs_by_rows(b, at))
        return;
    u32 after = b->ncode - at;
    b->code = xrealloc(b->code, ((size_t)b->ncode + 1) * sizeof *b->code);
    b->where = xrealloc(b->where, ((size_t)b->ncode + 1) * sizeof *b->where);
    memmove(b->code + at + 1, b->code + at, after * sizeof *b->code);
    memmove(b->where + at + 1, b->where + at, after * sizeof *b->where);
    b->code[at] = (Ins){.op = I_LEND};
    b->ncode++;
}
