/* Operands of fused groups that are smaller than the others, or views with strides: rows of them
 * are read where they lie.
 *
 * Invariant: an element of a result is computed from the same operands by the same functions, so it
 * has the same bits, however long a row is. */
#include "exec/native_code.h"
#include "exec/vm_run.h"
#include "ops/strided.h"

enum {
    LANE = 8 * TILE,    /* bytes of a tile */
    ROW_NATIVE = 2,     /* elements of a row for which native code is worth a loop, */
    ROW_CALLS = 64,     /* the same of one that calls functions, */
    FEW = 16,           /* elements that are sooner copied than a function is called for them */
    TILES_EVEN = 16,    /* tiles that it takes at once, if it has none of its own to fill */
    ROW_WORTH = 256,    /* and for which the machine's functions are worth a call */
    INNER = MAX_RANK,   /* the place of the stride along a row */
    STRIDES = INNER + 1 /* of an operand */
};

static const Tensor *operand(const Vm *vm, const Wide *w, u32 k)
{
    return vm->frame[w->in[k].reg].t;
}

/* ---- strides ---- */

/* Of an operand, along the axes of the common shape. */
static void full_strides(const Tensor *x, u8 how, const Tensor *like, i64 stride[MAX_RANK])
{
    i64 own[MAX_RANK] = {0};
    int lead = how == REPEAT_ALL ? like->rank - x->rank : 0;
    strides_of(x, own);
    for (int i = 0; i < like->rank; i++) {
        int at = i - lead;
        bool has = at >= 0 && at < x->rank && (x->shape[at] == like->shape[i]);
        stride[i] = has ? own[at] : 0;
    }
}

/* May axes `at` and the next be one, for this operand? */
static bool is_even(const i64 *stride, const i64 *shape, int at)
{
    return stride[at] == stride[at + 1] * shape[at + 1];
}

typedef struct {
    i64 (*stride)[STRIDES]; /* by operand; the last: of what is as large as all others */
    u32 n;
    i64 shape[MAX_RANK];
    int rank;
} Axes;

static void remove_axis(Axes *a, int at)
{
    a->rank--;
    for (int i = at; i < a->rank; i++) {
        a->shape[i] = a->shape[i + 1];
        for (u32 k = 0; k < a->n; k++)
            a->stride[k][i] = a->stride[k][i + 1];
    }
}

/* Axes of length 1 go; neighbours along which all operands are even become one. */
static void join_axes(Axes *a)
{
    for (int i = a->rank; i-- > 0;)
        if (a->shape[i] == 1 && a->rank > 1)
            remove_axis(a, i);
    for (int i = a->rank - 1; i-- > 0;) {
        bool even = true;
        for (u32 k = 0; k < a->n && even; k++)
            even = is_even(a->stride[k], a->shape, i);
        if (!even)
            continue;
        a->shape[i + 1] *= a->shape[i];
        remove_axis(a, i);
    }
}

/* Is a row long enough, and is it in native code what it is said to be? */
static bool rows_are_worth(const Tiles *t, const Axes *a)
{
    i64 length = a->shape[a->rank - 1];
    for (u32 k = 0; k + 1 < a->n; k++) {
        i64 known = t->native ? tile_stride(t, k) : 0, stride = a->stride[k][a->rank - 1];
        if ((tile_repeat(t, k) == REPEAT_EACH && stride) || (known && stride != known))
            return false;
    }
    if (t->native)
        return t->strided && length >= (t->calls ? ROW_CALLS : ROW_NATIVE);
    return length >= ROW_WORTH;
}

/* Whole rows, if these are shorter than what is taken at once; native code of steps alone has no
 * tiles to fill. */
static i64 most_at_once(const Tiles *t, const Axes *a)
{
    i64 length = a->shape[a->rank - 1], most = TILE;
    bool even = t->native && !t->nfolds && !t->nsinks && !t->deferred;
    for (u32 k = 0; k + 1 < a->n; k++)
        even = even && (!tile_repeat(t, k) || tile_repeat(t, k) == REPEAT_EACH ||
                        tile_stride(t, k) || a->stride[k][a->rank - 1] == 1);
    most *= even ? TILES_EVEN : 1;
    return length < most ? most - most % length : most;
}

void tile_rows(Vm *vm, const Wide *w, const Tensor *like)
{
    const Tiles *t = w->tiles;
    TileRows *rows = &vm->rows;
    if (!rows->stride)
        rows->stride = xcalloc((size_t)vm->p->max_columns + 2, STRIDES * sizeof *rows->stride);
    Axes a = {.stride = (i64(*)[STRIDES])rows->stride, .n = w->nin + 1, .rank = like->rank};
    memcpy(a.shape, like->shape, sizeof a.shape);
    for (u32 k = 0; k < w->nin; k++)
        if (w->in[k].kind == KIND_TENSOR && k < w->nin - t->nbases)
            full_strides(operand(vm, w, k), tile_repeat(t, k), like, a.stride[k]);
        else
            memset(a.stride[k], 0, sizeof a.stride[k]);
    i64 step = 1;
    for (int i = like->rank - 1; i >= 0; i--) {
        a.stride[w->nin][i] = step;
        step *= like->shape[i];
    }
    join_axes(&a);
    rows->rank = a.rank - 1;
    rows->length = a.shape[rows->rank];
    rows->used = rows->length && rows_are_worth(t, &a);
    rows->most = rows->used ? most_at_once(t, &a) : TILE;
    memcpy(rows->shape, a.shape, sizeof a.shape);
    for (u32 k = 0; k < w->nin; k++)
        a.stride[k][INNER] = a.stride[k][rows->rank];
}

/* How many elements on from the first an operand has its row. */
static i64 row_start(const TileRows *rows, u32 k, i64 row)
{
    const i64 *stride = rows->stride + (size_t)k * STRIDES;
    i64 at = 0;
    for (int i = rows->rank - 1; i >= 0 && row; i--) {
        at += row % rows->shape[i] * stride[i];
        row /= rows->shape[i];
    }
    return at;
}

/* How many whole rows stand at one distance from each other, from this one on. */
static i64 rows_on(const TileRows *rows, i64 row, i64 most)
{
    i64 left = rows->rank ? rows->shape[rows->rank - 1] - row % rows->shape[rows->rank - 1] : 1;
    return left < most ? left : most;
}

/* ---- elements of an operand, side by side ---- */

static void gather_part(size_t size, i64 n, const char *from, i64 stride, char *to)
{
    const i64 shape[1] = {n};
    if (size == sizeof(u64) && n < FEW)
        for (i64 i = 0; i < n; i++)
            memcpy(to + i * (i64)size, from + i * stride * (i64)size, sizeof(u64));
    else if (stride == 1)
        memcpy(to, from, (size_t)n * size);
    else if (!stride)
        kernel_fill(size, n, from, to);
    else
        kernel_strided(size, 1, shape, &stride, from, to);
}

char *tile_view(const Vm *vm, u32 k, const Tensor *x, i64 n, char *out)
{
    const TileRows *rows = &vm->rows;
    size_t size = dtype_size(x->dtype);
    if (!tensor_strides(x))
        return (char *)x->data + vm->element * (i64)size;
    const i64 stride = rows->stride[(size_t)k * STRIDES + INNER];
    const i64 pace = rows->rank ? rows->stride[(size_t)k * STRIDES + (size_t)rows->rank - 1] : 0;
    i64 row = vm->element / rows->length, inside = vm->element % rows->length, start = 0, left = 0;
    char *to = out;
    for (i64 many; n > 0; n -= many, row++, inside = 0, start += pace, left--) {
        many = rows->length - inside < n ? rows->length - inside : n;
        if (!left) {
            left = rows_on(rows, row, INT64_MAX);
            start = row_start(rows, k, row);
        }
        i64 at = start + inside * stride;
        gather_part(size, many, (const char *)x->data + at * (i64)size, stride, to);
        to += (size_t)many * size;
    }
    return out;
}

/* ---- rows ---- */

/* n elements of a row, of operands that are smaller or have strides; true: they lie side by side,
 * or are one where native code takes one. */
static bool place_row(Vm *vm, const Wide *w, i64 row, i64 inside, i64 n)
{
    const Tiles *t = w->tiles;
    bool even = true;
    for (u32 k = 0; k < w->nin; k++) {
        if (!t->repeat[k])
            continue;
        const Tensor *x = operand(vm, w, k);
        const i64 stride = vm->rows.stride[(size_t)k * STRIDES + INNER], size = t->size[k];
        i64 at = row_start(&vm->rows, k, row) + inside * stride;
        vm->column[k] = (char *)x->data + at * size;
        if (stride == 1 || (t->native && (t->repeat[k] == REPEAT_EACH || tile_stride(t, k))))
            continue;
        char *out = vm->scratch + (size_t)t->fill[k] * LANE;
        gather_part((size_t)size, n, vm->column[k], stride, out);
        vm->column[k] = out;
        even = false;
    }
    return even;
}

static void run_native(Vm *vm, const Wide *w, i64 n, i64 count)
{
    const Tiles *t = w->tiles;
    const TileRows *rows = &vm->rows;
    for (u32 k = 0; k < w->nin + t->nsteps; k++)
        vm->pace[k] = k < w->nin && t->repeat[k] && rows->rank
                          ? rows->stride[(size_t)k * STRIDES + (size_t)rows->rank - 1]
                          : n;
    t->strided(vm->p->native->table, vm->column, vm->pace, n, count);
}

/* Columns of what is as large as all others, which tile_run leaves where they are. */
static void advance(Vm *vm, const Wide *w, i64 n)
{
    const Tiles *t = w->tiles;
    for (u32 k = 0; k < w->nin; k++)
        if (!t->repeat[k])
            vm->column[k] += n * t->size[k];
    for (u32 i = 0; i < t->nsteps; i++)
        vm->column[w->nin + i] += n * (i64)dtype_size(t->steps[i].to);
}

void tile_run_rows(Vm *vm, const Wide *w, i64 n)
{
    const Tiles *t = w->tiles;
    const i64 length = vm->rows.length;
    for (i64 done = 0, many; done < n; done += many) {
        i64 row = (vm->element + done) / length, inside = (vm->element + done) % length;
        many = length - inside < n - done ? length - inside : n - done;
        bool even = place_row(vm, w, row, inside, many);
        if (t->native) {
            i64 count = even && many == length ? rows_on(&vm->rows, row, (n - done) / length) : 1;
            run_native(vm, w, many, count);
            many *= count;
        } else {
            for (u32 i = 0; i < t->nsteps; i++)
                tile_step(vm->column, t, w->nin, i, many);
        }
        advance(vm, w, many);
    }
    advance(vm, w, -n);
}

/* ---- short rows, reduced ---- */

/* Rows of operands that all lie side by side are one; so they are for what is made as it is read.
 */
static bool rows_are_one(const TileRows *rows) { return !rows->rank; }

bool tile_is_short(const Vm *vm, const Tiles *t, i64 length)
{
    return t->shorts && (vm->rows.length == length || rows_are_one(&vm->rows));
}

i64 tile_run_short(Vm *vm, const Wide *w, i64 row, i64 length, i64 most, char *const *sums)
{
    const TileRows *rows = &vm->rows;
    char *column[SHORT_OPERANDS];
    i64 pace[SHORT_OPERANDS], inside[SHORT_OPERANDS];
    bool one = rows_are_one(rows);
    i64 many = one ? most : rows_on(rows, row, most);
    if (w->tiles->deferred && many > TILE / length)
        many = TILE / length;
    tile_read_deferred(vm, w, row * length, many * length);
    for (u32 k = 0; k < w->nin; k++) {
        const i64 *stride = rows->stride + (size_t)k * STRIDES;
        const i64 size = w->tiles->size[k];
        column[k] = vm->column[k];
        inside[k] = stride[INNER];
        pace[k] = one ? length * stride[INNER] : stride[rows->rank - 1];
        if (tile_defers(w->tiles, k))
            pace[k] = length, inside[k] = 1;
        else if (w->in[k].kind == KIND_TENSOR)
            column[k] = (char *)operand(vm, w, k)->data +
                        (one ? row * pace[k] : row_start(rows, k, row)) * size;
    }
    w->tiles->shorts(column, pace, inside, sums, many);
    return many;
}
