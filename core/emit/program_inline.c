/* Calls, branches and loops of scalars, written into the function of the loop around them.
 *
 * Invariant: what such a block reads comes in as variables and what it gives goes out as variables,
 * so no frame is needed. */
#include "emit/elem_text.h"
#include "emit/program_write.h"
#include "exec/plan_work.h"

/* ---- what can be ---- */

static bool fits(const Ins *ins, int depth);

/* `rows`: its traces are looked at by others. */
static bool code_fits(const Block *b, int depth, bool rows)
{
    u32 tensors = 0; /* sequences, of whose memory only elements are read */
    for (u32 i = 0; i < b->nparams; i++) {
        if (b->params[i].kind >= KIND_TENSOR)
            return false;
        tensors += b->params[i].source != NO_REG;
    }
    if (b->ntensors != tensors || b->ndelays || (b->ntraces && !rows) || depth > MOST_DEPTH)
        return false;
    for (u32 i = 0; i < b->ncode; i++) {
        const Ins *ins = &b->code[i];
        bool outside = ins->op == I_LEAF || ins->op == I_SIZE;
        if (outside || (ins_is_wide((InsOp)ins->op) && !fits(ins, depth)))
            return false;
    }
    return args_are_scalars(b->outs, b->nouts);
}

static bool block_fits(const Block *b, int depth) { return code_fits(b, depth, false); }

/* Not so a loop that is no count, or may stop, whose end is checked. */
static bool fits(const Ins *ins, int depth)
{
    const Wide *w = ins->u.wide;
    if (!args_are_scalars(w->out, w->nout))
        return false;
    if (ins->op == I_SCAN)
        /* the sequences of a loop are in the frame of the function */
        return w->body[0] && !w->go && !(w->exact && w->stop) && (!depth || !w->body[0]->nseqs) &&
               block_fits(w->body[0], depth + 1);
    bool branch = ins->op == I_IF;
    return (branch || ins->op == I_CALL) && args_are_scalars(w->in, w->nin) &&
           block_fits(w->body[0], depth + 1) && (!branch || block_fits(w->body[1], depth + 1));
}

static int depth_of(const Scope *s)
{
    int depth = 0;
    for (; s->up; s = s->up)
        depth++;
    return depth;
}

/* ---- writing ---- */

static Scope inner(const Scope *s, const Block *b)
{
    Scope in = {
        .w = s->w, .b = b, .up = s, .number = (*s->next)++, .next = s->next, .depth = s->depth + 1};
    scope_open(&in);
    for (u32 i = 0; i < b->nconstants; i++) { /* those that have no literal */
        u32 reg = b->constants[i].reg;
        if (reg >= b->ntensors && !in.constant[reg])
            say(&in, "const %s %s = *(const %s *)T[%u];", c_type((DType)b->kinds[reg]),
                name_of(&in, reg).at, c_type((DType)b->kinds[reg]),
                place_of(s->w, b->constants[i].value->data));
    }
    return in;
}

static void param(const Scope *in, u32 i, const Arg *arg)
{
    const Slot *p = &in->b->params[i];
    say(in, "%s%s %s = %s;", in->state[p->reg] ? "" : "const ", c_type((DType)p->kind),
        name_of(in, p->reg).at, value_of_reg(in->up, arg->reg).at);
}

static void declare_results(const Scope *s, const Wide *w)
{
    for (u32 k = 0; k < w->nout; k++)
        if (w->out[k].reg != NO_REG && w->out[k].kind < KIND_TENSOR && !s->state[w->out[k].reg])
            say(s, "%s %s;", c_type((DType)w->out[k].kind), name_of(s, w->out[k].reg).at);
}

/* A block that runs once: its parameters, its code, its results. */
static void write_block(const Scope *s, const Wide *w, int which)
{
    const Block *b = w->body[which];
    Scope in = inner(s, b);
    for (u32 i = 0; i < b->nparams; i++)
        param(&in, i, &w->in[w->map[which] ? w->map[which][i] : i]);
    for (u32 i = 0; i < b->ncode; i++)
        write_ins(&in, i);
    for (u32 k = 0; k < b->nouts; k++)
        if (w->out[k].reg != NO_REG)
            say(&in, "%s = %s;", name_of(s, w->out[k].reg).at,
                value_of_reg(&in, b->outs[k].reg).at);
    scope_close(&in);
}

static void write_branches(const Scope *s, const Wide *w)
{
    declare_results(s, w);
    say(s, "if (%s) {", value_of_reg(s, w->in[0].reg).at);
    write_block(s, w, 0);
    say(s, "} else {");
    write_block(s, w, 1);
    say(s, "}");
}

/* More steps than rows, or fewer than none: the machine makes the message. */
static void check_steps(const Scope *s, const Ins *ins, u32 number)
{
    const Wide *w = ins->u.wide;
    const Block *b = w->body[0];
    Text bad = {0};
    text_printf(&bad, "count%u < 0", number);
    for (u32 i = b->nstates; i < b->nstates + b->nseqs; i++)
        text_printf(&bad, " || count%u > SHAPE(r[%u].t)[0]", number, w->in[1 + i].reg);
    say(s, "const i64 count%u = %s;", number, value_of_reg(s, w->in[0].reg).at);
    say(s, "if (UNLIKELY(%s)) {", text_str(&bad));
    text_free(&bad);
    spill(s, w->in, w->nin);
    say(s, "    scan(vm, T[%u], r);", place_of(s->w, w));
    say(s, "    %s", failed(s).at);
    say(s, "}");
}

/* Where sequences are, and traces in a loop over arrays of known shapes. */
static void write_rows(const Scope *in, const Wide *w, u32 param)
{
    const bool fixed = in->up->fixed;
    say(in, "const void *const p%u_%u = %s%u%s;", in->b->params[param].pointer, in->number,
        fixed ? "t" : "DATA(r[", w->in[1 + param].reg, fixed ? "" : "].t)");
}

static void write_traces(const Scope *in, const Wide *w)
{
    const Block *b = in->b;
    for (u32 i = 0; i < b->ntraces; i++)
        say(in, "void *const restrict p%u_%u = t%u;", b->traces[i].pointer, in->number,
            w->out[b->nstates + i].reg);
}

static void write_loop(const Scope *s, const Ins *ins)
{
    const Wide *w = ins->u.wide;
    const Block *b = w->body[0];
    declare_results(s, w);
    say(s, "{");
    Scope in = inner(s, b);
    u32 number = in.number;
    if (s->fixed)
        say(s, "const i64 count%u = %s;", number, value_of_reg(s, w->in[0].reg).at);
    else
        check_steps(s, ins, number);
    for (u32 i = 0; i < b->nparams; i++)
        if (b->params[i].pointer != NO_REG)
            write_rows(&in, w, i);
        else
            param(&in, i, &w->in[1 + i]);
    write_traces(&in, w);
    say(&in, "i64 done%u = 0;", number);
    say(&in, "int stopped%u = 0;", number);
    say(&in, "while (done%u < count%u) {", number, number);
    in.depth++;
    if (b->reverse)
        say(&in, "const i64 step%u = count%u - 1 - done%u;", number, number, number);
    else
        say(&in, "const i64 step%u = done%u;", number, number);
    say(&in, "done%u++;", number);
    for (u32 i = 0; i < b->ncode; i++)
        write_ins(&in, i);
    say(&in, "if (UNLIKELY(done%u %% 1024 == 0 && !poll(vm, T[%u], 16384))) goto failed;", number,
        place_of(s->w, w->node));
    in.depth--;
    say(&in, "}");
    say(&in, "steps(vm, done%u);", number);
    for (u32 i = 0; i < b->nstates; i++)
        if (w->out[i].reg != NO_REG)
            say(&in, "%s = %s;", name_of(s, w->out[i].reg).at, name_of(&in, b->params[i].reg).at);
    if (w->out[w->nout - 2].reg != NO_REG)
        say(&in, "%s = done%u;", name_of(s, w->out[w->nout - 2].reg).at, number);
    if (w->out[w->nout - 1].reg != NO_REG)
        say(&in, "%s = stopped%u;", name_of(s, w->out[w->nout - 1].reg).at, number);
    for (u32 i = 0; i < w->nin; i++) /* sequences that nobody else reads */
        if (w->in[i].move && !s->fixed)
            say(&in, "drop(&r[%u]);", w->in[i].reg);
    scope_close(&in);
    say(s, "}");
}

bool inline_fits(const Scope *s, const Ins *ins)
{
    bool control = ins->op == I_CALL || ins->op == I_IF || ins->op == I_SCAN;
    return control && fits(ins, depth_of(s));
}

bool inline_rows_fit(const Ins *ins)
{
    if (ins->op != I_SCAN)
        return false;
    const Wide *w = ins->u.wide;
    const Block *b = w->body[0];
    bool fits = b && !w->go && !w->stop && !b->stop && code_fits(b, 1, true);
    for (u32 i = 0; fits && i < b->ntraces; i++)
        fits = b->traces[i].pointer != NO_REG;
    return fits;
}

bool write_inline(const Scope *s, const Ins *ins)
{
    if (!inline_fits(s, ins) && !(s->fixed && inline_rows_fit(ins)))
        return false;
    if (ins->op == I_SCAN) {
        write_loop(s, ins);
    } else if (ins->op == I_IF) {
        write_branches(s, ins->u.wide);
    } else {
        declare_results(s, ins->u.wide);
        say(s, "{");
        write_block(s, ins->u.wide, 0);
        say(s, "}");
    }
    return true;
}
