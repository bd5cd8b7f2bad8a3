/* Loops that mix no lanes (plan_lanes.c): all steps on a tile of the states, then the next tile; or
 * as many steps as the tile needs until all its lanes are done.
 *
 * Invariant: the values are those of the steps run one by one on whole arrays. */
#include "base/threads.h"
#include "exec/native_code.h"
#include "exec/vm_run.h"

enum {
    LANE = 8 * TILE,
    NEAR = 24 << 10,          /* bytes that stay in the first cache */
    FEWEST = 128,             /* lanes of a tile, where there are so many */
    LANES_STEP = 64,          /* a tile has a multiple of that: whole lines of the cache */
    AT_ONCE = 1 << 16,        /* elements times steps until the next poll */
    AT_ONCE_NATIVE = 1 << 20, /* the same for native code, which is faster */
    STEPS_GUESSED = 64        /* of a loop that stops when all lanes are done */
};

typedef struct {
    Vm *vm;
    Loop *loop;
    const Lanes *l;
    Reg *r;
    i64 count;
    char **base;      /* by operand: its first lane at the first step */
    i64 *pace;        /* by operand: bytes from step to step */
    Tensor **result;  /* by state; the state itself where it may be written to */
    char **row;       /* by trace: where the present row of the tile goes */
    char **first_row; /* by trace: the row of the first step */
    i64 *row_pace;    /* by trace */
    char **next;      /* by state, while states change */
    char **old;
    int threads; /* each has rows, next and old of its own */
    i64 steps;   /* the most that a tile took */
    bool going;  /* some lane is not done, of a loop that stops */
} Run;

typedef struct {
    Run *run;
    i64 many;   /* lanes of a tile */
    i64 *steps; /* by thread: as in Run */
    bool *going;
} LaneWork;

/* ---- operands ---- */

const Tensor *lane_operand(const Block *b, const LaneInput *in, const Reg *r)
{
    if (in->param == NO_REG)
        return in->constant;
    const Slot *p = &b->params[in->param];
    return lane_is_sequence(b, in->param) ? r[p->source].t
           : p->kind == KIND_TENSOR       ? r[p->reg].t
                                          : NULL;
}

char *lane_start(const Loop *loop, const LaneInput *in, Reg *r, i64 *pace)
{
    const Block *b = loop->block;
    const Tensor *t = lane_operand(b, in, r);
    *pace = 0;
    if (!t)
        return (char *)&r[b->params[in->param].reg];
    if (!lane_is_sequence(b, in->param) || !t->shape[0])
        return t->data;
    i64 bytes = t->count / t->shape[0] * (i64)dtype_size(t->dtype);
    *pace = b->reverse ? -bytes : bytes;
    return (char *)t->data + (b->reverse ? (loop->n - 1) * bytes : 0);
}

char *lane_row(const Loop *loop, u32 trace, i64 *pace)
{
    const Trace *t = &loop->frame->traces[trace];
    i64 bytes = (i64)t->bytes;
    *pace = loop->block->reverse ? -bytes : bytes;
    return (char *)t->rows->data + (loop->block->reverse ? (loop->n - 1) * bytes : 0);
}

typedef struct {
    int rank;
    const i64 *shape;
} Lengths;

static Lengths lane_lengths(const Block *b, const Tensor *t, u32 param)
{
    bool rows = lane_is_sequence(b, param);
    return (Lengths){t->rank - rows, t->shape + rows};
}

bool lanes_fit(const Block *b, const Reg *r)
{
    const Lanes *l = b->lanes;
    Lengths like = {-1, NULL};
    for (u32 k = 0; k < l->nin; k++) {
        if (!l->tiles.size[k])
            continue;
        Lengths now = lane_lengths(b, lane_operand(b, &l->in[k], r), l->in[k].param);
        if (like.shape && (like.rank != now.rank ||
                           memcmp(like.shape, now.shape, (size_t)now.rank * sizeof(i64)) != 0))
            return false;
        like = now;
    }
    return like.shape != NULL;
}

/* The shape of all arrays, as a row of a trace of that type. */
static Tensor like_of(const Block *b, const Reg *r, DType d)
{
    const Lanes *l = b->lanes;
    u32 k = 0;
    while (!l->tiles.size[k])
        k++;
    Lengths at = lane_lengths(b, lane_operand(b, &l->in[k], r), l->in[k].param);
    Tensor like = {.dtype = d, .rank = at.rank, .count = 1};
    for (int i = 0; i < at.rank; i++)
        like.count *= like.shape[i] = at.shape[i];
    return like;
}

static void find_operands(Run *run)
{
    for (u32 k = 0; k < run->l->nin; k++)
        run->base[k] = lane_start(run->loop, &run->l->in[k], run->r, &run->pace[k]);
}

/* ---- results ---- */

static bool find_results(Run *run)
{
    const Block *b = run->loop->block;
    for (u32 i = 0; i < run->l->nstates; i++) {
        Tensor *t = run->r[b->params[i].reg].t;
        bool kept = run->l->next[i] == i || tensor_writable(t);
        run->result[i] = kept ? t : tensor_new(run->vm->env->heap, t->dtype, t->rank, t->shape);
        if (!run->result[i])
            return vm_fail(run->vm, run->loop->wide->node, "memory",
                           "out of memory: could not allocate a state");
    }
    return true;
}

static bool find_traces(Run *run)
{
    const Block *b = run->loop->block;
    for (u32 k = 0; k < b->ntraces; k++) {
        DType d = b->graph->outs[b->traces[k].index]->type->dtype;
        Tensor like = like_of(b, run->r, d);
        if (!loop_first_row(run->vm, run->loop, k, &like))
            return false;
        run->first_row[k] = lane_row(run->loop, k, &run->row_pace[k]);
    }
    return true;
}

/* ---- a tile ---- */

static size_t lane_size(const Run *run, u32 state) { return run->l->tiles.size[state]; }

static void load_tile(Run *run, i64 from, i64 n)
{
    Vm *vm = run->vm;
    const Lanes *l = run->l;
    const Block *b = run->loop->block;
    for (u32 k = 0; k < l->nin; k++)
        vm->column[k] = run->base[k] + from * l->tiles.size[k];
    for (u32 i = 0; i < l->nstates; i++) {
        char *at = vm->scratch + (size_t)i * LANE;
        memcpy(at, vm->column[i], (size_t)n * lane_size(run, i));
        vm->column[i] = at;
    }
    for (u32 i = 0; i < l->tiles.nsteps; i++)
        vm->column[l->nin + i] = vm->scratch + (size_t)l->tiles.steps[i].buffer * LANE;
    for (u32 k = 0; k < b->ntraces; k++) {
        DType d = run->loop->frame->traces[k].rows->dtype;
        run->row[k] = run->first_row[k] + (size_t)from * dtype_size(d);
    }
}

static void store_tile(const Run *run, i64 from, i64 n)
{
    for (u32 i = 0; i < run->l->nstates; i++) {
        size_t size = lane_size(run, i);
        if (run->l->next[i] != i)
            memcpy((char *)run->result[i]->data + (size_t)from * size, run->vm->column[i],
                   (size_t)n * size);
    }
}

static void advance(const Run *run, i64 steps)
{
    for (u32 k = run->l->nstates; k < run->l->nin; k++)
        run->vm->column[k] += steps * run->pace[k];
    for (u32 k = 0; k < run->loop->block->ntraces; k++)
        run->row[k] += steps * run->row_pace[k];
}

/* States take their next values by taking their memory. The memory of a state goes to the state
 * that takes its value, else to the step from which the chain of such states comes. */
static void change_states(const Run *run)
{
    const Lanes *l = run->l;
    char **column = run->vm->column;
    for (u32 i = 0; i < l->nstates; i++) {
        run->old[i] = column[i];
        run->next[i] = column[l->next[i]];
    }
    for (u32 i = 0; i < l->nstates; i++)
        column[i] = run->next[i];
    for (u32 i = 0; i < l->nstates; i++)
        if (l->next[i] >= l->nin)
            column[l->next[i]] = run->old[l->end[i]];
}

static void put_rows(const Run *run, i64 n)
{
    const Block *b = run->loop->block;
    for (u32 k = 0; k < b->ntraces; k++)
        memcpy(run->row[k], run->vm->column[run->l->trace[k]],
               (size_t)n * dtype_size(run->loop->frame->traces[k].rows->dtype));
}

static bool all_done(const Run *run, i64 n)
{
    return run->l->done != NO_REG && !memchr(run->vm->column[run->l->done], 0, (size_t)n);
}

/* How many steps it took: all of them, or as many as there were until all lanes were done. */
static i64 run_steps(const Run *run, i64 n, i64 steps)
{
    const Lanes *l = run->l;
    if (l->native) {
        i64 taken = l->native(run->vm->p->native->table, run->vm->column, run->pace, run->row,
                              run->row_pace, n, steps);
        advance(run, steps);
        return taken;
    }
    for (i64 at = 0; at < steps; at++) {
        for (u32 i = 0; i < l->tiles.nsteps; i++)
            tile_step(run->vm->column, &l->tiles, l->nin, i, n);
        put_rows(run, n);
        change_states(run);
        advance(run, 1);
        if (all_done(run, n))
            return at + 1;
    }
    return steps;
}

static bool run_tile(Run *run, i64 from, i64 n)
{
    i64 total = run->loop->n, work = n * run->l->tiles.nsteps;
    i64 most = (run->l->native ? AT_ONCE_NATIVE : AT_ONCE) / work + 1;
    i64 done = 0;
    bool stopped = false;
    load_tile(run, from, n);
    while (done < total && !stopped) {
        i64 steps = total - done < most ? total - done : most;
        done += run_steps(run, n, steps);
        stopped = all_done(run, n);
        if (!run->vm->helps)
            run->loop->done =
                (i64)((double)total * ((double)from + (double)n * (double)done / (double)total) /
                      (double)run->count);
        if (!vm_poll(run->vm, run->loop->wide->node, steps * work))
            return false;
    }
    store_tile(run, from, n);
    run->steps = done > run->steps ? done : run->steps;
    run->going = run->going || !stopped;
    return true;
}

/* ---- all of them ---- */

static i64 tile_lanes(const Lanes *l)
{
    i64 columns = l->tiles.nbuffers;
    for (u32 k = l->nstates; k < l->nin; k++)
        columns += l->tiles.size[k] != 0;
    i64 lanes = NEAR / (8 * columns) / LANES_STEP * LANES_STEP;
    return l->native || lanes > TILE ? TILE : lanes < FEWEST ? FEWEST : lanes;
}

/* A tile at a time, with rows and states of the thread's own. */
static bool run_lanes(Vm *vm, void *ctx, int thread, i64 from, i64 to)
{
    const LaneWork *work = ctx;
    Run run = *work->run;
    size_t ntraces = run.loop->block->ntraces, nstates = run.l->nstates;
    run.vm = vm;
    run.row = work->run->row + (size_t)thread * ntraces;
    run.next = work->run->next + (size_t)thread * nstates;
    run.old = work->run->old + (size_t)thread * nstates;
    for (i64 at = from, n; at < to; at += n) {
        n = to - at < work->many ? to - at : work->many;
        if (!run_tile(&run, at, n))
            return false;
    }
    work->steps[thread] = run.steps > work->steps[thread] ? run.steps : work->steps[thread];
    work->going[thread] |= run.going;
    return true;
}

/* So many lanes that each thread has some. */
static i64 shared_lanes(i64 most, i64 count, int threads)
{
    i64 fair = (count / threads + LANES_STEP - 1) / LANES_STEP * LANES_STEP;
    return threads > 1 && fair && fair < most ? fair : most;
}

/* What the threads found. */
static void end_loop(const LaneWork *work)
{
    Loop *loop = work->run->loop;
    bool stops = work->run->l->done != NO_REG, going = false;
    loop->done = stops ? 0 : loop->n;
    for (int i = 0; i < work->run->threads && stops; i++) {
        loop->done = work->steps[i] > loop->done ? work->steps[i] : loop->done;
        going = going || work->going[i];
    }
    loop->stopped = stops && !going;
    loop->chunk = 0;
}

static bool run_tiles(Run *run)
{
    Vm *vm = run->vm;
    size_t threads = (size_t)run->threads;
    LaneWork work = {.run = run,
                     .many = shared_lanes(tile_lanes(run->l), run->count, run->threads),
                     .steps = xcalloc(threads, sizeof *work.steps),
                     .going = xcalloc(threads, sizeof *work.going)};
    find_operands(run);
    bool ok =
        vm_spread(vm, run->loop->wide->node, run->threads, run->count, work.many, run_lanes, &work);
    end_loop(&work);
    free(work.steps);
    free(work.going);
    return ok;
}

/* Fresh states go to their registers; what failed leaves none behind. */
static void give_results(const Run *run, bool ok)
{
    for (u32 i = 0; i < run->l->nstates; i++) {
        Reg *at = &run->r[run->loop->block->params[i].reg];
        if (run->result[i] == at->t)
            continue;
        tensor_unref(ok ? at->t : run->result[i]);
        if (ok)
            at->t = run->result[i];
    }
}

/* What all steps on all lanes are predicted to take. */
static double lane_nanoseconds(const Loop *loop, i64 count)
{
    const Lanes *l = loop->block->lanes;
    i64 steps = l->done != NO_REG && loop->n > STEPS_GUESSED ? STEPS_GUESSED : loop->n;
    return (double)count * (double)steps * l->tiles.nanoseconds;
}

static void consider(const Run *run)
{
    Vm *vm = run->vm;
    if (vm->env->native && !run->l->native && !vm->env->work_limit)
        native_consider(vm->env->native, vm->p, lane_nanoseconds(run->loop, run->count));
}

bool vm_lanes(Vm *vm, Reg *r, Loop *loop)
{
    const Lanes *l = loop->block->lanes;
    size_t nstates = l->nstates + 1, ntraces = loop->block->ntraces + 1;
    i64 count = like_of(loop->block, r, DT_F64).count;
    int threads = vm_threads(vm, lane_nanoseconds(loop, count));
    size_t many = (size_t)threads;
    Run run = {.vm = vm,
               .loop = loop,
               .l = l,
               .r = r,
               .count = count,
               .threads = threads,
               .base = xcalloc(l->nin + 1, sizeof *run.base),
               .pace = xcalloc(l->nin + 1, sizeof *run.pace),
               .result = xcalloc(nstates, sizeof *run.result),
               .row = xcalloc(many * ntraces, sizeof *run.row),
               .first_row = xcalloc(ntraces, sizeof *run.first_row),
               .row_pace = xcalloc(ntraces, sizeof *run.row_pace),
               .next = xcalloc(many * nstates, sizeof *run.next),
               .old = xcalloc(many * nstates, sizeof *run.old)};
    vm_scratch(vm);
    consider(&run);
    bool ok = find_results(&run) && find_traces(&run) && run_tiles(&run);
    give_results(&run, ok);
    free(run.base);
    free(run.pace);
    free(run.result);
    free(run.row);
    free(run.first_row);
    free(run.row_pace);
    free(run.next);
    free(run.old);
    return ok;
}
