/* Fused nodes: all steps on one tile, then the next tile, so that what lies between them never
 * leaves the cache. Reductions take each tile as it comes.
 *
 * Invariant: a value of a kernel depends on its operands only, not on where a tile
 * begins, and a row is reduced in the same halves as ever, so the bits are those of the operations
 * run one by one on whole arrays. */
#include "base/threads.h"
#include "exec/native_code.h"
#include "exec/vm_run.h"

#if !defined(__clang__)
#pragma GCC optimize("O3") /* loops that fill a tile become vectors */
#endif

enum {
    LANE = 8 * TILE,     /* bytes of a tile of the largest dtype */
    ALIGNMENT = 64,      /* bytes of a line of the cache */
    BEGIN_WORK = 64,     /* what a group costs before its first element, for the limit of work */
    SHORT_MOST = 1 << 16 /* short rows until the next poll */
};

/* Zeroed, in lines of the cache of its own: threads do not write to one line. */
static void *lines(size_t count, size_t size)
{
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return memset(memory_small(ALIGNMENT, bytes), 0, bytes);
}

void vm_scratch(Vm *vm)
{
    if (vm->scratch)
        return;
    vm->scratch = memory_small(ALIGNMENT, ((size_t)vm->p->max_buffers + 1) * LANE);
    vm->column = lines((size_t)vm->p->max_columns + 1, sizeof *vm->column);
    vm->pace = lines((size_t)vm->p->max_columns + 1, sizeof *vm->pace);
}

static bool shapes_differ(Vm *vm, const Wide *w, const Tensor *a, const Tensor *b)
{
    Text text = {0};
    const Tensor *both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        text_put(&text, k ? " and (" : "(");
        for (int i = 0; i < both[k]->rank; i++)
            text_printf(&text, "%s%lld", i ? ", " : "", (long long)both[k]->shape[i]);
        text_put(&text, both[k]->rank == 1 ? ",)" : ")");
    }
    vm_fail(vm, w->node, "shape-mismatch", "shapes %s do not match", text_str(&text));
    text_free(&text);
    return false;
}

static bool repeats_fit(Vm *vm, const Wide *w, const Reg *r, const Tensor *like)
{
    for (u32 k = 0; k < w->nin; k++) {
        u8 how = tile_repeat(w->tiles, k);
        if (how == REPEAT_NOT || how == REPEAT_VIEW)
            continue;
        const Tensor *t = r[w->in[k].reg].t;
        const i64 *part = like->shape + (how == REPEAT_ALL ? like->rank - t->rank : 0);
        int rank = t->rank;
        while (how == REPEAT_EACH && rank && t->shape[rank - 1] == 1)
            rank--;
        if (memcmp(t->shape, part, (size_t)rank * sizeof(i64)) != 0)
            return shapes_differ(vm, w, like, t);
    }
    return true;
}

/* The common shape of the operands that are no scalars. */
static const Tensor *common_like(Vm *vm, const Wide *w, const Reg *r)
{
    const Tensor *like = NULL;
    for (u32 k = 0; k < w->nin - w->tiles->nbases; k++) {
        u8 how = tile_repeat(w->tiles, k);
        if (w->in[k].kind != KIND_TENSOR || how == REPEAT_EACH || how == REPEAT_ALL)
            continue;
        const Tensor *t = r[w->in[k].reg].t;
        if (!like)
            like = t;
        if (t->rank != like->rank ||
            memcmp(t->shape, like->shape, (size_t)t->rank * sizeof(i64)) != 0) {
            shapes_differ(vm, w, like, t);
            return NULL;
        }
    }
    return like && repeats_fit(vm, w, r, like) ? like : NULL;
}

/* The memory of an operand that nobody needs any more, else fresh. */
static Tensor *tile_result(Vm *vm, const Wide *w, Reg *r, u32 k, const Tensor *like)
{
    DType d = w->tiles->steps[w->tiles->outs[k]].to;
    u32 c = w->tiles->reuse[k];
    Tensor *there = tensor_in_room(r, w->out[k].room, d, like->rank, like->shape);
    if (there)
        return there;
    if (c != NO_REG && w->in[c].move) {
        Tensor *t = r[w->in[c].reg].t;
        if (t->dtype == d && tensor_writable(t)) {
            r[w->in[c].reg].t = NULL;
            return t;
        }
    }
    return tensor_new(vm->env->heap, d, like->rank, like->shape);
}

static const TileFold *fold_of(const Tiles *t, u32 k)
{
    for (u32 i = 0; i < t->nfolds; i++)
        if (t->folds[i].out == k)
            return &t->folds[i];
    die("a result of a fused node that nothing gives");
}

static Tensor *fold_result(Vm *vm, const Tiles *t, const TileFold *f, const Tensor *like)
{
    i64 shape[MAX_RANK];
    int rank = 0;
    for (int i = 0; i < like->rank; i++)
        if (i < t->over.first || i >= t->over.first + t->over.count)
            shape[rank++] = like->shape[i];
    return tensor_new(vm->env->heap, f->to, rank, shape);
}

/* Scalars need no memory: they go to their registers. */
static bool tile_results(Vm *vm, const Wide *w, Reg *r, const Tensor *like)
{
    const Tiles *t = w->tiles;
    for (u32 k = 0; k < w->nout; k++)
        vm->out[k] = NULL;
    for (u32 k = 0; k < w->nout; k++) {
        if (w->out[k].kind != KIND_TENSOR || (tile_tests(t, k) && !vm->made))
            continue;
        vm->out[k] = t->outs[k] != NO_REG ? tile_result(vm, w, r, k, like)
                                          : fold_result(vm, t, fold_of(t, k), like);
        if (!vm->out[k])
            return vm_no_memory(vm, w->node);
    }
    return true;
}

static void tile_columns(Vm *vm, const Wide *w, Reg *r)
{
    const Tiles *t = w->tiles;
    for (u32 k = 0; k < w->nin; k++) {
        Reg *x = &r[w->in[k].reg];
        vm->column[k] = w->in[k].kind == KIND_TENSOR ? x->t->data : (char *)x;
    }
    vm->element = 0;
    vm->frame = r;
    for (u32 i = 0; i < t->nsteps; i++)
        if (t->steps[i].buffer != NO_REG)
            vm->column[w->nin + i] = vm->scratch + (size_t)t->steps[i].buffer * LANE;
}

/* After the operands, whose memory a result may have taken. */
static void result_columns(Vm *vm, const Wide *w)
{
    for (u32 k = 0; k < w->nout; k++)
        if (w->tiles->outs[k] != NO_REG)
            vm->column[w->nin + w->tiles->outs[k]] =
                vm->out[k] ? vm->out[k]->data : vm->scratch + (size_t)w->tiles->test[k] * LANE;
}

/* ---- elements ---- */

void tile_apply(const TileStep *s, i64 n, char *const *arg, const i64 *pace, char *out)
{
    switch (s->kind) {
    case TILE_1: s->f1(n, arg[0], out); return;
    case TILE_2: s->f2(n, arg[0], pace[0], arg[1], pace[1], out); return;
    case TILE_WHERE:
        kernel_where(dtype_size(s->to), n, arg[0], pace[0], arg[1], pace[1], arg[2], pace[2], out);
        return;
    default: kernel_cast(s->from, s->to, n, arg[0], out);
    }
}

void tile_step(char *const *column, const Tiles *t, u32 nin, u32 at, i64 n)
{
    const TileStep *s = &t->steps[at];
    char *arg[3] = {NULL, NULL, NULL};
    i64 pace[3] = {0, 0, 0};
    for (u32 k = 0; k < 3 && s->arg[k] != NO_REG; k++) {
        arg[k] = column[s->arg[k]];
        pace[k] = s->arg[k] >= nin || t->size[s->arg[k]];
    }
    tile_apply(s, n, arg, pace, column[nin + at]);
}

void tile_seek(Vm *vm, const Wide *w, i64 element)
{
    const Tiles *t = w->tiles;
    i64 n = element - vm->element;
    vm->element = element;
    for (u32 k = 0; k < w->nin; k++)
        if (!tile_repeat(t, k) && !tile_defers(t, k))
            vm->column[k] += n * t->size[k];
    for (u32 k = 0; k < w->nout; k++)
        if (t->outs[k] != NO_REG && vm->out[k])
            vm->column[w->nin + t->outs[k]] += n * (i64)dtype_size(vm->out[k]->dtype);
}

static void fill_with(size_t size, i64 n, const char *value, char *out)
{
    if (size != 8) {
        kernel_fill(size, n, value, out);
        return;
    }
    u64 bits, *to = (u64 *)(void *)out;
    memcpy(&bits, value, sizeof bits);
    for (i64 i = 0; i < n; i++)
        to[i] = bits;
}

/* n elements of x, over and over, from one on: twice as many each time. */
static void fill_all(const Tensor *x, i64 inside, i64 n, char *out)
{
    i64 size = (i64)dtype_size(x->dtype), all = n * size;
    i64 head = (x->count - inside) * size, done = x->count * size;
    memcpy(out, (const char *)x->data + inside * size, (size_t)(head < all ? head : all));
    if (head < all)
        memcpy(out + head, x->data, (size_t)((done < all ? done : all) - head));
    for (; done < all; done *= 2)
        memcpy(out + done, out, (size_t)(done < all - done ? done : all - done));
}

static void fill_each(const Tensor *x, i64 run, i64 element, i64 n, char *out)
{
    size_t size = dtype_size(x->dtype);
    i64 inside = element % run, of = element / run;
    for (i64 many; n > 0; n -= many, inside = 0, of++) {
        many = run - inside < n ? run - inside : n;
        fill_with(size, many, (const char *)x->data + (size_t)of * size, out);
        out += (size_t)many * size;
    }
}

/* The next n elements of a repeated operand: where they lie in it, or put together in `out`. */
static char *fill_repeat(const Vm *vm, const Tensor *x, u8 how, i64 n, char *out)
{
    if (how == REPEAT_EACH) {
        fill_each(x, vm->elements / x->count, vm->element, n, out);
        return out;
    }
    i64 inside = vm->element % x->count;
    if (n <= x->count - inside)
        return (char *)x->data + inside * (i64)dtype_size(x->dtype);
    fill_all(x, inside, n, out);
    return out;
}

void tile_fill_repeats(Vm *vm, const Wide *w)
{
    const Tiles *t = w->tiles;
    for (u32 k = 0; k < w->nin; k++)
        if (t->repeat[k] == REPEAT_ALL) {
            vm->column[k] = vm->scratch + (size_t)t->fill[k] * LANE;
            fill_all(vm->frame[w->in[k].reg].t, 0, TILE, vm->column[k]);
        }
}

void tile_read_deferred(Vm *vm, const Wide *w, i64 element, i64 n)
{
    const Tiles *t = w->tiles;
    for (u32 k = 0; t->deferred && k < w->nin; k++)
        if (t->deferred[k]) {
            const Tensor *x = vm->frame[w->in[k].reg].t;
            vm->column[k] = vm->scratch + (size_t)t->fill[k] * LANE;
            x->read(x, element, n, vm->column[k]);
        }
}

/* Do all conditions hold on these elements? Native code tells by the first of each. */
static void test_tile(Vm *vm, const Wide *w, i64 n)
{
    const Tiles *t = w->tiles;
    for (u32 k = 0; k < w->nout; k++)
        if (tile_tests(t, k) &&
            memchr(vm->column[w->nin + t->outs[k]], 0, t->native ? 1 : (size_t)n))
            vm->untrue = true;
}

void tile_run(Vm *vm, const Wide *w, i64 n)
{
    const Tiles *t = w->tiles;
    tile_read_deferred(vm, w, vm->element, n);
    if (t->repeat && vm->rows.used) {
        tile_run_rows(vm, w, n);
        return;
    }
    for (u32 k = 0; t->repeat && k < w->nin; k++)
        if (t->repeat[k]) {
            const Tensor *x = vm->frame[w->in[k].reg].t;
            char *out = vm->scratch + (size_t)t->fill[k] * LANE;
            vm->column[k] = t->repeat[k] == REPEAT_VIEW ? tile_view(vm, k, x, n, out)
                                                        : fill_repeat(vm, x, t->repeat[k], n, out);
        }
    if (t->native && !vm->made)
        t->native(vm->p->native->table, vm->column, n);
    else
        for (u32 i = 0; i < t->nsteps; i++)
            tile_step(vm->column, t, w->nin, i, n);
    if (t->test && !vm->made)
        test_tile(vm, w, n);
}

bool tile_next(Vm *vm, const Wide *w, i64 n)
{
    tile_seek(vm, w, vm->element + n);
    return vm_poll(vm, w->node, n * (w->tiles->nsteps + w->tiles->nfolds + w->tiles->nsinks));
}

/* What the reductions of a range of elements give. */
typedef struct {
    u64 at[FUSED_REDUCTIONS];
} Parts;

/* A group on elements that are shared by threads. */
typedef struct {
    const Wide *w;
    Reg *r;
    i64 axis, length; /* of a row; of its ranges, but for the last */
    Parts *parts;     /* by row and range */
} TileWork;

static bool run_tiles(Vm *vm, void *ctx, int thread, i64 from, i64 to)
{
    const Wide *w = ((TileWork *)ctx)->w;
    (void)thread;
    i64 most = w->tiles->repeat ? vm->rows.most : TILE;
    tile_seek(vm, w, from);
    for (i64 at = from, n; at < to; at += n) {
        n = to - at < most ? to - at : most;
        tile_run(vm, w, n);
        if (to - from > most && !tile_next(vm, w, n))
            return false;
    }
    return true;
}

static int threads_of(const Vm *vm, const Wide *w, i64 count)
{
    return vm_threads(vm, (double)count * w->tiles->nanoseconds);
}

/* ---- reductions ---- */

_Static_assert((int)TILE >= (int)REDUCE_WHOLE, "a tile is reduced as a part of its row");

static void join_parts(const Tiles *t, const Parts *a, const Parts *b, Parts *both)
{
    for (u32 i = 0; i < t->nfolds; i++) {
        u64 pair[2];
        size_t size = dtype_size(t->folds[i].to);
        memcpy(pair, &a->at[i], size);
        memcpy((char *)pair + size, &b->at[i], size);
        kernel_reduce(t->folds[i].op, t->folds[i].to, 1, 2, 1, pair, &both->at[i]);
    }
}

/* The next n elements of a row, reduced: as kernel_reduce does, in halves. */
static bool fold_range(Vm *vm, const Wide *w, i64 n, Parts *parts)
{
    const Tiles *t = w->tiles;
    if (n <= TILE) {
        tile_run(vm, w, n);
        for (u32 i = 0; i < t->nfolds; i++) {
            const TileFold *f = &t->folds[i];
            kernel_reduce(f->op, f->from, 1, n, 1, vm->column[f->arg], &parts->at[i]);
        }
        return tile_next(vm, w, n);
    }
    Parts a, b;
    i64 h = reduce_cut(n);
    if (!fold_range(vm, w, h, &a) || !fold_range(vm, w, n - h, &b))
        return false;
    join_parts(t, &a, &b, parts);
    return true;
}

char *tile_place(Vm *vm, const Wide *w, Reg *r, const TileFold *f, i64 at)
{
    Tensor *t = vm->out[f->out];
    return t ? (char *)t->data + (size_t)at * dtype_size(f->to) : (char *)&r[w->out[f->out].reg];
}

static bool fold_nothing(Vm *vm, const Wide *w, Reg *r, i64 outer, i64 axis, i64 inner)
{
    for (u32 i = 0; i < w->tiles->nfolds; i++) {
        const TileFold *f = &w->tiles->folds[i];
        int status =
            kernel_reduce(f->op, f->from, outer, axis, inner, NULL, tile_place(vm, w, r, f, 0));
        if (!vm_fail_status(vm, f->node, status))
            return false;
    }
    return true;
}

/* Short rows: as many as there is room for in a tile. */
static bool fold_rows(Vm *vm, void *ctx, int thread, i64 from, i64 to)
{
    const TileWork *work = ctx;
    const Wide *w = work->w;
    (void)thread;
    tile_seek(vm, w, from * work->axis);
    for (i64 row = from, many; row < to; row += many) {
        many = TILE / work->axis < to - row ? TILE / work->axis : to - row;
        tile_run(vm, w, many * work->axis);
        for (u32 i = 0; i < w->tiles->nfolds; i++) {
            const TileFold *f = &w->tiles->folds[i];
            kernel_reduce(f->op, f->from, many, work->axis, 1, vm->column[f->arg],
                          tile_place(vm, w, work->r, f, row));
        }
        if (!tile_next(vm, w, many * work->axis))
            return false;
    }
    return true;
}

/* Those for which there is native code. */
static bool fold_short_rows(Vm *vm, void *ctx, int thread, i64 from, i64 to)
{
    const TileWork *work = ctx;
    const Wide *w = work->w;
    char *sums[FUSED_REDUCTIONS];
    (void)thread;
    for (i64 row = from, many; row < to; row += many) {
        for (u32 i = 0; i < w->tiles->nfolds; i++)
            sums[i] = tile_place(vm, w, work->r, &w->tiles->folds[i], row);
        many = to - row < SHORT_MOST ? to - row : SHORT_MOST;
        many = tile_run_short(vm, w, row, work->axis, many, sums);
        if (!vm_poll(vm, w->node, many * work->axis * (w->tiles->nsteps + w->tiles->nfolds)))
            return false;
    }
    return true;
}

/* ---- long rows ---- */

/* The ranges into which a row of n elements falls when it is halved until none is over `most`:
 * fills their lengths, if asked for; how many. */
static i64 row_ranges(i64 n, i64 most, i64 *lengths)
{
    if (n <= most) {
        if (lengths)
            *lengths = n;
        return 1;
    }
    i64 h = reduce_cut(n), k = row_ranges(h, most, lengths);
    return k + row_ranges(n - h, most, lengths ? lengths + k : NULL);
}

/* What the ranges gave, in the order of the halves. */
static const Parts *join_ranges(const Tiles *t, i64 n, i64 most, const Parts *next, Parts *out)
{
    Parts a, b;
    if (n <= most) {
        *out = *next;
        return next + 1;
    }
    i64 h = reduce_cut(n);
    next = join_ranges(t, n - h, most, join_ranges(t, h, most, next, &a), &b);
    join_parts(t, &a, &b, out);
    return next;
}

enum { RANGE = 1 << 16 /* elements of a range, at most */ };

typedef struct {
    TileWork work;
    i64 ranges, *start; /* of a row */
} LongRows;

static bool fold_ranges(Vm *vm, void *ctx, int thread, i64 from, i64 to)
{
    const LongRows *l = ctx;
    (void)thread;
    for (i64 k = from; k < to; k++) {
        i64 range = k % l->ranges;
        tile_seek(vm, l->work.w, k / l->ranges * l->work.axis + l->start[range]);
        if (!fold_range(vm, l->work.w, l->start[range + 1] - l->start[range], &l->work.parts[k]))
            return false;
    }
    return true;
}

static void put_long_rows(Vm *vm, const LongRows *l, i64 rows)
{
    const Tiles *t = l->work.w->tiles;
    for (i64 row = 0; row < rows; row++) {
        Parts parts;
        join_ranges(t, l->work.axis, RANGE, &l->work.parts[row * l->ranges], &parts);
        for (u32 i = 0; i < t->nfolds; i++)
            memcpy(tile_place(vm, l->work.w, l->work.r, &t->folds[i], row), &parts.at[i],
                   dtype_size(t->folds[i].to));
    }
}

static bool fold_long_rows(Vm *vm, const TileWork *work, i64 rows)
{
    LongRows l = {.work = *work, .ranges = row_ranges(work->axis, RANGE, NULL)};
    i64 all = rows * l.ranges;
    l.start = xcalloc((size_t)l.ranges + 1, sizeof *l.start);
    l.work.parts = memory_try(NULL, (size_t)all * sizeof *l.work.parts);
    row_ranges(work->axis, RANGE, l.start + 1);
    for (i64 k = 0; k < l.ranges; k++)
        l.start[k + 1] += l.start[k];
    bool ok = l.work.parts
                  ? vm_spread(vm, work->w->node, threads_of(vm, work->w, rows * work->axis), all, 1,
                              fold_ranges, &l)
                  : vm_poll(vm, work->w->node, 0);
    if (ok)
        put_long_rows(vm, &l, rows);
    free(l.start);
    free(l.work.parts);
    return ok;
}

static bool run_folds(Vm *vm, const Wide *w, Reg *r, const Tensor *like)
{
    const Tiles *t = w->tiles;
    i64 axis = 1, rows = 1, inner = 1;
    for (int i = 0; i < like->rank; i++)
        *(i < t->over.first                   ? &rows
          : i < t->over.first + t->over.count ? &axis
                                              : &inner) *= like->shape[i];
    if (!rows || !axis || !inner)
        return fold_nothing(vm, w, r, rows, axis, inner);
    if (inner > 1)
        return vm_fold_columns(vm, w, r, rows, axis, inner);
    TileWork work = {.w = w, .r = r, .axis = axis};
    if (axis > TILE)
        return fold_long_rows(vm, &work, rows);
    int threads = threads_of(vm, w, rows * axis);
    i64 piece = threads_piece(threads, rows, TILE / axis, (double)axis * t->nanoseconds);
    return vm_spread(vm, w->node, threads, rows, piece,
                     tile_is_short(vm, t, axis) ? fold_short_rows : fold_rows, &work);
}

static bool run_elements(Vm *vm, const Wide *w, Reg *r, i64 count)
{
    TileWork work = {.w = w, .r = r};
    int threads = threads_of(vm, w, count);
    return vm_spread(vm, w->node, threads, count,
                     threads_piece(threads, count, TILE, w->tiles->nanoseconds), run_tiles, &work);
}

static void consider(Vm *vm, const Wide *w, i64 count)
{
    if (vm->env->native && !w->tiles->native && !vm->env->work_limit)
        native_consider(vm->env->native, vm->p, (double)count * w->tiles->nanoseconds);
}

bool tile_begin(Vm *vm, const Wide *w, Reg *r, Tensor *like)
{
    const Tensor *first = common_like(vm, w, r);
    if (!first || !vm_poll(vm, w->node, BEGIN_WORK))
        return false;
    consider(vm, w, first->count);
    vm_scratch(vm);
    *like = *first; /* its memory may be taken */
    tile_columns(vm, w, r);
    vm->elements = like->count;
    if (w->tiles->repeat)
        tile_rows(vm, w, like);
    return true;
}

void tile_end(Vm *vm, const Wide *w, Reg *r)
{
    for (u32 k = 0; k < w->nkill; k++) {
        tensor_unref(r[w->kill[k]].t);
        r[w->kill[k]].t = NULL;
    }
    for (u32 k = 0; k < w->nout; k++)
        if (w->out[k].kind == KIND_TENSOR)
            r[w->out[k].reg].t = vm->out[k];
}

static bool run_group(Vm *vm, const Wide *w, Reg *r, const Tensor *like)
{
    bool ok = tile_results(vm, w, r, like);
    if (ok) {
        result_columns(vm, w);
        ok = w->tiles->nfolds ? run_folds(vm, w, r, like) : run_elements(vm, w, r, like->count);
    }
    for (u32 k = 0; !ok && k < w->nout; k++)
        tensor_unref(vm->out[k]);
    return ok;
}

/* Some condition does not hold: once more, with all of them, for the check that tells where. */
static bool make_conditions(Vm *vm, const Wide *w, Reg *r, const Tensor *like)
{
    for (u32 k = 0; k < w->nout; k++)
        tensor_unref(vm->out[k]);
    tile_columns(vm, w, r);
    vm->made = true;
    bool ok = run_group(vm, w, r, like);
    vm->made = vm->untrue = false;
    return ok;
}

static bool all_hold(const Vm *vm)
{
    bool untrue = vm->untrue;
    for (int i = 0; i < vm->nhelpers; i++)
        untrue = untrue || vm->helpers[i].untrue;
    return !untrue;
}

bool vm_tiles(Vm *vm, const Wide *w, Reg *r)
{
    Tensor like;
    if (!tile_begin(vm, w, r, &like) || !run_group(vm, w, r, &like))
        return false;
    if (w->tiles->test && !all_hold(vm) && !make_conditions(vm, w, r, &like))
        return false;
    tile_end(vm, w, r);
    return true;
}
