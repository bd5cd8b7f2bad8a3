/* The last pass of the planner: liveness (last uses and releases) and register allocation.
 *
 * Invariant: every tensor that code writes is released, moved or handed on exactly once
 * on each run of the code; pinned values never are. A value that an instruction uses for
 * the last time is moved into it, so that it may be changed in place. */
#include "exec/plan_work.h"

static const char *const forms[I_COUNT] = {
#define INS(NAME, FORM) [I_##NAME] = FORM,
    INSTRUCTIONS(INS)
#undef INS
#define ELEM1(ID, ...) \
    [I_F64_##ID] = "da", [I_F32_##ID] = "da", [I_INT_##ID] = "da", [I_BOOL_##ID] = "da",
#define ELEM2(ID, ...) \
    [I_F64_##ID] = "dab", [I_F32_##ID] = "dab", [I_INT_##ID] = "dab", [I_BOOL_##ID] = "dab",
#include "ops/elem.def"
};

const char *ins_form(InsOp op) { return forms[op]; }

u32 *ins_field(Ins *ins, char letter)
{
    switch (letter) {
    case 'd': return &ins->d;
    case 'a': return &ins->a;
    case 'b': return &ins->b;
    case 'c': return &ins->c;
    default: return &ins->x;
    }
}

bool ins_is_wide(InsOp op) { return op >= I_ARRAY && op <= I_SCAN; }

bool ins_is_index(InsOp op) { return op >= I_INDEX8 && op <= I_INDEX1; }

/* ---- uses ---- */

static void use(Emit *e, u32 v, i64 at)
{
    Value *x = &e->values.at[v];
    x->first = x->uses++ ? x->first : at;
    x->last = at;
}

static void define(Emit *e, u32 v, i64 at)
{
    if (v != NO_REG && e->values.at[v].def < 0)
        e->values.at[v].def = at;
}

void plan_uses(Emit *e)
{
    for (size_t v = 0; v < e->values.len; v++) {
        e->values.at[v].first = e->values.at[v].last = e->values.at[v].def = -1;
        e->values.at[v].uses = 0;
    }
    for (size_t i = 0; i < e->code.len; i++) {
        Ins *ins = &e->code.at[i];
        if (ins->op == I_DROP) /* of a state: only if nothing else uses it */
            continue;
        for (const char *f = forms[ins->op]; *f; f++)
            if (*f != 'd')
                use(e, *ins_field(ins, *f), (i64)i);
            else
                define(e, ins->d, (i64)i);
        if (!ins_is_wide((InsOp)ins->op))
            continue;
        Wide *w = ins->u.wide;
        for (u32 k = 0; k < w->nin; k++)
            use(e, w->in[k].reg, (i64)i);
        for (u32 k = 0; k < w->nout; k++)
            if (ins->op == I_DELAY && !w->body[0])
                use(e, w->out[k].reg, (i64)i); /* it is there already */
            else
                define(e, w->out[k].reg, (i64)i);
    }
    for (u32 k = 0; k < e->b->nouts; k++)
        use(e, e->b->outs[k].reg, (i64)e->code.len - 1);
}

/* ---- registers ---- */

static void number_registers(Emit *e)
{
    Block *b = e->b;
    u32 nscalars = 0, nconstants = 0;
    for (int pass = 0; pass < 2; pass++) /* tensor constants first */
        for (size_t i = 0; i < e->values.len; i++) {
            Value *v = &e->values.at[i];
            bool constant = v->constant != NULL;
            if (v->written && v->kind == KIND_TENSOR && constant == !pass)
                v->reg = b->ntensors++;
            if (!pass)
                b->nshared = b->ntensors;
        }
    for (size_t i = 0; i < e->values.len; i++) {
        Value *v = &e->values.at[i];
        if (v->written && v->kind != KIND_TENSOR)
            v->reg = b->ntensors + nscalars++;
        nconstants += v->written && v->constant;
    }
    b->nregs = b->ntensors + nscalars;
    b->kinds = plan_alloc(e->pl, b->nregs, sizeof *b->kinds);
    for (size_t i = 0; i < e->values.len; i++)
        if (e->values.at[i].written)
            b->kinds[e->values.at[i].reg] = e->values.at[i].kind;
    b->constants = plan_alloc(e->pl, nconstants, sizeof *b->constants);
    for (size_t i = 0; i < e->values.len; i++)
        if (e->values.at[i].written && e->values.at[i].constant) {
            b->constants[b->nconstants].reg = e->values.at[i].reg;
            b->constants[b->nconstants++].value = e->values.at[i].constant;
        }
}

static u32 reg_of(Emit *e, u32 v) { return v == NO_REG ? NO_REG : e->values.at[v].reg; }

static void number_slots(Emit *e, Slot *slots, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        slots[i].reg = reg_of(e, slots[i].reg);
        slots[i].source = reg_of(e, slots[i].source);
        slots[i].pointer = reg_of(e, slots[i].pointer);
    }
}

/* ---- rewriting ---- */

typedef struct {
    Emit *e;
    VEC(Ins) code;
    VEC(const Node *) where;
} Finish;

static void put(Finish *f, Ins ins, const Node *where)
{
    vec_push(&f->code, ins);
    vec_push(&f->where, where);
}

static void put_drop(Finish *f, u32 v, const Node *where)
{
    put(f, (Ins){.op = I_DROP, .a = f->e->values.at[v].reg}, where);
}

static bool ends_at(const Emit *e, u32 v, i64 at)
{
    const Value *x = &e->values.at[v];
    return x->kind == KIND_TENSOR && !x->pinned && x->last == at;
}

/* The last occurrence of a value in the list moves it. */
static void move_args(Emit *e, Arg *args, u32 n, i64 at)
{
    for (u32 k = n; k-- > 0;) {
        Value *v = &e->values.at[args[k].reg];
        v->twice = v->seen == at + 1;
        v->seen = at + 1;
        args[k].move = !v->twice && ends_at(e, args[k].reg, at);
    }
}

/* The register stays until after the operation; two uses in one are safe only elementwise. */
static void array_moves(Emit *e, Wide *w)
{
    w->kill = plan_alloc(e->pl, w->nin, sizeof *w->kill);
    for (u32 k = 0; k < w->nin; k++) {
        const Value *v = &e->values.at[w->in[k].reg];
        if (w->in[k].move)
            w->kill[w->nkill++] = v->reg;
        bool twice = v->twice && w->node->op != OP_FUSED && !op_is_elementwise(w->node->op);
        w->in[k].move = w->in[k].move && !twice;
    }
}

static void finish_wide(Finish *f, Ins *ins, i64 at)
{
    Emit *e = f->e;
    Wide *w = ins->u.wide;
    u32 *unused = xmalloc(((size_t)w->nout + 1) * sizeof *unused), nunused = 0;
    move_args(e, w->in, w->nin, at);
    if (ins->op == I_ARRAY || ins->op == I_PUT || ins->op == I_FUSED || ins->op == I_SINKS ||
        ins->op == I_CHECK_ALL)
        array_moves(e, w);
    for (u32 k = 0; k < w->nin; k++)
        w->in[k].reg = reg_of(e, w->in[k].reg);
    for (u32 k = 0; k < w->nout; k++) {
        u32 v = w->out[k].reg;
        if (w->out[k].room)
            w->out[k].room->reg = reg_of(e, w->out[k].room->reg);
        if (v != NO_REG && ends_at(e, v, -1))
            unused[nunused++] = v;
        w->out[k].reg = reg_of(e, v);
    }
    for (u32 k = 0; ins->op == I_DELAY && k < w->nout; k++)
        w->lazy[k] = reg_of(e, w->lazy[k]);
    put(f, *ins, e->where.at[at]);
    for (u32 k = 0; k < nunused; k++)
        put_drop(f, unused[k], e->where.at[at]);
    free(unused);
    e->b->heavy = e->b->heavy || (ins->op != I_PUT && ins->op != I_DELAY);
}

static void finish_plain(Finish *f, Ins ins, i64 at)
{
    Emit *e = f->e;
    const Node *where = e->where.at[at];
    u32 drops[8], ndrops = 0;
    if (ins.op == I_DROP) {
        if (ends_at(e, ins.a, -1))
            put_drop(f, ins.a, where);
        return;
    }
    if (ins.op == I_TAKE && !ends_at(e, ins.a, at))
        ins.op = I_SHARE;
    if (ins.op == I_KEEP) {
        if (ends_at(e, ins.a, at))
            put_drop(f, ins.a, where);
        return;
    }
    bool hands_on = ins.op == I_TAKE || ins.op == I_SHARE;
    for (const char *p = forms[ins.op]; *p; p++) {
        u32 *field = ins_field(&ins, *p), v = *field;
        if (!hands_on && ends_at(e, v, *p == 'd' ? -1 : at))
            drops[ndrops++] = v;
        *field = reg_of(e, v);
    }
    if (ins_is_index((InsOp)ins.op))
        for (u32 k = 0; k < 2; k++)
            ins.u.wide->in[k].reg = reg_of(e, ins.u.wide->in[k].reg);
    put(f, ins, where);
    for (u32 k = 0; k < ndrops; k++)
        put_drop(f, drops[k], where);
}

void plan_finish(Emit *e)
{
    if (!(e->pl->flags & PLAN_PLAIN)) {
        plan_repeats(e);
        plan_views(e);
        plan_sinks(e);
        plan_deferred(e);
        plan_tests(e);
        plan_rooms(e);
        plan_peephole(e);
    }
    plan_uses(e);
    number_registers(e);
    Finish f = {.e = e};
    e->b->ndelays = (u32)e->delays.len;
    e->b->delays = plan_alloc(e->pl, e->delays.len, sizeof *e->b->delays);
    for (size_t i = 0; i < e->delays.len; i++) {
        e->b->delays[i] = e->delays.at[i];
        e->b->nlazy += e->delays.at[i]->nout;
    }
    move_args(e, e->b->outs, e->b->nouts, (i64)e->code.len - 1);
    for (size_t i = 0; i < e->code.len; i++)
        if (ins_is_wide((InsOp)e->code.at[i].op))
            finish_wide(&f, &e->code.at[i], (i64)i);
        else
            finish_plain(&f, e->code.at[i], (i64)i);
    number_slots(e, e->b->params, e->b->nparams);
    number_slots(e, e->b->traces, e->b->ntraces);
    for (u32 k = 0; k < e->b->nouts; k++)
        e->b->outs[k].reg = reg_of(e, e->b->outs[k].reg);
    e->b->code = f.code.at;
    e->b->ncode = (u32)f.code.len;
    e->b->where = f.where.at;
    if (!(e->pl->flags & PLAN_PLAIN))
        plan_rows(e->pl, e->b);
    plan_prices(e->b);
}
