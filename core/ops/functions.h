/* The functions that the rows of ops.def and elem.def name, whichever room defines them. */
#ifndef GRADUS_OPS_FUNCTIONS_H
#define GRADUS_OPS_FUNCTIONS_H

#include "ops/cotangent.h"
#include "ops/ops.h"
#include "ops/tangent.h"

struct Batch;
#define OP(ID, NAME, MIN, MAX, CLS, FLAGS, ATTRS, INFER, VJP, JVP, BATCH, EVAL, SURE, FACTS, FORM, \
           RULE, DOC)                                                                              \
    Type *infer_##INFER(Store *st, Node *n);                                                       \
    bool vjp_##VJP(Vjp *v, Node *n, Node *dy);                                                     \
    bool jvp_##JVP(Jvp *j, Node *n);                                                               \
    bool batch_##BATCH(struct Batch *b, Node *n);                                                  \
    int eval_##EVAL(EvalArgs *e);                                                                  \
    bool total_##SURE(Store *st, const Node *n);
#include "ops/all.def"
#undef OP

#endif
