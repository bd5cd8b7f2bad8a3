/* Where a derivative stops: how a value depends on another, edge by edge, and which of the edges a
 * cotangent does not pass.
 *
 * A graph is seen with its loops, branches, functions and maps opened: a spot is a node in a
 * context, which is the chain of owners around it. Whether a cotangent passes an operator is asked
 * of the operator's own rule: it is derived alone.
 *
 * Invariant: what the structure alone says holds for all inputs; what only values say (a branch
 * that is not taken, a factor of 0) is added by flow_add_values. */
#ifndef GRADUS_GRADIENT_FLOW_H
#define GRADUS_GRADIENT_FLOW_H

#include "analysis/probe.h"
#include "graph/control.h"
#include "graph/node_map.h"

/* Why a cotangent does not pass an edge. */
typedef enum {
    STOP_NONE,       /* it passes */
    STOP_FLAT,       /* the operator's derivative is 0 wherever there is one: floor, sign */
    STOP_COMPARISON, /* its result is a truth value */
    STOP_UNTIL,      /* ... that only an `until` reads */
    STOP_MARKED,     /* stop_gradient */
    STOP_CAST,       /* its result is a whole number */
    STOP_POSITION,   /* ... that says where: argmax */
    STOP_TRUNCATED,  /* truncate= of the derivative */
    STOP_BRANCH,     /* this branch of an `if` does not run */
    STOP_ZERO        /* the derivative is 0 at these values: relu at a negative one */
} StopKind;
const char *stop_kind_word(StopKind k); /* "flat" */

typedef struct FlowContext {
    const struct FlowContext *around; /* NULL: this is the outermost graph */
    Node *owner;                      /* stands there */
    const Graph *graph;               /* of it; NULL: the outermost graph */
    NODE_MAP(u32) spots;              /* node -> 1 + place */
} FlowContext;

typedef struct {
    FlowContext *in;
    Node *node;
    bool flows;       /* it depends on what is derived by in a way that cotangents go back */
    bool decides;     /* what it reaches it reaches by `until` alone */
    u32 from;         /* 1 + the edge on which the derivative comes here first */
    u32 first, count; /* its operands' edges */
    u32 users;        /* 1 + the first edge that leads from it; then FlowEdge.also */
} FlowSpot;

/* `to` is computed from `from`. */
typedef struct {
    u32 from, to;
    StopKind stop;
    int operand; /* which one of the node it is, where it is one; else -1 */
    bool choice; /* `from` only says which branch runs, or whether a loop goes on */
    u32 also;    /* 1 + the next edge from there; 0: the last */
} FlowEdge;

enum { FLOW_UNKNOWN, FLOW_PASSES, FLOW_STOPS, FLOW_OPERANDS = 3 };
typedef struct {
    Store *st;
    u8 passing[OP_COUNT][FLOW_OPERANDS]; /* FLOW_..., of elementwise operators */
    const Node *x;                       /* what is derived by */
    i64 truncate;                        /* -1: nothing is */
    VEC(FlowSpot) spots;
    VEC(FlowEdge) edges;
    VEC(FlowContext *) contexts;
    u32 root; /* the spot of the value */
    Arena arena;
} GradientFlow;

/* A derivative in a program: which results of which node, by what. */
typedef struct {
    Node *node; /* a grad or vjp */
    int by;     /* the operand by which it is */
} DerivativeAt;
typedef VEC(DerivativeAt) DerivativesAt;
/* The derivatives that a value is: the node itself, or items of a tuple. */
void derivatives_of(int n, Node *const *roots, DerivativesAt *out);

/* How the function of a derivative depends on that operand. Free it. */
void flow_find(GradientFlow *f, Store *st, const DerivativeAt *d);
void flow_free(GradientFlow *f);
/* Is the derivative 0 whatever the inputs are? */
bool flow_is_zero(const GradientFlow *f);
/* The edges on which it stops, of what a cotangent could come back from, in order. */
typedef VEC(u32) FlowEdges;
void flow_stops(const GradientFlow *f, FlowEdges *out);
/* The spots on the way from x to this one, x first. */
typedef VEC(u32) FlowSpots;
void flow_path(const GradientFlow *f, u32 spot, FlowSpots *out);

/* Where it was written, or else what owns the graph that it is in; NULL: it is not known. */
const Span *flow_place(Store *st, const FlowSpot *s);

/* Adds what values say, where inputs have them (gradient_values.c). false: they have none, or a
 * diagnostic was given: nothing is added. */
bool flow_add_values(GradientFlow *f, const Evaluator *e, const DerivativeAt *d);
/* The value of a spot, over all the steps of the loops around it; NULL: it is not known. */
Tensor *flow_value(const GradientFlow *f, const Evaluator *e, const DerivativeAt *d, u32 spot);

/* ---- for gradient_values.c ---- */
void flow_spread(GradientFlow *f); /* says anew what flows, after edges became stops */

/* ---- in words (gradient_text.c) ---- */

/* What a spot is called: its name, else its expression, on one line. */
void flow_put_label(Store *st, Text *out, const FlowSpot *s);
/* " (f.gr:3:7)"; nothing of NULL. */
void flow_put_place(Text *out, const Span *span);
/* "floor is flat wherever it is smooth": why nothing flows through an edge. */
void flow_put_kind(const GradientFlow *f, Text *out, const FlowEdge *e);
/* A note on each derivative among what the roots are made of that is zero for all inputs, whatever
 * they are. */
void flow_note_zeros(Store *st, int n, Node *const *roots, Span span);

#endif
