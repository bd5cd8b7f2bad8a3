/* Loops over states that are put together from slices (plan_shifts.c): each part of each next
 * state straight from where its operands lie, in the one of the state's two memories that is free.
 *
 * Invariant: while a step runs, nothing that it reads is written. */
#include "exec/native_code.h"
#include "exec/vm_run.h"

enum {
    LANE = 8 * TILE,
    AT_ONCE = 1 << 14,       /* elements times steps until the next poll */
    AT_ONCE_NATIVE = 1 << 19 /* the same for native code */
};

typedef struct {
    Vm *vm;
    Loop *loop;
    const Shifts *s;
    Reg *r;
    char **now, **next; /* by state */
    Tensor **memory;    /* two by state, fresh ones */
    char **base;        /* by operand: its row at the present step; not of states */
    i64 *pace;
    char **row; /* by trace */
    i64 *row_pace;
    i64 work; /* of a step */
} Run;

bool shifts_fit(const Block *b, const Reg *r)
{
    const Shifts *s = b->shifts;
    for (u32 k = 0; k < s->nin; k++) {
        const Tensor *t = lane_operand(b, &s->in[k], r);
        i64 rows = t && lane_is_sequence(b, s->in[k].param) ? t->shape[0] : 1;
        if (t && (!rows || t->count / rows != s->count[k]))
            return false;
    }
    return true;
}

/* ---- memory ---- */

static bool fresh(Run *run, u32 state, int which)
{
    const Tensor *t = run->r[run->loop->block->params[state].reg].t;
    Tensor *m = tensor_new(run->vm->env->heap, t->dtype, t->rank, t->shape);
    if (!m)
        return vm_fail(run->vm, run->loop->wide->node, "memory",
                       "out of memory: could not allocate a state");
    run->memory[2 * state + (u32)which] = m;
    run->next[state] = m->data;
    return true;
}

static bool first_memory(Run *run)
{
    for (u32 i = 0; i < run->s->nstates; i++) {
        run->now[i] = run->r[run->loop->block->params[i].reg].t->data;
        if (run->s->changes[i] && !fresh(run, i, 0))
            return false;
    }
    return true;
}

/* After the first step: the first state's own, unless somebody else has it, too. */
static bool second_memory(Run *run)
{
    for (u32 i = 0; i < run->s->nstates; i++) {
        Tensor *t = run->r[run->loop->block->params[i].reg].t;
        if (run->s->changes[i] && !tensor_writable(t) && !fresh(run, i, 1))
            return false;
    }
    return true;
}

static bool find_rows(Run *run)
{
    const Block *b = run->loop->block;
    for (u32 k = 0; k < b->ntraces; k++) {
        if (!loop_known_row(run->vm, run->loop, k))
            return false;
        run->row[k] = lane_row(run->loop, k, &run->row_pace[k]);
    }
    return true;
}

/* The last states go to their registers; what is not one of them is let go. */
static void give_states(Run *run, bool ok)
{
    for (u32 i = 0; i < run->s->nstates; i++) {
        Reg *at = &run->r[run->loop->block->params[i].reg];
        for (u32 k = 2 * i; k < 2 * i + 2; k++) {
            Tensor *m = run->memory[k];
            if (m && ok && m->data == run->now[i]) {
                tensor_unref(at->t);
                at->t = m;
            } else {
                tensor_unref(m);
            }
        }
    }
}

/* ---- steps ---- */

static char *result_of(const Run *run, u32 out)
{
    return out < run->s->nstates ? run->next[out] : run->row[out - run->s->nstates];
}

static size_t result_size(const Run *run, u32 out)
{
    const Block *b = run->loop->block;
    return out < run->s->nstates
               ? run->s->size[out]
               : dtype_size(run->loop->frame->traces[out - b->nstates].rows->dtype);
}

static void run_tile(const Run *run, const ShiftPart *p, i64 row, i64 at, i64 n)
{
    char **column = run->vm->column;
    size_t to = (size_t)(p->from + row * p->pitch + at);
    for (u32 k = 0; k < p->nin; k++) {
        u32 input = p->in[k].input;
        column[k] = (input < run->s->nstates ? run->now[input] : run->base[input]) +
                    (p->in[k].from + row * p->in[k].pitch + at) * p->tiles.size[k];
    }
    for (u32 i = 0; i < p->tiles.nsteps; i++) {
        const TileStep *s = &p->tiles.steps[i];
        column[p->nin + i] = s->out == NO_REG ? run->vm->scratch + (size_t)s->buffer * LANE
                                              : result_of(run, s->out) + to * dtype_size(s->to);
    }
    for (u32 i = 0; i < p->tiles.nsteps; i++)
        tile_step(column, &p->tiles, p->nin, i, n);
    for (u32 k = 0; k < run->s->nouts; k++) {
        u32 c = p->out[k];
        if (c == NO_REG || (c >= p->nin && p->tiles.steps[c - p->nin].out == k))
            continue;
        size_t size = result_size(run, k);
        memcpy(result_of(run, k) + to * size, column[c], (size_t)n * size);
    }
}

static void run_step(Run *run)
{
    const Shifts *s = run->s;
    for (u32 i = 0; i < s->nparts; i++) {
        const ShiftPart *p = &s->parts[i];
        for (i64 row = 0; row < p->rows; row++)
            for (i64 at = 0; at < p->count; at += TILE)
                run_tile(run, p, row, at, p->count - at < TILE ? p->count - at : TILE);
    }
    for (u32 i = 0; i < s->nstates; i++)
        if (s->changes[i]) {
            char *now = run->next[i];
            run->next[i] = run->now[i];
            run->now[i] = now;
        }
}

static void run_steps(Run *run, i64 steps)
{
    const Shifts *s = run->s;
    if (s->native)
        s->native(run->vm->p->native->table, run->now, run->next, run->base, run->pace, run->row,
                  run->row_pace, steps);
    for (i64 i = 0; i < (s->native ? 1 : steps); i++) {
        i64 many = s->native ? steps : 1;
        if (!s->native)
            run_step(run);
        for (u32 k = s->nstates; k < s->nin; k++)
            run->base[k] += many * run->pace[k];
        for (u32 k = 0; k < run->loop->block->ntraces; k++)
            run->row[k] += many * run->row_pace[k];
    }
}

static bool run_all(Run *run)
{
    Loop *loop = run->loop;
    i64 most = (run->s->native ? AT_ONCE_NATIVE : AT_ONCE) / run->work + 1;
    for (loop->done = 0; loop->done < loop->n;) {
        i64 left = loop->n - loop->done, steps = !loop->done ? 1 : left < most ? left : most;
        run_steps(run, steps);
        if (!loop->done && loop->n > 1 && !second_memory(run))
            return false;
        loop->done += steps;
        if (!vm_poll(run->vm, loop->wide->node, steps * run->work))
            return false;
    }
    loop->chunk = 0;
    return true;
}

/* ---- all of them ---- */

static void consider(Run *run)
{
    Vm *vm = run->vm;
    double step = 0;
    run->work = 1;
    for (u32 i = 0; i < run->s->nparts; i++) {
        const ShiftPart *part = &run->s->parts[i];
        i64 count = part->rows * part->count;
        run->work += count * (1 + part->tiles.nsteps);
        step += (double)count * part->tiles.nanoseconds;
    }
    if (vm->env->native && !run->s->native && !vm->env->work_limit)
        native_consider(vm->env->native, vm->p, (double)run->loop->n * step);
}

bool vm_shifts(Vm *vm, Reg *r, Loop *loop)
{
    const Shifts *s = loop->block->shifts;
    size_t ntraces = loop->block->ntraces + 1, nstates = s->nstates + 1;
    Run run = {.vm = vm,
               .loop = loop,
               .s = s,
               .r = r,
               .now = xcalloc(nstates, sizeof *run.now),
               .next = xcalloc(nstates, sizeof *run.next),
               .memory = xcalloc(2 * nstates, sizeof *run.memory),
               .base = xcalloc(s->nin + 1, sizeof *run.base),
               .pace = xcalloc(s->nin + 1, sizeof *run.pace),
               .row = xcalloc(ntraces, sizeof *run.row),
               .row_pace = xcalloc(ntraces, sizeof *run.row_pace)};
    for (u32 k = 0; k < s->nin; k++)
        run.base[k] = lane_start(loop, &s->in[k], r, &run.pace[k]);
    vm_scratch(vm);
    consider(&run);
    bool ok = first_memory(&run) && find_rows(&run) && run_all(&run);
    give_states(&run, ok);
    free(run.now);
    free(run.next);
    free(run.memory);
    free(run.base);
    free(run.pace);
    free(run.row);
    free(run.row_pace);
    return ok;
}
