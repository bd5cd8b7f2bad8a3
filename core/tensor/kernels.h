/* Kernels: arithmetic over plain, contiguous, row-major memory. They know nothing
 * of graphs, tensors or shapes beyond what they are told.
 *
 * Invariant: the value a kernel computes for an element depends on that element's
 * operands only, never on its position, the length of the array or its alignment;
 * so a scalar, an array and a folded constant agree bit for bit. Reductions always
 * add in the same order, whatever the layout.
 *
 * Sizes are in elements unless called bytes. Arrays of bools hold bytes 0 or 1.
 * A kernel returns K_OK or the reason why it stopped; the caller makes the message. */
#ifndef GRADUS_KERNELS_H
#define GRADUS_KERNELS_H

#include "tensor/tensor.h"

typedef enum {
    K_OK = 0,
    K_ZERO_DIVISOR,      /* integer // or % by 0 */
    K_NEGATIVE_EXPONENT, /* integer ^ negative */
    K_SHIFT_RANGE,       /* shift by less than 0 or by the type's bits or more */
    K_BOUNDS,            /* an index outside its axis */
    K_EMPTY,             /* min, max, argmin, argmax of nothing */
    K_SINGULAR,          /* solve, inv: the matrix has no inverse */
    K_NOT_POSITIVE,      /* cholesky: not positive definite */
    K_MEMORY,            /* no memory for scratch space */
    K_INTERRUPTED        /* ^C */
} KStatus;

/* "integer division by zero", ... ; never NULL */
const char *kstatus_text(int status);
/* "zero-divisor", ... : the code of the error */
const char *kstatus_code(int status);

/* ---- elementwise (ops/elem.def) ---- */

typedef enum {
#define OP_ID(ID)
#define ELEM_ID(ID) EL_##ID,
#include "embed/op_ids.def"
#undef OP_ID
#undef ELEM_ID
    EL_COUNT
} ElemId;

typedef struct {
    const char *name;
    int arity;
    const char *dx, *dz; /* derivatives in the language; dz is NULL for one operand */
    const char *oracle;  /* NumPy */
    double lo, hi;       /* test domain */
    int work;            /* time on an element, in that of a negation */
    const char *doc;
    bool may_fail; /* on integers: can return a status other than K_OK */
} ElemInfo;
const ElemInfo *elem_info(ElemId id);
/* The dtype the (already promoted) operands must be converted to, e.g. exp of i64: f64,
 * add of bool: i64; DT_COUNT if the operator is not defined for d. */
DType elem_operand_dtype(ElemId id, DType d);
/* The result's dtype for operands of d, which need not be converted yet. */
DType elem_result_dtype(ElemId id, DType d);

/* out may be x (or z, with step 1) itself if the dtypes have one size; no other overlap. */
typedef int (*ElemFn1)(i64 n, const void *x, void *out);
/* A step is 1, or 0 for an operand that is one element used n times. */
typedef int (*ElemFn2)(i64 n, const void *x, i64 xstep, const void *z, i64 zstep, void *out);
/* The kernel for operands of dtype d = elem_operand_dtype(...); NULL if there is none. */
ElemFn1 elem_fn1(ElemId id, DType d);
ElemFn2 elem_fn2(ElemId id, DType d);

/* The same functions on one double (same bits); NULL if the result is not f64. */
typedef double (*ScalarFn1)(double x);
typedef double (*ScalarFn2)(double x, double z);
ScalarFn1 elem_scalar1(ElemId id);
ScalarFn2 elem_scalar2(ElemId id);

/* out[i] = c[i] ? a[i] : b[i], elements of `size` bytes; out may be a or b if its step is 1. */
void kernel_where(size_t size, i64 n, const void *c, i64 cstep, const void *a, i64 astep,
                  const void *b, i64 bstep, void *out);
/* As tensor_cast; out == x only if the dtypes have one size. Neither may be rng. */
void kernel_cast(DType from, DType to, i64 n, const void *x, void *out);

/* ---- reductions: x is (outer, axis, inner), the result (outer, inner) ---- */

typedef enum {
    RED_SUM,
    RED_PROD,
    RED_MIN,
    RED_MAX,
    RED_ANY,
    RED_ALL,
    RED_ARGMIN,
    RED_ARGMAX
} ReduceOp;
/* sum, prod of bool, i32: i64; any, all: bool; argmin, argmax: i64; else d. */
DType reduce_dtype(ReduceOp op, DType d);
/* NaN wins min, max, argmin, argmax (the first one); any, all take x != 0. */
int kernel_reduce(ReduceOp op, DType d, i64 outer, i64 axis, i64 inner, const void *x, void *out);
/* Piece by piece, with the same bits: n > REDUCE_WHOLE elements are the first reduce_cut(n) and the
 * others, each reduced, and then these two results. */
enum { REDUCE_WHOLE = 256 };
i64 reduce_cut(i64 n);
/* Row by row, likewise: acc[i], of the result's dtype, is combined with x[i], then with x[pitch +
 * i]
 * .., of `count` rows of n elements; start: the first of them is put there. No argmin, argmax. */
typedef void ReduceRows(i64 count, i64 pitch, i64 n, const void *x, void *acc, bool start);
ReduceRows *reduce_rows(ReduceOp op, DType d);
/* In which order: pieces of the rows of `axis`, of `width` adjacent columns of them. */
typedef struct {
    i64 row, count, step; /* `row`, `row + step`, .. */
    i64 wide;             /* from each on, so many rows as one; then all columns are taken */
    i64 at;               /* the accumulator of the first element */
    bool start;
} ColumnPiece;
enum { COLUMNS_MOST = 1024 }; /* adjacent columns at once */
typedef struct {
    i64 axis, width;
    bool narrow;
    void *ctx;
    bool (*take)(void *ctx, const ColumnPiece *piece); /* false: stop */
    void (*join)(void *ctx, i64 to, i64 from, i64 n);  /* of n accumulators those from `from` on */
} Columns;
/* Given: may few columns be taken LANES rows at once (narrow)? Fills axis >= 1, narrow and the
 * largest width of (axis, inner); how many accumulators there have to be. */
i64 columns_open(Columns *c, i64 axis, i64 inner);
/* The first `width` accumulators have the result; false: stopped. */
bool columns_run(const Columns *c);

typedef enum { CUM_SUM, CUM_PROD, CUM_MAX, CUM_MIN } CumOp;
DType cumulate_dtype(CumOp op, DType d); /* sum, prod of bool, i32: i64; else d */
/* Running sums and so on along the axis; reverse: from the end. out may be x if the dtype stays.
 * Places [from, to) along the axis in the order of running, those before being there already. */
void kernel_cumulate(CumOp op, DType d, i64 outer, i64 axis, i64 inner, i64 from, i64 to,
                     const void *x, void *out, bool reverse);
/* out[i] = a[i] * out[i - 1] + b[i] of floats, starting with b[0]; out may be a or b.
 * Places [from, to) as kernel_cumulate. */
void kernel_recurrence(DType d, i64 outer, i64 axis, i64 inner, i64 from, i64 to, const void *a,
                       const void *b, void *out, bool reverse);

/* ---- layout: `size` is the bytes of one element ---- */

/* out (contiguous, of `shape`) from x, whose element (i, j, ...) is at x + i * stride[0] + ...
 * (elements; 0 and negative are fine). Transposes, broadcasts, slices, flips, diagonals. */
void kernel_strided(size_t size, int rank, const i64 *shape, const i64 *stride, const void *x,
                    void *out);
/* out axis i is axis perm[i] of x; `shape` is that of x. */
void kernel_transpose(size_t size, int rank, const i64 *shape, const int *perm, const void *x,
                      void *out);
/* rows blocks of len elements, from src to dst with the given distances: concat, split, slices. */
void kernel_blocks(size_t size, i64 rows, i64 len, const void *src, i64 src_pitch, void *dst,
                   i64 dst_pitch);
void kernel_fill(size_t size, i64 n, const void *value, void *out);
/* out[i] = start + i * step; i32 i64 f32 f64; start and step have dtype d. */
void kernel_iota(DType d, i64 n, const void *start, const void *step, void *out);

/* x is (outer, n, inner), out (outer, count, inner): x[:, start], x[:, start + step], ... */
void kernel_slice(size_t size, i64 outer, i64 n, i64 inner, i64 start, i64 step, i64 count,
                  const void *x, void *out);

typedef enum { STORE_SET, STORE_ADD, STORE_MAX, STORE_MIN } StoreOp;
/* The reverse: out (outer, n, inner) takes v (outer, count, inner) at those places. vstep 0: v is
 * one element. */
void kernel_slice_store(StoreOp op, DType d, i64 outer, i64 n, i64 inner, i64 start, i64 step,
                        i64 count, const void *v, i64 vstep, void *out);
/* idx: `count` indices of dtype i32 or i64, negative from the end. K_BOUNDS: *bad is the index. */
int kernel_gather(size_t size, i64 outer, i64 n, i64 inner, const void *x, DType idx_dtype,
                  const void *idx, i64 count, void *out, i64 *bad);
/* Those indices as places from 0 on; K_BOUNDS as above. */
int kernel_places(DType idx_dtype, const void *idx, i64 count, i64 n, i64 *place, i64 *bad);
/* `many` elements, from one on, of what kernel_gather makes of x with these places. */
void kernel_gather_part(size_t size, i64 n, i64 inner, const void *x, const i64 *place, i64 count,
                        i64 from, i64 many, void *out);
/* In index order: add accumulates, the last set wins. After K_BOUNDS `out` may be half written. */
int kernel_scatter(StoreOp op, DType d, i64 outer, i64 n, i64 inner, void *out, DType idx_dtype,
                   const void *idx, i64 count, const void *v, i64 vstep, i64 *bad);
/* Zeroes what is above (lower) or below (!lower) the k-th diagonal of `batch` matrices. */
void kernel_triangle(size_t size, bool lower, i64 batch, i64 rows, i64 cols, i64 k, const void *x,
                     void *out);

/* Along the axis of (outer, axis, inner): ascending, stable, NaN last. K_MEMORY and K_INTERRUPTED
 * are possible; `interrupt` may be NULL. */
int kernel_sort(DType d, i64 outer, i64 axis, i64 inner, const void *x, void *out,
                const Interrupt *interrupt);
int kernel_argsort(DType d, i64 outer, i64 axis, i64 inner, const void *x, i64 *out,
                   const Interrupt *interrupt);
/* Where each of v[0..m) would go in sorted a[0..n): before (or, right, after) its equals. */
void kernel_searchsorted(DType d, i64 n, const void *a, i64 m, const void *v, bool right, i64 *out);

#endif
