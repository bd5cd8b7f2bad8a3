/* What two graphs differ in: places, each a part of the one against a part of the other.
 *
 * Equal subgraphs are one node, so equality is seen at once. From the results down pairs of nodes
 * are compared: operator and attributes are the same, then so may be what they read; operands whose
 * order does not matter are aligned first. Inner graphs are compared over common variables, what
 * they capture being what it is outside, so a change outside is no change in them.
 *
 * Invariant: nodes that are in no place and not below one are the same on both sides, but for names
 * and the order of operands where that does not matter. */
#ifndef GRADUS_GRAPH_DIFF_H
#define GRADUS_GRAPH_DIFF_H

#include "graph/walk.h"
#include "rewrite/exploration.h"

/* What a pair is to the pair above it. */
typedef enum {
    PART_RESULT,   /* of the whole: result `index` */
    PART_INPUT,    /* of the whole: an input of the same name */
    PART_OPERAND,  /* as they are kept, of the first graph */
    PART_COUNT,    /* the number of steps of a loop */
    PART_INITIAL,  /* of state `index` of the first graph's loop */
    PART_SEQUENCE, /* `index` of it */
    PART_EQUATION, /* of state `index` */
    PART_TRACE,    /* output `index` */
    PART_UNTIL,
    PART_BRANCH, /* 0: then, 1: else */
    PART_INSIDE  /* what the function of a derivative, a map or a call gives */
} DiffPart;

typedef struct DiffPath {
    const struct DiffPath *up; /* NULL: the whole */
    Node *side[2]; /* NULL: there is none on this side. Inner graphs are open: see diff_stands */
    DiffPart part;
    int index;
} DiffPath;

typedef struct {
    Node *side[2];
} InputPair;

typedef struct GraphDiff {
    Store *st;
    int nroots[2];
    Node *const *roots[2];
    bool names; /* inputs of other names are others */
    /* What is found: */
    VEC(const DiffPath *) places; /* in the order of the first graph, from its results down */
    VEC(InputPair) renamed;       /* inputs that stand for one another */
    NodeSet only[2];              /* open nodes in places that the other graph does not have */
    u32 nodes, differ; /* how many there are, of the larger graph; how many are not the same */
    bool reordered;    /* operands of sums, products and their like stand in another order */
    Node **told;       /* the second graph, its inputs called as those of the first */
    struct DiffWork *work;
    Arena arena;
    u32 temps;
} GraphDiff;

/* st, nroots, roots and names are given. What stops long work stops it; false after a diagnostic.
 * To be freed in any case; until then its open nodes are valid. */
bool graph_diff(GraphDiff *d);
void graph_diff_free(GraphDiff *d);

/* From here on the current provenance calls what loops of the second graph hand on from step to
 * step, and walk over, as it is called in the first. */
void diff_name_bodies(GraphDiff *d);
/* What an input, a shared variable or a size is called; NULL of any other node. */
Symbol diff_input_name(const Node *n);
/* A node of a path as it stands in its own graph. */
Standing diff_stands(const GraphDiff *d, int side, Node *open);
/* "in scan h, equation of h[t], operand 2 of @": where a place is; "" of a whole result. */
void diff_put_path(const GraphDiff *d, Text *out, const DiffPath *place);
/* The part around a place that is shown with it: at most a few operators above, up to where its
 * graph ends. */
const DiffPath *diff_context(const GraphDiff *d, const DiffPath *place);
/* The place itself as a node of the graph of its context: of a capture, the parameter; NULL: it is
 * no node there. */
Node *diff_part_in_context(const GraphDiff *d, const DiffPath *place, int side);
/* Makes the difference the one step of an exploration that begins with the first graph's roots, of
 * a rule that is none; both graphs have as many results. */
void diff_add_step(GraphDiff *d, Exploration *x);

#endif
