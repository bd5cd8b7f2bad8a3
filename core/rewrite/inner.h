/* Expressions in the graphs that nodes own, taken out for rules to match, and put back.
 *
 * Invariant: what is taken out stands over the nodes around the owner; only the parameter of a
 * derivative or map is a variable of its own, so that it is not taken for the operand there. */
#ifndef GRADUS_INNER_H
#define GRADUS_INNER_H

#include "graph/control.h"

/* What branch k (0: then) of the `if` that n is a result of gives there. NULL after a diagnostic.
 */
Node *if_result(Store *st, const Node *n, int k);

/* A loop that a pattern looks into, at one of its states: its captures are what they are outside,
 * states and rows of sequences are variables. */
typedef struct LoopParts {
    Node *scan;
    int state;
    Node **states, **seqs, **outs; /* outs: all that the body gives */
} LoopParts;
/* In st->scratch; NULL after a diagnostic. */
LoopParts *loop_parts(Store *st, Node *scan);
/* The number of the row: the sequence 0, 1, 2, ...; -1: there is none. */
int loop_index_sequence(const LoopParts *l);

/* grad(value, x), vjp(value, x, with), jvp(value, x, with) or vmap(x -> value)(at). */
typedef struct {
    OpId op;
    Node *at;           /* the operand: where the derivative is taken, what is mapped over */
    Node *hole, *value; /* the variable inside, and what depends on it */
    Node *with;         /* the cotangent or tangent, or NULL */
} Applied;
/* Is n such a result, with one variable and one value? Then op, at and with are given. */
bool applied_shape(const Node *n, OpId op, Applied *out);
Type *applied_parameter(Store *st, const Applied *a); /* the type of its variable */
/* The value for a variable of that type. NULL after a diagnostic. */
Node *applied_value(Store *st, const Node *n, Node *hole);
/* Puts one together. NULL after a diagnostic. */
Node *applied_build(Store *st, const Applied *a);

#endif
