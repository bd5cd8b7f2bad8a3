/* What a rule of forward mode works on: tangents, and the nodes that values are read off.
 *
 * Invariant: a node's tangent has the node's type; it is missing, never a tensor of zeros, where
 * nothing flows. */
#ifndef GRADUS_TANGENT_H
#define GRADUS_TANGENT_H

#include "graph/control.h"
#include "ops/build.h"

typedef struct Jvp {
    Store *st;
    NodeMap tangents; /* node -> Node*; a result of a tuple node is keyed by its projection */
    NodeMap values;   /* node of the function -> the node that has its value now */
    NodeMap moved;    /* projection of a loop or branch -> the same result of what replaces it */
    NodeVec wider;    /* loops that compute tangents besides */
} Jvp;

/* NULL: nothing flows. */
Node *jvp_tangent(const Jvp *j, const Node *n);
/* n's tangent; a scalar is repeated to n's shape. NULL tangent: an error was reported; returns
 * false. */
bool jvp_give(Jvp *j, Node *n, Node *tangent);
/* Result k of a tuple node: what has its value now (NULL: the projection itself) and its tangent
 * (NULL: none). */
void jvp_result(Jvp *j, Node *tuple, i64 k, Node *value, Node *tangent);

#endif
