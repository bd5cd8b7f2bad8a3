/* Batching: one graph for many lanes.
 *
 * A lane graph says what happens to one element of a batch. Its batched counterpart does
 * the same for all lanes at once, operator by operator.
 *
 * Invariant: a batched value has the lanes along its axis 0, and the size of that axis is
 * always the same Size; what is the same in every lane has no such axis. A value whose
 * shape differs from lane to lane ("ragged") has no counterpart, except traces of a scan
 * that stops per lane: these are as long as the longest lane and zero beyond a lane's end,
 * but only as results; what computes with them runs lane by lane. */
#ifndef GRADUS_BATCH_H
#define GRADUS_BATCH_H

#include "ops/build.h"
#include "graph/control.h"

typedef struct Batch {
    Store *st;
    Node *lanes;     /* how many: an i64 scalar */
    NodeVec seeds;   /* the open variables of the lane graph */
    NodeMap values;  /* lane node -> its counterpart; of a tuple: keyed by the projections */
    NodeSet batched; /* lane nodes whose counterpart has the lane axis */
    NodeSet ragged;  /* lane nodes of another shape in each lane, and what is computed from them */
    bool unnamed;    /* a lane's names do not stand for all lanes: h[t] is not h */
} Batch;

/* A variable of the lane graph (node_temp) stands for `value`; what is not batched for itself. */
void batch_seed(Batch *b, Node *lane, Node *value, bool batched);
void batch_free(Batch *b);
/* The counterparts of outputs of the lane graph; batched[i] says which have the lane axis. */
bool batch_outputs(Batch *b, int n, Node *const *outs, Node **values, bool *batched);

/* ---- for the rules: each gives the counterpart of a node of which some operand is batched ---- */
bool batch_has(const Batch *b, const Node *lane);
Node *batch_value(const Batch *b, const Node *lane);
/* The counterpart with the lane axis, repeated if it is the same in every lane. */
Node *batch_full(Batch *b, const Node *lane);
/* Is the counterpart of n one operator over all lanes (no loop over them, no lanes joined), which
 * needs no more memory than the lanes do? Some operand is batched. */
bool batch_is_direct(const Batch *b, const Node *n);
/* Sets the counterpart of a node, or of a projection of it. NULL: an error was reported; false. */
bool batch_set(Batch *b, Node *lane, Node *value, bool batched);
/* x, which has no lane axis, repeated along a new axis 0. */
Node *batch_repeat(Batch *b, Node *x);
/* x with axis `from` moved to place `to`. */
Node *move_axis(Store *st, Node *x, int from, int to);
/* An `if` in the lane graph that gives outs a or z of it. */
Node *batch_if(const Batch *b, Node *condition, int n, Node *const *a, Node *const *z);
/* Can some lane fail, or run for ever, where the others do not? (batch_control.c) */
bool batch_may_fail(const Batch *b, int n, Node *const *outs);

/* ---- Vmap nodes ---- */

/* The projections of a Vmap node, expanded. */
bool vmap_expand(Store *st, Node *n, Node **results);
/* Result `index` of a Vmap node if it depends on no batched operand: computed once, repeated. */
Node *vmap_repeated(Store *st, Node *n, int index);

/* The same operator by operator, operands first: what is left of the function stays a Vmap node. */
typedef struct {
    Batch b;
    Node *node;
    Node **outs; /* in one lane */
    int nouts;
    NodeVec order;
    size_t at;
    u32 temps;
    bool failed;
} VmapSweep;
bool vmap_begin(VmapSweep *s, Store *st, Node *n);
/* The next operator, batched; NULL: there is none left, or it cannot be done. */
Node *vmap_next(VmapSweep *s);
/* The results as they are now. false: they are no graph at this point. */
bool vmap_state(VmapSweep *s, Node **results);
void vmap_end(VmapSweep *s);
/* How an operator is batched, in words. */
const char *batch_rule(const Node *n);

#endif
