/* What the nodes of a graph are worth, as texts for drawings (core/analysis/graph_values.h): `data
 * | grad`. */
#ifndef GRADUS_NODE_VALUES_H
#define GRADUS_NODE_VALUES_H

#include "analysis/graph_values.h"
#include "viz/scene/scene_build.h"

typedef struct {
    GraphValues of;
    NodeTexts data; /* node -> its value in short */
    NodeTexts grad; /* node -> what the result changes by with it; nodes that matter only; inside
                    unrolled steps they are by place, see SceneUnroll */
    UnrollMap unrolled; /* scan -> SceneUnroll */
} NodeValues;

/* Fills `out`; free it either way. Texts, of so many digits at most (0: as usual), live in the
 * arena. false after a diagnostic. */
bool node_values(const Evaluator *e, Arena *arena, int digits, int n, Node *const *roots,
                 const GraphWishes *wishes, NodeValues *out);
void node_values_free(NodeValues *v);

#endif
