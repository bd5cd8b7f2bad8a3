/* A part that runs row by row (plan_rows.c) as one list of steps, where that can be: all reductions
 * are over the same last axes, and every array has an element for each of theirs, or one for each
 * row.
 *
 * Invariant: a step takes what the instruction takes, so it gives the same bits. A part for which
 * that is not certain has no such list. */
#include "exec/plan_work.h"
#include "ops/fused.h"

typedef struct {
    Planner *pl;
    const Block *b;
    const Ins *code;
    u32 ncode;
    const bool *gone; /* by tensor register: released in the part */
    RoomPart *const *room;
    Sweep *s;
    Tiles *t;    /* its steps */
    u8 *level;   /* by register: LEVEL_.. */
    u32 *column; /* by register: NO_REG: none yet */
    int *rank;   /* by register that is made */
    bool *made;
    bool changed, bad;
} Sweeper;

static bool is_wide(const Ins *ins) { return ins_is_wide((InsOp)ins->op); }

static bool is_tensor(const Arg *a) { return a->kind == KIND_TENSOR; }

/* ---- levels ---- */

static void set_level(Sweeper *s, u32 reg, u8 level)
{
    if (level == LEVEL_NONE || s->level[reg] == level)
        return;
    s->bad = s->bad || s->level[reg] != LEVEL_NONE;
    s->level[reg] = level;
    s->changed = true;
}

/* Reductions over the last axes of arrays of one rank. */
static bool reduces_rows(Sweeper *s, const Node *n)
{
    const IntList *over = n->attrs[0].ints;
    int rank = node_rank(n->ops[0]), axes = (int)over->n;
    if (!axes || over->at[0] != rank - axes || over->at[axes - 1] != rank - 1 ||
        (s->s->axes && (s->s->axes != axes || s->s->rank != rank)))
        return false;
    s->s->axes = axes;
    s->s->rank = rank;
    return true;
}

static bool gives_axes(const Node *n) { return n->op == OP_EXPAND_DIMS || n->op == OP_SQUEEZE; }

static u8 level_of_group(Sweeper *s, const Wide *w)
{
    u8 level = LEVEL_NONE;
    bool elements = w->tiles && w->tiles->nfolds;
    for (u32 k = 0; k < w->nin; k++) {
        u8 how = tile_repeat(w->tiles, k);
        elements = elements || how != REPEAT_NOT;
        if (is_tensor(&w->in[k]) && how == REPEAT_NOT && level == LEVEL_NONE)
            level = s->level[w->in[k].reg];
    }
    for (u32 k = 0; k < w->nout && level == LEVEL_NONE; k++)
        if (!w->tiles || w->tiles->outs[k] != NO_REG)
            level = s->level[w->out[k].reg];
    return elements ? LEVEL_ELEMENT : level;
}

static void find_group_levels(Sweeper *s, const Wide *w)
{
    u8 level = level_of_group(s, w);
    for (u32 k = 0; k < w->nin; k++)
        if (is_tensor(&w->in[k]))
            set_level(s, w->in[k].reg, tile_repeat(w->tiles, k) == REPEAT_EACH ? LEVEL_ROW : level);
    for (u32 k = 0; k < w->nout; k++)
        set_level(s, w->out[k].reg, w->tiles && w->tiles->outs[k] == NO_REG ? LEVEL_ROW : level);
    for (u32 i = 0; w->tiles && i < w->tiles->nfolds; i++)
        s->bad = s->bad || !reduces_rows(s, w->tiles->folds[i].node);
}

static void find_levels_of(Sweeper *s, const Ins *ins)
{
    const Wide *w = ins->u.wide;
    if (ins->op == I_FUSED || fused_elementwise(w->node)) {
        find_group_levels(s, w);
    } else if (gives_axes(w->node)) {
        set_level(s, w->in[0].reg, LEVEL_ROW);
        set_level(s, w->out[0].reg, LEVEL_ROW);
    } else {
        s->bad = s->bad || !reduces_rows(s, w->node);
        set_level(s, w->in[0].reg, LEVEL_ELEMENT);
        set_level(s, w->out[0].reg, LEVEL_ROW);
    }
}

/* Axes are put among those of a row only. */
static bool axes_fit(const Sweeper *s, const Node *n)
{
    return !gives_axes(n) || n->attrs[0].ints->at[0] >= s->s->rank - s->s->axes;
}

/* From what is known to what follows, until nothing does. */
static bool find_levels(Sweeper *s)
{
    do {
        s->changed = false;
        for (u32 i = 0; i < s->ncode; i++)
            if (is_wide(&s->code[i]))
                find_levels_of(s, &s->code[i]);
    } while (s->changed && !s->bad);
    for (u32 i = 0; i < s->ncode && !s->bad; i++) {
        const Wide *w = is_wide(&s->code[i]) ? s->code[i].u.wide : NULL;
        s->bad = w && !axes_fit(s, w->node);
        for (u32 k = 0; w && k < w->nout; k++)
            s->bad = s->bad || s->level[w->out[k].reg] == LEVEL_NONE;
    }
    return !s->bad && s->s->axes;
}

/* ---- operands ---- */

static void add_input(Sweeper *s, const Wide *w, u32 k, DType d)
{
    const Arg *a = &w->in[k];
    if (s->made[a->reg] || s->column[a->reg] != NO_REG)
        return;
    u8 level = is_tensor(a) ? s->level[a->reg] : LEVEL_ALL;
    s->column[a->reg] = s->s->nin;
    s->t->size[s->s->nin] = level == LEVEL_ELEMENT ? (u8)dtype_size(d) : 0;
    s->s->in[s->s->nin++] = (SweepInput){
        .reg = a->reg, .dtype = d, .level = level, .whole = tile_repeat(w->tiles, k) == REPEAT_ALL};
    s->bad = s->bad || level == LEVEL_NONE || s->s->nin > SWEEP_COLUMNS;
}

static DType dtype_of_tile_input(const Wide *w, u32 k)
{
    const Tiles *t = w->tiles;
    for (u32 i = 0; i < t->nsteps; i++)
        for (u32 j = 0; j < 3; j++)
            if (t->steps[i].arg[j] == k)
                return tile_arg_dtype(&t->steps[i], j);
    for (u32 i = 0; i < t->nfolds; i++)
        if (t->folds[i].arg == k)
            return t->folds[i].from;
    return DT_COUNT;
}

static void add_inputs(Sweeper *s, const Ins *ins)
{
    const Wide *w = ins->u.wide;
    for (u32 k = 0; k < w->nin; k++) {
        DType d = ins->op == I_FUSED ? dtype_of_tile_input(w, k) : node_dtype(w->node->ops[k]);
        if (d != DT_COUNT)
            add_input(s, w, k, d);
    }
}

/* ---- steps ---- */

static u8 level_of_step(const Sweeper *s, const TileStep *step)
{
    u8 level = LEVEL_ALL;
    for (u32 k = 0; k < 3; k++) {
        u32 c = step->arg[k];
        u8 of = c == NO_REG     ? LEVEL_ALL
                : c < s->s->nin ? s->s->in[c].level
                                : s->t->steps[c - s->s->nin].level;
        level = of > level ? of : level;
    }
    return level;
}

static u32 add_fold(Sweeper *s, const Node *n, u32 column)
{
    s->t->steps[s->t->nsteps] = (TileStep){.node = n,
                                           .kind = TILE_FOLD,
                                           .op = (u8)reduce_of(n->op),
                                           .level = LEVEL_ROW,
                                           .from = node_dtype(n->ops[0]),
                                           .to = node_dtype(n),
                                           .arg = {column, NO_REG, NO_REG},
                                           .buffer = NO_REG,
                                           .out = NO_REG};
    return s->s->nin + s->t->nsteps++;
}

static void give(Sweeper *s, u32 reg, u32 column, const Node *n)
{
    s->column[reg] = column;
    s->rank[reg] = n->type->rank;
}

static void add_group(Sweeper *s, const Wide *w)
{
    const Tiles *t = w->tiles;
    u32 *column = xmalloc(((size_t)w->nin + 1) * sizeof *column), first = s->s->nin + s->t->nsteps;
    for (u32 k = 0; k < w->nin; k++)
        column[k] = s->column[w->in[k].reg];
    u32 count = wide_steps_of(w, column, first, &s->t->steps[s->t->nsteps]);
    for (u32 i = 0; i < count; i++, s->t->nsteps++)
        s->t->steps[s->t->nsteps].level = level_of_step(s, &s->t->steps[s->t->nsteps]);
    for (u32 k = 0; k < w->nout; k++)
        if (!t || t->outs[k] != NO_REG)
            give(s, w->out[k].reg, wide_column(w, k, first),
                 t ? t->steps[t->outs[k]].node : w->node);
    for (u32 i = 0; t && i < t->nfolds; i++) {
        const TileFold *f = &t->folds[i];
        u32 from = f->arg < w->nin ? column[f->arg] : first + f->arg - w->nin;
        give(s, w->out[f->out].reg, add_fold(s, f->node, from), f->node);
    }
    free(column);
}

static void add_steps(Sweeper *s, const Ins *ins)
{
    const Wide *w = ins->u.wide;
    if (ins->op == I_FUSED || fused_elementwise(w->node))
        add_group(s, w);
    else
        give(s, w->out[0].reg,
             gives_axes(w->node) ? s->column[w->in[0].reg]
                                 : add_fold(s, w->node, s->column[w->in[0].reg]),
             w->node);
}

/* ---- results ---- */

static u32 most_steps(const Ins *ins)
{
    const Wide *w = ins->u.wide;
    return wide_step_count(w) + (w->tiles ? w->tiles->nfolds : 0) + 1;
}

static void make_room(Sweeper *s)
{
    u32 nin = 0, nsteps = 0;
    for (u32 i = 0; i < s->ncode; i++)
        if (is_wide(&s->code[i])) {
            nin += s->code[i].u.wide->nin;
            nsteps += most_steps(&s->code[i]);
        }
    s->s->in = plan_alloc(s->pl, nin, sizeof *s->s->in);
    s->t->size = plan_alloc(s->pl, nin, sizeof *s->t->size);
    s->t->steps = plan_alloc(s->pl, nsteps, sizeof *s->t->steps);
    for (u32 i = 0; i < s->b->nregs; i++)
        s->column[i] = NO_REG;
}

/* Each is a column of its own that a step gives, one that has a value for each element if the
 * result does: what only values of rows make is not spread over them. */
static void add_output(Sweeper *s, u32 reg)
{
    Sweep *w = s->s;
    u32 column = s->column[reg];
    s->bad = s->bad || column < w->nin || w->nin + w->nout >= SWEEP_COLUMNS ||
             s->t->steps[column - w->nin].level != s->level[reg];
    for (u32 i = 0; i < w->nout; i++)
        s->bad = s->bad || w->out[i].column == column;
    w->out[w->nout++] =
        (SweepOutput){.reg = reg, .column = column, .rank = s->rank[reg], .room = s->room[reg]};
}

static void add_outputs(Sweeper *s)
{
    u32 made = 0;
    for (u32 reg = 0; reg < s->b->ntensors; reg++)
        made += s->made[reg];
    s->s->out = plan_alloc(s->pl, made, sizeof *s->s->out);
    for (u32 reg = 0; reg < s->b->ntensors; reg++)
        if (s->made[reg] && !s->gone[reg])
            add_output(s, reg);
}

static void find_gone(Sweeper *s)
{
    for (u32 i = 0; i < s->ncode; i++) {
        const Ins *ins = &s->code[i];
        bool wide = is_wide(ins);
        for (u32 k = 0; k < (wide ? ins->u.wide->nkill : 1); k++) {
            u32 reg = wide ? ins->u.wide->kill[k] : ins->a;
            if (!s->made[reg] && s->column[reg] != NO_REG)
                s->s->in[s->column[reg]].gone = true;
        }
    }
}

/* ---- memory of operands ---- */

static bool reads(const TileStep *step, u32 column)
{
    return step->arg[0] == column || step->arg[1] == column || step->arg[2] == column;
}

/* Marks the steps that must run before step `at`. */
static void mark_before(const Sweep *s, u32 at, bool *before)
{
    for (u32 k = 0; k < 3; k++) {
        u32 c = s->tiles.steps[at].arg[k];
        if (c == NO_REG || c < s->nin || before[c - s->nin])
            continue;
        before[c - s->nin] = true;
        mark_before(s, c - s->nin, before);
    }
}

/* A result may take the memory of an operand if it needs all that read it: whatever the order. */
static void find_reuse(Sweeper *s)
{
    Sweep *w = s->s;
    const Tiles *t = s->t;
    bool *before = xmalloc(((size_t)t->nsteps + 1) * sizeof *before);
    bool *taken = xcalloc((size_t)w->nin + 1, sizeof *taken);
    for (u32 k = 0; k < w->nout; k++) {
        u32 at = w->out[k].column - w->nin;
        memset(before, 0, (size_t)t->nsteps);
        before[at] = true;
        mark_before(w, at, before);
        w->out[k].reuse = NO_REG;
        for (u32 c = 0; c < w->nin && w->out[k].reuse == NO_REG; c++) {
            bool may = w->in[c].gone && !taken[c] && !w->in[c].whole &&
                       w->in[c].level == LEVEL_ELEMENT && t->steps[at].level == LEVEL_ELEMENT &&
                       w->in[c].dtype == t->steps[at].to;
            for (u32 i = 0; i < t->nsteps && may; i++)
                may = before[i] || !reads(&t->steps[i], c);
            if (may)
                taken[w->out[k].reuse = c] = true;
        }
    }
    free(before);
    free(taken);
}

/* ---- what the machine needs ---- */

/* Results go straight to their tensors, the rest to tiles. */
static void place_steps(Sweeper *s)
{
    Sweep *w = s->s;
    enum { SPARE = 3 }; /* one for each operand of a step */
    u32 *last = tile_last_reads(s->t, w->nin);
    for (u32 k = 0; k < w->nout; k++)
        s->t->steps[w->out[k].column - w->nin].out = k;
    tile_place_steps(s->t, w->nin, last);
    plan_room(s->pl, w->nin + s->t->nsteps, s->t->nbuffers + SPARE);
    free(last);
}

/* ---- all of it ---- */

static bool build(Sweeper *s)
{
    if (!find_levels(s))
        return false;
    make_room(s);
    for (u32 i = 0; i < s->ncode; i++)
        for (u32 k = 0; is_wide(&s->code[i]) && k < s->code[i].u.wide->nout; k++)
            s->made[s->code[i].u.wide->out[k].reg] = true;
    for (u32 i = 0; i < s->ncode; i++)
        if (is_wide(&s->code[i]))
            add_inputs(s, &s->code[i]);
    for (u32 i = 0; i < s->ncode && !s->bad; i++)
        if (is_wide(&s->code[i]))
            add_steps(s, &s->code[i]);
    if (s->bad)
        return false;
    add_outputs(s);
    find_gone(s);
    if (s->bad)
        return false;
    find_reuse(s);
    place_steps(s);
    return true;
}

Sweep *plan_sweep(Planner *pl, const Block *b, const Ins *code, u32 ncode, const bool *gone,
                  RoomPart *const *room)
{
    Sweeper s = {.pl = pl, .b = b, .code = code, .ncode = ncode, .gone = gone, .room = room};
    size_t n = (size_t)b->nregs + 1;
    s.s = plan_alloc(pl, 1, sizeof *s.s);
    s.t = &s.s->tiles;
    s.s->count = ncode;
    s.level = xcalloc(n, sizeof *s.level);
    s.column = xcalloc(n, sizeof *s.column);
    s.rank = xcalloc(n, sizeof *s.rank);
    s.made = xcalloc(n, sizeof *s.made);
    bool ok = build(&s);
    free(s.level);
    free(s.column);
    free(s.rank);
    free(s.made);
    return ok ? s.s : NULL;
}
