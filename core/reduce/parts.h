/* What the files of this folder share; nobody else includes it. */
#ifndef GRADUS_REDUCE_PARTS_H
#define GRADUS_REDUCE_PARTS_H

#include "graph/control.h"
#include "graph/walk.h"
#include "reduce/reduce.h"

/* ---- candidates (candidate.c) ---- */

/* A program that may take the place of the present one. */
typedef struct {
    NodeVec roots;
    TensorMap values; /* of inputs that are new, or have another value: references */
} Candidate;

/* The nodes that are so, the operands first. */
void nodes_where(int n, Node *const *roots, bool (*is)(const Node *n), NodeVec *out);

/* Is it smaller, and does the condition hold? Then it is the program from here on. Frees it. */
bool candidate_smaller(Reduction *r, Candidate *c);
/* The same however large it is; for what is known to be simpler. */
bool candidate_holds(Reduction *r, Candidate *c);
void candidate_free(Candidate *c);

/* The program with nodes of one graph (NULL: the outermost) replaced; false: it makes no sense. */
bool candidate_replace(Reduction *r, Candidate *c, const Graph *within, const NodeMap *at);
/* Replaces and asks. */
bool try_replace(Reduction *r, const Graph *within, const NodeMap *at);
/* The same for one node. */
bool try_instead(Reduction *r, const Graph *within, Node *n, Node *instead);
/* This one result; false where as many have to stay. */
bool try_result(Reduction *r, Node *n);
bool shrink_stops(Reduction *r);

/* Is it a value that may become an input? */
bool can_be_input(const Node *n);
/* For each of these nodes an input, or a whole number, of its type and value, into `at`; what
 * cannot be one is left out. */
void inputs_for(Reduction *r, const NodeVec *nodes, Candidate *c, NodeMap *at);

/* ---- rebuilding (rebuild.c) ---- */

typedef struct {
    Store *st;
    const Graph *within; /* the graph of the nodes in `at` */
    const NodeMap *at;   /* may be NULL */
    /* Everywhere, if they are not NULL: a node without operands, the type of a parameter. */
    Node *(*leaf)(void *ctx, Node *n);
    Type *(*type)(void *ctx, Type *t);
    void *ctx;
    GraphMap graphs;
} Rebuild;
/* The roots rebuilt, bodies too; false after a diagnostic. */
bool rebuild(Rebuild *b, int n, Node *const *roots, Node **out);

/* ---- the ways to make it smaller, each until it finds nothing more ---- */

/* Results (results.c): nodes of the outermost graph in place of the results. */
void shrink_results(Reduction *r);
/* Of a large graph: a node near the result in its place, or a large part cut off; true: one was. */
bool shrink_to_part(Reduction *r);
bool shrink_coarsely(Reduction *r);
/* Parts of the outermost graph become inputs (cut.c). */
void shrink_cut(Reduction *r);
/* Nodes become one of their operands, operands go, inputs become one (hoist.c). */
void shrink_hoist(Reduction *r);
/* Bodies: their nodes become parameters and constants (bodies.c). */
void shrink_bodies(Reduction *r);
/* Loops, branches, functions and derivatives: one step, a branch, the body (owners.c). */
void shrink_owners(Reduction *r);
/* Scans: states, traces and `until` go (scans.c). */
void shrink_scans(Reduction *r);
/* Sizes, numbers of steps (sizes.c); true: some became smaller. */
bool shrink_sizes(Reduction *r);
/* Values that any others could stand for (numbers.c). */
void shrink_values(Reduction *r);
/* Digits; true: some went. */
bool shrink_digits(Reduction *r);

#endif
