/* Loops whose bodies work element by element: all steps on one tile of the states before the next
 * tile, so that a state stays in the cache from its first value to its last.
 *
 * A loop that stops when all lanes are done may be such, too, if a lane that is done does not change
 * any more, as vmap makes it (batch_scan.c): a tile then needs no steps but its own.
 *
 * Invariant: an element of a state depends on elements at its own place and on scalars only, and
 * nothing in the body can fail, so no value and no message depends on the order. */
#include "exec/plan_work.h"

typedef struct {
    Emit *e;
    Lanes *l;
    u32 *column; /* by value: 1 + column */
    VEC(LaneInput) in;
    VEC(u8) size;
    VEC(TileStep) steps;
    u32 test;   /* the value that stops the loop: whether all of a column are true; NO_REG: none */
    u32 tested; /* that column */
    bool stops; /* it does */
} Find;

/* ---- operands ---- */

static void add_input(Find *f, u32 value, u32 param, const Tensor *constant, bool array, DType d)
{
    vec_push(&f->in, ((LaneInput){.param = param, .constant = constant}));
    vec_push(&f->size, array ? (u8)dtype_size(d) : 0);
    f->column[value] = (u32)f->in.len;
}

/* States are arrays that change, or do not; the rest are arrays and scalars. */
static bool add_params(Find *f)
{
    const Block *b = f->e->b;
    for (u32 i = 0; i < b->nparams; i++) {
        const Slot *p = &b->params[i];
        const Type *t = b->graph->params[p->index];
        bool array = p->kind == KIND_TENSOR;
        if (p->kind == KIND_LAZY || (i < b->nstates && !array) || t->kind != TYPE_TENSOR ||
            t->dtype == DT_RNG)
            return false;
        add_input(f, p->reg, i, NULL, array, t->dtype);
    }
    return true;
}

static bool add_constants(Find *f, const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++) {
        u32 v = w->in[k].reg;
        const Tensor *t = f->e->values.at[v].constant;
        if (t && t->dtype == DT_RNG)
            return false;
        if (t && !f->column[v])
            add_input(f, v, NO_REG, t, t->rank > 0, t->dtype);
    }
    return true;
}

static bool is_elementwise(const Ins *ins)
{
    const Wide *w = ins->u.wide;
    return ins->op == I_FUSED || (ins->op == I_ARRAY && w->nout == 1 && fused_elementwise(w->node));
}

/* All that is read has a column before the first step has one. */
static bool add_inputs(Find *f)
{
    for (size_t i = 0; i < f->e->code.len; i++)
        if (is_elementwise(&f->e->code.at[i]) && !add_constants(f, f->e->code.at[i].u.wide))
            return false;
    f->l->nin = (u32)f->in.len;
    return true;
}

/* ---- steps ---- */

static bool columns_of(const Find *f, const Wide *w, u32 *columns)
{
    for (u32 k = 0; k < w->nin; k++) {
        columns[k] = f->column[w->in[k].reg] - 1;
        if (columns[k] == NO_REG)
            return false;
    }
    return true;
}

static u32 next_column(const Find *f) { return f->l->nin + (u32)f->steps.len; }

/* Whether all elements of a column are true, in a loop that this can stop. */
static bool add_test(Find *f, u32 value, u32 column)
{
    if (!f->e->b->stop || f->test != NO_REG || column == NO_REG)
        return false;
    f->test = value;
    f->tested = column;
    return true;
}

static bool tests_all(const Node *n)
{
    return n->op == OP_ALL && !n->type->rank && node_dtype(n->ops[0]) == DT_BOOL;
}

static bool add_folds(Find *f, const Wide *w, const u32 *columns, u32 first)
{
    const Tiles *t = w->tiles;
    for (u32 i = 0; t && i < t->nfolds; i++) {
        u32 c = t->folds[i].arg;
        if (!tests_all(t->folds[i].node) ||
            !add_test(f, w->out[t->folds[i].out].reg,
                      c < w->nin ? columns[c] : first + c - w->nin))
            return false;
    }
    return true;
}

static bool add_steps(Find *f, const Wide *w)
{
    u32 *columns = xmalloc(((size_t)w->nin + 1) * sizeof *columns), first = next_column(f);
    bool ok = columns_of(f, w, columns);
    if (ok) {
        for (u32 i = 0; i < wide_step_count(w); i++)
            vec_push(&f->steps, (TileStep){.node = w->node});
        wide_steps_of(w, columns, first, &f->steps.at[first - f->l->nin]);
        for (u32 k = 0; k < w->nout; k++)
            if (!w->tiles || w->tiles->outs[k] != NO_REG)
                f->column[w->out[k].reg] = 1 + wide_column(w, k, first);
        ok = add_folds(f, w, columns, first);
    }
    free(columns);
    return ok;
}

/* The next value of a state: states change at the end of a step, all at once. */
static bool add_handing(Find *f, const Ins *ins)
{
    const Value *d = &f->e->values.at[ins->d];
    u32 column = f->column[ins->a];
    if (d->loop_state)
        f->l->next[f->column[ins->d] - 1] = column - 1;
    else
        f->column[ins->d] = column;
    return column != 0;
}

static bool add_ins(Find *f, const Ins *ins)
{
    switch ((InsOp)ins->op) {
    case I_FUSED:
    case I_ARRAY:
        if (ins->op == I_ARRAY && tests_all(ins->u.wide->node))
            return add_test(f, ins->u.wide->out[0].reg, f->column[ins->u.wide->in[0].reg] - 1);
        return is_elementwise(ins) && add_steps(f, ins->u.wide);
    case I_STOP: f->stops = ins->a == f->test; return f->stops;
    case I_TAKE:
    case I_SHARE: return add_handing(f, ins);
    case I_ROWT: f->l->trace[ins->c] = f->column[ins->a] - 1; return f->column[ins->a] != 0;
    case I_DROP:
    case I_KEEP:
    case I_LOOP:
    case I_SEQT:
    case I_SEQ8:
    case I_SEQ4:
    case I_SEQ1: return true;
    default: return false;
    }
}

/* ---- lanes that are done ---- */

static const TileStep *step_of(const Find *f, u32 column)
{
    return column != NO_REG && column >= f->l->nin ? &f->steps.at[column - f->l->nin] : NULL;
}

/* 1 in lanes that go on, 0 in those that are done? */
static bool counts_going(const Find *f, u32 column, u32 done)
{
    const TileStep *cast = step_of(f, column);
    const TileStep *not = cast && cast->kind == TILE_CAST ? step_of(f, cast->arg[0]) : NULL;
    return not && not->kind == TILE_1 && not->node->op == OP_LOGICAL_NOT && not->arg[0] == done;
}

/* Is the state as it was in lanes that are done? */
static bool is_frozen(const Find *f, u32 state, u32 done)
{
    const TileStep *s = step_of(f, f->l->next[state]);
    if (f->l->next[state] == state)
        return true;
    if (!s)
        return false;
    if (s->kind == TILE_WHERE)
        return s->arg[0] == done && s->arg[1] == state;
    if (s->kind == TILE_2 && s->node->op == OP_LOGICAL_OR && state == done)
        return s->arg[0] == done || s->arg[1] == done;
    if (s->kind == TILE_2 && s->node->op == OP_ADD)
        return s->arg[0] == state ? counts_going(f, s->arg[1], done)
                                  : s->arg[1] == state && counts_going(f, s->arg[0], done);
    return false;
}

/* A loop that goes on until all lanes are done, which are as they were then: l->done. */
static bool find_done(Find *f)
{
    Lanes *l = f->l;
    l->done = NO_REG;
    if (!f->e->b->stop)
        return true;
    for (u32 i = 0; i < l->nstates; i++)
        if (l->next[i] == f->tested)
            l->done = i;
    bool ok = f->stops && l->done != NO_REG && !f->e->b->ntraces;
    for (u32 i = 0; i < l->nstates && ok; i++)
        ok = is_frozen(f, i, l->done);
    return ok;
}

/* ---- states ---- */

static u32 copy_of(Find *f, u32 column, const Node *like)
{
    TileStep s = {.node = like,
                  .kind = TILE_CAST,
                  .from = node_dtype(like),
                  .to = node_dtype(like),
                  .arg = {column, NO_REG, NO_REG},
                  .buffer = NO_REG,
                  .out = NO_REG};
    vec_push(&f->steps, s);
    return next_column(f) - 1;
}

/* What two states become, or a state and nothing that the loop may keep, is copied. */
static void add_copies(Find *f)
{
    const Block *b = f->e->b;
    Lanes *l = f->l;
    bool *taken = xcalloc((size_t)next_column(f) + 1, sizeof *taken);
    for (u32 i = 0; i < l->nstates; i++)
        taken[i] = l->next[i] == i;
    for (u32 i = 0; i < l->nstates; i++) {
        u32 c = l->next[i];
        bool foreign = c >= l->nstates && c < l->nin;
        if (c == i)
            continue;
        if (foreign || taken[c])
            l->next[i] = copy_of(f, c, b->graph->outs[b->params[i].index]);
        else
            taken[c] = true;
    }
    free(taken);
}

/* x becomes y's value, y becomes z's: the chain of x ends at z. Cycles are of no interest. */
static void find_ends(Lanes *l)
{
    for (u32 i = 0; i < l->nstates; i++) {
        u32 end = i;
        for (bool more = l->next[i] >= l->nin; more;) {
            more = false;
            for (u32 k = 0; k < l->nstates && !more; k++)
                if (l->next[k] == end && k != end) {
                    end = k;
                    more = true;
                }
        }
        l->end[i] = end;
    }
}

/* ---- memory ---- */

typedef struct {
    u32 *last;  /* by column: the last step that reads it; nsteps: after all of them */
    u32 *state; /* by column: 1 + the state whose next value it is */
} Reads;

static void find_reads(const Lanes *l, u32 ntraces, Reads *r)
{
    u32 n = l->nin + l->tiles.nsteps;
    r->last = tile_last_reads(&l->tiles, l->nin);
    r->state = xcalloc((size_t)n + 1, sizeof *r->state);
    for (u32 k = 0; k < ntraces; k++)
        r->last[l->trace[k]] = l->tiles.nsteps;
    for (u32 i = 0; i < l->nstates; i++)
        if (l->next[i] != i) {
            r->last[l->next[i]] = l->tiles.nsteps;
            r->state[l->next[i]] = i + 1;
        }
}

/* A step may write over the state whose next value it gives if nothing reads that afterwards. */
static bool in_place(const Lanes *l, const Reads *r, u32 at)
{
    u32 state = r->state[l->nin + at];
    const TileStep *s = &l->tiles.steps[at];
    return state && r->last[state - 1] <= at && !(s->kind == TILE_WHERE && s->arg[0] == state - 1);
}

static void place_steps(Lanes *l, const Reads *r)
{
    Tiles *t = &l->tiles;
    t->nbuffers = l->nstates;
    for (u32 i = 0; i < t->nsteps; i++)
        if (r->state[l->nin + i]) /* for longer than the step */
            t->steps[i].buffer =
                in_place(l, r, i) ? r->state[l->nin + i] - 1 : t->nbuffers++;
    tile_place_steps(t, l->nin, r->last);
}

/* ---- all ---- */

static void keep_lanes(Find *f)
{
    Lanes *l = f->l;
    Reads r;
    l->tiles.nsteps = (u32)f->steps.len;
    l->in = plan_keep(f->e->pl, f->in.at, f->in.len, sizeof *l->in);
    l->tiles.size = plan_keep(f->e->pl, f->size.at, f->size.len, sizeof *l->tiles.size);
    l->tiles.steps = plan_keep(f->e->pl, f->steps.at, f->steps.len, sizeof *l->tiles.steps);
    find_reads(l, f->e->b->ntraces, &r);
    place_steps(l, &r);
    free(r.last);
    free(r.state);
    plan_room(f->e->pl, l->nin + l->tiles.nsteps, l->tiles.nbuffers);
    f->e->b->lanes = l;
}

bool plan_traces_arrays(const Block *b)
{
    for (u32 k = 0; k < b->ntraces; k++)
        if (b->traces[k].kind != KIND_TENSOR)
            return false;
    return true;
}

void plan_lanes(Emit *e)
{
    Block *b = e->b;
    if ((e->pl->flags & PLAN_PLAIN) || e->delays.len || !plan_traces_arrays(b))
        return;
    Find f = {.e = e, .l = plan_alloc(e->pl, 1, sizeof *f.l), .test = NO_REG};
    f.column = xcalloc(e->values.len + 1, sizeof *f.column);
    f.l->nstates = b->nstates;
    f.l->next = plan_alloc(e->pl, b->nstates, sizeof *f.l->next);
    f.l->end = plan_alloc(e->pl, b->nstates, sizeof *f.l->end);
    f.l->trace = plan_alloc(e->pl, b->ntraces, sizeof *f.l->trace);
    for (u32 i = 0; i < b->nstates; i++)
        f.l->next[i] = i;
    bool ok = add_params(&f) && add_inputs(&f);
    for (size_t i = 0; ok && i < e->code.len; i++)
        ok = add_ins(&f, &e->code.at[i]);
    if (ok && f.steps.len && find_done(&f)) {
        add_copies(&f);
        find_ends(f.l);
        keep_lanes(&f);
    }
    free(f.column);
    vec_free(&f.in);
    vec_free(&f.size);
    vec_free(&f.steps);
}
