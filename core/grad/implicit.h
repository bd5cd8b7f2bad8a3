/* What implicit derivatives (Grad, Vjp and Jvp nodes) become.
 *
 * Invariant: a node is replaced as a whole; what is built has its results, one each. */
#ifndef GRADUS_IMPLICIT_H
#define GRADUS_IMPLICIT_H

#include "graph/graph.h"

/* A Grad or Vjp node whose loops are in the parts that it asks for: truncated if it has `truncate`
 * (grad/truncate.c), else in segments where they have a policy (grad/checkpoint.c). n itself if
 * there is nothing to do; NULL after a diagnostic. */
Node *implicit_in_parts(Store *st, Node *n);
/* As it is expanded: in parts if it is truncated, and nothing that only a branch needs outside of
 * it (ops/branches.h). NULL after a diagnostic. */
Node *implicit_ready(Store *st, Node *n);
/* What the expansion of a Grad or Vjp node computes for what: appends each real value of its body
 * and that value's cotangent, as they stand in the graph after it. false after a diagnostic. */
bool implicit_cotangents(Store *st, Node *n, NodeVec *values, NodeVec *cotangents);
/* The projections of a Grad, Vjp or Jvp node, expanded: results[i] as in ops/implicit.c. */
bool implicit_expand(Store *st, Node *n, Node **results);

#endif
