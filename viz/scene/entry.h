/* What enters and leaves the graphs that nodes own: the operand that each parameter stands for, the
 * result that each output is. Graphs and figures ask here alone. */
#ifndef GRADUS_ENTRY_H
#define GRADUS_ENTRY_H

#include "graph/control.h"
#include "viz/scene/scene.h"

typedef struct {
    Node *operand;
    SceneRole role; /* state, sequence, capture; param: the argument of a call */
    SceneEdgeKind kind;
    i64 lane; /* the axis of the operand of which it is one lane, or -1 */
} Entry;
/* Of parameter i of the graph that is attribute `slot` of the owner. */
Entry entry_of(const Node *owner, int slot, int i);
/* The axis outside that is axis k of the parameter. */
int entry_axis(const Entry *e, int k);

/* What leaves as result k of the owner. */
typedef struct {
    int out; /* of the graph; -1: it is no value of that */
    SceneEdgeKind kind;
    const char *word; /* "final", "trace", "steps"; "value" beside derivatives; or NULL */
} Exit;
Exit exit_of(const Node *owner, int k);
/* The operands that say how often a loop runs, before those that enter its graph. */
int border_operands(const Node *owner);

/* The size parameters of a graph, + 1, and what each is outside. */
typedef MAP(i64, Size *) BoundSizes;
/* What a size outside is called there; NULL: it has no name. */
typedef Size *SizeCalled(void *ctx, Size *s);
/* From the types of what enters; the caller frees the map. */
BoundSizes entry_sizes(const Node *owner, int slot, SizeCalled *called, void *ctx);

/* ---- names ---- */
/* What parameter i of a graph is called there, or NULL. */
Symbol param_symbol(Store *st, const Graph *g, int i);
/* The same of an input, or a parameter of g, which is NULL outermost. */
Symbol leaf_symbol(Store *st, const Graph *g, const Node *n);
static inline bool is_source(const Node *n) { return n->op == OP_INPUT || n->op == OP_SHARED; }

/* ---- kinds ---- */
SceneBoxKind box_kind_of(const Node *n);
static inline bool is_derivative(const Node *n)
{
    return n->op == OP_GRAD || n->op == OP_VJP || n->op == OP_JVP;
}

#endif
