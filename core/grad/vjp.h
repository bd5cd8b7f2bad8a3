/* Reverse mode: cotangents flow from results to operands.
 *
 * Invariant: a node's cotangent is complete when its rule runs (all users ran before),
 * and is NULL, never a tensor of zeros, where nothing flows. */
#ifndef GRADUS_VJP_H
#define GRADUS_VJP_H

#include "ops/cotangent.h"

/* Pulls cotangents of ys (NULL: none) back to xs; out[i] is NULL where nothing flows.
 * The xs are leaves: nothing flows past them. */
bool vjp_pull(Store *st, int ny, Node *const *ys, Node *const *ybars, int nx, Node *const *xs,
              Node **out);

/* The same one node at a time. */
typedef struct {
    Vjp v;
    NodeVec order;
    size_t at; /* what stands before it in `order` is to do */
    PtrMap leaves;
    NodeVec given; /* cotangents of the ys */
    bool failed;
} VjpSweep;
void vjp_begin(VjpSweep *s, Store *st, int ny, Node *const *ys, Node *const *ybars, int nx,
               Node *const *xs);
Node *vjp_peek(VjpSweep *s); /* the node whose rule is next; NULL at the end */
bool vjp_next(VjpSweep *s);  /* runs it; false after a diagnostic */
bool vjp_rule(Vjp *v, Node *n);
void vjp_end(VjpSweep *s);

/* The same as an unexpanded Vjp node (expand.c): out[i] is its projection i. */
bool vjp_node(Store *st, int ny, Node *const *ys, Node *const *ybars, int nx, Node *const *xs,
              Node **out);

/* Rules of control operators (scan_vjp.c, control_vjp.c). */
bool vjp_scan(Vjp *v, Node *n, Node *dy);
bool vjp_ifelse(Vjp *v, Node *n, Node *dy);
bool vjp_call(Vjp *v, Node *n, Node *dy);
/* Which of `count` parameters (from `first` on) each output of g depends on through real numbers:
 * depends[out * count + i]. */
void graph_dependence(Graph *g, int first, int count, bool *depends);

#endif
