/* What the nodes of a graph are worth, for drawings: `data | grad`.
 *
 * Invariant: everything is evaluated on the graph as it stands, nothing rewritten; the graph and
 * its numbers are left alone. */
#ifndef GRADUS_NODE_VALUES_H
#define GRADUS_NODE_VALUES_H

#include "repl/commands/commands.h"
#include "viz/scene/scene_build.h"

typedef struct {
    PtrMap data;     /* node -> its value in short, as show_brief writes it */
    PtrMap grad;     /* node -> what the result changes by with it; nodes that matter only; inside
                        unrolled steps they are by place, see SceneUnroll */
    PtrMap unrolled; /* scan -> SceneUnroll */
    VEC(SceneUnroll *) scans; /* the same, operands before users */
} NodeValues;

typedef struct {
    bool data, grad;
    i64 unroll; /* 0: not */
    Span span;  /* of what asked for them, for messages */
} NodeWishes;

/* Fills `out`; free it either way. Texts live in c->arena. false after a diagnostic: an input has
 * no value, the result is no real scalar, there is no scan. */
bool node_values(Call *c, int n, Node *const *roots, const NodeWishes *wishes, NodeValues *out);
void node_values_free(NodeValues *v);

#endif
