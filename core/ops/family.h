/* What the operator families share among themselves: checks of operands, memory for
 * results, small steps of derivatives. Nothing outside core/ops includes this.
 *
 * Invariant: an infer function reads operator, attributes and operand types only; an
 * eval function writes to memory only if it is fresh or `tensor_writable` and moved. */
#ifndef GRADUS_FAMILY_H
#define GRADUS_FAMILY_H

#include "tensor/kernels.h"
#include "ops/build.h"
#include "ops/functions.h"
#include "ops/fused.h"

/* ---- types ---- */
bool tensors_only(Store *st, const Node *n); /* no operand is a tuple */
bool axis_ok(Store *st, const Node *n, i64 axis, int rank);
bool axes_ok(Store *st, const Node *n, const IntList *axes, int rank); /* increasing, in range */
/* Operand k is a scalar of that dtype (DT_COUNT: i32 or i64); `what` names it in the message. */
bool scalar_operand(Store *st, const Node *n, u32 k, DType d, const char *what);
/* The operands from `first` on are sizes: i64 scalars; those that are known are not negative. */
bool size_operands(Store *st, const Node *n, u32 first, Size **dims);
/* False after a diagnostic if the sizes of two axes provably differ. */
bool sizes_agree(Store *st, const Node *n, Type *a, int axis_a, Type *b, int axis_b);
bool same_dtypes(Store *st, const Node *n, u32 a, u32 b);
Type *wrong_type(Store *st, const Node *n, u32 operand, const char *needs); /* reports; NULL */

/* ---- values ---- */
Layout layout_of(const Tensor *t, int axis);
int eval_count_up(EvalArgs *e, i64 n, i64 *out); /* 0, 1, ... n-1; 0, or 1 after eval_fail */
Tensor *eval_fresh(EvalArgs *e, DType d, int rank, const i64 *shape); /* NULL after eval_fail */
/* One with elements that are made when they are read; NULL after eval_fail. */
Tensor *eval_deferred(EvalArgs *e, DType d, int rank, const i64 *shape, Tensor *base,
                      TensorRead *read, size_t bytes);
/* As eval_new, but only the operands first .. first + count - 1 may give their memory. */
Tensor *eval_reuse(EvalArgs *e, int first, int count, DType d, int rank, const i64 *shape);
/* Operand k to be changed and returned: itself if it may be, else a copy; NULL after eval_fail. */
Tensor *eval_take(EvalArgs *e, int k);
int eval_status(EvalArgs *e, int status); /* K_OK: 0 */
/* Elements [from, to) of a result, or rows; a KStatus. */
typedef int EvalPiece(void *ctx, i64 from, i64 to);
typedef struct {
    i64 flops, bytes; /* of all: what op_nanoseconds predicts from */
} EvalWork;
/* All n of them, by threads where that gains time, with a look at ^C now and then; 0, or 1 after
 * eval_fail. But the last, pieces have an even number. */
int eval_spread(EvalArgs *e, i64 n, const EvalWork *work, EvalPiece *piece, void *ctx);
int eval_dims(EvalArgs *e, int first, int rank, i64 *shape); /* sizes from operands, checked */
void text_shape(Text *out, int rank, const i64 *shape);
int eval_shape_error(EvalArgs *e, const Tensor *a, const Tensor *b);

/* ---- derivatives ---- */
/* Zeros in dy's shape, with each element of dy added at place at[...] along the axis (sort.c). */
Node *scatter_along(Store *st, Node *at, Node *dy, int axis);
Node *zero_of(Store *st, const Node *like); /* the scalar 0 of like's dtype */

#endif
