/* Instructions as C.
 *
 * Invariant: an expression is written as the instruction computes it, operation by operation; what
 * C cannot say alone is a call of the function of the machine. */
#include "emit/elem_text.h"
#include "emit/program_write.h"
#include "exec/plan_work.h"

/* ---- results ---- */

/* The beginning of an assignment to a register. */
static Word target(const Scope *s, u32 reg)
{
    Word w;
    if (s->state[reg])
        return name_of(s, reg);
    snprintf(w.at, sizeof w.at, "const %s %.40s", c_type((DType)s->b->kinds[reg]),
             name_of(s, reg).at);
    return w;
}

static void assign(const Scope *s, u32 reg, Text *expression)
{
    say(s, "%s = %s;", target(s, reg).at, text_str(expression));
    text_free(expression);
}

/* ---- arithmetic ---- */

static bool is_elem(const Ins *ins) { return ins->op >= I_F64_NEG; }

/* A function of doubles of the machine. */
static void write_scalar_call(const Scope *s, const Ins *ins, ElemId id)
{
    bool one = elem_info(id)->arity == 1;
    ScalarFn1 f1 = elem_scalar1(id);
    ScalarFn2 f2 = elem_scalar2(id);
    if (one)
        say(s, "%s = CALL1(%u, %s); /* %s */", target(s, ins->d).at,
            place_of_function(s->w, (AnyFunction)f1), value_of_reg(s, ins->a).at,
            elem_info(id)->name);
    else
        say(s, "%s = CALL2(%u, %s, %s); /* %s */", target(s, ins->d).at,
            place_of_function(s->w, (AnyFunction)f2), value_of_reg(s, ins->a).at,
            value_of_reg(s, ins->b).at, elem_info(id)->name);
}

static bool write_elem_text(const Scope *s, const Ins *ins, ElemId id, DType d)
{
    char buffer[128];
    const char *text = elem_text(id, d, buffer, sizeof buffer);
    bool extreme = (id == EL_MINIMUM || id == EL_MAXIMUM) && dtype_is_float(d);
    Text e = {0};
    if (!text)
        return false;
    text_put(&e, extreme ? "lone_" : "");
    elem_put(&e, text, d, value_of_reg(s, ins->a).at,
             ins->b == NO_REG ? "" : value_of_reg(s, ins->b).at);
    assign(s, ins->d, &e);
    return true;
}

/* The kernel on one element; integers mostly have a text. */
static void write_kernel(const Scope *s, u32 at)
{
    const Ins *ins = &s->b->code[at];
    ElemId id = is_elem(ins) ? ins_elem_id((InsOp)ins->op) : (ElemId)ins->c;
    DType d = (DType)s->b->kinds[ins->a];
    bool one = ins->op == I_KERNEL1;
    Ins plain = *ins;
    plain.b = one ? NO_REG : ins->b;
    if (write_elem_text(s, &plain, id, d))
        return;
    bool whole = d == DT_I64 && (id == EL_FLOORDIV || id == EL_MOD);
    u32 f = place_of_function(s->w, one ? (AnyFunction)ins->u.k1 : (AnyFunction)ins->u.k2);
    u32 node = place_of(s->w, s->b->where[at]);
    say(s, "Reg k%u_%u;", s->number, at);
    if (whole)
        say(s, "if (%s == 0 || %s == -1) {", value_of_reg(s, ins->b).at,
            value_of_reg(s, ins->b).at);
    say(s, "const %s kx%u_%u = %s;", c_type(d), s->number, at, value_of_reg(s, ins->a).at);
    if (!one)
        say(s, "const %s kz%u_%u = %s;", c_type(d), s->number, at, value_of_reg(s, ins->b).at);
    if (one)
        say(s, "const int ks%u_%u = ((kernel1)T[%u])(1, &kx%u_%u, &k%u_%u);", s->number, at, f,
            s->number, at, s->number, at);
    else
        say(s, "const int ks%u_%u = ((kernel2)T[%u])(1, &kx%u_%u, 1, &kz%u_%u, 1, &k%u_%u);",
            s->number, at, f, s->number, at, s->number, at, s->number, at);
    say(s, "if (UNLIKELY(ks%u_%u)) { status(vm, T[%u], ks%u_%u); %s }", s->number, at, node,
        s->number, at, failed(s).at);
    if (whole)
        say(s, "} else k%u_%u.l = %s(%s, %s);", s->number, at, id == EL_MOD ? "mod" : "floordiv",
            value_of_reg(s, ins->a).at, value_of_reg(s, ins->b).at);
    say(s, "%s = k%u_%u.%s;", target(s, ins->d).at, s->number, at, field_of(s->b->kinds[ins->d]));
}

static void write_elem(const Scope *s, u32 at)
{
    static const DType families[] = {DT_F64, DT_F32, DT_I64, DT_BOOL};
    const Ins *ins = &s->b->code[at];
    DType d = families[((int)ins->op - (int)I_F64_NEG) % 4];
    if (write_elem_text(s, ins, ins_elem_id((InsOp)ins->op), d))
        return;
    if (dtype_is_float(d))
        write_scalar_call(s, ins, ins_elem_id((InsOp)ins->op));
    else
        write_kernel(s, at);
}

/* Rounded down, as C's division of what is not negative. */
static void write_power_of_two(const Scope *s, const Ins *ins)
{
    Word a = value_of_reg(s, ins->a);
    if (ins->op == I_MASK)
        say(s, "%s = %s & %lld;", target(s, ins->d).at, a.at, (long long)ins->u.k);
    else
        say(s, "%s = shift(%s, %lld);", target(s, ins->d).at, a.at, (long long)ins->u.k);
}

static void write_pair(const Scope *s, const Ins *ins)
{
    static const char signs[] = {'+', '-', '*'};
    int k = (int)ins->op - (int)I_ADD_ADD;
    char f = signs[k / 6], g = signs[k / 2 % 3];
    Word a = value_of_reg(s, ins->a), b = value_of_reg(s, ins->b), c = value_of_reg(s, ins->c);
    if (k % 2)
        say(s, "%s = %s %c (%s %c %s);", target(s, ins->d).at, c.at, g, a.at, f, b.at);
    else
        say(s, "%s = (%s %c %s) %c %s;", target(s, ins->d).at, a.at, f, b.at, g, c.at);
}

static const char *compare_sign(int k)
{
    static const char *const signs[] = {"<", "<=", ">", ">="};
    return signs[k];
}

static bool is_zero(const Scope *s, u32 reg)
{
    const Tensor *t = s->constant[reg];
    static const double zero = 0;
    return t && t->dtype == DT_F64 && !memcmp(t->data, &zero, sizeof zero);
}

/* A number, or 0 where a comparison does not hold: without a branch, which no processor foresees if
 * the numbers are any. False: it is another choice. */
static bool write_keep(const Scope *s, const Ins *ins)
{
    static const char *const names[] = {"lt", "le", "gt", "ge"};
    const bool not = is_zero(s, ins->c);
    if (s->b->kinds[ins->d] != DT_F64 || not == is_zero(s, ins->x))
        return false;
    say(s, "%s = keep_%s%s(%s, %s, %s);", target(s, ins->d).at, not ? "not_" : "",
        names[ins->op - I_SELECT_LT], value_of_reg(s, ins->a).at, value_of_reg(s, ins->b).at,
        value_of_reg(s, not ? ins->x : ins->c).at);
    return true;
}

static void write_select(const Scope *s, const Ins *ins)
{
    if (ins->op != I_SELECT && write_keep(s, ins))
        return;
    Word a = value_of_reg(s, ins->a), b = value_of_reg(s, ins->b), c = value_of_reg(s, ins->c);
    if (ins->op == I_SELECT)
        say(s, "%s = %s ? %s : %s;", target(s, ins->d).at, a.at, b.at, c.at);
    else
        say(s, "%s = %s %s %s ? %s : %s;", target(s, ins->d).at, a.at,
            compare_sign(ins->op - I_SELECT_LT), b.at, c.at, value_of_reg(s, ins->x).at);
}

static void write_cast(const Scope *s, const Ins *ins)
{
    Text e = {0};
    native_cast_put(&e, (DType)s->b->kinds[ins->a], (DType)s->b->kinds[ins->d],
                    value_of_reg(s, ins->a).at);
    assign(s, ins->d, &e);
}

/* ---- memory ---- */

static void write_index(const Scope *s, u32 at)
{
    const Ins *ins = &s->b->code[at];
    u32 a = ins->a;
    Word i = value_of_reg(s, ins->b);
    const char *type = c_type((DType)s->b->kinds[ins->d]);
    say(s, "i64 i%u_%u = %s;", s->number, at, i.at);
    if (s->hoisted[ins->a])
        say(s, "const i64 n%u_%u = n%u;", s->number, at, a);
    else
        say(s, "const i64 n%u_%u = SHAPE(r[%u].t)[0];", s->number, at, a);
    say(s, "i%u_%u += i%u_%u < 0 ? n%u_%u : 0;", s->number, at, s->number, at, s->number, at);
    say(s,
        "if (UNLIKELY((u64)i%u_%u >= (u64)n%u_%u)) { r[%u].l = %s; index_failed(vm, T[%u], r); %s "
        "}",
        s->number, at, s->number, at, ins->u.wide->in[1].reg, i.at, place_of(s->w, ins->u.wide),
        failed(s).at);
    if (s->hoisted[ins->a])
        say(s, "%s = ((const %s *)q%u)[i%u_%u];", target(s, ins->d).at, type, a, s->number, at);
    else
        say(s, "%s = ((const %s *)DATA(r[%u].t))[i%u_%u];", target(s, ins->d).at, type, a,
            s->number, at);
}

static void write_sequence(const Scope *s, const Ins *ins)
{
    say(s, "%s = ((const %s *)p%u_%u)[%s];", target(s, ins->d).at,
        c_type((DType)s->b->kinds[ins->d]), ins->a, s->number, step_of(s).at);
}

static void write_row(const Scope *s, const Ins *ins)
{
    say(s, "((%s *)p%u_%u)[%s] = %s;", c_type((DType)s->b->kinds[ins->b]), ins->a, s->number,
        step_of(s).at, value_of_reg(s, ins->b).at);
}

/* ---- what the machine does ---- */

static bool is_scalar(const Arg *a) { return a->kind < KIND_TENSOR; }

void spill(const Scope *s, const Arg *args, u32 n)
{
    for (u32 k = 0; k < n; k++)
        if (args[k].reg != NO_REG && is_scalar(&args[k]) && !s->constant[args[k].reg])
            say(s, "r[%u].%s = %s;", args[k].reg, field_of(args[k].kind),
                name_of(s, args[k].reg).at);
}

static void write_wide(const Scope *s, u32 at)
{
    static const char *const calls[] = {
        [I_ARRAY] = "array", [I_PUT] = "put",   [I_FUSED] = "fused", [I_CALL] = "call",
        [I_DELAY] = "delay", [I_IF] = "branch", [I_SCAN] = "scan"};
    const Ins *ins = &s->b->code[at];
    const Wide *w = ins->u.wide;
    if (write_inline(s, ins))
        return;
    s->w->heavy = s->w->heavy || (ins->op != I_PUT && ins->op != I_DELAY);
    u32 place = place_of(s->w, w);
    spill(s, w->in, w->nin);
    if (ins->op == I_DELAY) {
        if (!w->body[0])
            spill(s, w->out, w->nout);
        say(s, "delay(T[%u], r);", place);
        return;
    }
    say(s, "if (UNLIKELY(!%s(vm, T[%u], r))) %s /* %s */", calls[ins->op], place, failed(s).at,
        node_info(w->node)->name);
    for (u32 k = 0; k < w->nout; k++)
        if (w->out[k].reg != NO_REG && is_scalar(&w->out[k]))
            say(s, "%s = r[%u].%s;", target(s, w->out[k].reg).at, w->out[k].reg,
                field_of(w->out[k].kind));
    if ((ins->op == I_ARRAY || ins->op == I_PUT) && !s->w->in_part)
        vec_push(&s->w->out->left, ((NativeLeft){s->b, w->node, (InsOp)ins->op}));
}

static void write_leaf(const Scope *s, u32 at)
{
    const Ins *ins = &s->b->code[at];
    const char *what = ins->op == I_LEAF ? "leaf" : ins->op == I_ROOM ? "make_room" : "size";
    say(s, "if (UNLIKELY(!%s(vm, T[%u], &r[%u]))) %s", what, place_of(s->w, ins->u.node), ins->d,
        failed(s).at);
    if (s->b->kinds[ins->d] < KIND_TENSOR)
        say(s, "%s = r[%u].%s;", target(s, ins->d).at, ins->d, field_of(s->b->kinds[ins->d]));
}

/* A tensor goes from a register to another, one of a state perhaps. */
static void write_handing(const Scope *s, u32 at)
{
    const Ins *ins = &s->b->code[at];
    if (ins->c != NO_REG)
        say(s, "if (UNLIKELY(!state(vm, loop, %u, &r[%u], T[%u]))) %s", ins->c, ins->a,
            place_of(s->w, s->b->where[at]), failed(s).at);
    if (ins->op == I_TAKE)
        say(s, "r[%u].t = r[%u].t, r[%u].t = 0;", ins->d, ins->a, ins->a);
    else
        say(s, "share(&r[%u], &r[%u]);", ins->d, ins->a);
}

static void write_element(const Scope *s, u32 at)
{
    const Ins *ins = &s->b->code[at];
    if (ins->op == I_SEQT)
        say(s, "if (UNLIKELY(!element(vm, loop, &r[%u], &r[%u], step))) %s", ins->d, ins->a,
            failed(s).at);
    else
        say(s, "if (UNLIKELY(!row(vm, loop, %u, &r[%u], step, T[%u]))) %s", ins->c, ins->a,
            place_of(s->w, s->b->where[at]), failed(s).at);
}

/* ---- control ---- */

static void write_check(const Scope *s, u32 at)
{
    const Ins *ins = &s->b->code[at];
    u32 node = place_of(s->w, s->b->where[at]);
    Word a = value_of_reg(s, ins->a);
    if (ins->op == I_CHECK) {
        say(s, "if (UNLIKELY(!%s)) { check(vm, T[%u]); %s }", a.at, node, failed(s).at);
        return;
    }
    Word b = value_of_reg(s, ins->b);
    say(s, "if (UNLIKELY(%s > %s)) { check_le(vm, T[%u], %s, %s); %s }", a.at, b.at, node, a.at,
        b.at, failed(s).at);
}

static void write_stop(const Scope *s, const Ins *ins)
{
    char leave[40];
    snprintf(leave, sizeof leave, s->up ? "{ stopped%u = 1; break; }" : "goto stopped;", s->number);
    if (ins->op == I_STOP)
        say(s, "if (%s) %s", value_of_reg(s, ins->a).at, leave);
    else
        say(s, "if (%s %s %s) %s", value_of_reg(s, ins->a).at, compare_sign(ins->op - I_STOP_LT),
            value_of_reg(s, ins->b).at, leave);
}

static void write_plain(Scope *s, u32 at)
{
    const Ins *ins = &s->b->code[at];
    switch ((InsOp)ins->op) {
    case I_LEAF:
    case I_ROOM:
    case I_SIZE: write_leaf(s, at); return;
    case I_DROP: say(s, "drop(&r[%u]);", ins->a); return;
    case I_TAKE:
    case I_SHARE: write_handing(s, at); return;
    case I_MOVE: say(s, "%s = %s;", target(s, ins->d).at, value_of_reg(s, ins->a).at); return;
    case I_DIM:
        say(s, "%s = SHAPE(r[%u].t)[%lld];", target(s, ins->d).at, ins->a, (long long)ins->u.k);
        return;
    case I_INDEX8:
    case I_INDEX4:
    case I_INDEX1: write_index(s, at); return;
    case I_CHECK:
    case I_CHECK_LE: write_check(s, at); return;
    case I_CAST:
    case I_I64_F64:
    case I_BOOL_F64:
    case I_BOOL_I64: write_cast(s, ins); return;
    case I_MASK:
    case I_SHIFT: write_power_of_two(s, ins); return;
    case I_KERNEL1:
    case I_KERNEL2: write_kernel(s, at); return;
    case I_SEQ8:
    case I_SEQ4:
    case I_SEQ1: write_sequence(s, ins); return;
    case I_LOOP_ROW8:
    case I_ROW8:
    case I_ROW4:
    case I_ROW1: write_row(s, ins); return;
    case I_SEQT:
    case I_ROWT: write_element(s, at); return;
    case I_LOOP:
    case I_END: return;
    default: die("instruction %u is never planned", (unsigned)ins->op);
    }
}

/* The instructions of a part, which run if the machine does not do all of it at once. */
static u32 write_rows(Scope *s, u32 at)
{
    const Sweep *rows = s->b->code[at].u.sweep;
    s->w->heavy = true;
    for (u32 i = at + 1; i <= at + rows->count; i++)
        if (ins_is_wide((InsOp)s->b->code[i].op))
            spill(s, s->b->code[i].u.wide->in, s->b->code[i].u.wide->nin);
    say(s, "const i64 d%u_%u = rows(vm, T[%u], %u, r);", s->number, at, place_of(s->w, s->b), at);
    say(s, "if (UNLIKELY(d%u_%u < 0)) %s", s->number, at, failed(s).at);
    say(s, "if (!d%u_%u) {", s->number, at);
    s->depth++;
    s->w->in_part = true;
    for (u32 i = at + 1; i <= at + rows->count; i++)
        write_ins(s, i);
    s->w->in_part = false;
    s->depth--;
    say(s, "}");
    return 1 + rows->count;
}

u32 write_ins(Scope *s, u32 at)
{
    const Ins *ins = &s->b->code[at];
    if (ins->op == I_ROWS)
        return write_rows(s, at);
    if (is_elem(ins))
        write_elem(s, at);
    else if (ins_is_wide((InsOp)ins->op))
        write_wide(s, at);
    else if (ins->op >= I_ADD_ADD && ins->op <= I_MUL_MUL_R)
        write_pair(s, ins);
    else if (ins->op == I_SELECT || (ins->op >= I_SELECT_LT && ins->op <= I_SELECT_GE))
        write_select(s, ins);
    else if (ins->op == I_STOP || (ins->op >= I_STOP_LT && ins->op <= I_STOP_GE))
        write_stop(s, ins);
    else
        write_plain(s, at);
    return 1;
}
