/* Elements that are made when they are read (deferred.h). */
#include "ops/deferred.h"

#include "ops/family.h"

/* Places of elements, which are found at once, are as many as the elements of a vector. */
DeferredEval *deferred_eval(const Node *n)
{
    switch (n->op) {
    case OP_IOTA: return deferred_iota;
    case OP_UNIFORM: return deferred_uniform;
    case OP_NORMAL: return deferred_normal;
    case OP_GATHER: return node_rank(n->ops[0]) > 1 ? deferred_gather : NULL;
    default: return NULL;
    }
}

Tensor *eval_deferred(EvalArgs *e, DType d, int rank, const i64 *shape, Tensor *base,
                      TensorRead *read, size_t bytes)
{
    Tensor *t = tensor_deferred(e->heap, d, rank, shape, base, read, bytes);
    if (!t)
        eval_fail(e, "memory", "%s: no memory", node_info(e->node)->name);
    return t;
}
