/* What a rule of reverse mode works on: the cotangents gathered so far.
 *
 * Invariant: a node's cotangent is complete when its rule runs (all users ran before),
 * and is NULL, never a tensor of zeros, where nothing flows. */
#ifndef GRADUS_COTANGENT_H
#define GRADUS_COTANGENT_H

#include "graph/control.h"
#include "ops/build.h"

/* How far the rule of a loop goes; less than all of it only to show it in parts. */
typedef enum {
    VJP_WHOLE,
    VJP_BODY_CLOSED, /* the body's derivative stays a Vjp node */
    VJP_NOTHING_KEPT /* of a step, only the states before it are kept */
} VjpDetail;

/* What a derivative leaves behind, so that nobody has to find it again. */
typedef enum {
    RECORD_COTANGENT, /* of a value, its cotangent */
    RECORD_SAVED,     /* of a trace, the loop backward that reads it */
    RECORD_LOOP       /* of a loop as it was, the one that runs it backward */
} RecordKind;
typedef struct {
    RecordKind kind;
    Node *of, *is;
} DerivativeRecord;
typedef VEC(DerivativeRecord) DerivativeRecords;

typedef struct Vjp {
    Store *st;
    NodeMap cotangents; /* node -> Node*; a result of a tuple node is keyed by its projection */
    NodeSet active;     /* nodes that depend on a wanted one through real numbers */
    const struct Mask *mask; /* what vjp_add puts over contributions; NULL: nothing */
    DerivativeRecords loops; /* RECORD_LOOP and _SAVED */
    NodeVec extended;        /* loops, each followed by the same one that keeps more of its steps */
    VjpDetail detail;
    Text *note;     /* NULL, or gets what a loop's rule does, in words */
    NodeVec *added; /* NULL, or gets each operand that something is added to, and what */
} Vjp;

/* Does anything flow into `operand`? Rules skip work for operands that are not active. */
bool vjp_active(const Vjp *v, const Node *operand);
/* Adds a contribution with the operand's own type. NULL contribution: an error was reported;
 * returns false. */
bool vjp_add(Vjp *v, Node *operand, Node *contribution);
/* a + b; where one of them is zeros but for some rows, these are added to the other: in a loop that
 * costs a row instead of an array. */
Node *cotangent_sum(Store *st, Node *a, Node *b);
/* The cotangent of result k of a tuple node; NULL if nothing flows. */
Node *vjp_result(const Vjp *v, Node *tuple, int k);

/* vjp_add of a contribution that may have the operand's shape under other sizes. */
bool vjp_give(Vjp *v, Node *operand, Node *contribution);

/* Is the cotangent of n divided by n itself, as that of log(n) is? Then n may cancel. */
static inline bool divided_by(const Node *cotangent, const Node *n)
{
    return cotangent->op == OP_DIV && cotangent->ops[1] == n;
}

#endif
