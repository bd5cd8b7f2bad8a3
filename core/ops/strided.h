/* Slices, elements along an axis, broadcasts and transposes that move nothing: views with strides,
 * for those that read them where they lie (exec/plan_views.c).
 *
 * Invariant: they fail as the operator does, with the same message. */
#ifndef GRADUS_STRIDED_H
#define GRADUS_STRIDED_H

#include "ops/ops.h"

/* In place of the operator's eval function; NULL: there is none. */
typedef int StridedEval(EvalArgs *);
StridedEval *strided_eval(OpId op);
StridedEval strided_slice, strided_index, strided_broadcast, strided_transpose;

/* How many elements further the next one is along each axis. */
void strides_of(const Tensor *t, i64 stride[MAX_RANK]);
int strided_view(EvalArgs *e, i64 offset, int rank, const i64 *shape, const i64 *stride);

#endif
