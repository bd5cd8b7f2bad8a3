/* A scene cut down to what is near some of it, along edges in either direction.
 *
 * Invariant: what is kept is as it was; formulas still name what is left out. */
#ifndef GRADUS_SCENE_CUT_H
#define GRADUS_SCENE_CUT_H

#include "viz/scene/scene.h"

/* What is within `depth` edges of %id, without nodes if that is nowhere; frees s. In a figure what
 * has the focus is that, and frames are kept or left out as wholes. */
Scene *scene_cut(Scene *s, i64 id, int depth);

#endif
