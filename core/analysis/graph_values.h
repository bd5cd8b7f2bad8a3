/* What the nodes of a graph are worth, and what a real number that it computes changes by with
 * them; some steps of its loops written out, and the same of these.
 *
 * Invariant: everything is evaluated on the graph as it stands, nothing rewritten; the graph is
 * left alone. Inside steps a value is known by its place (step and node of the body), never by the
 * node that it is outside: states may start from one node, and steps may repeat one. */
#ifndef GRADUS_GRAPH_VALUES_H
#define GRADUS_GRAPH_VALUES_H

#include "analysis/probe.h"
#include "analysis/unroll.h"

/* A scan of which the first steps are written out. */
typedef struct {
    Unroll u;
    i64 rest; /* how many steps there are after them; -1: not known */
} UnrolledScan;

typedef struct {
    Node *node;     /* of the graph, or a copy in a step; a gradient inside a step: of the body */
    int scan, step; /* a gradient inside a step: of which of `scans`; else -1 */
    bool gradient;
    Tensor *value;
} NodeValue;

typedef struct {
    VEC(UnrolledScan) scans; /* operands before users */
    VEC(NodeValue) values;
} GraphValues;

typedef struct {
    bool values;
    bool gradients; /* of the one root, a real number; of scans only if no step is left out */
    i64 unroll;     /* steps of each scan to write out at most; 0: none */
    Span span;      /* of what asked for them, for messages */
} GraphWishes;

/* Fills `out`; free it either way. Inputs without a value are an error only if values or gradients
 * were asked for. false after a diagnostic. */
bool graph_values(const Evaluator *e, int n, Node *const *roots, const GraphWishes *wishes,
                  GraphValues *out);
void graph_values_free(GraphValues *v);

#endif
