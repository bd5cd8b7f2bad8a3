/* Did a value inside an expression leave the range of its type: overflow to infinity, or underflow
 * to 0? The flags of the processor do not say it of libraries and vector code. */
#ifndef GRADUS_LEFT_RANGE_H
#define GRADUS_LEFT_RANGE_H

#include "exec/plan.h"
#include "session/session.h"

/* Everything that some roots are computed from. */
typedef struct {
    Session *s;
    NodeVec nodes; /* those with floats, outside of bodies */
    Program *program;
    NodeCounts places; /* node -> place in nodes + 1 */
} RangeWatch;
typedef struct {
    bool over, under; /* some value overflowed, underflowed */
} RangeLeft;

void range_watch_open(RangeWatch *w, Session *s, int n, Node *const *roots);
void range_watch_close(RangeWatch *w);
/* For these values of leaves; false, too, if it cannot be told. */
RangeLeft range_left(RangeWatch *w, const TensorMap *values, u64 work_limit);

#endif
