/* What expressions cost where equality saturation compares them: the one model of ops/cost.h, node
 * by node.
 *
 * A loop counts its body as often as it has steps, each side of a branch half of the time, as :cost
 * does. Elementwise operators of one shape, and the reductions of what they give, count as what
 * runs of them: one sweep, that starts once and keeps nothing that lies between its steps.
 *
 * Invariant: a body's node costs the same wherever it is asked for, in the body's e-graph or
 * through its owner: the sizes of parameters are those of the operands that they stand for. */
#ifndef GRADUS_EGRAPH_MODEL_H
#define GRADUS_EGRAPH_MODEL_H

#include "graph/control.h"
#include "rewrite/engine.h"

/* A cost is less only if it is below this much of the other: two sums of the same costs in another
 * order differ by rounding, and choices would be exchanged for ever. */
#define COST_LESS (1 - 1e-12)
/* A graph replaces another only if it costs less than this much of it; one that costs more than
 * that much of it is given up. What is between is rounding of sums, and no reason for steps. */
#define COST_CHEAPER (1 - 1e-9)
#define COST_DEARER (1 + 1e-9)

typedef enum { COST_TIME, COST_FLOPS, COST_BYTES, COST_NODES, COST_OPERATORS } CostKind;
extern const char *const cost_names[5];

/* Where a body is: its owner, and where that is. */
typedef struct CostPlace {
    const struct CostPlace *up;
    const Node *owner;
    const Graph *body;
} CostPlace;

typedef struct {
    CostKind kind;
    double assumed; /* for a size that is not given */
    const SizeGiven *sizes;
    u32 nsizes;
    const OpCost *ops; /* COST_OPERATORS */
    u32 nops;
    const CostPlace *place; /* of the graph whose nodes are asked for; NULL: the outermost */
} CostModel;
CostModel cost_model(const Saturating *how);
/* The place of the graph that the engine rewrites; lives in the arena. */
const CostPlace *cost_place(Arena *a, const Engine *e);

/* What one node costs, without its operands: nanoseconds, operations, bytes or one. */
double node_cost(Store *st, const CostModel *m, Node *n);
/* The same where it runs in one sweep with everything that uses it; never more. */
double node_cost_joined(Store *st, const CostModel *m, Node *n);
/* Does such an operand run in one sweep with what uses it, as the pass fuse will do it? */
bool node_joins(const Node *user, const Node *operand);
/* Would the user run in one sweep with an elementwise operand of this type? NULL: of any type. */
bool node_takes_along(const Node *user, const Type *operand);
/* What all that the roots reach costs: each node as it stands among those that use it. */
double roots_cost(Store *st, const CostModel *m, int n, Node *const *roots);

#endif
