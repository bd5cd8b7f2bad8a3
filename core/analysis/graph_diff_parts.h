/* For the files of graph_diff. */
#ifndef GRADUS_GRAPH_DIFF_PARTS_H
#define GRADUS_GRAPH_DIFF_PARTS_H

#include "analysis/graph_diff.h"
#include "graph/control.h"

/* A result of one loop, and which of the other's it is. */
enum { UNPAIRED = -1 };

/* Two owners of graphs whose bodies are not the same, opened over common variables. */
typedef struct OwnerPair {
    const DiffPath *path;
    int nslots;
    int nouts[2][4];
    Node **outs[2][4]; /* by graph: what it gives, open */
    int *states[2];    /* of a scan: by state, the other's, or UNPAIRED */
    int *rows[2];      /* the same by sequence */
    int *traces[2];    /* the same by trace: as far as somebody reads them */
    bool same;         /* the bodies are the same ones: nothing was opened */
} OwnerPair;

typedef struct DiffWork {
    VEC(const DiffPath *) todo;
    VEC(const DiffPath *) below;       /* what a pair found, to be put on todo in order */
    MAP(u64, OwnerPair *) owners;      /* pairs of owners that can be compared */
    SET(u64) seen;                     /* pairs */
    NodeSet matched[2];                /* the same as some node of the other side */
    NodeSet reach[2];                  /* all nodes, those of opened graphs too */
    MAP(Node *, Standing *) stands[2]; /* open -> as it stands in its graph */
    MAP(Node *, u64 *) looks;          /* node -> what it looks like down to each depth */
} DiffWork;

static inline u64 pair_key(const Node *a, const Node *b) { return (u64)a->id << 32 | b->id; }

/* ---- graph_diff.c ---- */

/* A pair below `up`, to be compared. */
void diff_push(GraphDiff *d, const DiffPath *up, Node *a, Node *b, DiffPart part, int index);
/* They are the same, whatever they look like. */
void diff_same(GraphDiff *d, Node *a, Node *b);
void diff_place(GraphDiff *d, const DiffPath *p);
/* The part of a pair at p, which is a place by itself. */
void diff_place_at(GraphDiff *d, const DiffPath *up, Node *a, Node *b, DiffPart part, int index);
bool diff_heads_agree(const Node *a, const Node *b);

/* ---- graph_diff_align.c ---- */

/* Notes what nodes look like, operands before users. */
void diff_note_looks(GraphDiff *d, const NodeVec *order);
/* How much two nodes and what is just below them look alike: 0 to 100. */
int diff_likeness(Node *a, Node *b);
enum { ALIKE = 55 }; /* of 100: rather the same, with a change in it, than something else */
/* Pushes the operands of two nodes that read the same in any order, or the same number of them;
 * false: there are more on one side. */
bool diff_operands(GraphDiff *d, const DiffPath *p);
/* Of a pair that differs: what below it is rather the same. */
void diff_go_below(GraphDiff *d, const DiffPath *p);

/* ---- graph_diff_owners.c ---- */

/* Compares two owners, once; NULL: they cannot be. */
OwnerPair *diff_owners(GraphDiff *d, const DiffPath *p, Node *a, Node *b);
/* What parameter i of one of its graphs is outside. */
Node *diff_outside(const Node *owner, const Graph *g, int i);
/* Compares two results of owners that can be compared; false: they are different ones. */
bool diff_results(GraphDiff *d, const DiffPath *p, OwnerPair *o);

/* ---- graph_diff_inputs.c ---- */

/* Finds which inputs stand for one another, and tells the second graph by those of the first. False
 * after a diagnostic. */
bool diff_inputs(GraphDiff *d);

#endif
