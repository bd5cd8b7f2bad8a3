/* Several instructions on a few rows of their operands, then on the next rows: what lies between
 * them stays in the cache.
 *
 * Invariant: each of them computes a row of its result from the same row of its operands, so its
 * bits are those of the whole arrays. Without rows to take, the instructions run as they stand. */
#include "exec/vm_run.h"

typedef struct {
    Tensor *in[ROWS_MOST];  /* the whole operands; the registers hold rows of them */
    bool gone[ROWS_MOST];   /* the instructions use it for the last time */
    bool lent[ROWS_MOST];   /* rows that were used make room for those of a result */
    Tensor *out[ROWS_MOST]; /* the whole results */
    i64 rows, many;
} RowRun;

/* How many rows at once; 0: the instructions run on whole arrays. */
static i64 rows_at_once(const Vm *vm, const Rows *w, const Reg *r, i64 *rows)
{
    i64 most = 0;
    *rows = -1;
    for (u32 k = 0; k < w->nin; k++) {
        const Tensor *t = r[w->in[k].reg].t;
        if (w->in[k].whole)
            continue;
        if (!t->rank || (*rows >= 0 && t->shape[0] != *rows))
            return 0;
        *rows = t->shape[0];
        most = t->count > most ? t->count : most;
    }
    if (most < ROWS_WORTH || vm->lent || vm->env->work_limit)
        return 0;
    i64 row = most / *rows, many = row < ROWS_AT_ONCE ? ROWS_AT_ONCE / row : 1;
    return many < *rows ? many : 0;
}

/* n rows of each operand from row `at` on. */
static bool take_rows(Vm *vm, const Ins *ins, Reg *r, const RowRun *run, i64 at, i64 n)
{
    const Rows *w = ins->u.rows;
    for (u32 k = 0; k < w->nin; k++) {
        Tensor *t = run->in[k];
        i64 shape[MAX_RANK];
        memcpy(shape, t->shape, sizeof shape);
        shape[0] = n;
        r[w->in[k].reg].t = w->in[k].whole
                                ? tensor_ref(t)
                                : tensor_view(t, at * (t->count / run->rows), t->rank, shape);
        if (!r[w->in[k].reg].t)
            return vm_no_memory(vm, ins->u.rows->node);
    }
    return true;
}

static void leave_rows(const Rows *w, Reg *r, RowRun *run)
{
    for (u32 k = 0; k < w->nin; k++) {
        run->gone[k] = !r[w->in[k].reg].t;
        tensor_unref(r[w->in[k].reg].t);
        r[w->in[k].reg].t = NULL;
    }
}

/* The memory of an operand whose rows nobody needs any more, else fresh. */
static Tensor *whole_result(Vm *vm, const Rows *w, RowRun *run, DType d, int rank, const i64 *shape)
{
    for (u32 k = 0; k < w->nin; k++) {
        Tensor *t = run->in[k];
        if (!run->gone[k] || w->in[k].whole || run->lent[k] || t->dtype != d || t->rank != rank ||
            memcmp(t->shape, shape, (size_t)rank * sizeof *shape) || !tensor_writable(t))
            continue;
        run->lent[k] = true;
        return tensor_ref(t);
    }
    return tensor_new(vm->env->heap, d, rank, shape);
}

/* Rows of the results go where they belong. */
static bool put_rows(Vm *vm, const Ins *ins, Reg *r, RowRun *run, i64 at)
{
    const Rows *w = ins->u.rows;
    for (u32 k = 0; k < w->nout; k++) {
        Tensor *t = r[w->out[k]].t;
        i64 shape[MAX_RANK];
        memcpy(shape, t->shape, sizeof shape);
        shape[0] = run->rows;
        if (!run->out[k])
            run->out[k] = tensor_in_room(r, w->room[k], t->dtype, t->rank, shape);
        if (!run->out[k])
            run->out[k] = whole_result(vm, w, run, t->dtype, t->rank, shape);
        if (!run->out[k])
            return vm_no_memory(vm, ins->u.rows->node);
        size_t row = (size_t)(t->count / t->shape[0]) * dtype_size(t->dtype);
        memcpy((char *)run->out[k]->data + (size_t)at * row, t->data, row * (size_t)t->shape[0]);
        tensor_unref(t);
        r[w->out[k]].t = NULL;
    }
    return true;
}

static bool run_one(Vm *vm, const Block *b, const Ins *ins, Reg *r)
{
    switch ((InsOp)ins->op) {
    case I_ARRAY: return vm_array(vm, ins->u.wide, r);
    case I_FUSED: return vm_tiles(vm, ins->u.wide, r);
    case I_PROFILED: return vm_profiled(vm, b, ins, r);
    default:
        tensor_unref(r[ins->a].t);
        r[ins->a].t = NULL;
        return true;
    }
}

static bool run_rows(Vm *vm, const Block *b, const Ins *ins, Reg *r, RowRun *run)
{
    bool ok = true;
    for (i64 at = 0; ok && at < run->rows; at += run->many) {
        i64 left = run->rows - at;
        ok = take_rows(vm, ins, r, run, at, left < run->many ? left : run->many);
        vm->again = at > 0;
        for (u32 i = 1; ok && i <= ins->u.rows->count; i++)
            ok = run_one(vm, b, ins + i, r);
        leave_rows(ins->u.rows, r, run);
        ok = ok && put_rows(vm, ins, r, run, at);
    }
    vm->again = false;
    return ok;
}

i64 vm_rows(Vm *vm, const Block *b, const Ins *ins, Reg *r)
{
    const Rows *w = ins->u.rows;
    RowRun run = {.rows = 0};
    i64 done = w->sweep ? vm_sweep(vm, ins, r) : 0;
    if (done)
        return done;
    run.many = rows_at_once(vm, w, r, &run.rows);
    if (!run.many)
        return 0;
    for (u32 k = 0; k < w->nin; k++)
        run.in[k] = r[w->in[k].reg].t;
    for (u32 k = 0; k < w->nin; k++)
        r[w->in[k].reg].t = NULL;
    bool ok = run_rows(vm, b, ins, r, &run);
    for (u32 k = 0; k < w->nin; k++)
        if (ok && run.gone[k])
            tensor_unref(run.in[k]);
        else
            r[w->in[k].reg].t = run.in[k];
    for (u32 k = 0; k < w->nout; k++)
        if (ok)
            r[w->out[k]].t = run.out[k];
        else
            tensor_unref(run.out[k]);
    return ok ? (i64)w->count : -1;
}
