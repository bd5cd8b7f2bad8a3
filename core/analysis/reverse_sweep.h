/* The reverse sweep over straight-line code, as grad runs it, written down one rule at a time: what
 * each rule gives each operand, and what has come to the operand by then.
 *
 * Invariant: nothing is rewritten; the last sum that an operand gets is its gradient, to the bit.
 */
#ifndef GRADUS_REVERSE_SWEEP_H
#define GRADUS_REVERSE_SWEEP_H

#include "graph/node_map.h"
#include "ops/cotangent.h"

typedef struct {
    Node *user, *operand; /* x * x has two edges to x */
    Node *part, *sum;     /* what this edge brings; all that has come by then */
    bool adds;            /* something came before */
} SweptEdge;

typedef struct {
    VEC(SweptEdge) edges; /* as the rules run: users first; those of a user follow each other */
    NodeMap bars;         /* of each value its cotangent; none where nothing flows */
    NodeSet active;       /* what depends on an x through real numbers */
} ReverseSweep;

/* From a real number back to the n leaves `xs`. False after a diagnostic. Free it either way. */
bool reverse_sweep(Store *st, Node *root, int n, Node *const *xs, ReverseSweep *out);
void reverse_sweep_free(ReverseSweep *s);

#endif
