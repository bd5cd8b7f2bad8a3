/* Groups of loops over arrays of known shapes (program_fixed.c) that leave an operand as it is but
 * for a box of its elements: which do, which states have no -0, and what is written for them.
 *
 * Invariant: as in program_fixed_bounds.c; and nobody looks any more into the memory of an operand
 * that is changed. */
#include "emit/elem_text.h"
#include "emit/program_fixed_bounds.h"

enum { AT_ONCE = 8 }; /* elements of a vector */

/* ---- which groups ---- */

/* What looks into the memory of that register is not used from there on. */
static bool is_unseen(const Fixed *f, u32 reg, u32 from)
{
    for (u32 r = 0; r < f->b->nregs; r++) {
        bool looks = r != reg && (f->v[r].known || f->v[r].strided) && f->v[r].root == reg;
        for (u32 i = from; looks && i < f->b->ncode; i++)
            if (fixed_uses(&f->b->code[i], r))
                return false;
    }
    return true;
}

/* The result may be computed in the memory of operand k. */
static bool may_keep(const Nest *n, u32 at, u32 k)
{
    const Fixed *f = n->f;
    const Wide *w = n->w;
    const FixedValue *x = &f->v[w->in[k].reg], *out = &f->v[w->out[0].reg];
    if (!w->in[k].move || w->in[k].kind != KIND_TENSOR || !x->known || !x->own ||
        f->fresh[w->in[k].reg] || fixed_is_spread(f, w, k) || x->like.count != out->like.count ||
        x->like.dtype != out->like.dtype)
        return false;
    for (u32 j = 0; j < n->column.len; j++) { /* nothing else of it is read */
        const NestColumn *c = &n->column.at[j];
        if (c->is == NEST_OPERAND && !c->scalar && f->v[c->reg].root == w->in[k].reg &&
            (c->reg != w->in[k].reg || memcmp(c->stride, n->whole, sizeof c->stride) != 0 ||
             c->offset))
            return false;
    }
    return is_unseen(f, w->in[k].reg, at + 1);
}

/* One result, which no function of arrays gives, of operands that are all there. */
static bool is_plain(const Fixed *f, const Wide *w)
{
    bool plain = w->nout == 1 && !w->tiles->nfolds;
    for (u32 i = 0; i < w->tiles->nsteps; i++)
        plain = plain && !tile_is_call(&w->tiles->steps[i]);
    for (u32 k = 0; k < w->nin; k++)
        plain = plain && !(w->in[k].kind == KIND_TENSOR && f->run[w->in[k].reg].positions);
    return plain;
}

static void mark_all(const Fixed *f, const Bounds *b, bool *counts)
{
    for (u32 r = 0; r < f->b->nregs; r++)
        counts[r] = counts[r] || b->counts[r];
}

static void find_change(Fixed *f, const Nest *n, u32 kept, bool *counts)
{
    FixedChange *c = &f->change[n->w->out[0].reg];
    Bounds b = bounds_open(n, kept);
    *c = (FixedChange){.kept = kept};
    for (b.axis = 0; b.axis < n->rank; b.axis++) {
        bounds_find(&b);
        Bound x = b.bound[bounds_result(n)];
        if (x.is == OUT_KEPT && x.range != NO_REG)
            c->axes |= 1u << b.axis;
    }
    c->clean = b.clean;
    if (c->axes)
        mark_all(f, &b, counts);
    bounds_close(&b);
}

/* Vectors that are something outside of a range. */
static void find_outside(Fixed *f, const Nest *n, bool *counts)
{
    Bounds b = bounds_open(n, NO_REG);
    bounds_find(&b);
    for (u32 k = 0; k < n->w->nout; k++) {
        u32 column = n->given[k];
        Bound x = column == NO_REG ? (Bound){OUT_ANY, NO_REG} : b.bound[column];
        if (x.range != NO_REG)
            f->outside[n->w->out[k].reg] = x.is;
    }
    mark_all(f, &b, counts);
    bounds_close(&b);
}

static void find_changes(Fixed *f, const Nest *n, u32 at, bool *counts)
{
    bool ok = is_plain(f, n->w) && n->given[0] != NO_REG;
    for (u32 k = 0; ok && k < n->w->nin && !f->change[n->w->out[0].reg].axes; k++)
        if (may_keep(n, at, k))
            find_change(f, n, k, counts);
}

static void find_in_group(Fixed *f, u32 at, bool *counts, bool changes)
{
    FixedGroup g;
    if (fixed_is_fresh(f, &f->b->code[at]) || !fixed_group_open(f, &f->b->code[at], &g))
        return;
    const Tensor like = fixed_group_like(f, &g.w);
    Nest n;
    nest_open(&n, f, &g.w, &like);
    if (changes)
        find_changes(f, &n, at, counts);
    else if (like.rank == 1)
        find_outside(f, &n, counts);
    nest_close(&n);
    fixed_group_close(&g);
}

/* ---- states without -0 ---- */

static bool sets(const Ins *ins)
{
    bool any = ins->op == I_PUT || ins->op == I_ARRAY;
    OpId op = any ? ins->u.wide->node->op : OP_COUNT;
    return (op == OP_SET_INDEX && ins->u.wide->node->attrs[1].i == STORE_SET) ||
           (op == OP_SET_SLICE && ins->u.wide->node->attrs[2].i == STORE_SET);
}

/* A group whose -0 can be told from few elements. */
static bool keeps_signs(const Fixed *f, const Ins *ins, u32 reg)
{
    FixedGroup g;
    if (!fixed_group_open(f, ins, &g))
        return false;
    const FixedChange *c = &f->change[g.w.out[0].reg];
    bool ok = c->axes && g.w.in[c->kept].reg == reg;
    if (ok) {
        const Tensor like = fixed_group_like(f, &g.w);
        Nest n;
        nest_open(&n, f, &g.w, &like);
        Bounds b = bounds_open(&n, c->kept);
        bool *marked = xcalloc(n.column.len + 1, 1);
        ok = bounds_signs(&b, bounds_result(&n), marked);
        free(marked);
        bounds_close(&b);
        nest_close(&n);
    }
    fixed_group_close(&g);
    return ok;
}

/* The values that become the next one of a state, from the state on. */
static bool follow_state(Fixed *f, u32 state)
{
    u32 now = state, seen = 0;
    for (u32 i = 0; i < f->b->ncode; i++) {
        const Ins *ins = &f->b->code[i];
        if (ins->op == I_TAKE && ins->d == state)
            return ins->a == now && seen;
        bool wide = ins->op == I_ARRAY || ins->op == I_FUSED || ins->op == I_PUT;
        if (!wide || !(sets(ins) ? ins->u.wide->in[0].reg == now : keeps_signs(f, ins, now)))
            continue;
        now = ins->u.wide->out[0].reg;
        f->state[now] = 1 + state;
        seen++;
    }
    return false;
}

static void find_states(Fixed *f)
{
    for (u32 i = 0; i < f->b->nstates; i++) {
        u32 reg = f->b->params[i].reg;
        if (!f->v[reg].changes || !dtype_is_float(f->v[reg].like.dtype))
            continue;
        f->clean[reg] = follow_state(f, reg);
        for (u32 r = 0; !f->clean[reg] && r < f->b->nregs; r++)
            if (f->state[r] == 1 + reg)
                f->state[r] = 0;
    }
}

void fixed_find_bounds(Fixed *f)
{
    bool *counts = xcalloc((size_t)f->b->nregs + 1, 1), any = false;
    for (u32 i = 0; i < f->b->ncode; i++)
        find_in_group(f, i, counts, false);
    fixed_find_fresh(f);
    for (u32 i = 0; i < f->b->ncode; i++)
        find_in_group(f, i, counts, true);
    find_states(f);
    for (u32 r = 0; r < f->b->nregs; r++) {
        if (f->change[r].clean && !f->state[r])
            f->change[r].axes = 0;
        any = any || f->change[r].axes;
    }
    for (u32 r = 0; r < f->b->nregs; r++) {
        f->counts[r] = f->counts[r] || (any && counts[r]);
        if (!any)
            f->outside[r] = OUT_ANY;
    }
    free(counts);
}

/* ---- as C ---- */

static const char *type_of(const Fixed *f, u32 reg) { return c_type(f->v[reg].like.dtype); }

/* okay &= .., of an array or a scalar. */
static void write_look(const Fixed *f, const Arg *in, const char *okay, const char *function)
{
    if (in->kind == KIND_TENSOR)
        say(f->s, "%s &= %s_%s(t%u, %lld);", okay, function, type_of(f, in->reg), in->reg,
            (long long)f->v[in->reg].like.count);
    else
        say(f->s, "{ const %s x = %s; %s &= %s_%s(&x, 1); }", c_type((DType)in->kind),
            value_of_reg(f->s, in->reg).at, okay, function, c_type((DType)in->kind));
}

static void write_look_at(const Nest *n, u32 column, const char *okay, const char *function)
{
    const NestColumn *c = &n->column.at[column];
    const Arg in = {.reg = c->reg, .kind = c->scalar ? (u8)c->dtype : KIND_TENSOR};
    write_look(n->f, &in, okay, function);
}

static void write_finite(const Bounds *b)
{
    const Nest *n = b->n;
    for (u32 k = 0; k < n->column.len; k++) {
        bool again = false; /* one array, repeated in two ways */
        for (u32 j = 0; j < k; j++)
            again = again || (b->finite[j] && n->column.at[j].reg == n->column.at[k].reg);
        if (b->finite[k] && !again)
            write_look_at(n, k, "okay", "all_finite");
    }
}

void write_clean_states(const Fixed *f)
{
    for (u32 reg = 0; reg < f->b->nregs; reg++)
        if (f->clean[reg])
            say(f->s, "i64 clean%u = no_signed_zero_%s(t%u, %lld);", reg, type_of(f, reg), reg,
                (long long)f->v[reg].like.count);
}

void write_clean_part(const Fixed *f, const Wide *w)
{
    u32 state = f->state[w->out[0].reg];
    Word clean;
    snprintf(clean.at, sizeof clean.at, "clean%u", state - 1);
    if (state)
        write_look(f, &w->in[2], clean.at, "no_signed_zero");
}

static void write_ranges(Bounds *b, const FixedChange *c)
{
    const Nest *n = b->n;
    for (b->axis = 0; b->axis < n->rank; b->axis++) {
        if (!(c->axes >> b->axis & 1))
            continue;
        bounds_find(b);
        b->range[b->axis] = b->bound[bounds_result(n)].range;
        say(n->f->s, "i64 from%d = 0, to%d = %lld;", b->axis, b->axis,
            (long long)n->shape[b->axis]);
    }
}

static void write_box(const Bounds *b, const FixedChange *c)
{
    const Nest *n = b->n;
    for (int i = 0; i < n->rank; i++)
        if (c->axes >> i & 1)
            say(n->f->s, "if (okay) { from%d = lo%u_%d; to%d = hi%u_%d; }", i, b->range[i], i, i,
                b->range[i], i);
}

/* Along the last axis from whole vectors to whole vectors: more may be computed than is needed. */
static void write_whole_vectors(const Nest *n)
{
    const int last = n->rank - 1;
    const long long end = (long long)n->shape[last];
    say(n->f->s, "if (from%d < to%d) {", last, last);
    say(n->f->s, "from%d = from%d / %d * %d;", last, last, AT_ONCE, AT_ONCE);
    say(n->f->s, "to%d = to%d > %lld ? %lld : (to%d + %d) / %d * %d;", last, last,
        end / AT_ONCE * AT_ONCE, end, last, AT_ONCE - 1, AT_ONCE, AT_ONCE);
    say(n->f->s, "}");
}

/* cleanK, after a group; where all was computed it may be so again. */
static void write_signs(const Bounds *b, u32 state)
{
    const Nest *n = b->n;
    const u32 out = n->w->out[0].reg;
    Word clean;
    snprintf(clean.at, sizeof clean.at, "clean%u", state);
    bool *marked = xcalloc(n->column.len + 1, 1);
    bounds_signs(b, bounds_result(n), marked);
    for (u32 k = 0; k < n->column.len; k++)
        if (marked[k])
            write_look_at(n, k, clean.at, "no_signed_zero");
    say(n->f->s, "if (!okay & !%s) %s = no_signed_zero_%s(t%u, %lld);", clean.at, clean.at,
        type_of(n->f, out), out, (long long)n->f->v[out].like.count);
    free(marked);
}

/* The last choice by bools that are known outside of a range of the last axis is written without
 * them there. */
static void write_cuts(const Bounds *b, Nest *n)
{
    const int last = n->rank - 1;
    for (size_t i = n->column.len; i-- > 0 && !n->told;) {
        const TileStep *s = &n->column.at[i].step;
        if (n->column.at[i].is != NEST_STEP || s->kind != TILE_WHERE ||
            n->column.at[s->arg[0]].is != NEST_STEP)
            continue;
        const Bound *mask = &b->bound[s->arg[0]];
        if (mask->range == NO_REG || (mask->is != OUT_FALSE && mask->is != OUT_TRUE))
            continue;
        n->told = s->arg[0] + 1;
        n->truth = mask->is == OUT_TRUE;
        say(n->f->s, "i64 cut = lo%u_%d, back = hi%u_%d;", mask->range, last, mask->range, last);
        say(n->f->s, "cut = cut < from%d ? from%d : cut > to%d ? to%d : cut;", last, last, last,
            last);
        say(n->f->s, "back = back < cut ? cut : back > to%d ? to%d : back;", last, last);
    }
}

static void write_changed(Bounds *b, const FixedChange *c)
{
    Nest n = *b->n;
    const Fixed *f = n.f;
    const u32 out = n.w->out[0].reg, kept = n.w->in[c->kept].reg, state = f->state[out];
    write_fixed_swap(f, out, kept);
    say(f->s, "{");
    say(f->s, "const %s *const t%u = t%u;", type_of(f, kept), kept, out);
    b->write = true;
    write_ranges(b, c);
    say(f->s, "i64 okay = 1;");
    if (c->clean)
        say(f->s, "okay = clean%u;", state - 1);
    write_finite(b);
    write_box(b, c);
    n.bounded = c->axes;
    if (c->axes >> (n.rank - 1) & 1)
        write_cuts(b, &n);
    if (c->axes >> (n.rank - 1) & 1 && !n.told)
        write_whole_vectors(&n);
    write_nest_plain(&n);
    if (state)
        write_signs(b, state - 1);
    say(f->s, "}");
}

bool write_change(const Fixed *f, const Ins *ins)
{
    FixedGroup g;
    if (!fixed_group_open(f, ins, &g))
        return false;
    const FixedChange *c = &f->change[g.w.out[0].reg];
    if (c->axes) {
        const Tensor like = fixed_group_like(f, &g.w);
        Nest n;
        nest_open(&n, f, &g.w, &like);
        Bounds b = bounds_open(&n, c->kept);
        write_changed(&b, c);
        bounds_close(&b);
        nest_close(&n);
    }
    fixed_group_close(&g);
    return c->axes != 0;
}

/* A vector that is one value outside of its range: that value, and the range is computed. */
static void write_filled(const Nest *given, u32 reg)
{
    Nest n = *given;
    const Fixed *f = n.f;
    const int value = f->outside[reg] == OUT_TRUE;
    n.bounded = 1;
    say(f->s, "{");
    say(f->s, "const i64 from0 = lo%u, to0 = hi%u;", reg, reg);
    say(f->s, "for (i64 i = 0; i < from0; i++) t%u[i] = %d;", reg, value);
    say(f->s, "for (i64 i = from0 < to0 ? to0 : from0; i < %lld; i++) t%u[i] = %d;",
        (long long)n.shape[0], reg, value);
    write_nest_plain(&n);
    say(f->s, "}");
}

static void write_outside_ranges(Bounds *b)
{
    const Nest *n = b->n;
    const Fixed *f = n->f;
    for (u32 k = 0; k < n->w->nout; k++)
        if (f->outside[n->w->out[k].reg])
            say(f->s, "i64 lo%u = 0, hi%u = %lld;", n->w->out[k].reg, n->w->out[k].reg,
                (long long)n->shape[0]);
    say(f->s, "{");
    b->write = true;
    bounds_find(b);
    say(f->s, "i64 okay = 1;");
    write_finite(b);
    for (u32 k = 0; k < n->w->nout; k++) {
        const u32 reg = n->w->out[k].reg;
        if (f->outside[reg])
            say(f->s, "if (okay) { lo%u = lo%u_0; hi%u = hi%u_0; }", reg,
                b->bound[n->given[k]].range, reg, b->bound[n->given[k]].range);
    }
    say(f->s, "}");
}

/* Its elements outside are known to the bit. */
static bool is_filled(const Fixed *f, const Wide *w)
{
    const Outside is = f->outside[w->out[0].reg];
    return is_plain(f, w) && (is == OUT_FALSE || is == OUT_TRUE || is == OUT_ZERO);
}

bool write_outside(const Fixed *f, const Ins *ins)
{
    FixedGroup g;
    bool any = false, filled = false;
    if (!fixed_group_open(f, ins, &g))
        return false;
    for (u32 k = 0; k < g.w.nout; k++)
        any = any || f->outside[g.w.out[k].reg];
    if (any) {
        const Tensor like = fixed_group_like(f, &g.w);
        Nest n;
        nest_open(&n, f, &g.w, &like);
        Bounds b = bounds_open(&n, NO_REG);
        write_outside_ranges(&b);
        filled = is_filled(f, &g.w);
        if (filled)
            write_filled(&n, g.w.out[0].reg);
        bounds_close(&b);
        nest_close(&n);
    }
    fixed_group_close(&g);
    return filled;
}
