/* Reverse mode: cotangents flow from results to operands.
 *
 * Invariant: a node's cotangent is complete when its rule runs (all users ran before),
 * and is NULL, never a tensor of zeros, where nothing flows. */
#ifndef GRADUS_VJP_H
#define GRADUS_VJP_H

#include "grad/extended.h"
#include "graph/node_map.h"
#include "ops/cotangent.h"

/* Pulls cotangents of ys (NULL: none) back to xs; out[i] is NULL where nothing flows.
 * The xs are leaves: nothing flows past them. `extended` (NULL: nobody asks) gets the loops that
 * keep more for it; then it is for the caller to put them in place of what they were. */
bool vjp_pull(Store *st, int ny, Node *const *ys, Node *const *ybars, int nx, Node *const *xs,
              Node **out, NodeVec *extended);

/* The same; `record` (may be NULL) gets each value's cotangent, and the loops. If `extended` is
 * given, these are to be put in place, too (scans_settle). */
bool vjp_pull_recorded(Store *st, int ny, Node *const *ys, Node *const *ybars, int nx,
                       Node *const *xs, Node **out, NodeVec *extended, DerivativeRecords *record);
/* By the rule of a scan: `back` runs it backward, and reads traces of `forward`. */
void vjp_record_loop(Vjp *v, Node *scan, const Node *forward, Node *back);

/* The same one node at a time. */
typedef struct {
    Vjp v;
    NodeVec order;
    size_t at; /* what stands before it in `order` is to do */
    NodeSet leaves;
    NodeVec given;     /* cotangents of the ys */
    NodeFlags forward; /* if derivatives are noted: what `order` holds */
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
/* What a node computes of other operands, in operators that have derivatives: of a call its body,
 * of a product in a form of BLAS the product as it is written, of an operator that others define
 * its definition. */
typedef bool Inside(Store *st, Node *n, Node *const *ops, Node **outs);
bool inside_call(Store *st, Node *n, Node *const *ops, Node **outs);
bool inside_product(Store *st, Node *n, Node *const *ops, Node **outs);
bool inside_definition(Store *st, Node *n, Node *const *ops, Node **outs); /* defined.c */
/* Adds the cotangents of n's operands, from those of the outputs of what n computes. */
bool pull_inside(Vjp *v, Node *n, Inside *inside, int nouts, Node *const *bars);
/* Which parameters of a scan's body each of its outputs depends on through real numbers after some
 * number of steps, a next state also after none: on[output * nparams + param]. For the caller to
 * free. */
bool *scan_dependence(const Node *scan);

#endif
