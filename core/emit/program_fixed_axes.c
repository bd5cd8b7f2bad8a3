/* The axes of a group that is written as loops (program_fixed_nest.c), and the values of the
 * element at work. An operand that is computed anew (program_fixed_fresh.c) is the steps that give
 * it, at its place; a value that several of these have in common is there once.
 *
 * Invariant: a group none of whose operands is computed anew has a column for each operand, then
 * one for each step, in their order. */
#include "emit/program_fixed_nest.h"

/* ---- values ---- */

/* A group whose values are put among the columns: where each of its axes is in the nest, or the
 * place on it. */
typedef struct {
    const Wide *w;
    Tensor like;
    int axis[MAX_RANK]; /* -1: the place is fixed */
    i64 at[MAX_RANK];
    u32 *column; /* 1 + its column, of each value */
} Among;

static u32 value_column(Nest *n, Among *s, u32 value);

static bool same_step(const TileStep *a, const TileStep *b)
{
    return a->node->op == b->node->op && a->kind == b->kind && a->from == b->from &&
           a->to == b->to && !memcmp(a->arg, b->arg, sizeof a->arg);
}

static bool same_column(const NestColumn *a, const NestColumn *b)
{
    if (a->is != b->is || a->dtype != b->dtype)
        return false;
    if (a->is == NEST_OPERAND)
        return a->reg == b->reg && a->offset == b->offset &&
               !memcmp(a->stride, b->stride, sizeof a->stride);
    if (a->is == NEST_STEP)
        return same_step(&a->step, &b->step);
    return a->fold.op == b->fold.op && a->fold.from == b->fold.from && a->fold.arg == b->fold.arg &&
           a->before == b->before;
}

static u32 add_column(Nest *n, const NestColumn *c, bool shared)
{
    for (u32 i = 0; shared && i < n->column.len; i++)
        if (same_column(&n->column.at[i], c))
            return i;
    vec_push(&n->column, *c);
    return (u32)n->column.len - 1;
}

/* ---- what is computed anew ---- */

/* The producer of operand k, whose axes are some of those of the group, or are 1 long. */
static void source_of(const Nest *n, const Among *user, u32 k, const FixedGroup *g, u32 out,
                      Among *s)
{
    const u32 reg = user->w->in[k].reg;
    const Tensor *like = &n->f->v[reg].like;
    const Tiles *t = g->w.tiles;
    const int first = t->outs[out] == NO_REG ? t->over.first : MAX_RANK;
    *s = (Among){.w = &g->w, .like = fixed_group_like(n->f, &g->w)};
    for (int i = 0; i < s->like.rank; i++)
        s->axis[i] = -1;
    for (int i = 0; i < like->rank; i++) {
        const int to = fixed_axis_of(n->f, user->w, k, &user->like, i);
        const int own = i + (i >= first);
        if (to < 0)
            continue;
        s->axis[own] = user->axis[to];
        s->at[own] = user->at[to];
    }
    s->column = xcalloc((size_t)g->w.nin + t->nsteps + 1, sizeof *s->column);
}

static const TileFold *fold_of(const Tiles *t, u32 out)
{
    u32 i = 0;
    while (t->folds[i].out != out)
        i++;
    return &t->folds[i];
}

/* A few elements, from the first to the last, as any reduction combines so few. */
static u32 folded(Nest *n, Among *s, const TileFold *fold)
{
    const Tiles *t = s->w->tiles;
    const int axis = t->over.first;
    NestColumn c = {.dtype = fold->to, .fold = *fold, .before = NO_REG};
    for (i64 i = 0; i < s->like.shape[axis]; i++) {
        s->at[axis] = i;
        memset(s->column, 0, ((size_t)s->w->nin + t->nsteps) * sizeof *s->column);
        c.is = i ? NEST_NEXT : NEST_FIRST;
        c.fold.arg = value_column(n, s, fold->arg);
        c.before = add_column(n, &c, true);
    }
    c.is = NEST_DONE;
    c.fold.arg = NO_REG;
    return add_column(n, &c, true);
}

static u32 fresh_column(Nest *n, const Among *user, u32 k)
{
    const Ins *from = n->f->fresh[user->w->in[k].reg];
    FixedGroup g;
    Among s;
    u32 out = 0, c;
    if (!fixed_group_open(n->f, from, &g))
        die("a value that is computed again by none");
    while (g.w.out[out].reg != user->w->in[k].reg)
        out++;
    source_of(n, user, k, &g, out, &s);
    c = g.w.tiles->outs[out] == NO_REG ? folded(n, &s, fold_of(g.w.tiles, out))
                                       : value_column(n, &s, g.w.nin + g.w.tiles->outs[out]);
    free(s.column);
    fixed_group_close(&g);
    return c;
}

/* ---- columns ---- */

static u32 operand_column(Nest *n, const Among *s, u32 k, bool shared)
{
    const Arg *in = &s->w->in[k];
    NestColumn c = {.is = NEST_OPERAND, .reg = in->reg};
    i64 stride[MAX_RANK];
    if (in->kind != KIND_TENSOR) {
        c.dtype = (DType)in->kind;
        c.scalar = true;
        return add_column(n, &c, shared);
    }
    if (n->f->fresh[in->reg])
        return fresh_column(n, s, k);
    c.dtype = n->f->v[in->reg].like.dtype;
    fixed_strides(n->f, s->w, k, &s->like, stride);
    for (int i = 0; i < s->like.rank; i++)
        if (s->axis[i] < 0)
            c.offset += s->at[i] * stride[i];
        else
            c.stride[s->axis[i]] += stride[i];
    return add_column(n, &c, shared);
}

static u32 step_column(Nest *n, Among *s, const TileStep *step, bool shared)
{
    NestColumn c = {.is = NEST_STEP, .dtype = step->to, .step = *step};
    for (u32 k = 0; k < tile_arity(step); k++)
        c.step.arg[k] = value_column(n, s, step->arg[k]);
    return add_column(n, &c, shared);
}

static u32 value_column(Nest *n, Among *s, u32 value)
{
    const u32 nin = s->w->nin;
    const bool shared = fixed_has_fresh(n->f, n->w);
    if (!s->column[value])
        s->column[value] =
            1 + (value < nin ? operand_column(n, s, value, shared)
                             : step_column(n, s, &s->w->tiles->steps[value - nin], shared));
    return s->column[value] - 1;
}

static void find_columns(Nest *n, const Tensor *like)
{
    const Wide *w = n->w;
    const Tiles *t = w->tiles;
    Among s = {.w = w, .like = *like};
    for (int i = 0; i < like->rank; i++)
        s.axis[i] = i;
    s.column = xcalloc((size_t)w->nin + t->nsteps + 1, sizeof *s.column);
    n->fold = xcalloc((size_t)t->nfolds + 1, sizeof *n->fold);
    n->given = xcalloc((size_t)w->nout + 1, sizeof *n->given);
    for (u32 i = 0; i < w->nin + t->nsteps; i++)
        value_column(n, &s, i);
    for (u32 i = 0; i < t->nfolds; i++) {
        if (n->f->fresh[w->out[t->folds[i].out].reg])
            continue;
        n->fold[n->nfolds] = t->folds[i];
        n->fold[n->nfolds++].arg = value_column(n, &s, t->folds[i].arg);
    }
    for (u32 k = 0; t->outs && k < w->nout; k++) {
        const bool none = t->outs[k] == NO_REG || n->f->fresh[w->out[k].reg];
        n->given[k] = none ? NO_REG : value_column(n, &s, w->nin + t->outs[k]);
    }
    free(s.column);
}

/* ---- axes ---- */

static void remove_axis(Nest *n, int at)
{
    n->rank--;
    for (int i = at; i < n->rank; i++) {
        n->shape[i] = n->shape[i + 1];
        n->part[i] = n->part[i + 1];
        n->whole[i] = n->whole[i + 1];
        n->left[i] = n->left[i + 1];
        for (u32 k = 0; k < n->column.len; k++)
            n->column.at[k].stride[i] = n->column.at[k].stride[i + 1];
    }
}

static bool is_even(const Nest *n, const i64 *stride, int at)
{
    return stride[at] == stride[at + 1] * n->shape[at + 1];
}

/* May the axes `at` and the next be one? */
static bool may_join(const Nest *n, int at)
{
    bool even =
        n->part[at] == n->part[at + 1] && is_even(n, n->whole, at) && is_even(n, n->left, at);
    for (u32 k = 0; k < n->column.len && even; k++)
        even = is_even(n, n->column.at[k].stride, at);
    return even;
}

static void join_axes(Nest *n)
{
    for (int i = n->rank - 1; i-- > 0;)
        if (may_join(n, i)) {
            n->shape[i + 1] *= n->shape[i];
            remove_axis(n, i);
        }
}

/* Strides of what is as large as the group, and of what is left of that. */
static void result_strides(Nest *n)
{
    i64 whole = 1, left = 1;
    for (int i = n->rank - 1; i >= 0; i--) {
        n->whole[i] = whole;
        n->left[i] = n->part[i] == PART_OVER ? 0 : left;
        whole *= n->shape[i];
        left *= n->part[i] == PART_OVER ? 1 : n->shape[i];
    }
}

/* Which columns differ along the last axis. */
static void find_varying(Nest *n)
{
    for (u32 i = 0; i < n->column.len; i++) {
        NestColumn *c = &n->column.at[i];
        if (c->is == NEST_OPERAND)
            c->varies = n->rank && c->stride[n->rank - 1];
        for (u32 k = 0; c->is == NEST_STEP && k < tile_arity(&c->step); k++)
            c->varies = c->varies || n->column.at[c->step.arg[k]].varies;
        if (c->is == NEST_FIRST || c->is == NEST_NEXT)
            c->varies = n->column.at[c->fold.arg].varies;
        if (c->is == NEST_NEXT || c->is == NEST_DONE)
            c->varies = c->varies || n->column.at[c->before].varies;
    }
}

void nest_open(Nest *n, const Fixed *f, const Wide *w, const Tensor *like)
{
    AxisRun over = w->tiles->nfolds ? w->tiles->over : (AxisRun){like->rank, 0};
    *n = (Nest){.f = f, .w = w, .rank = like->rank};
    memcpy(n->shape, like->shape, sizeof n->shape);
    for (int i = 0; i < n->rank; i++)
        n->part[i] = i < over.first                ? PART_OUTER
                     : i < over.first + over.count ? PART_OVER
                                                   : PART_INNER;
    find_columns(n, like);
    result_strides(n);
    join_axes(n);
    find_varying(n);
    for (n->over = 0; n->over < n->rank && n->part[n->over] == PART_OUTER;)
        n->over++;
    n->inner = n->over + 1;
}

void nest_close(Nest *n)
{
    vec_free(&n->column);
    free(n->fold);
    free(n->given);
}
