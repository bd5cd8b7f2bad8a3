/* Groups of a loop over arrays of known shapes (program_fixed.c): as loops over axes, or some
 * elements at a time, with array functions between the loops, and then what is reduced.
 *
 * Invariant: as there. */
#include "emit/elem_text.h"
#include "emit/program_fixed.h"
#include "exec/plan_work.h"

enum {
    AT_ONCE = 512 /* elements of a group */
};

static const char *type_of(const Fixed *f, u32 reg) { return c_type(f->v[reg].like.dtype); }

static long long count_of(const Fixed *f, u32 reg) { return (long long)f->v[reg].like.count; }

static void declare_scalar(const Fixed *f, const Arg *out)
{
    if (out->kind < KIND_TENSOR && !f->s->state[out->reg])
        say(f->s, "%s %s;", c_type((DType)out->kind), name_of(f->s, out->reg).at);
}

/* What a function writes to: an array, or the variable of a scalar. */
static Word address_of(const Fixed *f, const Arg *out)
{
    Word w;
    if (out->kind == KIND_TENSOR)
        snprintf(w.at, sizeof w.at, "t%u", out->reg);
    else
        snprintf(w.at, sizeof w.at, "&%.*s", (int)sizeof w.at - 2, name_of(f->s, out->reg).at);
    return w;
}

Word fixed_written_to(const Fixed *f, const Arg *out)
{
    declare_scalar(f, out);
    return address_of(f, out);
}

/* `out`: by step the register of its result, or NO_REG. */
static void declare_group(const Fixed *f, const TileText *g, const Wide *w, const u32 *out,
                          long long count)
{
    const Arg *in = w->in;
    Text *c = &f->s->w->out->c;
    const long long room = count < AT_ONCE ? count : AT_ONCE;
    for (u32 k = 0; k < g->nin; k++)
        if (in[k].kind == KIND_TENSOR && f->run[in[k].reg].positions)
            write_run_column(f, in[k].reg, k, room);
        else if (in[k].kind == KIND_TENSOR)
            text_printf(c, "        const %s *const c%u = %c%u + g;\n", type_of(f, in[k].reg), k,
                        fixed_is_spread(f, w, k) ? 'e' : 't',
                        fixed_is_spread(f, w, k) ? k : in[k].reg);
        else
            text_printf(c, "        const %s v%u = %s, *const c%u = &v%u;\n",
                        c_type((DType)in[k].kind), k, value_of_reg(f->s, in[k].reg).at, k, k);
    for (u32 i = 0; i < g->t->nsteps; i++) {
        const char *type = c_type(g->t->steps[i].to);
        if (out[i] != NO_REG)
            text_printf(c, "        %s *const c%u = t%u + g;\n", type, g->nin + i, out[i]);
        else if (g->given[i])
            text_printf(c, "        %s *const c%u = f%u + g;\n", type, g->nin + i, i);
        else if (g->stored[i])
            text_printf(c, "        %s c%u[%lld];\n", type, g->nin + i, room);
    }
}

static void write_group(const Fixed *f, const Tiles *t, const Wide *w, const u32 *out,
                        long long count)
{
    Text *c = &f->s->w->out->c;
    TileText g;
    tile_text_open(&g, f->s->w, t, w->nin);
    for (u32 i = 0; i < t->nsteps; i++)
        g.given[i] = out[i] != NO_REG;
    for (u32 i = 0; i < t->nfolds; i++)
        g.given[t->folds[i].arg - w->nin] = true;
    if (count > AT_ONCE)
        text_printf(c,
                    "        for (i64 g = 0; g < %lld; g += %d) {\n"
                    "        const i64 n = %lld - g < %d ? %lld - g : %d;\n",
                    count, (int)AT_ONCE, count, (int)AT_ONCE, count, (int)AT_ONCE);
    else
        text_printf(c, "        {\n        const i64 g = 0, n = %lld;\n", count);
    declare_group(f, &g, w, out, count);
    if (count > AT_ONCE)
        write_masked_steps(f, w, &g);
    else
        write_tile_steps(&g, false);
    text_put(c, "        }\n");
    tile_text_close(&g);
}

static u32 *no_results(u32 n)
{
    u32 *out = xmalloc(((size_t)n + 1) * sizeof *out);
    for (u32 i = 0; i < n; i++)
        out[i] = NO_REG;
    return out;
}

/* An operand as large as the others. */
static void write_spread(const Fixed *f, const Wide *w, u32 k, const Tensor *like, i64 offset)
{
    const char *type = type_of(f, w->in[k].reg);
    Word to;
    snprintf(to.at, sizeof to.at, "e%u", k);
    say(f->s, "%s *const %s = (%s *)(memory + %lld);", type, to.at, type, (long long)offset);
    write_fixed_spread(f, w, k, like, to.at);
}

static void write_reduction(const Fixed *f, const Node *n, const Tensor *like, const char *from,
                            u32 name, const Arg *out)
{
    AxisRun over = {0};
    fixed_reduction(n, &over);
    const Layout run = layout_over(like, over);
    Word to = address_of(f, out);
    if (name == NO_REG || !write_fixed_reduction(f, n, like, from, name, out))
        say(f->s, "reduced(%d, %d, %lld, %lld, %lld, %s, %s); /* %s */", (int)reduce_of(n->op),
            (int)node_dtype(n->ops[0]), (long long)run.outer, (long long)run.axis,
            (long long)run.inner, from, to.at, node_info(n)->name);
    if (n->op == OP_PEAK)
        say(f->s, "settled(%d, %lld, %s);", (int)node_dtype(n), (long long)(run.outer * run.inner),
            to.at);
}

/* Loops that store what is reduced, then that: of fold I in fI. */
static void write_reduced_apart(const Fixed *f, const Wide *w, const Tensor *like)
{
    const Tiles *t = w->tiles;
    i64 at = f->v[w->out[0].reg].scratch;
    u32 stored = 0;
    say(f->s, "{");
    for (u32 i = 0; i < t->nfolds; i++) {
        const char *type = c_type(t->folds[i].from);
        if (f->fresh[w->out[t->folds[i].out].reg])
            continue;
        say(f->s, "%s *const f%u = (%s *)(memory + %lld);", type, stored++, type, (long long)at);
        at += fixed_bytes(like->count, t->folds[i].from);
    }
    write_fixed_nest(f, w, like);
    stored = 0;
    for (u32 i = 0; i < t->nfolds; i++) {
        Tensor reduced = *like;
        Word from;
        if (f->fresh[w->out[t->folds[i].out].reg])
            continue;
        reduced.dtype = t->folds[i].from;
        snprintf(from.at, sizeof from.at, "f%u", stored++);
        write_reduction(f, t->folds[i].node, &reduced, from.at, NO_REG, &w->out[t->folds[i].out]);
    }
    say(f->s, "}");
}

void write_fixed_group(const Fixed *f, const Wide *w)
{
    const Tiles *t = w->tiles;
    const Tensor like = fixed_group_like(f, w);
    for (u32 k = 0; k < w->nout; k++)
        declare_scalar(f, &w->out[k]);
    if (fixed_nests(f, w, &like)) {
        (fixed_reduces_apart(f, w, &like) ? write_reduced_apart : write_fixed_nest)(f, w, &like);
        return;
    }
    u32 *out = no_results(t->nsteps);
    i64 at = f->v[w->out[0].reg].scratch;
    say(f->s, "{");
    for (u32 k = 0; k < w->nin; k++)
        if (fixed_is_spread(f, w, k)) {
            write_spread(f, w, k, &like, at);
            at += fixed_bytes(like.count, f->v[w->in[k].reg].like.dtype);
        }
    for (u32 k = 0; k < w->nout; k++)
        if (t->outs[k] != NO_REG)
            out[t->outs[k]] = w->out[k].reg;
    for (u32 i = 0; i < t->nfolds; i++) {
        const char *type = c_type(t->folds[i].from);
        u32 step = t->folds[i].arg - w->nin;
        bool again = false;
        for (u32 j = 0; j < i; j++)
            again = again || t->folds[j].arg == t->folds[i].arg;
        if (out[step] == NO_REG && !again)
            say(f->s, "%s *const f%u = (%s *)(memory + %lld);", type, step, type, (long long)at);
        at += fixed_bytes(like.count, t->folds[i].from);
    }
    write_group(f, t, w, out, like.count);
    for (u32 i = 0; i < t->nfolds; i++) {
        u32 step = t->folds[i].arg - w->nin;
        Word from;
        snprintf(from.at, sizeof from.at, out[step] == NO_REG ? "f%u" : "t%u",
                 out[step] == NO_REG ? step : out[step]);
        Tensor reduced = like;
        reduced.dtype = t->folds[i].from;
        write_reduction(f, t->folds[i].node, &reduced, from.at, fixed_operand_like(f, w, &reduced),
                        &w->out[t->folds[i].out]);
    }
    say(f->s, "}");
    free(out);
}

/* False: it is no reduction. */
bool write_fixed_reduce(const Fixed *f, const Wide *w)
{
    AxisRun over = {0};
    Word from;
    if (!fixed_reduction(w->node, &over))
        return false;
    snprintf(from.at, sizeof from.at, "t%u", w->in[0].reg);
    declare_scalar(f, &w->out[0]);
    write_reduction(f, w->node, &f->v[w->in[0].reg].like, from.at, w->in[0].reg, &w->out[0]);
    return true;
}

/* One operator as a group. */
void write_fixed_operator(const Fixed *f, const Ins *ins)
{
    FixedGroup g;
    u32 *out;
    if (!fixed_group_open(f, ins, &g))
        die("a group that was none");
    const Tensor like = fixed_group_like(f, &g.w);
    if (fixed_nests(f, &g.w, &like)) {
        write_fixed_nest(f, &g.w, &like);
    } else {
        out = no_results(g.t.nsteps);
        out[g.t.nsteps - 1] = g.w.out[0].reg;
        write_group(f, &g.t, &g.w, out, count_of(f, g.w.out[0].reg));
        free(out);
    }
    fixed_group_close(&g);
}
