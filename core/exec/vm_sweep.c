/* A part that runs row by row (plan_sweep.c): all its steps on a few rows, by kernels or in native
 * code, then on the next. What lies between the steps never leaves the cache.
 *
 * Invariant: it runs only where every array has the shape that it was planned for, and a row is not
 * too long; else nothing has happened, and the instructions run as they stand. */
#include "base/threads.h"
#include "exec/native_code.h"
#include "exec/vm_run.h"
#include "ops/fused.h"

enum {
    LEAVES = 2 * (2 * SWEEP_ROW / REDUCE_WHOLE + 2),
    CHUNK = 1 << 16, /* elements to a poll */
    SPREAD = 48,     /* elements: to spread a value over them takes no longer than a call */
    OPERANDS = 3     /* of a step, at most: tiles for what is spread */
};

typedef struct {
    const Sweep *s;
    Tensor *like; /* an operand that has rows */
    i64 rows, n;  /* of so many elements */
    char *column[SWEEP_COLUMNS];
    i64 period[SWEEP_COLUMNS];
    i64 leaves[LEAVES];
    Tensor *out[SWEEP_COLUMNS];
} Run;

/* ---- shapes ---- */

static bool find_like(Run *run, const Reg *r)
{
    const Sweep *s = run->s;
    for (u32 k = 0; k < s->nin && !run->like; k++)
        if (s->in[k].level == LEVEL_ELEMENT && !s->in[k].whole)
            run->like = r[s->in[k].reg].t;
    const Tensor *t = run->like;
    if (!t || t->rank != s->rank || !t->count)
        return false;
    run->rows = run->n = 1;
    for (int i = 0; i < t->rank; i++)
        *(i < t->rank - s->axes ? &run->rows : &run->n) *= t->shape[i];
    return run->n <= (run->rows > 1 ? SWEEP_ROW_LONG : SWEEP_ROW);
}

static bool same_axes(const Tensor *t, const i64 *shape, int n)
{
    return !memcmp(t->shape, shape, (size_t)n * sizeof *shape);
}

/* Has it the shape, or does it repeat after some rows, or is it one for each row? */
static bool input_fits(Run *run, const SweepInput *in, const Tensor *t, i64 *period)
{
    const Tensor *like = run->like;
    int leading = like->rank - run->s->axes;
    if (in->level == LEVEL_ROW)
        return t->rank >= leading && t->count == run->rows && same_axes(t, like->shape, leading);
    *period = t->count / run->n;
    if (!in->whole)
        return t->rank == like->rank && same_axes(t, like->shape, t->rank);
    return t->rank <= like->rank && *period > 0 && t->count % run->n == 0 &&
           same_axes(t, like->shape + like->rank - t->rank, t->rank);
}

static bool fits(Run *run, Reg *r)
{
    const Sweep *s = run->s;
    if (!find_like(run, r))
        return false;
    for (u32 k = 0; k < s->nin; k++) {
        const SweepInput *in = &s->in[k];
        Reg *x = &r[in->reg];
        if (in->level != LEVEL_ALL && !input_fits(run, in, x->t, &run->period[k]))
            return false;
        run->column[k] = in->level == LEVEL_ALL ? (char *)x : x->t->data;
    }
    return true;
}

/* ---- how a row is reduced ---- */

/* A part of the row, and after it how many of the parts before are combined with it. */
static i64 *put_leaves(i64 n, i64 *at)
{
    if (n <= REDUCE_WHOLE) {
        at[0] = n;
        at[1] = 0;
        return at + 2;
    }
    i64 h = reduce_cut(n);
    at = put_leaves(n - h, put_leaves(h, at));
    at[-1]++;
    return at;
}

/* ---- results ---- */

static Tensor *result(Vm *vm, const Run *run, const SweepOutput *out, const Reg *r)
{
    const TileStep *step = &run->s->tiles.steps[out->column - run->s->nin];
    Tensor *of = out->reuse != NO_REG ? r[run->s->in[out->reuse].reg].t : NULL;
    i64 shape[MAX_RANK];
    int leading = run->like->rank - run->s->axes;
    for (int i = 0; i < out->rank; i++)
        shape[i] = step->level == LEVEL_ELEMENT || i < leading ? run->like->shape[i] : 1;
    Tensor *there = tensor_in_room(r, out->room, step->to, out->rank, shape);
    if (there)
        return there;
    if (of && tensor_writable(of))
        return tensor_ref(of);
    return tensor_new(vm->env->heap, step->to, out->rank, shape);
}

static bool make_results(Vm *vm, Run *run, const Reg *r)
{
    const Sweep *s = run->s;
    for (u32 k = 0; k < s->nout; k++) {
        run->out[k] = result(vm, run, &s->out[k], r);
        if (!run->out[k])
            return vm_no_memory(vm, s->node);
        run->column[s->nin + k] = run->out[k]->data;
    }
    return true;
}

static void hand_on(const Run *run, Reg *r)
{
    const Sweep *s = run->s;
    for (u32 k = 0; k < s->nin; k++)
        if (s->in[k].gone) {
            tensor_unref(r[s->in[k].reg].t);
            r[s->in[k].reg].t = NULL;
        }
    for (u32 k = 0; k < s->nout; k++)
        r[s->out[k].reg].t = run->out[k];
}

/* ---- the steps on some rows, in the machine ---- */

/* The rows at work: m of them from row `first` on. */
typedef struct {
    const Run *run;
    char **column;
    size_t lane; /* bytes of a tile */
    char *spare; /* a tile for each operand of a step */
    i64 first, m;
} SweepRows;

static bool is_whole(const Sweep *s, u32 c) { return c < s->nin && s->in[c].whole; }

static u8 level_of(const Sweep *s, u32 c)
{
    return c < s->nin ? s->in[c].level : s->tiles.steps[c - s->nin].level;
}

static size_t size_of(const Sweep *s, u32 c)
{
    return dtype_size(c < s->nin ? s->in[c].dtype : s->tiles.steps[c - s->nin].to);
}

/* How many elements of a column belong to a row; of an operand that comes again, none. */
static i64 in_row(const Run *run, u32 c)
{
    u8 level = level_of(run->s, c);
    return level == LEVEL_ALL || is_whole(run->s, c) ? 0 : level == LEVEL_ROW ? 1 : run->n;
}

/* Row k of those at work. */
static char *row_of(const SweepRows *b, u32 c, i64 k)
{
    const Run *run = b->run;
    if (!k && !is_whole(run->s, c))
        return b->column[c];
    i64 at = is_whole(run->s, c) ? (b->first + k) % run->period[c] * run->n : k * in_row(run, c);
    return b->column[c] + (size_t)at * size_of(run->s, c);
}

/* Does it come in another pace than the elements of all rows? */
static bool goes_by_row(const Sweep *s, const TileStep *step, u32 c)
{
    return c != NO_REG &&
           (is_whole(s, c) || (step->level == LEVEL_ELEMENT && level_of(s, c) == LEVEL_ROW));
}

static bool has_by_row(const Sweep *s, const TileStep *step)
{
    const u32 *arg = step->arg;
    return goes_by_row(s, step, arg[0]) || goes_by_row(s, step, arg[1]) ||
           goes_by_row(s, step, arg[2]);
}

#define DEFINE_SPREAD(T)                                               \
    static void spread_##T(i64 m, i64 n, const void *values, void *to) \
    {                                                                  \
        const T *from = values;                                        \
        T *row = to;                                                   \
        for (i64 k = 0; k < m; k++, row += n)                          \
            for (i64 i = 0; i < n; i++)                                \
                row[i] = from[k];                                      \
    }
DEFINE_SPREAD(u64)
DEFINE_SPREAD(u32)
DEFINE_SPREAD(u8)

/* Its value of each row as often as there are elements; what comes again, again. */
static char *spread(const SweepRows *b, u32 c, char *to)
{
    size_t size = size_of(b->run->s, c), row = (size_t)b->run->n * size;
    if (is_whole(b->run->s, c))
        for (i64 k = 0; k < b->m; k++)
            memcpy(to + (size_t)k * row, row_of(b, c, k), row);
    else
        (size == 8   ? spread_u64
         : size == 4 ? spread_u32
                     : spread_u8)(b->m, b->run->n, b->column[c], to);
    return to;
}

/* On all rows at once, where what has a value a row is spread first, or row by row. */
static void run_step(const SweepRows *b, u32 at, bool by_row)
{
    const Sweep *s = b->run->s;
    const TileStep *step = &s->tiles.steps[at];
    i64 many = by_row ? 1 : b->m, n = many * (step->level == LEVEL_ELEMENT ? b->run->n : 1);
    for (i64 k = 0; k < b->m; k += many) {
        char *arg[3] = {NULL, NULL, NULL};
        i64 pace[3] = {0, 0, 0};
        for (u32 i = 0; i < 3 && step->arg[i] != NO_REG; i++) {
            u32 c = step->arg[i];
            bool spreads = !by_row && goes_by_row(s, step, c);
            arg[i] = spreads ? spread(b, c, b->spare + i * b->lane) : row_of(b, c, k);
            pace[i] = spreads || level_of(s, c) == step->level;
        }
        tile_apply(step, n, arg, pace, row_of(b, s->nin + at, k));
    }
}

static void run_fold(const SweepRows *b, u32 at)
{
    const Sweep *s = b->run->s;
    const TileStep *step = &s->tiles.steps[at];
    u32 c = step->arg[0];
    char *from = is_whole(s, c) ? spread(b, c, b->spare) : b->column[c],
         *out = b->column[s->nin + at];
    kernel_reduce((ReduceOp)step->op, step->from, b->m, b->run->n, 1, from, out);
    if (step->node->op == OP_PEAK)
        peak_settle(step->to, b->m, out, true);
}

static void run_some(const SweepRows *b)
{
    const Sweep *s = b->run->s;
    for (u32 i = 0; i < s->tiles.nsteps; i++)
        if (s->tiles.steps[i].kind == TILE_FOLD)
            run_fold(b, i);
        else
            run_step(b, i, b->run->n > SPREAD && has_by_row(s, &s->tiles.steps[i]));
}

/* Where the columns are at row `first`. */
static void place_columns(const SweepRows *b, char *tiles)
{
    const Run *run = b->run;
    const Sweep *s = run->s;
    for (u32 c = 0; c < s->nin + s->tiles.nsteps; c++) {
        const TileStep *t = c < s->nin ? NULL : &s->tiles.steps[c - s->nin];
        b->column[c] = t && t->out == NO_REG
                           ? tiles + t->buffer * b->lane
                           : run->column[t ? s->nin + t->out : c] +
                                 (size_t)(b->first * in_row(run, c)) * size_of(s, c);
    }
}

typedef struct {
    const Run *run;
    char *memory; /* of all threads, for rows that are longer than tiles; or NULL */
    size_t each;  /* bytes of it */
} SweepWork;

static size_t lane_of(const Run *run) { return 8 * (size_t)(run->n > TILE ? run->n : TILE); }

static bool run_machine(Vm *vm, void *ctx, int thread, i64 from, i64 to)
{
    const SweepWork *work = ctx;
    const Run *run = work->run;
    const Tiles *t = &run->s->tiles;
    char *tiles = work->memory ? work->memory + (size_t)thread * work->each : vm->scratch;
    SweepRows b = {.run = run, .column = vm->column, .lane = lane_of(run), .first = from};
    i64 most = run->n > TILE ? 1 : TILE / run->n;
    b.spare = tiles + t->nbuffers * b.lane;
    for (; b.first < to; b.first += b.m) {
        b.m = most < to - b.first ? most : to - b.first;
        place_columns(&b, tiles);
        run_some(&b);
        if (!vm_poll(vm, run->s->node, b.m * run->n * t->nsteps))
            return false;
    }
    return true;
}

/* ---- running ---- */

static bool run_native(Vm *vm, void *ctx, int thread, i64 from, i64 to)
{
    const Run *run = ((SweepWork *)ctx)->run;
    i64 many = CHUNK / run->n;
    (void)thread;
    for (i64 row = from; row < to; row += many) {
        many = many < to - row ? many : to - row;
        run->s->native(vm->p->native->table, run->column, run->period, run->leaves, run->n, row,
                       row + many);
        if (!vm_poll(vm, run->s->node, many * run->n * run->s->tiles.nsteps))
            return false;
    }
    return true;
}

static bool run_rows(Vm *vm, Run *run)
{
    const Sweep *s = run->s;
    bool native = s->native && run->n <= SWEEP_ROW;
    double row = (double)run->n * s->tiles.nanoseconds;
    int threads = vm_threads(vm, (double)run->rows * row);
    SweepWork work = {.run = run, .each = ((size_t)s->tiles.nbuffers + OPERANDS) * lane_of(run)};
    if (native) {
        *put_leaves(run->n, run->leaves) = 0;
    } else if (run->n > TILE) {
        work.memory = memory_try(NULL, (size_t)threads * work.each);
        if (!work.memory)
            return vm_no_memory(vm, s->node);
    }
    vm_scratch(vm);
    bool ok = vm_spread(vm, s->node, threads, run->rows, threads_piece(threads, run->rows, 1, row),
                        native ? run_native : run_machine, &work);
    free(work.memory);
    return ok;
}

i64 vm_sweep(Vm *vm, Sweep *s, Reg *r)
{
    Run run = {.s = s};
    if (vm->lent || vm->env->work_limit || vm->env->profile || !fits(&run, r))
        return 0;
    if (vm->env->native && !s->native)
        native_consider(vm->env->native, vm->p, (double)run.like->count * s->tiles.nanoseconds);
    bool ok = make_results(vm, &run, r) && run_rows(vm, &run);
    if (ok)
        hand_on(&run, r);
    for (u32 k = 0; k < s->nout && !ok; k++)
        tensor_unref(run.out[k]);
    return ok ? (i64)s->count : -1;
}
