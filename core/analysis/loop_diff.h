/* What is different between two states of a loop: its states, traces and what it reads from
 * outside, and the nodes of its body.
 *
 * Two loops are compared by things (rewrite/things.h): a state, a trace or a capture of one is that
 * of the other if both are nodes of one thing, wherever it stands among the operands.
 *
 * Invariant: the exploration's things have been found (exploration_things). */
#ifndef GRADUS_LOOP_DIFF_H
#define GRADUS_LOOP_DIFF_H

#include "rewrite/things.h"

/* ---- the parts of a loop ---- */

typedef struct {
    Symbol name;        /* "h", "x[t]", or NULL */
    const Thing *thing; /* in the body: a parameter or an output */
    Node *inside;
    Node *outside; /* what it begins with or reads; NULL: nothing */
} LoopPart;
typedef VEC(LoopPart) LoopPartVec;

typedef enum { PART_STATES, PART_TRACES, PART_SEQUENCES, PART_CAPTURES, PART_KINDS } LoopPartKind;

typedef struct {
    Node *n;
    const Graph *body;
    bool scan; /* else a lowered loop, whose parts are not read */
    LoopPartVec parts[PART_KINDS];
} LoopParts;

void loop_parts_read(Exploration *x, Node *loop, LoopParts *out);
void loop_parts_free(LoopParts *l);
/* The same part of another loop; NULL: it has none. */
const LoopPart *loop_part_in(const LoopPartVec *in, const LoopPart *p);

/* ---- the nodes of two bodies ---- */

/* A body, and what of it is not in the other one or does something else there. */
typedef struct {
    Exploration *x;
    const Graph *g;
    NodeVec nodes;
    MAP(const Thing *, Node *) at;
    NodeCounts uses; /* node -> how often it is used */
    NodeMap user;    /* node -> one that uses it */
    NodeSet different;
    NodeSet leaves; /* what has a name, or is listed */
    NodeVec listed; /* what is different, or the named node that it is a part of */
} BodyDiff;

/* of[0]: the graph before, of[1]: after. Free both. */
void body_diff(Exploration *x, const Graph *before, const Graph *after, BodyDiff of[2]);
void body_diff_free(BodyDiff *b);
Symbol body_diff_name(const BodyDiff *b, const Node *n); /* NULL: it has none */
u32 body_diff_uses(const BodyDiff *b, const Node *n);
/* The node of the body that is that thing, or its copy; NULL: none is. */
Node *body_diff_node(const BodyDiff *b, const Thing *thing);
/* Which of those listed in the other body is the same thing, or has the same name; NULL: none. */
Node *body_diff_counterpart(const BodyDiff *b, Node *n, const BodyDiff *other);

#endif
