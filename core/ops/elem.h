/* The rows of elem.def by the operators and by the kernels that they are.
 *
 * Invariant: the rows stand in one order in both enumerations (core/registry.c). */
#ifndef GRADUS_ELEM_H
#define GRADUS_ELEM_H

#include "graph/op.h"
#include "tensor/kernels.h"

static inline ElemId elem_of(OpId op) { return (ElemId)(op - OP_NEG); }
static inline bool op_is_elem_row(OpId op) { return op >= OP_NEG && op - OP_NEG < EL_COUNT; }

/* A derivative text of elem.def, read (elementwise.c). */
struct Expr;
const struct Expr *elem_derivative_tree(Store *st, const char *text);

#endif
