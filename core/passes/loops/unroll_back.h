/* Backwards through steps that are written out: what a loss changes by with every value of them.
 *
 * Invariant: a value is known by its place (step and state, or step and node of the body), never
 * by the node that it is outside: states may start from one node, and steps may repeat one. */
#ifndef GRADUS_UNROLL_BACK_H
#define GRADUS_UNROLL_BACK_H

#include "passes/loops/unroll.h"

typedef struct {
    NodeVec before;  /* state j before step i: [i * s.nstates + j]; i = k: after the last */
    NodeVec next;    /* what the equation of state j gives at step i, direct uses in the step and of
                        its trace included: [i * s.nstates + j] */
    PtrMap *of_body; /* by step: node of the body -> its cotangent */
} UnrollBack;

/* `u` has all steps that the scan runs; `loss` is a real number that reads the scan's results.
 * NULL in the lists: nothing flows. false after a diagnostic; free either way. */
bool unroll_back(Store *st, const Unroll *u, Node *loss, UnrollBack *out);
void unroll_back_free(const Unroll *u, UnrollBack *b);

#endif
