/* Reductions of fused nodes along axes that are not the last ones: tiles of rows, each combined
 * onto accumulators as it comes. Operands are read once, and nothing of their size is made.
 *
 * Invariant: pieces come in the order that kernel_reduce has, so the bits are those of the
 * operations run one by one on whole arrays. */
#include "exec/native_code.h"
#include "exec/vm_run.h"

_Static_assert((int)TILE >= (int)COLUMNS_MOST, "a row of columns is a tile");

typedef struct {
    Vm *vm;
    const Wide *w;
    Columns order;
    i64 first, inner; /* the element of the first row and column at work */
    i64 from;         /* the column */
    bool native;
    char *room[FUSED_REDUCTIONS];
} ColumnFold;

static char *room_at(const ColumnFold *c, u32 fold, i64 at)
{
    return c->room[fold] + (size_t)at * dtype_size(c->w->tiles->folds[fold].to);
}

/* So many rows of n elements, which lie side by side. */
static bool take_tile(const ColumnFold *c, i64 element, i64 count, i64 n, i64 at, bool start)
{
    Vm *vm = c->vm;
    const Tiles *t = c->w->tiles;
    tile_seek(vm, c->w, element);
    tile_run(vm, c->w, count * n);
    for (u32 i = 0; i < t->nfolds; i++)
        reduce_rows(t->folds[i].op, t->folds[i].from)(count, n, n, vm->column[t->folds[i].arg],
                                                      room_at(c, i, at), start);
    return vm_poll(vm, c->w->node, count * n * (t->nsteps + t->nfolds));
}

/* A row that is longer than a tile, as it stands for several. */
static bool take_long(const ColumnFold *c, i64 element, i64 n, i64 at, bool start)
{
    i64 tiles = (n + TILE - 1) / TILE, part = (n + tiles - 1) / tiles;
    for (i64 done = 0; done < n; done += part)
        if (!take_tile(c, element + done, 1, n - done < part ? n - done : part, at + done, start))
            return false;
    return true;
}

/* ---- native code takes a piece at once ---- */

enum { ROW_WORTH = 16 /* columns for which a row is worth a loop */ };

static bool is_short_row(const ColumnFold *c)
{
    return c->w->tiles->repeat && c->inner < ROW_WORTH;
}

/* It repeats a row at most: the same for every row. */
static bool may_be_native(const ColumnFold *c, const Reg *r)
{
    const Tiles *t = c->w->tiles;
    for (u32 k = 0; t->repeat && k < c->w->nin; k++)
        if (t->repeat[k] && (t->repeat[k] != REPEAT_ALL || r[c->w->in[k].reg].t->count != c->inner))
            return false;
    return t->columns && !t->deferred;
}

static bool take_native(const ColumnFold *c, const ColumnPiece *p)
{
    Vm *vm = c->vm;
    const Tiles *t = c->w->tiles;
    i64 n = p->wide * c->order.width;
    char *sums[FUSED_REDUCTIONS];
    tile_seek(vm, c->w, c->first + p->row * c->inner);
    for (u32 k = 0; k < c->w->nin + t->nsteps; k++)
        vm->pace[k] = p->step * c->inner;
    for (u32 k = 0; t->repeat && k < c->w->nin; k++)
        if (t->repeat[k]) {
            vm->pace[k] = 0;
            if (!is_short_row(c))
                vm->column[k] =
                    (char *)vm->frame[c->w->in[k].reg].t->data + (size_t)c->from * t->size[k];
        }
    for (u32 i = 0; i < t->nfolds; i++)
        sums[i] = room_at(c, i, p->at);
    t->columns(vm->p->native->table, vm->column, vm->pace, sums, n, p->count, p->start);
    return vm_poll(vm, c->w->node, p->count * n * (t->nsteps + t->nfolds));
}

/* ---- the order of rows ---- */

static bool take_columns(void *ctx, const ColumnPiece *p)
{
    const ColumnFold *c = ctx;
    if (c->native)
        return take_native(c, p);
    i64 n = p->wide * c->order.width, most = 1;
    if (p->step == p->wide && c->order.width == c->inner && n < TILE)
        most = TILE / n;
    for (i64 k = 0, many; k < p->count; k += many) {
        i64 element = c->first + (p->row + k * p->step) * c->inner;
        bool start = p->start && !k;
        many = most < p->count - k ? most : p->count - k;
        if (!(n > TILE ? take_long(c, element, n, p->at, start)
                       : take_tile(c, element, many, n, p->at, start)))
            return false;
    }
    return true;
}

static void join_columns(void *ctx, i64 to, i64 from, i64 n)
{
    const ColumnFold *c = ctx;
    for (u32 i = 0; i < c->w->tiles->nfolds; i++) {
        const TileFold *f = &c->w->tiles->folds[i];
        reduce_rows(f->op, f->to)(1, n, n, room_at(c, i, from), room_at(c, i, to), false);
    }
}

/* ---- strips of columns, which threads share ---- */

typedef struct {
    ColumnFold fold; /* as each thread's begins */
    Reg *r;
    i64 strips, width; /* of the columns */
    size_t each;       /* bytes of the accumulators of a reduction */
    char *block;       /* those of all threads */
} ColumnWork;

enum { LINE = 64, PAGE = 4096 }; /* bytes, of the processors that there are */

static size_t block_bytes(const ColumnWork *work)
{
    return work->each * work->fold.w->tiles->nfolds + PAGE;
}

/* A place in the first page of a block, half a page away from where tiles lie in theirs: processors
 * take a load to wait for a store that is whole pages away. */
static char *away_from(const char *tiles, char *block)
{
    return block + (((uintptr_t)tiles + PAGE / 2 - (uintptr_t)block) & (PAGE - 1));
}

static bool fold_strip(ColumnFold *c, const ColumnWork *work, i64 o, i64 from)
{
    c->order.width = c->inner - from < work->width ? c->inner - from : work->width;
    c->first = o * c->order.axis * c->inner + from;
    c->from = from;
    if (!columns_run(&c->order))
        return false;
    for (u32 i = 0; i < c->w->tiles->nfolds; i++) {
        const TileFold *f = &c->w->tiles->folds[i];
        memcpy(tile_place(c->vm, c->w, work->r, f, o * c->inner + from), c->room[i],
               (size_t)c->order.width * dtype_size(f->to));
    }
    return true;
}

static bool fold_strips(Vm *vm, void *ctx, int thread, i64 first, i64 end)
{
    const ColumnWork *work = ctx;
    ColumnFold c = work->fold;
    char *block = work->block + (size_t)thread * block_bytes(work);
    c.vm = vm;
    c.order.ctx = &c;
    for (u32 i = 0; i < c.w->tiles->nfolds; i++)
        c.room[i] = away_from(vm->scratch, block) + i * work->each;
    if (c.native && is_short_row(&c)) /* several side by side are one long row */
        tile_fill_repeats(vm, c.w);
    for (i64 k = first; k < end; k++)
        if (!fold_strip(&c, work, k / work->strips, k % work->strips * work->width))
            return false;
    return true;
}

/* One strip that is wide enough becomes one for each thread. */
static void cut_strips(ColumnWork *work, i64 outer, int threads)
{
    enum { LEAST = 64 }; /* columns of a strip, a multiple of which it is */
    const ColumnFold *c = &work->fold;
    i64 share = (c->inner / threads + LEAST - 1) / LEAST * LEAST;
    if (outer < threads && !c->order.narrow && share && share < work->width)
        work->width = share;
    work->strips = (c->inner + work->width - 1) / work->width;
}

bool vm_fold_columns(Vm *vm, const Wide *w, Reg *r, i64 outer, i64 axis, i64 inner)
{
    ColumnWork work = {.fold = {.vm = vm, .w = w, .inner = inner}, .r = r};
    ColumnFold *c = &work.fold;
    int threads = vm_threads(vm, (double)(outer * axis * inner) * w->tiles->nanoseconds);
    c->native = may_be_native(c, r);
    c->order = (Columns){.narrow = !c->native || !w->tiles->repeat || is_short_row(c),
                         .take = take_columns,
                         .join = join_columns};
    work.each = (size_t)columns_open(&c->order, axis, inner) * sizeof(u64);
    work.each = (work.each + LINE - 1) / LINE * LINE;
    work.width = c->order.width;
    cut_strips(&work, outer, threads);
    work.block = memory_try(NULL, (size_t)threads * block_bytes(&work));
    if (!work.block)
        return vm_no_memory(vm, w->node);
    bool ok = vm_spread(vm, w->node, threads, outer * work.strips, 1, fold_strips, &work);
    free(work.block);
    return ok;
}
