/* A scene cut down to what is near some of it, along edges in either direction.
 *
 * Invariant: boxes around what is kept are kept; an edge is kept if both its ends are. */
#ifndef GRADUS_SCENE_CUT_H
#define GRADUS_SCENE_CUT_H

#include "viz/scene/scene.h"

typedef struct {
    const Scene *s;
    bool whole;    /* an outermost frame is kept or left out with all that is in it */
    int *distance; /* of nodes, then of boxes, by number - 1; -1: not reached */
    Scene *out;
} SceneCut;

void cut_begin(SceneCut *c, const Scene *s, bool whole);
int *cut_node(const SceneCut *c, int node); /* its distance; with `whole`, that of its frame */
int *cut_box(const SceneCut *c, int box);
/* Spreads from what has distance 0 by as many edges as `depth`, and makes c->out of what it
 * reaches. Nodes count the edges that are cut, unless frames are kept whole. */
void cut_make(SceneCut *c, int depth);
void cut_end(SceneCut *c); /* c->out remains */

#endif
