/* Forward mode: tangents flow from operands to results.
 *
 * Invariant: a node's tangent has the node's type and is known when the rules of its users run; it
 * is missing, never a tensor of zeros, where nothing flows. A loop or branch is replaced by one
 * that computes values and tangents together, and what follows reads its values off that one: the
 * loop runs once. */
#ifndef GRADUS_JVP_H
#define GRADUS_JVP_H

#include "ops/build.h"
#include "ops/control.h"

typedef struct Jvp {
    Store *st;
    PtrMap tangents; /* node -> Node*; a result of a tuple node is keyed by its projection */
    PtrMap values;   /* node of the function -> the node that has its value now */
    PtrMap moved;    /* projection of a loop or branch -> the same result of what replaces it */
} Jvp;

/* NULL: nothing flows. */
Node *jvp_tangent(const Jvp *j, const Node *n);
/* n's tangent; a scalar is repeated to n's shape. NULL tangent: an error was reported; returns
 * false. */
bool jvp_give(Jvp *j, Node *n, Node *tangent);
/* Result k of a tuple node: what has its value now (NULL: the projection itself) and its tangent
 * (NULL: none). */
void jvp_result(Jvp *j, Node *tuple, i64 k, Node *value, Node *tangent);

/* Pushes the tangents of xs (NULL: none) forward to ys; dys[i] is NULL where nothing arrives,
 * values[i] has the value of ys[i]. The xs are leaves: nothing flows past them. */
bool jvp_push(Store *st, int nx, Node *const *xs, Node *const *dxs, int ny, Node *const *ys,
              Node **dys, Node **values);

/* The same one node at a time. */
typedef struct {
    Jvp j;
    NodeVec order;
    size_t at; /* what stands from it on in `order` is to do, and before that `ready` */
    Node *ready;
    bool failed;
} JvpSweep;
void jvp_begin(JvpSweep *s, Store *st, int nx, Node *const *xs, Node *const *dxs, int ny,
               Node *const *ys);
Node *jvp_peek(JvpSweep *s); /* the node, over its operands' values of now, whose rule is next; NULL
                                at the end */
bool jvp_next(JvpSweep *s);  /* runs it; false after a diagnostic */
void jvp_end(JvpSweep *s);

#endif
