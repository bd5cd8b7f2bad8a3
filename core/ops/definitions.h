/* Operators that are defined by others, in C (those that the prelude defines: lang/composite.h). */
#ifndef GRADUS_DEFINITIONS_H
#define GRADUS_DEFINITIONS_H

#include "graph/store.h"

bool op_is_defined(OpId op);
/* What such a node stands for; NULL after a diagnostic. `n` may be a probe: only its operator,
 * attributes and operands are read. */
Node *node_definition(Store *st, const Node *n);
/* The nodes of the definition, operands first, without n's operands and what is below them. */
void definition_nodes(const Node *n, Node *definition, NodeVec *order);
/* The k-th diagonal of the last two axes of x, which become one. */
Node *build_diagonal(Store *st, Node *x, i64 k);
/* n copies along an axis: of the whole axis one after the other, or of each element. */
Node *build_copies(Store *st, Node *x, int axis, Node *n, bool each);
/* Can the elements of a matrix be counted that has a k-th diagonal? */
bool diagonal_fits(i64 k);

/* Over windows of the last two axes (windows.c). */
Node *define_conv2d(Store *st, const Node *n);
Node *define_max_pool(Store *st, const Node *n);
/* Of rows (side 0) or columns (1), from a list of one number or two; `usual` of none. */
i64 window_number(const IntList *list, int side, i64 usual);

#endif
