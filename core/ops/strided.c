/* Views with strides (strided.h). */
#include "ops/strided.h"

#include "ops/family.h"

StridedEval *strided_eval(OpId op)
{
    switch (op) {
    case OP_SLICE: return strided_slice;
    case OP_INDEX: return strided_index;
    case OP_BROADCAST: return strided_broadcast;
    case OP_TRANSPOSE: return strided_transpose;
    default: return NULL;
    }
}

void strides_of(const Tensor *t, i64 stride[MAX_RANK])
{
    const i64 *own = tensor_strides(t);
    i64 step = 1;
    for (int i = t->rank - 1; i >= 0; i--) {
        stride[i] = own ? own[i] : step;
        step *= t->shape[i];
    }
}

int strided_view(EvalArgs *e, i64 offset, int rank, const i64 *shape, const i64 *stride)
{
    e->out[0] = tensor_strided(e->in[0], offset, rank, shape, stride);
    return e->out[0] ? 0 : eval_fail(e, "memory", "%s: no memory", node_info(e->node)->name);
}
