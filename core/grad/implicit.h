/* What implicit derivatives (Grad, Vjp and Jvp nodes) become.
 *
 * Invariant: a node is replaced as a whole; what is built has its results, one each. */
#ifndef GRADUS_IMPLICIT_H
#define GRADUS_IMPLICIT_H

#include "ops/cotangent.h"

/* A Grad or Vjp node whose loops are in the parts that it asks for: truncated if it has `truncate`
 * (grad/truncate.c), else in segments where they have a policy (grad/checkpoint.c). n itself if
 * there is nothing to do; NULL after a diagnostic. */
Node *implicit_in_parts(Store *st, Node *n);
/* As it is expanded: in parts if it is truncated, and nothing that only a branch needs outside of
 * it (ops/branches.h). NULL after a diagnostic. */
Node *implicit_ready(Store *st, Node *n);
/* The projections of a Grad, Vjp or Jvp node, expanded: results[i] as in ops/implicit.c. What
 * wanted[i] says that nobody reads is right, but keeps what the others do not (NULL: all are). */
bool implicit_expand(Store *st, Node *n, const bool *wanted, Node **results,
                     DerivativeRecords *record);

#endif
