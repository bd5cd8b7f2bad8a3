/* Reductions along the first of two axes, row by row: memory is read in the order in which it lies,
 * the accumulators stay in cache.
 *
 * Invariant: each column is combined in the order of kernels_reduce.c. There a block has its rows
 * in LANES lanes, and the lanes are a tree. So the lanes may come one after the other, in the order
 * of the tree, each onto one row of accumulators; or, of few columns, all at once: then LANES rows
 * are one long row. */
#include "tensor/kernels_fold.h"

#if !defined(__clang__)
#pragma GCC optimize("O3", "no-trapping-math") /* loops with comparisons become vectors */
#endif

enum { NARROW = 256 /* columns that are few */, LINE = 64 /* bytes; vectors cross none */ };

#define DEFINE_BITS(NAME, T, U, OP)           \
    static inline T NAME(T a, T b)            \
    {                                         \
        union {                               \
            T value;                          \
            U bits;                           \
        } x = {.value = a}, y = {.value = b}; \
        x.bits = x.bits OP y.bits;            \
        return x.value;                       \
    }
DEFINE_BITS(or_f32, float, u32, |)
DEFINE_BITS(or_f64, double, u64, |)
DEFINE_BITS(and_f32, float, u32, &)
DEFINE_BITS(and_f64, double, u64, &)

#define ISA(name) name##_base
#define ISA_FN
#include "tensor/kernels_rows_isa.h"

#if defined(__x86_64__) && !defined(GRADUS_PORTABLE)
#define ISA(name) name##_avx2
#define ISA_FN __attribute__((target("avx2")))
#include "tensor/kernels_rows_isa.h"

ReduceRows *reduce_rows(ReduceOp op, DType d)
{
    return (__builtin_cpu_supports("avx2") ? rows_table_avx2 : rows_table_base)[op][d];
}
#else
ReduceRows *reduce_rows(ReduceOp op, DType d) { return rows_table_base[op][d]; }
#endif

/* ---- the order ---- */

/* Rows of accumulators that stand for one row. */
static i64 unit_of(const Columns *c) { return c->narrow ? LANES * c->width : c->width; }

static bool take(const Columns *c, i64 row, i64 count, i64 step, i64 wide, i64 at, bool start)
{
    return c->take(c->ctx, &(ColumnPiece){row, count, step, wide, at, start});
}

/* The lanes j, j + stride, .. of the blocks that begin at row, `count` rows in each. */
static bool take_lanes(const Columns *c, i64 row, i64 count, i64 stride, i64 at)
{
    if (stride == LANES)
        return take(c, row, count, LANES, 1, at, true);
    if (!take_lanes(c, row, count, 2 * stride, at) ||
        !take_lanes(c, row + stride, count, 2 * stride, at + c->width))
        return false;
    c->join(c->ctx, at, at + c->width, c->width);
    return true;
}

static bool take_narrow(const Columns *c, i64 row, i64 count, i64 at)
{
    if (!take(c, row, count, LANES, LANES, at, true))
        return false;
    for (i64 half = LANES / 2; half > 0; half /= 2)
        c->join(c->ctx, at, at + half * c->width, half * c->width);
    return true;
}

static bool take_block(const Columns *c, i64 row, i64 n, i64 at)
{
    i64 rest = n % LANES, count = n / LANES;
    if (count && !(c->narrow ? take_narrow(c, row, count, at) : take_lanes(c, row, count, 1, at)))
        return false;
    return !rest || take(c, row + n - rest, rest, 1, 1, at, !count);
}

static bool take_range(const Columns *c, i64 row, i64 n, i64 at)
{
    if (n <= BLOCK)
        return take_block(c, row, n, at);
    i64 h = reduce_cut(n), next = at + unit_of(c);
    if (!take_range(c, row, h, at) || !take_range(c, row + h, n - h, next))
        return false;
    c->join(c->ctx, at, next, c->width);
    return true;
}

i64 columns_open(Columns *c, i64 axis, i64 inner)
{
    i64 levels = 1;
    for (i64 n = axis; n > BLOCK; n -= reduce_cut(n))
        levels++;
    c->axis = axis;
    c->narrow = c->narrow && inner <= NARROW;
    c->width = inner < COLUMNS_MOST ? inner : COLUMNS_MOST;
    i64 tree = 0;
    for (i64 k = LANES; k > 1 && !c->narrow; k /= 2)
        tree++;
    return (levels - 1) * unit_of(c) + (c->narrow ? LANES : 1 + tree) * c->width;
}

bool columns_run(const Columns *c) { return take_range(c, 0, c->axis, 0); }

/* ---- of an array ---- */

typedef struct {
    Columns order;
    ReduceRows *more, *join;
    size_t from, to; /* bytes of an element */
    i64 inner;
    const char *x; /* the first column at work */
    char *room;
} ArrayColumns;

static bool take_array(void *ctx, const ColumnPiece *p)
{
    ArrayColumns *a = ctx;
    a->more(p->count, p->step * a->inner, p->wide * a->order.width,
            a->x + (size_t)(p->row * a->inner) * a->from, a->room + (size_t)p->at * a->to,
            p->start);
    return true;
}

static void join_array(void *ctx, i64 to, i64 from, i64 n)
{
    ArrayColumns *a = ctx;
    a->join(1, n, n, a->room + (size_t)from * a->to, a->room + (size_t)to * a->to, false);
}

int reduce_columns(ReduceOp op, DType d, i64 outer, i64 axis, i64 inner, const void *x, void *out)
{
    DType to = reduce_dtype(op, d);
    ArrayColumns a = {.more = reduce_rows(op, d),
                      .join = reduce_rows(op, to),
                      .from = dtype_size(d),
                      .to = dtype_size(to),
                      .inner = inner};
    a.order = (Columns){.narrow = true, .ctx = &a, .take = take_array, .join = join_array};
    size_t bytes = (size_t)columns_open(&a.order, axis, inner) * a.to;
    char *block = memory_try(NULL, bytes + LINE);
    if (!block)
        return K_MEMORY;
    a.room = block + (-(uintptr_t)block & (LINE - 1));
    i64 strip = a.order.width;
    for (i64 o = 0; o < outer; o++)
        for (i64 c = 0; c < inner; c += strip) {
            a.order.width = inner - c < strip ? inner - c : strip;
            a.x = (const char *)x + (size_t)(o * axis * inner + c) * a.from;
            columns_run(&a.order);
            memcpy((char *)out + (size_t)(o * inner + c) * a.to, a.room,
                   (size_t)a.order.width * a.to);
        }
    free(block);
    return K_OK;
}
