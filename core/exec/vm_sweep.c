/* A part that runs row by row (plan_sweep.c): all its steps on a few rows, by kernels or in native
 * code, then on the next. What lies between the steps never leaves the cache.
 *
 * Invariant: it runs only where every array has the shape that it was planned for, and a row is not
 * too long; else nothing has happened, and the instructions run as they stand (vm_rows.c). */
#include "exec/native_code.h"
#include "exec/vm_run.h"
#include "ops/fused.h"

enum { LEAVES = 2 * (2 * SWEEP_ROW / REDUCE_WHOLE + 2), CHUNK = 1 << 16 /* elements to a poll */ };

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
    if (of && tensor_writable(of))
        return tensor_ref(of);
    for (int i = 0; i < out->rank; i++)
        shape[i] = step->level == LEVEL_ELEMENT || i < leading ? run->like->shape[i] : 1;
    return tensor_new(vm->env->heap, step->step.to, out->rank, shape);
}

static bool make_results(Vm *vm, Run *run, const Ins *ins, const Reg *r)
{
    const Sweep *s = run->s;
    for (u32 k = 0; k < s->nout; k++) {
        run->out[k] = result(vm, run, &s->out[k], r);
        if (!run->out[k])
            return vm_fail(vm, ins->u.rows->node, "memory", "no memory for the result of %s",
                           node_info(ins->u.rows->node)->name);
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
    i64 first, m;
} SweepRows;

static char *argument(const SweepRows *b, u32 c, i64 k)
{
    const Sweep *s = b->run->s;
    const SweepInput *in = c < s->nin ? &s->in[c] : NULL;
    u8 level = in ? in->level : s->steps[c - s->nin].level;
    size_t size = dtype_size(in ? in->dtype : s->steps[c - s->nin].step.to);
    if (in && in->whole)
        return b->column[c] + (size_t)((b->first + k) % b->run->period[c] * b->run->n) * size;
    return b->column[c] + (level == LEVEL_ALL   ? 0
                           : level == LEVEL_ROW ? (size_t)k * size
                                                : (size_t)(k * b->run->n) * size);
}

static bool is_whole(const Sweep *s, u32 c) { return c < s->nin && s->in[c].whole; }

static u8 level_of(const Sweep *s, u32 c)
{
    return c < s->nin ? s->in[c].level : s->steps[c - s->nin].level;
}

/* Does an operand come in another pace than the elements of all rows? */
static bool goes_by_row(const Sweep *s, const SweepStep *step)
{
    bool by_row = false;
    for (u32 k = 0; k < 3; k++) {
        u32 c = step->step.arg[k];
        if (c != NO_REG)
            by_row = by_row || is_whole(s, c) ||
                     (step->level == LEVEL_ELEMENT && level_of(s, c) == LEVEL_ROW);
    }
    return by_row;
}

/* n elements of a step from row k on. */
static void run_step(const SweepRows *b, u32 at, i64 k, i64 n)
{
    const SweepStep *s = &b->run->s->steps[at];
    const TileStep *t = &s->step;
    const char *arg[3] = {NULL, NULL, NULL};
    i64 pace[3] = {0, 0, 0};
    char *out = argument(b, b->run->s->nin + at, k);
    for (u32 i = 0; i < 3 && t->arg[i] != NO_REG; i++) {
        arg[i] = argument(b, t->arg[i], k);
        pace[i] = level_of(b->run->s, t->arg[i]) == s->level;
    }
    switch (t->kind) {
    case TILE_1: t->f1(n, arg[0], out); return;
    case TILE_2: t->f2(n, arg[0], pace[0], arg[1], pace[1], out); return;
    case TILE_WHERE:
        kernel_where(dtype_size(t->to), n, arg[0], pace[0], arg[1], pace[1], arg[2], pace[2], out);
        return;
    default: kernel_cast(t->from, t->to, n, arg[0], out);
    }
}

static void run_fold(const SweepRows *b, u32 at, i64 k, i64 rows)
{
    const SweepStep *s = &b->run->s->steps[at];
    char *out = argument(b, b->run->s->nin + at, k);
    kernel_reduce(s->op, s->step.from, rows, b->run->n, 1, argument(b, s->step.arg[0], k), out);
    if (s->step.node->op == OP_PEAK)
        peak_settle(s->step.to, rows, out, true);
}

static void run_some(const SweepRows *b)
{
    const Sweep *s = b->run->s;
    for (u32 i = 0; i < s->nsteps; i++) {
        const SweepStep *step = &s->steps[i];
        bool by_row = goes_by_row(s, step);
        i64 n = step->level == LEVEL_ELEMENT ? b->run->n : 1;
        for (i64 k = 0; k < (by_row ? b->m : 1); k++)
            if (step->reduces)
                run_fold(b, i, k, by_row ? 1 : b->m);
            else
                run_step(b, i, k, by_row ? n : n * b->m);
    }
}

/* Where the columns are at row `first`. */
static void place_columns(Vm *vm, SweepRows *b)
{
    const Sweep *s = b->run->s;
    for (u32 c = 0; c < s->nin + s->nsteps; c++) {
        const TileStep *t = c < s->nin ? NULL : &s->steps[c - s->nin].step;
        if (t && t->out == NO_REG) {
            b->column[c] = vm->scratch + (size_t)t->buffer * 8 * TILE;
            continue;
        }
        size_t size = dtype_size(t ? t->to : s->in[c].dtype);
        i64 pace = level_of(s, c) == LEVEL_ELEMENT && !is_whole(s, c) ? b->run->n
                   : level_of(s, c) == LEVEL_ROW                      ? 1
                                                                      : 0;
        b->column[c] = b->run->column[t ? s->nin + t->out : c] + (size_t)(b->first * pace) * size;
    }
}

static bool run_machine(Vm *vm, const Run *run, const Node *at)
{
    vm_scratch(vm);
    SweepRows b = {.run = run, .column = vm->column};
    i64 most = TILE / run->n;
    for (; b.first < run->rows; b.first += b.m) {
        b.m = most < run->rows - b.first ? most : run->rows - b.first;
        place_columns(vm, &b);
        run_some(&b);
        if (!vm_poll(vm, at, b.m * run->n * run->s->nsteps))
            return false;
    }
    return true;
}

/* ---- running ---- */

static bool run_native(Vm *vm, const Run *run, const Node *at)
{
    i64 many = CHUNK / run->n;
    for (i64 row = 0; row < run->rows; row += many) {
        many = many < run->rows - row ? many : run->rows - row;
        run->s->native(vm->p->native->table, run->column, run->period, run->leaves, run->n, row,
                       row + many);
        if (!vm_poll(vm, at, many * run->n * run->s->nsteps))
            return false;
    }
    return true;
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
    bool ok = make_results(vm, &run, ins, r) &&
              (s->native ? run_native(vm, &run, at) : run_machine(vm, &run, at));
    if (ok)
        hand_on(&run, r);
    for (u32 k = 0; k < s->nout && !ok; k++)
        tensor_unref(run.out[k]);
    return ok ? (i64)ins->u.rows->count : -1;
}
