/* How two elements are combined in reductions and running results, by rows and by columns.
 *
 * Invariant: NaN wins on either side; of floats -0 is below 0, whatever the order. */
#ifndef GRADUS_KERNELS_FOLD_H
#define GRADUS_KERNELS_FOLD_H

#include "tensor/extreme.h"
#include "tensor/kernels.h"

/* A block of rows is combined in so many lanes, row i in lane i % LANES. */
enum { LANES = 16, BLOCK = REDUCE_WHOLE };

/* A sum begins with 0, so it is never -0: 0 + x is x for every other x. */
#define FROM_ZERO(x) ((x) + 0)
#define AS_IS(x) (x)
#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define LOW(a, b) ((b) < (a) || (b) != (b) ? (b) : (a))
#define HIGH(a, b) ((b) > (a) || (b) != (b) ? (b) : (a))

/* A table by dtype of functions NAME_bool_SUFFIX .. */
#define DTYPES(NAME, SUFFIX)                                            \
    {                                                                   \
        [DT_BOOL] = NAME##_bool##SUFFIX, [DT_I32] = NAME##_i32##SUFFIX, \
        [DT_I64] = NAME##_i64##SUFFIX, [DT_F32] = NAME##_f32##SUFFIX,   \
        [DT_F64] = NAME##_f64##SUFFIX                                   \
    }

/* kernel_reduce where inner > 1, axis > 0 and op is no argmin or argmax: K_OK or K_MEMORY
 * (kernels_columns.c). */
int reduce_columns(ReduceOp op, DType d, i64 outer, i64 axis, i64 inner, const void *x, void *out);
/* Rows of n > 0 elements, and the places along an axis > 0 (kernels_extremes.c): of the smallest or
 * (max) the largest. */
void reduce_extremes(bool max, DType d, i64 outer, i64 n, const void *x, void *out);
void reduce_places(bool max, DType d, i64 outer, i64 axis, i64 inner, const void *x, i64 *out);

#endif
