/* Numbers, draws and gathered elements that are made when they are read, for those that read each
 * of them once (exec/plan_deferred.c).
 *
 * Invariant: they fail as the operator does, with the same message, and before anything is read. */
#ifndef GRADUS_DEFERRED_H
#define GRADUS_DEFERRED_H

#include "ops/ops.h"

/* In place of the operator's eval function: result 0 is a tensor_deferred; NULL: there is none. */
typedef int DeferredEval(EvalArgs *);
DeferredEval *deferred_eval(const Node *n);
DeferredEval deferred_iota, deferred_uniform, deferred_normal, deferred_gather;

#endif
