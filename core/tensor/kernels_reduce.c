/* Reductions and running sums along the middle axis of (outer, axis, inner).
 *
 * Invariant: the operands of a reduction are combined in one order, given by the
 * length of the axis alone: halves down to blocks of at most BLOCK, a block in LANES
 * lanes, the lanes as a tree (pairwise summation: Higham, "The accuracy of floating
 * point summation", SIAM J. Sci. Comput. 14, 1993). A sum of rows and a sum of columns
 * of the same numbers have the same bits, as have all runs and any number of threads. */
#include "tensor/kernels_fold.h"

#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif

i64 reduce_cut(i64 n) { return n / 2 / LANES * LANES; }

DType reduce_dtype(ReduceOp op, DType d)
{
    switch (op) {
    case RED_SUM:
    case RED_PROD: return d == DT_BOOL || d == DT_I32 ? DT_I64 : d;
    case RED_ANY:
    case RED_ALL: return DT_BOOL;
    case RED_ARGMIN:
    case RED_ARGMAX: return DT_I64;
    default: return d;
    }
}

DType cumulate_dtype(CumOp op, DType d)
{
    return (op == CUM_SUM || op == CUM_PROD) && (d == DT_BOOL || d == DT_I32) ? DT_I64 : d;
}

/* ---- sum, prod ---- */

/* NAME(n, x): n >= 1 adjacent elements of T, combined as A. */
#define DEFINE_FOLD(NAME, T, A, START, OP)                                \
    static A NAME##_block(i64 n, const T *x)                              \
    {                                                                     \
        A lane[LANES], sum = (A)x[0];                                     \
        i64 i = 1;                                                        \
        if (n >= LANES) {                                                 \
            for (int j = 0; j < LANES; j++)                               \
                lane[j] = (A)x[j];                                        \
            for (i = LANES; i + LANES <= n; i += LANES)                   \
                for (int j = 0; j < LANES; j++)                           \
                    lane[j] = OP(lane[j], (A)x[i + j]);                   \
            for (int half = LANES / 2; half > 0; half /= 2)               \
                for (int j = 0; j < half; j++)                            \
                    lane[j] = OP(lane[j], lane[j + half]);                \
            sum = lane[0];                                                \
        }                                                                 \
        for (; i < n; i++)                                                \
            sum = OP(sum, (A)x[i]);                                       \
        return START(sum);                                                \
    }                                                                     \
    static A NAME(i64 n, const T *x)                                      \
    {                                                                     \
        if (n <= BLOCK)                                                   \
            return NAME##_block(n, x);                                    \
        i64 h = reduce_cut(n);                                            \
        A a = NAME(h, x), b = NAME(n - h, x + h);                         \
        return OP(a, b);                                                  \
    }                                                                     \
    static void NAME##_all(i64 outer, i64 axis, const void *xv, void *ov) \
    {                                                                     \
        const T *x = xv;                                                  \
        A *out = ov;                                                      \
        for (i64 o = 0; o < outer; o++, x += axis)                        \
            out[o] = NAME(axis, x);                                       \
    }

/* Sums and products of integers wrap, so they are made with unsigned numbers. */
DEFINE_FOLD(sum_bool, u8, u64, AS_IS, ADD)
DEFINE_FOLD(sum_i32, i32, u64, AS_IS, ADD)
DEFINE_FOLD(sum_i64, u64, u64, AS_IS, ADD)
DEFINE_FOLD(sum_f32, float, float, FROM_ZERO, ADD)
DEFINE_FOLD(sum_f64, double, double, FROM_ZERO, ADD)
DEFINE_FOLD(prod_bool, u8, u64, AS_IS, MUL)
DEFINE_FOLD(prod_i32, i32, u64, AS_IS, MUL)
DEFINE_FOLD(prod_i64, u64, u64, AS_IS, MUL)
DEFINE_FOLD(prod_f32, float, float, AS_IS, MUL)
DEFINE_FOLD(prod_f64, double, double, AS_IS, MUL)

/* ---- any, all ---- */

/* Up to the first element that decides. */
#define DEFINE_ANY(T)                                                       \
    static void any_##T(bool all, i64 outer, i64 axis, const T *x, u8 *out) \
    {                                                                       \
        for (i64 o = 0; o < outer; o++, x += axis) {                        \
            out[o] = all;                                                   \
            for (i64 i = 0; i < axis && out[o] == all; i++)                 \
                out[o] = x[i] != 0;                                         \
        }                                                                   \
    }
DEFINE_ANY(u8)
DEFINE_ANY(i32)
DEFINE_ANY(i64)
DEFINE_ANY(float)
DEFINE_ANY(double)

static void reduce_any(bool all, DType d, i64 outer, i64 axis, const void *x, u8 *out)
{
    switch (d) {
    case DT_BOOL: any_u8(all, outer, axis, x, out); return;
    case DT_I32: any_i32(all, outer, axis, x, out); return;
    case DT_I64: any_i64(all, outer, axis, x, out); return;
    case DT_F32: any_float(all, outer, axis, x, out); return;
    case DT_F64: any_double(all, outer, axis, x, out); return;
    default: die("any of %s", dtype_name(d));
    }
}

/* ---- choosing ---- */

typedef void Fold(i64 outer, i64 axis, const void *x, void *out);
static void fill_identity(ReduceOp op, DType d, i64 n, void *out)
{
    const bool one = op == RED_PROD || op == RED_ALL;
    const double real = one;
    const float single = one;
    const i64 whole = one;
    const u8 truth = one;
    kernel_fill(dtype_size(d), n,
                d == DT_F64    ? (const void *)&real
                : d == DT_F32  ? (const void *)&single
                : d == DT_BOOL ? (const void *)&truth
                               : &whole,
                out);
}

int kernel_reduce(ReduceOp op, DType d, i64 outer, i64 axis, i64 inner, const void *x, void *out)
{
    static Fold *const folds[2][DT_COUNT] = {DTYPES(sum, _all), DTYPES(prod, _all)};
    if (d == DT_RNG)
        die("reduction of rng");
    if (outer == 0 || inner == 0)
        return K_OK;
    bool logical = op == RED_ANY || op == RED_ALL;
    if (axis == 0 && !logical && op != RED_SUM && op != RED_PROD)
        return K_EMPTY;
    if (axis == 0)
        fill_identity(op, reduce_dtype(op, d), outer * inner, out);
    else if (op == RED_ARGMIN || op == RED_ARGMAX)
        reduce_places(op == RED_ARGMAX, d, outer, axis, inner, x, out);
    else if (inner > 1)
        return reduce_columns(op, d, outer, axis, inner, x, out);
    else if (logical)
        reduce_any(op == RED_ALL, d, outer, axis, x, out);
    else if (op == RED_MIN || op == RED_MAX)
        reduce_extremes(op == RED_MAX, d, outer, axis, x, out);
    else
        folds[op - RED_SUM][d](outer, axis, x, out);
    return K_OK;
}

/* ---- running sums: one after the other, row by row ---- */

#define DEFINE_CUM(NAME, T, A, FIRST, OP)                                                        \
    static void NAME(i64 outer, i64 axis, i64 inner, i64 from, i64 to, const void *xv, void *ov, \
                     bool reverse)                                                               \
    {                                                                                            \
        i64 step = reverse ? -inner : inner, first = from ? from : 1;                            \
        for (i64 o = 0; o < outer; o++) {                                                        \
            i64 at = (o * axis + (reverse ? axis - 1 : 0)) * inner;                              \
            const T *x = (const T *)xv + at;                                                     \
            A *out = (A *)ov + at;                                                               \
            for (i64 c = 0; c < inner && !from; c++)                                             \
                out[c] = (A)FIRST(x[c]);                                                         \
            A sum = out[(first - 1) * step];                                                     \
            for (i64 i = first; i < to && inner == 1; i++)                                       \
                out[i * step] = sum = OP(sum, (A)x[i * step]);                                   \
            for (i64 i = first; i < to && inner > 1; i++)                                        \
                for (i64 c = 0; c < inner; c++) {                                                \
                    A before = out[(i - 1) * step + c];                                          \
                    out[i * step + c] = OP(before, (A)x[i * step + c]);                          \
                }                                                                                \
        }                                                                                        \
    }
DEFINE_CUM(cumsum_bool, u8, u64, AS_IS, ADD)
DEFINE_CUM(cumsum_i32, i32, u64, AS_IS, ADD)
DEFINE_CUM(cumsum_i64, u64, u64, AS_IS, ADD)
DEFINE_CUM(cumsum_f32, float, float, FROM_ZERO, ADD)
DEFINE_CUM(cumsum_f64, double, double, FROM_ZERO, ADD)
DEFINE_CUM(cumprod_bool, u8, u64, AS_IS, MUL)
DEFINE_CUM(cumprod_i32, i32, u64, AS_IS, MUL)
DEFINE_CUM(cumprod_i64, u64, u64, AS_IS, MUL)
DEFINE_CUM(cumprod_f32, float, float, AS_IS, MUL)
DEFINE_CUM(cumprod_f64, double, double, AS_IS, MUL)
DEFINE_CUM(cummax_bool, u8, u8, AS_IS, HIGH)
DEFINE_CUM(cummax_i32, i32, i32, AS_IS, HIGH)
DEFINE_CUM(cummax_i64, i64, i64, AS_IS, HIGH)
DEFINE_CUM(cummax_f32, float, float, AS_IS, maximum_f32)
DEFINE_CUM(cummax_f64, double, double, AS_IS, maximum_f64)
DEFINE_CUM(cummin_bool, u8, u8, AS_IS, LOW)
DEFINE_CUM(cummin_i32, i32, i32, AS_IS, LOW)
DEFINE_CUM(cummin_i64, i64, i64, AS_IS, LOW)
DEFINE_CUM(cummin_f32, float, float, AS_IS, minimum_f32)
DEFINE_CUM(cummin_f64, double, double, AS_IS, minimum_f64)

typedef void Cum(i64 outer, i64 axis, i64 inner, i64 from, i64 to, const void *x, void *out,
                 bool reverse);

void kernel_cumulate(CumOp op, DType d, i64 outer, i64 axis, i64 inner, i64 from, i64 to,
                     const void *x, void *out, bool reverse)
{
    static Cum *const table[4][DT_COUNT] = {DTYPES(cumsum, ), DTYPES(cumprod, ), DTYPES(cummax, ),
                                            DTYPES(cummin, )};
    if (d == DT_RNG)
        die("running sum of rng");
    if (to > from && inner > 0)
        table[op - CUM_SUM][d](outer, axis, inner, from, to, x, out, reverse);
}

/* ---- linear recurrences: out[i] = a[i] * out[i - 1] + b[i]; a[0] is not used ---- */

#define DEFINE_RECURRENCE(NAME, T)                                                             \
    static void NAME(i64 outer, i64 axis, i64 inner, i64 from, i64 to, const T *a, const T *b, \
                     T *out, bool reverse)                                                     \
    {                                                                                          \
        i64 step = reverse ? -inner : inner, first = from ? from : 1;                          \
        for (i64 o = 0; o < outer; o++) {                                                      \
            i64 at = (o * axis + (reverse ? axis - 1 : 0)) * inner;                            \
            for (i64 c = 0; c < inner && !from; c++)                                           \
                out[at + c] = b[at + c];                                                       \
            at += (first - 1) * step;                                                          \
            T y = out[at];                                                                     \
            for (i64 i = first; i < to && inner == 1; i++) {                                   \
                at += step;                                                                    \
                out[at] = y = a[at] * y + b[at];                                               \
            }                                                                                  \
            for (i64 i = first; i < to && inner > 1; i++) {                                    \
                at += step;                                                                    \
                for (i64 c = at; c < at + inner; c++)                                          \
                    out[c] = a[c] * out[c - step] + b[c];                                      \
            }                                                                                  \
        }                                                                                      \
    }
DEFINE_RECURRENCE(recurrence_f32, float)
DEFINE_RECURRENCE(recurrence_f64, double)

void kernel_recurrence(DType d, i64 outer, i64 axis, i64 inner, i64 from, i64 to, const void *a,
                       const void *b, void *out, bool reverse)
{
    if (to <= from || inner <= 0)
        return;
    if (d == DT_F32)
        recurrence_f32(outer, axis, inner, from, to, a, b, out, reverse);
    else
        recurrence_f64(outer, axis, inner, from, to, a, b, out, reverse);
}
