/* What may stand in a fused graph. The rules are the same for the pass that makes such graphs, for
 * the type of the node that owns one, and for the planner that turns it into code. */
#ifndef GRADUS_FUSED_H
#define GRADUS_FUSED_H

#include "tensor/kernels.h"
#include "ops/ops.h"

enum { FUSED_REDUCTIONS = 16 /* at most, in one fused graph */ };

/* Integers divided, or shifted, by a positive constant that is right for all of them: *z. */
bool elem_is_sure(const Node *n, i64 *z);
/* An elementwise operator over an array that cannot fail at run time. */
bool fused_elementwise(const Node *n);
/* Neighbouring axes of an array: `count` of them from `first` on. */
typedef struct {
    int first, count;
} AxisRun;
static inline bool axis_runs_equal(AxisRun a, AxisRun b)
{
    return a.first == b.first && a.count == b.count;
}
/* A sum, product, minimum, maximum, any or all over neighbouring axes of an array: *over (may be
 * NULL). It takes each element once. */
bool fused_reduction(const Node *n, AxisRun *over);
ReduceOp reduce_of(OpId op); /* the kernel of a reduction (reduce.c) */
CumOp cum_of(OpId op);       /* of what runs along an axis (running.c) */
/* Makes peaks of the n largest elements of something, if there are any elements: 0 where there is
 * nothing to shift by. */
void peak_settle(DType d, i64 n, void *largest, bool any);

/* A tensor seen along one axis, or a run of neighboring ones. */
typedef struct {
    i64 outer, axis, inner;
} Layout;
Layout layout_over(const Tensor *t, AxisRun over);

#endif
