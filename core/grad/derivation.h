/* A derivative taken apart: its expansion one rule at a time.
 *
 * Reverse mode takes the last operator off the function and replaces it by its operands with the
 * cotangents they have gathered; what is left of the function stays an unexpanded Vjp node:
 *
 *   Vjp(f o g; x, ybar)  =>  Vjp(g; x, cotangents of g's results) + what already arrived at x
 *
 * Forward mode takes the first operator off and leaves a Jvp node. So every state between is an
 * ordinary graph with the same value, and the last one is what expanding in one step gives.
 *
 * Invariant: states are made when asked for and share all nodes with the graph; the node that is
 * taken apart does not change. */
#ifndef GRADUS_DERIVATION_H
#define GRADUS_DERIVATION_H

#include "graph/store.h"
#include "ops/ops.h"

/* The first and the last state are of no operator. */
#define DERIVATION_SEED "seed"
#define DERIVATION_END "end"

typedef struct {
    const char *op;   /* whose rule was applied: "tanh"; else one of these */
    const char *rule; /* the rule in words: "d tanh(x) = (1 - y * y) dx" */
    Node **results;   /* of the implicit node, as they are after this rule */
    /* A loop's body whose own derivative is expanded here: the body before, and the derivative in
     * it, which can be taken apart in turn. NULL: none. */
    Graph *body;
    Node *inside;
} DerivationState;

typedef struct {
    Node *node; /* Grad, Vjp or Jvp, of any body */
    int count;  /* of its results */
    VEC(DerivationState) states;
} Derivation;

/* Takes a node apart, of whose results wanted[i] are read (NULL: all); everything but the list of
 * states lives in st->scratch. false after a diagnostic: an operator has no derivative. */
bool derivation_open(Store *st, Node *n, const bool *wanted, Derivation *out);
void derivation_free(Derivation *d);

/* The rule of n's operator in words, in st->scratch: elementwise ones from the derivatives in
 * elem.def, y being the result; others from ops.def. "" if it has none. */
const char *derivative_rule(Store *st, const Node *n);

/* ---- of elementwise operators (rule_text.c) ---- */
void elem_put_applied(Text *out, OpId op);                 /* "tanh(x)", "x + z" */
void elem_put_differential(Store *st, Text *out, OpId op); /* "d tanh(x) = (1 - y * y) dx" */
bool elem_differential_reads_result(Store *st, OpId op);   /* as y */

#endif
