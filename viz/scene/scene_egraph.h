/* E-graphs as scenes: a dashed box for each class, its e-nodes in it, edges from the classes of
 * operands; what the cheapest term has is outlined and its edges are thick. */
#ifndef GRADUS_SCENE_EGRAPH_H
#define GRADUS_SCENE_EGRAPH_H

#include "egraph/picture.h"
#include "viz/scene/scene.h"

/* One picture, or of several each in a frame of its own, where what is in two of them stands in one
 * place. A note says what is left out. */
Scene *scene_from_egraph(Store *st, const EgPictures *pictures, const char *title);
/* "after iteration 3", and "19 e-nodes, 13 classes, cost 101.5". */
void egraph_picture_title(Text *out, const EgPicture *p);
void egraph_picture_size(Text *out, const EgPicture *p);

#endif
