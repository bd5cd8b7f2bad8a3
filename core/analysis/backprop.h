/* Backpropagation through straight-line code, one rule after the other: forward, each node with its
 * value; backward, each edge on which something flows, with what it brings.
 *
 * The edges are those of reverse_sweep.h.
 *
 * Invariant: nothing is rewritten. What the last edge into a node makes of its cotangent is the
 * gradient by it, to the bit. Constants stand in formulas and are no nodes of their own. */
#ifndef GRADUS_BACKPROP_H
#define GRADUS_BACKPROP_H

#include "analysis/play_body.h"

typedef struct {
    Node *node;
    Symbol name;       /* the author's, or v1, v2, .. */
    PlayParts formula; /* places: other nodes, by number; none of an input */
    Tensor *value;
} BackNode;

typedef struct {
    int from, to;     /* the operand, and what is computed of it */
    const char *rule; /* of `to`, in words; "" */
    bool adds;        /* something came to `from` before */
    Tensor *local;    /* the derivative of one number by another; NULL: they are more */
    Tensor *in;       /* what has come to `to` */
    Tensor *part;     /* what this edge brings, and all that has come by then */
    Tensor *sum;
} BackEdge;

typedef struct {
    VEC(BackNode) nodes; /* operands first; the last one is the result */
    VEC(BackEdge) edges; /* as the rules run: users first */
    Arena arena;
} Backprop;

/* The film of a value; edges are those that lead to the n real inputs `xs`, 0: of the value alone.
 * Free it either way. false after a diagnostic. */
bool backprop_open(Backprop *b, const Evaluator *e, Node *root, int n, Node *const *xs);
void backprop_free(Backprop *b);
/* Those of a node's cotangent that are known after the first `edges` edges; NULL: none are. */
const Tensor *backprop_cotangent(const Backprop *b, int node, size_t edges);
/* The formula of a node with names, or with values that are short. */
void backprop_formula(const Backprop *b, int node, PlayFill fill, int digits, Text *out);

#endif
