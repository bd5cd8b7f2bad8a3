/* What loops keep for those that run backward, and why.
 *
 * A reason is a node of the source whose derivative reads the value that is kept. It is found by
 * deriving that node alone and looking at what the result reads, so that it is true of every
 * operator without a table. Values of the two loops correspond by name.
 *
 * Invariant: every number is a size over what is outside of all loops. */
#ifndef GRADUS_SAVED_VALUES_H
#define GRADUS_SAVED_VALUES_H

#include "analysis/graph_cost.h"
#include "graph/control.h"

/* A loop as it was written, and what in its body a derivative is taken through. */
typedef struct {
    Node *scan;
    NodeSet active; /* nodes of the body */
} WrittenLoop;

/* A trace that is read on the way back. */
typedef struct {
    Node *loop, *trace;
    Symbol name, source; /* of the value that it is read off; NULL: it has none */
    Type *type;          /* as outside of all loops */
    Size *bytes;
    bool inside; /* the loop backward reads it, or something that is made of it alone */
    bool after;  /* what follows that loop does */
    bool direct; /* it is one of its sequences itself */
} SavedValue;

/* What one loop backward reads. */
typedef struct {
    Node *back; /* NULL: none runs backward (any more), and yet derivatives read what one keeps */
    VEC(SavedValue) values;
    NodeVec again; /* of its body: values that it computes again, that no cotangent enters */
} SavedFor;

/* A value outside of loops that the derivative of an operation reads, as they were written; what is
 * given is no such value. */
typedef struct {
    Node *value;
    const Graph *within;
    Type *type; /* as outside */
    Size *bytes;
    NodeVec reasons; /* the operations, where they have a place */
} SavedPlain;

typedef struct {
    Store *st;
    VEC(SavedPlain) plain;
    VEC(WrittenLoop) written;
    VEC(SavedFor) loops; /* an outer one before those inside */
} SavedValues;

/* Of the graph with these roots, which was made of the one with those at the start. Free it. */
void saved_find(SavedValues *s, Store *st, int n, Node *const *roots, int nstart,
                Node *const *start);
void saved_free(SavedValues *s);
/* The nodes of the source, where they have a place in it, whose derivatives read the values called
 * `source`. */
void saved_reasons(const SavedValues *s, Symbol source, NodeVec *out);

#endif
