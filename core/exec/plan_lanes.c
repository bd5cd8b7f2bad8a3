/* Loops whose bodies work element by element: all steps on one tile of the states before the next
 * tile, so that a state stays in the cache from its first value to its last.
 *
 * A loop that stops when all lanes are done may be such, too, if a lane that is done does not
 * change any more, as vmap makes it (batch_scan.c): a tile then needs no steps but its own.
 *
 * Invariant: an element of a state depends on elements at its own place and on scalars only, and
 * nothing in the body can fail, so no value and no message depends on the order. */
#include "exec/plan_made.h"

typedef struct {
    const Body *b;
    Lanes *l;
    u32 *column; /* by value that steps give */
    VEC(TileStep) steps;
    u32 tested; /* the column of which all have to be true to stop; NO_REG: none */
} Find;

static u32 next_column(const Find *f) { return f->l->nin + (u32)f->steps.len; }

static u32 column_of(const Find *f, u32 v)
{
    const Made *m = &f->b->made[v];
    return m->kind == MADE_INPUT ? m->input : f->column[m->of->out[m->out].reg];
}

static void add_steps(Find *f, const Wide *w)
{
    u32 *columns = xmalloc(((size_t)w->nin + 1) * sizeof *columns), first = next_column(f);
    for (u32 k = 0; k < w->nin; k++)
        columns[k] = column_of(f, w->in[k].reg);
    for (u32 i = 0; i < wide_step_count(w); i++)
        vec_push(&f->steps, (TileStep){.node = w->node});
    wide_steps_of(w, columns, first, &f->steps.at[first - f->l->nin]);
    for (u32 k = 0; k < w->nout; k++)
        if (!w->tiles || w->tiles->outs[k] != NO_REG)
            f->column[w->out[k].reg] = wide_column(w, k, first);
    if (w->tiles && w->tiles->nfolds) {
        u32 c = w->tiles->folds[0].arg;
        f->tested = c < w->nin ? columns[c] : first + c - w->nin;
    }
    free(columns);
}

/* ---- lanes that are done ---- */

static const TileStep *step_of(const Find *f, u32 column)
{
    return column >= f->l->nin ? &f->steps.at[column - f->l->nin] : NULL;
}

/* 1 in lanes that go on, 0 in those that are done? */
static bool counts_going(const Find *f, u32 column, u32 done)
{
    const TileStep *cast = step_of(f, column);
    const TileStep *not = cast && cast->kind == TILE_CAST ? step_of(f, cast->arg[0]) : NULL;
    return not &&not ->kind == TILE_1 && not ->node->op == OP_LOGICAL_NOT && not ->arg[0] == done;
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
    const Block *b = f->b->e->b;
    Lanes *l = f->l;
    l->done = NO_REG;
    if (!b->stop)
        return true;
    for (u32 i = 0; i < l->nstates; i++)
        if (l->next[i] == f->tested)
            l->done = i;
    bool ok = f->b->stops && l->done != NO_REG && !b->ntraces;
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
    const Block *b = f->b->e->b;
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
            t->steps[i].buffer = in_place(l, r, i) ? r->state[l->nin + i] - 1 : t->nbuffers++;
    tile_place_steps(t, l->nin, r->last);
}

/* ---- all ---- */

static void keep_lanes(Find *f)
{
    Lanes *l = f->l;
    Planner *pl = f->b->e->pl;
    Block *b = f->b->e->b;
    Reads r;
    l->tiles.nsteps = (u32)f->steps.len;
    l->in = plan_keep(pl, f->b->in.at, f->b->in.len, sizeof *l->in);
    l->tiles.size = plan_keep(pl, f->b->size.at, f->b->size.len, sizeof *l->tiles.size);
    l->tiles.steps = plan_keep(pl, f->steps.at, f->steps.len, sizeof *l->tiles.steps);
    find_reads(l, b->ntraces, &r);
    place_steps(l, &r);
    free(r.last);
    free(r.state);
    plan_room(pl, l->nin + l->tiles.nsteps, l->tiles.nbuffers);
    b->lanes = l;
}

void plan_lanes(const Body *body)
{
    const Emit *e = body->e;
    const Block *b = e->b;
    Find f = {.b = body, .l = plan_alloc(e->pl, 1, sizeof *f.l), .tested = NO_REG};
    f.column = xcalloc(e->values.len + 1, sizeof *f.column);
    f.l->nin = (u32)body->in.len;
    f.l->nstates = b->nstates;
    f.l->next = plan_alloc(e->pl, b->nstates, sizeof *f.l->next);
    f.l->end = plan_alloc(e->pl, b->nstates, sizeof *f.l->end);
    f.l->trace = plan_alloc(e->pl, b->ntraces, sizeof *f.l->trace);
    for (size_t i = 0; i < e->code.len; i++) {
        const Ins *ins = &e->code.at[i];
        if (ins->op == I_ARRAY && tests_all(ins->u.wide->node))
            f.tested = column_of(&f, ins->u.wide->in[0].reg);
        else if (ins->op == I_FUSED || ins->op == I_ARRAY)
            add_steps(&f, ins->u.wide);
    }
    for (u32 i = 0; i < b->nstates; i++)
        f.l->next[i] = body->out[i] == NO_REG ? i : column_of(&f, body->out[i]);
    for (u32 k = 0; k < b->ntraces; k++)
        f.l->trace[k] = column_of(&f, body->out[b->nstates + k]);
    if (f.steps.len && find_done(&f)) {
        add_copies(&f);
        find_ends(f.l);
        keep_lanes(&f);
    }
    free(f.column);
    vec_free(&f.steps);
}
