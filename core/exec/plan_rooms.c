/* Joins of a computed array with parts of known lengths: what computes it leaves room around it,
 * and the join puts the other parts there (eval_concat).
 *
 * Invariant: the array is a view of the whole, which nothing else sees until it is joined; so a
 * second join of it, or one whose lengths are not as planned, makes a copy. */
#include "exec/plan_work.h"

/* -1: not known */
static i64 length_of(const Node *part)
{
    i64 n;
    return size_is_const(part->type->dims[0], &n) ? n : -1;
}

/* Which operand can be computed where it belongs: the only one whose length is not known, or the
 * longest; -1: none. */
static int longest_part(const Node *n)
{
    int found = 0, unknown = 0;
    for (int k = 0; k < (int)n->nops; k++) {
        unknown += length_of(n->ops[k]) < 0;
        if (length_of(n->ops[k]) < 0 ||
            (!unknown && length_of(n->ops[k]) > length_of(n->ops[found])))
            found = k;
    }
    return unknown > 1 ? -1 : found;
}

static void leave_room(Emit *e, const Wide *w)
{
    int k = longest_part(w->node);
    if (k < 0)
        return;
    Value *v = &e->values.at[w->in[k].reg];
    if (v->pinned || v->loop_state || v->room.before || v->room.after)
        return;
    for (int i = 0; i < (int)w->nin; i++)
        if (i != k)
            *(i < k ? &v->room.before : &v->room.after) += length_of(w->node->ops[i]);
}

/* Bodies of loops keep to memory of their own. */
void plan_rooms(Emit *e)
{
    for (size_t i = 0; i < e->code.len && e->b == e->pl->p->root; i++) {
        const Ins *ins = &e->code.at[i];
        if (ins->op == I_ARRAY && ins->u.wide->node->op == OP_CONCAT &&
            !ins->u.wide->node->attrs[0].i)
            leave_room(e, ins->u.wide);
    }
}

void plan_make_rooms(Emit *e)
{
    for (size_t i = 0; i < e->code.len && e->b == e->pl->p->root; i++) {
        const Ins *ins = &e->code.at[i];
        Wide *w = ins->op == I_FUSED || ins->op == I_SINKS ? ins->u.wide : NULL;
        for (u32 k = 0; w && k < w->nout; k++) {
            const Margin *room = &e->values.at[w->out[k].reg].room;
            if (!(room->before || room->after))
                continue;
            if (!w->room)
                w->room = plan_alloc(e->pl, w->nout, sizeof *w->room);
            w->room[k] = *room;
        }
    }
}
