/* Backwards through steps that are written out: what a loss changes by with every value of them.
 *
 * Invariant: a value is known by its place (step and state, or step and node of the body), never
 * by the node that it is outside: states may start from one node, and steps may repeat one. */
#ifndef GRADUS_UNROLL_BACK_H
#define GRADUS_UNROLL_BACK_H

#include "analysis/unroll.h"

typedef struct {
    NodeVec before; /* state j before step i: [i * s.nstates + j]; i = k: after the last */
    NodeVec next;   /* what the equation of state j gives at step i, direct uses in the step and of
                       its trace included: [i * s.nstates + j] */
    NodeMap *of_body; /* by step: node of the body -> its cotangent */
} UnrollBack;

/* `u` is of a scan that takes `total` steps; `loss` is a real number that reads the scan's results.
 * The steps after those written out are pulled through as a loop. NULL in the lists: nothing flows.
 * Derivatives are left to be expanded. false after a diagnostic; free either way. */
bool unroll_back(Store *st, const Unroll *u, i64 total, Node *loss, UnrollBack *out);
void unroll_back_free(const Unroll *u, UnrollBack *b);

/* The derivative of a loss with respect to x, through a scan of so many steps, which `in_segment`
 * makes one segment that keeps few of its states. NULL after a diagnostic. */
Node *loop_gradient(Store *st, Node *scan, i64 steps, bool in_segment, Node *loss, Node *x);

/* The loop that goes through the steps of `loop` from the last to the first for the gradient of a
 * loss with respect to x; *back = NULL: there is none. false after a diagnostic. */
bool loop_way_back(Store *st, Node *loop, Node *loss, Node *x, Node **back);

#endif
