/* Forward mode: tangents flow from operands to results.
 *
 * Invariant: a node's tangent has the node's type and is known when the rules of its users run; it
 * is missing, never a tensor of zeros, where nothing flows. A loop or branch is replaced by one
 * that computes values and tangents together, and what follows reads its values off that one: the
 * loop runs once. */
#ifndef GRADUS_JVP_H
#define GRADUS_JVP_H

#include "grad/extended.h"
#include "ops/tangent.h"

/* Pushes the tangents of xs (NULL: none) forward to ys; dys[i] is NULL where nothing arrives,
 * values[i] has the value of ys[i]. The xs are leaves: nothing flows past them. `wider` (NULL: all
 * that is not read is dropped) gets the loops that compute tangents besides. */
bool jvp_push(Store *st, int nx, Node *const *xs, Node *const *dxs, int ny, Node *const *ys,
              Node **dys, Node **values, NodeVec *wider);

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
