/* A part that runs row by row (plan_sweep.c): all its steps on a few rows, by kernels or in native
 * code, then on the next. What lies between the steps never leaves the cache.
 *
 * Invariant: it runs only where every array has the shape that it was planned for, and a row is not
 * too long; else nothing has happened, and the instructions run as they stand (vm_rows.c). */
#include "base/threads.h"
#include "exec/native_code.h"
#include "exec/vm_run.h"
#include "ops/fused.h"

enum {
    LEAVES = 2 * (2 * SWEEP_ROW / REDUCE_WHOLE + 2),
    CHUNK = 1 << 16 /* elements to a poll */,
    SPREAD = 48 /* elements: to spread a value over them takes no longer than a call */
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
    return run->n <= SWEEP_ROW;
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
    const SweepStep *step = &run->s->steps[out->column - run->s->nin];
    Tensor *of = out->reuse != NO_REG ? r[run->s->in[out->reuse].reg].t : NULL;
    i64 shape[MAX_RANK];
    int leading = run->like->rank - run->s->axes;
    for (int i = 0; i < out->rank; i++)
        shape[i] = step->level == LEVEL_ELEMENT || i < leading ? run->like->shape[i] : 1;
    Tensor *there = tensor_in_room(r, out->room, step->step.to, out->rank, shape);
    if (there)
        return there;
    if (of && tensor_writable(of))
        return tensor_ref(of);
    return tensor_new(vm->env->heap, step->step.to, out->rank, shape);
}

static bool make_results(Vm *vm, Run *run, const Ins *ins, const Reg *r)
{
    const Sweep *s = run->s;
    for (u32 k = 0; k < s->nout; k++) {
        run->out[k] = result(vm, run, &s->out[k], r);
        if (!run->out[k])
            return vm_no_memory(vm, ins->u.rows->node);
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
    char *spare; /* a tile for each operand of a step */
    i64 first, m;
} SweepRows;

static bool is_whole(const Sweep *s, u32 c) { return c < s->nin && s->in[c].whole; }

static u8 level_of(const Sweep *s, u32 c)
{
    return c < s->nin ? s->in[c].level : s->steps[c - s->nin].level;
}

static size_t size_of(const Sweep *s, u32 c)
{
    return dtype_size(c < s->nin ? s->in[c].dtype : s->steps[c - s->nin].step.to);
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
    i64 at = is_whole(run->s, c) ? (b->first + k) % run->period[c] * run->n : k * in_row(run, c);
    return b->column[c] + (size_t)at * size_of(run->s, c);
}

/* Does it come in another pace than the elements of all rows? */
static bool goes_by_row(const Sweep *s, const SweepStep *step, u32 c)
{
    return c != NO_REG &&
           (is_whole(s, c) || (step->level == LEVEL_ELEMENT && level_of(s, c) == LEVEL_ROW));
}

static bool has_by_row(const Sweep *s, const SweepStep *step)
{
    const u32 *arg = step->step.arg;
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

static void run_kernel(const TileStep *t, i64 n, char *const *arg, const i64 *pace, char *out)
{
    switch (t->kind) {
    case TILE_1: t->f1(n, arg[0], out); return;
    case TILE_2: t->f2(n, arg[0], pace[0], arg[1], pace[1], out); return;
    case TILE_WHERE:
        kernel_where(dtype_size(t->to), n, arg[0], pace[0], arg[1], pace[1], arg[2], pace[2], out);
        return;
    default: kernel_cast(t->from, t->to, n, arg[0], out);
    }
}

/* All rows at once; of short ones, what has a value a row is spread first. */
static void run_step(const SweepRows *b, u32 at)
{
    const Sweep *s = b->run->s;
    const SweepStep *step = &s->steps[at];
    char *arg[3] = {NULL, NULL, NULL};
    i64 pace[3] = {0, 0, 0};
    for (u32 i = 0; i < 3 && step->step.arg[i] != NO_REG; i++) {
        u32 c = step->step.arg[i];
        bool by_row = goes_by_row(s, step, c);
        arg[i] = by_row ? spread(b, c, b->spare + (size_t)i * 8 * TILE) : b->column[c];
        pace[i] = by_row || level_of(s, c) == step->level;
    }
    run_kernel(&step->step, b->m * (step->level == LEVEL_ELEMENT ? b->run->n : 1), arg, pace,
               b->column[s->nin + at]);
}

static void run_by_row(const SweepRows *b, u32 at)
{
    const Sweep *s = b->run->s;
    const SweepStep *step = &s->steps[at];
    i64 pace[3] = {0, 0, 0};
    for (u32 i = 0; i < 3 && step->step.arg[i] != NO_REG; i++)
        pace[i] = level_of(s, step->step.arg[i]) == step->level;
    for (i64 k = 0; k < b->m; k++) {
        char *arg[3] = {NULL, NULL, NULL};
        for (u32 i = 0; i < 3 && step->step.arg[i] != NO_REG; i++)
            arg[i] = row_of(b, step->step.arg[i], k);
        run_kernel(&step->step, b->run->n, arg, pace, row_of(b, s->nin + at, k));
    }
}

static void run_fold(const SweepRows *b, u32 at)
{
    const Sweep *s = b->run->s;
    const SweepStep *step = &s->steps[at];
    u32 c = step->step.arg[0];
    char *from = is_whole(s, c) ? spread(b, c, b->spare) : b->column[c],
         *out = b->column[s->nin + at];
    kernel_reduce(step->op, step->step.from, b->m, b->run->n, 1, from, out);
    if (step->step.node->op == OP_PEAK)
        peak_settle(step->step.to, b->m, out, true);
}

static void run_some(const SweepRows *b)
{
    const Sweep *s = b->run->s;
    for (u32 i = 0; i < s->nsteps; i++)
        if (s->steps[i].reduces)
            run_fold(b, i);
        else if (b->run->n > SPREAD && has_by_row(s, &s->steps[i]))
            run_by_row(b, i);
        else
            run_step(b, i);
}

/* Where the columns are at row `first`. */
static void place_columns(Vm *vm, SweepRows *b)
{
    const Run *run = b->run;
    const Sweep *s = run->s;
    for (u32 c = 0; c < s->nin + s->nsteps; c++) {
        const TileStep *t = c < s->nin ? NULL : &s->steps[c - s->nin].step;
        b->column[c] = t && t->out == NO_REG
                           ? vm->scratch + (size_t)t->buffer * 8 * TILE
                           : run->column[t ? s->nin + t->out : c] +
                                 (size_t)(b->first * in_row(run, c)) * size_of(s, c);
    }
}

typedef struct {
    const Run *run;
    const Node *at;
} SweepWork;

static bool run_machine(Vm *vm, void *ctx, int thread, i64 from, i64 to)
{
    const SweepWork *work = ctx;
    const Run *run = work->run;
    SweepRows b = {.run = run,
                   .column = vm->column,
                   .spare = vm->scratch + (size_t)run->s->nbuffers * 8 * TILE,
                   .first = from};
    i64 most = TILE / run->n;
    (void)thread;
    for (; b.first < to; b.first += b.m) {
        b.m = most < to - b.first ? most : to - b.first;
        place_columns(vm, &b);
        run_some(&b);
        if (!vm_poll(vm, work->at, b.m * run->n * run->s->nsteps))
            return false;
    }
    return true;
}

/* ---- running ---- */

static bool run_native(Vm *vm, void *ctx, int thread, i64 from, i64 to)
{
    const SweepWork *work = ctx;
    const Run *run = work->run;
    i64 many = CHUNK / run->n;
    (void)thread;
    for (i64 row = from; row < to; row += many) {
        many = many < to - row ? many : to - row;
        run->s->native(vm->p->native->table, run->column, run->period, run->leaves, run->n, row,
                       row + many);
        if (!vm_poll(vm, work->at, many * run->n * run->s->nsteps))
            return false;
    }
    return true;
}

static bool run_rows(Vm *vm, const Run *run, const Node *at)
{
    SweepWork work = {run, at};
    double row = (double)run->n * run->s->nanoseconds;
    int threads = vm_threads(vm, (double)run->rows * row);
    i64 piece = threads_piece(threads, run->rows, 1, row);
    if (!run->s->native)
        vm_scratch(vm);
    return vm_spread(vm, at, threads, run->rows, piece, run->s->native ? run_native : run_machine,
                     &work);
}

i64 vm_sweep(Vm *vm, const Ins *ins, Reg *r)
{
    Sweep *s = ins->u.rows->sweep;
    const Node *at = ins->u.rows->node;
    Run run = {.s = s};
    if (vm->lent || vm->env->work_limit || vm->env->profile || !fits(&run, r))
        return 0;
    if (vm->env->native && !s->native)
        native_consider(vm->env->native, vm->p, (double)run.like->count * s->nanoseconds);
    if (!s->native && run.n > TILE)
        return 0;
    *put_leaves(run.n, run.leaves) = 0;
    bool ok = make_results(vm, &run, ins, r) && run_rows(vm, &run, at);
    if (ok)
        hand_on(&run, r);
    for (u32 k = 0; k < s->nout && !ok; k++)
        tensor_unref(run.out[k]);
    return ok ? (i64)ins->u.rows->count : -1;
}
