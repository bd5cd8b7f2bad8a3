/* What evaluating a node costs, counted from its type and operands.
 *
 * Counts are of the graph as it is written: fusion saves bytes, laziness saves both. One elementary
 * operation of an element counts one, be it `+` or `tanh`; a product of matrices counts a
 * multiplication and an addition for each pair; factorisations count their leading terms (Golub and
 * Van Loan, Matrix Computations, 4th edition, sections 3 and 4).
 *
 * Invariant: a count is a size like those in types, so it may mention symbols: 6*n. */
#ifndef GRADUS_COST_H
#define GRADUS_COST_H

#include "graph/graph.h"

/* Operations on numbers; a loop counts its body as often as it can run, a branch its larger side.
 * NULL: not known before it is expanded or run (an implicit derivative, a while loop). */
Size *node_flops(Store *st, Node *n);
/* Bytes of operands read and results written, once each. */
Size *node_bytes(Store *st, Node *n);

#endif
