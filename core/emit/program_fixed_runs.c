/* Arrays that count up by one (iota) in loops over arrays of known shapes (program_fixed.c).
 *
 * A gather at positions that are such an array, with scalars added and bounds put to it, like
 * `iota - w`, at least 0: each of these steps keeps the order, and no neighbours get further apart;
 * so the first and the last position of a part tell what is between. If they are as far apart as
 * their places, the part is read where it lies: neither positions nor a copy are stored.
 *
 * A mask that compares such an array with a scalar: if it is the same at both ends of a part, it is
 * that between them, and the part is computed without it. Both are decided as the loop runs.
 *
 * Invariant: all positions are known to be inside before anything is read this way, or else they
 * are computed and looked at as those of any gather. */
#include "emit/elem_text.h"
#include "emit/program_fixed.h"

#include "exec/plan_work.h"

/* ---- which ---- */

/* It stays as it is while the loop runs. */
static bool is_steady(const Fixed *f, u32 reg)
{
    const FixedValue *v = &f->v[reg];
    if (!v->known || v->own || v->root != reg)
        return false;
    return v->param ? !lane_is_sequence(f->b, v->param - 1) : reg < f->b->nshared;
}

bool fixed_is_base(const Fixed *f, u32 reg)
{
    return is_steady(f, reg) && f->v[reg].like.rank == 1 && f->v[reg].like.dtype == DT_I64;
}

static bool moves_in_order(const TileStep *s, u32 from, u32 nin)
{
    u32 other = s->arg[0] == from ? 1 : 0;
    bool either = s->node->op == OP_ADD || s->node->op == OP_MAXIMUM || s->node->op == OP_MINIMUM;
    return s->kind == TILE_2 && s->from == DT_I64 && s->to == DT_I64 && s->arg[1 - other] == from &&
           s->arg[other] < nin && s->arg[other] != from &&
           (either || (s->node->op == OP_SUB && other == 1));
}

/* A chain of such steps, from the one operand that is an array. */
static bool is_chain(const Fixed *f, const Wide *w)
{
    const Tiles *t = w->tiles;
    u32 from = NO_REG, arrays = 0;
    for (u32 k = 0; k < w->nin; k++)
        if (w->in[k].kind == KIND_TENSOR) {
            from = k;
            arrays++;
        } else if (w->in[k].kind != DT_I64) {
            return false;
        }
    if (arrays != 1 || w->nout != 1 || t->nfolds || fixed_is_spread(f, w, from))
        return false;
    if (!fixed_is_base(f, w->in[from].reg))
        return false;
    for (u32 i = 0; i < t->nsteps; i++) {
        if (!moves_in_order(&t->steps[i], from, w->nin))
            return false;
        from = w->nin + i;
    }
    return t->nsteps && t->outs[0] == t->nsteps - 1;
}

static u32 base_of(const Wide *w)
{
    u32 k = 0;
    while (w->in[k].kind != KIND_TENSOR)
        k++;
    return w->in[k].reg;
}

u32 fixed_uses(const Ins *ins, u32 reg)
{
    u32 n = 0;
    if (ins->op == I_DROP)
        return 0;
    if (!ins_is_wide((InsOp)ins->op))
        return (u32)(ins->a == reg) + (ins->b == reg) + (ins->c == reg);
    for (u32 k = 0; k < ins->u.wide->nin; k++)
        n += ins->u.wide->in[k].reg == reg;
    return n;
}

/* The one instruction that uses it, once; none: the number of instructions. */
static u32 only_user(const Block *b, u32 reg)
{
    u32 user = b->ncode, uses = 0;
    for (u32 i = 0; i < b->ncode; i++) {
        u32 n = fixed_uses(&b->code[i], reg);
        uses += n;
        user = n ? i : user;
    }
    return uses == 1 ? user : b->ncode;
}

static bool is_elementwise(const Ins *ins)
{
    return ins->op == I_FUSED || (ins->op == I_ARRAY && fused_elementwise(ins->u.wide->node));
}

/* Is the operand read place by place, in groups of places? */
static bool reads_in_groups(const Fixed *f, const Ins *ins, u32 reg)
{
    const Wide *w = ins->u.wide;
    if (!is_elementwise(ins))
        return false;
    for (u32 k = 0; k < w->nin; k++)
        if (w->in[k].reg == reg && fixed_is_spread(f, w, k))
            return false;
    return ins->op == I_ARRAY || !fixed_nests(f, w, &f->v[reg].like);
}

/* Neither arrays change owners there, nor scalars their values. */
static bool is_quiet(const Fixed *f, u32 from, u32 to)
{
    for (u32 i = from; i < to; i++) {
        const Ins *ins = &f->b->code[i];
        bool gathers = ins->op == I_ARRAY && ins->u.wide->node->op == OP_GATHER;
        bool scalar = !ins_is_wide((InsOp)ins->op) && ins->op != I_TAKE && ins->op != I_SHARE &&
                      !f->s->state[ins->d];
        if (!is_elementwise(ins) && !gathers && !scalar)
            return false;
    }
    return true;
}

static void find_run(Fixed *f, u32 at)
{
    const Ins *ins = &f->b->code[at];
    if (ins->op != I_ARRAY || ins->u.wide->node->op != OP_GATHER)
        return;
    const Wide *w = ins->u.wide;
    const FixedSlice *l = &f->slice[w->out[0].reg];
    u32 group = 0, user = only_user(f->b, w->out[0].reg);
    while (group < at && !(f->b->code[group].op == I_FUSED &&
                           f->b->code[group].u.wide->out[0].reg == w->in[1].reg))
        group++;
    if (group == at || user <= at || user == f->b->ncode || l->outer != 1 || l->inner != 1 ||
        !is_chain(f, f->b->code[group].u.wide) || only_user(f->b, w->in[1].reg) != at ||
        !reads_in_groups(f, &f->b->code[user], w->out[0].reg) || !is_quiet(f, group, user))
        return;
    f->run[w->out[0].reg] = (FixedRun){f->b->code[group].u.wide, w->in[0].reg};
    f->counts[base_of(f->b->code[group].u.wide)] = true;
}

/* ---- masks ---- */

/* An array that may count, as a column of a group. */
static bool is_base(const Fixed *f, const Wide *w, u32 column)
{
    return column < w->nin && w->in[column].kind == KIND_TENSOR && !fixed_is_spread(f, w, column) &&
           fixed_is_base(f, w->in[column].reg);
}

static bool is_comparison(const TileStep *s)
{
    const OpId op = s->node->op;
    return s->kind == TILE_2 && s->from == DT_I64 &&
           (op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE);
}

/* The operand of a comparison with a scalar that is such an array; none: NO_REG. */
static u32 compared(const Fixed *f, const Wide *w, const TileStep *s)
{
    for (u32 k = 0; is_comparison(s) && k < 2; k++)
        if (is_base(f, w, s->arg[k]) && s->arg[1 - k] < w->nin &&
            w->in[s->arg[1 - k]].kind == DT_I64)
            return k;
    return NO_REG;
}

/* Comparisons, and what joins them. */
static bool is_mask(const Fixed *f, const Wide *w, const Tiles *t, u32 column)
{
    if (column < w->nin)
        return false;
    const TileStep *s = &t->steps[column - w->nin];
    const OpId op = s->node->op;
    if (compared(f, w, s) != NO_REG)
        return true;
    return (op == OP_LOGICAL_AND || op == OP_LOGICAL_OR) && is_mask(f, w, t, s->arg[0]) &&
           is_mask(f, w, t, s->arg[1]);
}

/* 1 + the step that the last choice of a group is made by; 0: no mask. */
static u32 mask_of(const Fixed *f, const Wide *w, const Tiles *t)
{
    for (u32 i = t->nsteps; i-- > 0;)
        if (t->steps[i].kind == TILE_WHERE && is_mask(f, w, t, t->steps[i].arg[0]))
            return t->steps[i].arg[0] - w->nin + 1;
    return 0;
}

bool fixed_is_masked(const Fixed *f, const Wide *w) { return mask_of(f, w, w->tiles) != 0; }

static void find_masks(Fixed *f, const Wide *w)
{
    if (!mask_of(f, w, w->tiles))
        return;
    for (u32 i = 0; i < w->tiles->nsteps; i++) {
        const TileStep *s = &w->tiles->steps[i];
        u32 k = compared(f, w, s);
        if (k != NO_REG)
            f->counts[w->in[s->arg[k]].reg] = true;
    }
}

void fixed_find_runs(Fixed *f)
{
    for (u32 i = 0; i < f->b->ncode; i++) {
        find_run(f, i);
        if (f->b->code[i].op == I_FUSED)
            find_masks(f, f->b->code[i].u.wide);
    }
}

bool fixed_is_postponed(const Fixed *f, const Ins *ins)
{
    for (u32 reg = 0; ins->op == I_FUSED && reg < f->b->nregs; reg++)
        if (f->run[reg].positions == ins->u.wide)
            return true;
    return false;
}

/* ---- as C ---- */

/* The position that begins as the variable `at`; wrapK: it was none. */
static void write_position(const Fixed *f, u32 reg, const char *at, bool checked)
{
    const Wide *w = f->run[reg].positions;
    for (u32 i = 0; i < w->tiles->nsteps; i++) {
        const TileStep *s = &w->tiles->steps[i];
        const u32 k = s->arg[1] < w->nin && w->in[s->arg[1]].kind != KIND_TENSOR ? 1 : 0;
        const Word x = value_of_reg(f->s, w->in[s->arg[k]].reg);
        const OpId op = s->node->op;
        if (op == OP_MAXIMUM || op == OP_MINIMUM)
            say(f->s, "%s = %s %c %s ? %s : %s;", at, at, op == OP_MAXIMUM ? '>' : '<', x.at, at,
                x.at);
        else if (checked)
            say(f->s, "wrap%u |= __builtin_%s_overflow(%s, (i64)%s, &%s);", reg,
                op == OP_ADD ? "add" : "sub", at, x.at, at);
        else
            say(f->s, "%s %c= %s;", at, op == OP_ADD ? '+' : '-', x.at);
    }
}

void write_run_bases(const Fixed *f)
{
    for (u32 reg = 0; reg < f->b->nregs; reg++) {
        if (!f->counts[reg])
            continue;
        const long long n = (long long)f->v[reg].like.count;
        say(f->s, "u64 uneven%u = t%u[%lld] < t%u[0];", reg, reg, n - 1, reg);
        say(f->s, "for (i64 i = 0; i < %lld; i++) uneven%u |= (u64)t%u[i] - (u64)t%u[0] - (u64)i;",
            n, reg, reg, reg);
    }
}

void write_run(const Fixed *f, u32 reg)
{
    const u32 base = base_of(f->run[reg].positions);
    char first[24], last[24];
    snprintf(first, sizeof first, "first%u", reg);
    snprintf(last, sizeof last, "last%u", reg);
    say(f->s, "i64 %s = t%u[0], %s = t%u[%lld], wrap%u = uneven%u != 0;", first, base, last, base,
        (long long)f->v[base].like.count - 1, reg, base);
    write_position(f, reg, first, true);
    write_position(f, reg, last, true);
    say(f->s, "const int run%u = !wrap%u && %s >= 0 && %s < %lld;", reg, reg, first, last,
        (long long)f->v[f->run[reg].from].like.count);
}

void write_run_column(const Fixed *f, u32 reg, u32 column, long long room)
{
    const char *type = c_type(f->v[reg].like.dtype);
    const u32 base = base_of(f->run[reg].positions), from = f->run[reg].from;
    say(f->s, "const %s *c%u = t%u + g;", type, column, reg);
    say(f->s, "%s b%u[%lld];", type, column, room);
    say(f->s, "if (run%u) {", reg);
    say(f->s, "i64 first = t%u[g], last = t%u[g + n - 1];", base, base);
    write_position(f, reg, "first", false);
    write_position(f, reg, "last", false);
    say(f->s, "c%u = last - first == n - 1 ? t%u + first : b%u;", column, from, column);
    say(f->s, "for (i64 i = 0; first == last && i < n; i++) b%u[i] = t%u[first];", column, from);
    say(f->s, "for (i64 i = 0; c%u == b%u && first < last && i < n; i++) {", column, column);
    say(f->s, "i64 at = t%u[g + i];", base);
    write_position(f, reg, "at", false);
    say(f->s, "b%u[i] = t%u[at];", column, from);
    say(f->s, "} }");
}

/* allK and noneK, of a part: what a comparison is at its first and its last place, it is between.
 */
static void write_sides(const Fixed *f, const Wide *w, const TileStep *s, u32 column)
{
    const OpId op = s->node->op;
    const u32 k = compared(f, w, s), a = s->arg[0], b = s->arg[1];
    if (k == NO_REG) {
        const char *all = op == OP_LOGICAL_AND ? "&" : "|",
                   *none = op == OP_LOGICAL_AND ? "|" : "&";
        say(f->s, "const int all%u = all%u %s all%u, none%u = none%u %s none%u;", column, a, all, b,
            column, a, none, b);
    } else {
        const char *sign = op == OP_LT ? "<" : op == OP_LE ? "<=" : op == OP_GT ? ">" : ">=";
        const u32 reg = w->in[s->arg[k]].reg;
        say(f->s, "const int first%u = c%u[0] %s c%u[0], last%u = c%u[%s] %s c%u[%s];", column, a,
            sign, b, column, a, k ? "0" : "n - 1", sign, b, k ? "n - 1" : "0");
        say(f->s, "const int all%u = !uneven%u & first%u & last%u;", column, reg, column, column);
        say(f->s, "const int none%u = !uneven%u & !first%u & !last%u;", column, reg, column,
            column);
    }
}

void write_masked_steps(const Fixed *f, const Wide *w, TileText *g)
{
    const u32 mask = w->tiles && !tile_calls(g) ? mask_of(f, w, g->t) : 0;
    for (u32 i = 0; mask && i < mask; i++)
        if (is_mask(f, w, g->t, w->nin + i))
            write_sides(f, w, &g->t->steps[i], w->nin + i);
    for (int truth = 1; mask && truth >= 0; truth--) {
        g->told = mask;
        g->truth = truth;
        say(f->s, "if (%s%u) {", truth ? "all" : "none", w->nin + mask - 1);
        write_tile_steps(g, false);
        memset(g->known, 0, ((size_t)g->nin + g->t->nsteps) * sizeof *g->known);
        say(f->s, "} else");
    }
    g->told = 0;
    say(f->s, "{");
    write_tile_steps(g, false);
    say(f->s, "}");
}
