/* From a graph to the scene that shows it.
 *
 * Invariant: the same graph, numbers and options give the same scene.  Every node of
 * the graph is drawn or told of: scalar constants in the label of their user, what a
 * focus leaves out as a count at the nodes that are cut. */
#ifndef GRADUS_SCENE_BUILD_H
#define GRADUS_SCENE_BUILD_H

#include "rewrite/rewrite.h"
#include "viz/scene.h"

typedef struct {
    const char *title;
    bool inner_closed; /* inner graphs are drawn as one box each */
    Node *focus;       /* only what is within `depth` edges of it; NULL: everything */
    int depth;
    Node *const *before; /* roots before `step`; NULL: no diff */
    const Step *step;    /* its nodes are outlined; may be NULL */
} SceneOptions;

/* The scene of the roots (never NULL; without nodes if the focus is not in the graph). */
Scene *scene_from_graph(Store *st, Numbering *num, int nroots, Node *const *roots,
                        const SceneOptions *options);

#endif
