/* Superinstructions: fewer, bigger instructions for scalar code.
 *
 * Invariant: the bits of every result stay the same; nothing is contracted or reordered.
 * An instruction is only moved to the place where its one result is used. */
#include "exec/plan_work.h"

enum {
    MOST_MERGES = 64, /* of states: each goes through the code once more */
    MOST_CODE = 20000 /* straight-line code this long runs once: not worth it */
};

void plan_compact(Emit *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->code.len; i++)
        if (e->code.at[i].op != I_GONE) {
            e->code.at[n] = e->code.at[i];
            e->where.at[n++] = e->where.at[i];
        }
    e->code.len = e->where.len = n;
}

static bool writes(const Ins *ins, u32 v)
{
    if (v == NO_REG)
        return false;
    if (ins->d == v)
        return true;
    const Wide *w = ins_is_wide((InsOp)ins->op) ? ins->u.wide : NULL;
    for (u32 k = 0; w && k < w->nout; k++)
        if (w->out[k].reg == v)
            return true;
    return false;
}

/* ---- pairs of operations ---- */

/* The instruction that computes v for this one user only, if it has one of these codes. */
static Ins *producer(Emit *e, u32 v, const InsOp *among, int n, int *which)
{
    const Value *x = &e->values.at[v];
    if (x->uses != 1 || x->def < 0 || x->loop_state)
        return NULL;
    Ins *ins = &e->code.at[x->def];
    for (int i = 0; i < n; i++)
        if (ins->op == among[i]) {
            *which = i;
            return ins;
        }
    return NULL;
}

static const InsOp arithmetic[] = {I_F64_ADD, I_F64_SUB, I_F64_MUL};
static const InsOp compares[] = {I_F64_LT, I_F64_LE, I_F64_GT, I_F64_GE};

static int find_op(u16 op, const InsOp *among, int n)
{
    for (int i = 0; i < n; i++)
        if (op == among[i])
            return i;
    return -1;
}

static void join_arithmetic(Emit *e, Ins *ins)
{
    static const InsOp pairs[3][3] = {{I_ADD_ADD, I_ADD_SUB, I_ADD_MUL},
                                      {I_SUB_ADD, I_SUB_SUB, I_SUB_MUL},
                                      {I_MUL_ADD, I_MUL_SUB, I_MUL_MUL}};
    int second = find_op(ins->op, arithmetic, 3), first;
    if (second < 0)
        return;
    bool right = false;
    Ins *from = producer(e, ins->a, arithmetic, 3, &first);
    if (!from) {
        right = true;
        from = producer(e, ins->b, arithmetic, 3, &first);
    }
    if (!from)
        return;
    ins->c = right ? ins->a : ins->b;
    ins->a = from->a;
    ins->b = from->b;
    ins->op = (u16)(pairs[first][second] + right); /* the _R form follows */
    from->op = I_GONE;
}

/* Nothing between the two writes what `early` reads: states are written at the end. */
static bool still_true(const Ins *early, const Ins *late)
{
    for (const Ins *k = early + 1; k < late; k++)
        if (writes(k, early->a) || writes(k, early->b))
            return false;
    return true;
}

static void join_compare(Emit *e, Ins *ins)
{
    int which;
    Ins *from = producer(e, ins->a, compares, 4, &which);
    if (!from || !still_true(from, ins))
        return;
    if (ins->op == I_SELECT) {
        ins->x = ins->c;
        ins->c = ins->b;
        ins->op = (u16)(I_SELECT_LT + which);
    } else {
        ins->op = (u16)(I_STOP_LT + which);
    }
    ins->a = from->a;
    ins->b = from->b;
    from->op = I_GONE;
}

static void join_pairs(Emit *e)
{
    plan_uses(e);
    for (size_t i = 0; i < e->code.len; i++) {
        join_arithmetic(e, &e->code.at[i]);
        if (e->code.at[i].op == I_SELECT)
            join_compare(e, &e->code.at[i]);
    }
    plan_compact(e);
}

/* ---- states computed in place ---- */

static void rename_everywhere(Emit *e, u32 from, u32 to)
{
    for (size_t i = 0; i < e->code.len; i++) {
        Ins *ins = &e->code.at[i];
        for (const char *f = ins_form((InsOp)ins->op); *f; f++)
            if (*ins_field(ins, *f) == from)
                *ins_field(ins, *f) = to;
        if (!ins_is_wide((InsOp)ins->op) && !ins_is_index((InsOp)ins->op))
            continue;
        Wide *w = ins->u.wide;
        for (u32 k = 0; k < w->nin; k++)
            if (w->in[k].reg == from)
                w->in[k].reg = to;
        for (u32 k = 0; k < w->nout; k++)
            if (w->out[k].reg == from)
                w->out[k].reg = to;
    }
    e->values.at[from].written = false;
}

/* MOVE state <- v, v computed after the last use of the old state: v is computed there. */
static void merge_states(Emit *e)
{
    u32 merged = 0;
    for (size_t i = 0; i < e->code.len && merged < MOST_MERGES; i++) {
        Ins *move = &e->code.at[i];
        if (move->op != I_MOVE || !e->values.at[move->d].loop_state)
            continue;
        plan_uses(e);
        const Value *v = &e->values.at[move->a], *p = &e->values.at[move->d];
        if (v->loop_state || v->pinned || v->def < 0 || p->last > v->def ||
            e->code.at[v->def].op == I_MOVE)
            continue;
        u32 from = move->a, to = move->d;
        move->op = I_GONE;
        plan_compact(e);
        i--;
        merged++;
        rename_everywhere(e, from, to);
    }
}

/* ---- the end of a loop ---- */

static void join_end(Emit *e)
{
    size_t last = e->code.len - 1;
    Ins *loop = &e->code.at[last];
    if (loop->op != I_LOOP || !last)
        return;
    if (e->code.at[last - 1].op == I_STOP) {
        plan_uses(e);
        join_compare(e, &e->code.at[last - 1]);
        plan_compact(e);
        return;
    }
    for (size_t i = last; i-- > 0;) {
        Ins row = e->code.at[i];
        bool free_to_move = row.op == I_ROW8;
        for (size_t k = i + 1; k < last && free_to_move; k++)
            free_to_move = !writes(&e->code.at[k], row.b);
        if (!free_to_move)
            continue;
        loop->op = I_LOOP_ROW8;
        loop->a = row.a;
        loop->b = row.b;
        e->code.at[i].op = I_GONE;
        plan_compact(e);
        return;
    }
}

void plan_peephole(Emit *e)
{
    if (e->code.len > MOST_CODE)
        return;
    join_pairs(e);
    if (!e->b->loop)
        return;
    merge_states(e);
    join_end(e);
}
