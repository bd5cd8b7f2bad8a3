/* Arrays of a step (program_fixed.c) that are not stored: who reads an element computes it anew. So
 * what several sums over pairs have in common, like differences and their lengths, stays in
 * registers, and all of it runs in the loops of the last of them.
 *
 * Which: results of elementwise steps, or of a reduction over a few elements, that only groups
 * written as loops read, each element once, unless it is cheap.
 *
 * Invariant: what they are computed from is the same where they are read. */
#include "emit/program_fixed_nest.h"
#include "exec/plan_work.h"
#include "tensor/kernels_fold.h"

enum {
    FEW = LANES / 2,   /* elements of a reduction, at most */
    MOST_ANEW = 12,    /* operations that are repeated for an element, at most */
    MOST_WEIGHT = 200, /* operations of an element */
    SLOW = 8           /* operations that a quotient or a root is worth */
};

/* ---- groups ---- */

bool fixed_has_fresh(const Fixed *f, const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++)
        if (w->in[k].kind == KIND_TENSOR && f->fresh[w->in[k].reg])
            return true;
    for (u32 k = 0; k < w->nout; k++)
        if (w->out[k].kind == KIND_TENSOR && w->out[k].reg != NO_REG && f->fresh[w->out[k].reg])
            return true;
    return false;
}

bool fixed_is_fresh(const Fixed *f, const Ins *ins)
{
    if (ins->op != I_FUSED && ins->op != I_ARRAY)
        return false;
    for (u32 k = 0; k < ins->u.wide->nout; k++)
        if (ins->u.wide->out[k].reg == NO_REG || !f->fresh[ins->u.wide->out[k].reg])
            return false;
    return ins->u.wide->nout > 0;
}

static bool has_calls(const Tiles *t)
{
    for (u32 i = 0; i < t->nsteps; i++)
        if (tile_is_call(&t->steps[i]))
            return true;
    return false;
}

/* It may be loops over axes, and no choice by a mask is made of it. */
static bool is_plain(const Fixed *f, const FixedGroup *g)
{
    const Wide *w = &g->w;
    const Tiles *t = w->tiles;
    bool plain = !(w->node->op == OP_GER && w->nin > 2) && (t->nfolds || !fixed_is_masked(f, w));
    for (u32 k = 0; k < w->nin; k++)
        plain = plain && !(w->in[k].kind == KIND_TENSOR && f->run[w->in[k].reg].positions);
    for (u32 k = 0; k < w->nout; k++)
        plain = plain && w->out[k].reg != NO_REG && !f->outside[w->out[k].reg];
    return plain;
}

static bool open_plain(const Fixed *f, const Ins *ins, FixedGroup *g)
{
    if (!fixed_group_open(f, ins, g))
        return false;
    if (is_plain(f, g))
        return true;
    fixed_group_close(g);
    return false;
}

/* ---- work ---- */

static i64 weight_of_step(const TileStep *s)
{
    switch (s->node->op) {
    case OP_DIV:
    case OP_FLOORDIV:
    case OP_MOD:
    case OP_RECIPROCAL:
    case OP_SQRT:
    case OP_RSQRT: return SLOW;
    default: return 1;
    }
}

static i64 weight(const Fixed *f, u32 reg);

/* Operations for an element of that column; those of `seen` are counted already. */
static i64 weight_of_column(const Fixed *f, const Wide *w, u32 column, bool *seen)
{
    if (seen[column])
        return 0;
    seen[column] = true;
    if (column < w->nin)
        return w->in[column].kind == KIND_TENSOR && f->fresh[w->in[column].reg]
                   ? weight(f, w->in[column].reg)
                   : 0;
    const TileStep *s = &w->tiles->steps[column - w->nin];
    i64 sum = weight_of_step(s);
    for (u32 k = 0; k < tile_arity(s); k++)
        sum += weight_of_column(f, w, s->arg[k], seen);
    return sum;
}

static i64 weight_of_result(const Fixed *f, const Wide *w, u32 out)
{
    const Tiles *t = w->tiles;
    bool *seen = xcalloc((size_t)w->nin + t->nsteps + 1, 1);
    i64 sum = 0;
    if (t->outs[out] != NO_REG)
        sum = weight_of_column(f, w, w->nin + t->outs[out], seen);
    for (u32 i = 0; i < t->nfolds; i++)
        if (t->outs[out] == NO_REG && t->folds[i].out == out)
            sum = (weight_of_column(f, w, t->folds[i].arg, seen) + 1) *
                  fixed_group_like(f, w).shape[t->over.first];
    free(seen);
    return sum;
}

/* Of an element of an array that is computed anew. */
static i64 weight(const Fixed *f, u32 reg)
{
    FixedGroup g;
    u32 out = 0;
    if (!fixed_group_open(f, f->fresh[reg], &g))
        die("a value that is computed again by none");
    while (g.w.out[out].reg != reg)
        out++;
    i64 sum = weight_of_result(f, &g.w, out);
    fixed_group_close(&g);
    return sum;
}

/* ---- what is the same where it is read ---- */

/* The instruction may take the memory of that root for what it makes. A group that reads what is
 * computed anew is asked later (program_fixed_changes.c). */
static bool takes(const Fixed *f, const Ins *ins, u32 root, bool reads)
{
    if (ins->op == I_DROP)
        return false;
    if (!ins_is_wide((InsOp)ins->op))
        return ins->d == root || ((ins->op == I_TAKE || ins->op == I_SHARE) && ins->a == root);
    const Wide *w = ins->u.wide;
    for (u32 k = 0; k < w->nout; k++)
        if (w->out[k].reg == root)
            return true;
    for (u32 k = 0; k < w->nin && !reads; k++)
        if (w->in[k].move && w->in[k].kind == KIND_TENSOR && f->v[w->in[k].reg].root == root)
            return true;
    return false;
}

/* All that the group reads stays as it is up to instruction `to`. */
static bool is_steady(const Fixed *f, const Ins *ins, u32 to)
{
    const Wide *w = ins->u.wide;
    const u32 from = (u32)(ins - f->b->code);
    for (u32 k = 0; k < w->nin; k++) {
        const u32 reg = w->in[k].reg;
        const bool array = w->in[k].kind == KIND_TENSOR;
        if (array && f->fresh[reg]) {
            if (!is_steady(f, f->fresh[reg], to))
                return false;
            continue;
        }
        for (u32 i = from + 1; i <= to; i++)
            if (takes(f, &f->b->code[i], array ? f->v[reg].root : reg, i == to))
                return false;
    }
    return true;
}

/* ---- who reads it ---- */

/* Each element once, or for a few that are written out together. */
static bool reads_once(const Fixed *f, const Wide *w, u32 k)
{
    const Tensor like = fixed_group_like(f, w), *x = &f->v[w->in[k].reg].like;
    const Tiles *t = w->tiles;
    bool read[MAX_RANK] = {false};
    for (int i = 0; i < x->rank; i++) {
        const int to = fixed_axis_of(f, w, k, &like, i);
        if (to < 0 && x->shape[i] != 1)
            return false;
        if (to >= 0)
            read[to] = true;
    }
    for (int i = 0; i < like.rank; i++) {
        const bool together =
            t->nfolds && i == like.rank - 1 && t->over.first == i - 1 && like.shape[i] <= TOGETHER;
        if (!read[i] && like.shape[i] != 1 && !together)
            return false;
    }
    return true;
}

static bool may_read(const Fixed *f, const Ins *ins, u32 reg)
{
    FixedGroup g;
    if (!open_plain(f, ins, &g))
        return false;
    const Tensor like = fixed_group_like(f, &g.w);
    bool ok = !has_calls(g.w.tiles) || fixed_calls_on_rows(f, &g.w, &like);
    for (u32 k = 0; k < g.w.nin; k++)
        if (g.w.in[k].reg == reg)
            ok = ok && g.w.in[k].kind == KIND_TENSOR && reads_once(f, &g.w, k);
    fixed_group_close(&g);
    return ok;
}

/* Groups that read it, the last of them in *last; 0: none, or others do. */
static u32 readers(const Fixed *f, u32 at, u32 reg, u32 *last)
{
    u32 n = 0;
    for (u32 i = 0; i < f->b->ncode; i++) {
        const Ins *ins = &f->b->code[i];
        if (!fixed_uses(ins, reg))
            continue;
        if (i <= at || !may_read(f, ins, reg))
            return 0;
        *last = i;
        n++;
    }
    return n;
}

/* ---- which ---- */

static bool is_short(const Fixed *f, const Wide *w, u32 out)
{
    const Tiles *t = w->tiles;
    return t->outs[out] != NO_REG ||
           (t->over.count == 1 && fixed_group_like(f, w).shape[t->over.first] <= FEW);
}

static bool pays(const Fixed *f, const Wide *w, u32 out, u32 times)
{
    const i64 work = weight_of_result(f, w, out);
    return work <= MOST_WEIGHT && (times - 1) * work <= MOST_ANEW;
}

/* `stays`: its group runs anyway. */
static bool find_result(const Fixed *f, u32 at, const Wide *w, u32 out, bool stays)
{
    const FixedValue *v = &f->v[w->out[out].reg];
    u32 last = 0,
        times = v->own && !v->viewed && v->like.rank ? readers(f, at, w->out[out].reg, &last) : 0;
    return times && is_short(f, w, out) && pays(f, w, out, times + stays) &&
           is_steady(f, &f->b->code[at], last);
}

static void find_results(Fixed *f, u32 at, const Wide *w)
{
    bool all = true;
    for (u32 k = 0; k < w->nout && all; k++)
        all = find_result(f, at, w, k, false);
    for (u32 k = 0; k < w->nout; k++)
        if (all || find_result(f, at, w, k, true))
            f->fresh[w->out[k].reg] = &f->b->code[at];
}

void fixed_find_fresh(Fixed *f)
{
    FixedGroup g;
    for (u32 i = 0; i < f->b->ncode; i++) {
        if (!open_plain(f, &f->b->code[i], &g))
            continue;
        if (!has_calls(g.w.tiles))
            find_results(f, i, &g.w);
        fixed_group_close(&g);
    }
}
