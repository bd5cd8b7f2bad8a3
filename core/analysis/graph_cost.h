/* What graphs cost, as sizes: operations on numbers, and bytes read and written. A loop costs what
 * its body does as often as it runs, an `if` what its dearer branch does.
 *
 * Invariant: costs are counted node by node (ops/cost.h), never timed, over the names of sizes;
 * those of a body are in terms of its owner's operands, so that they can be added up. */
#ifndef GRADUS_GRAPH_COST_H
#define GRADUS_GRAPH_COST_H

#include "analysis/size_numbers.h"
#include "rewrite/exploration.h"

/* NULL: not known before it runs. */
typedef struct {
    Size *flops, *bytes;
} Cost;

typedef struct {
    Store *st;
    PtrMap known; /* Node, Graph -> Cost */
    Arena arena;
} Costs;

Cost cost_of_node(Costs *c, Node *n);
/* Of all that these nodes are computed from, each once. */
Cost cost_of_roots(Costs *c, int n, Node *const *roots);
Cost cost_add(Store *st, Cost a, Cost b);
void costs_free(Costs *c);

/* ---- sizes of bodies ---- */

/* A node, and one of its graphs. */
typedef struct {
    Node *n;
    const Graph *g;
} Owner;
typedef VEC(Owner) Owners; /* the outermost first */

/* A size or type of the graph of the last owner, with sizes as they are outside of all. NULL of
 * NULL. */
Size *size_outside(Store *st, const Owners *owners, Size *s);
Type *type_outside(Store *st, const Owners *owners, Type *t);

/* ---- loops ---- */

/* Where a loop was written; what a derivative is taken of keeps only the places of its parts. NULL:
 * not known. */
const Span *loop_span(Store *st, const Node *scan);
/* How many loops, one after the other, must have run before each of these nodes, operands first.
 * Returns the largest number. */
u32 loop_stages(const NodeVec *order, u32 *stages);

/* ---- steps ---- */

/* Steps [from, to) of an exploration, which changed the cost. It is counted in one number: an
 * operation counts one, and so does a number that is read or written. */
typedef struct {
    u32 from, to;
    double before, after;
} CostChange;
typedef VEC(CostChange) CostChanges;

/* The changes, the largest first; of an exploration that is long only those from pass to pass.
 * Loops that were lowered are not compared. false: no two states that follow each other have costs
 * that are known. */
bool cost_changes(Exploration *x, Costs *c, SizeNumbers *n, CostChanges *out);

#endif
