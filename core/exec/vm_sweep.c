/* A part that runs row by row (plan_sweep.c) in native code: one loop over its rows.
 *
 * Invariant: it runs only where every array has the shape that it was planned for; else, as where
 * there is no code, nothing has happened, and the instructions run as they stand. */
#include "exec/native_code.h"
#include "exec/vm_run.h"

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

/* ---- running ---- */

static bool run_rows(Vm *vm, const Run *run, const Node *at)
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
    Run run = {.s = s};
    if (!vm->env->native || vm->lent || vm->env->work_limit || vm->env->profile || !fits(&run, r))
        return 0;
    if (!s->native)
        native_consider(vm->env->native, vm->p, (double)run.like->count * s->nanoseconds);
    if (!s->native)
        return 0;
    *put_leaves(run.n, run.leaves) = 0;
    bool ok = make_results(vm, &run, ins, r) && run_rows(vm, &run, ins->u.rows->node);
    if (ok)
        hand_on(&run, r);
    for (u32 k = 0; k < s->nout && !ok; k++)
        tensor_unref(run.out[k]);
    return ok ? (i64)ins->u.rows->count : -1;
}
