/* A page with a slider over the iterations of equality saturation. */
#ifndef GRADUS_GROWTH_PAGE_H
#define GRADUS_GROWTH_PAGE_H

#include "egraph/picture.h"
#include "viz/scene/scene_egraph.h"

/* Writes it; `svg` is the drawing of the scene, which has all iterations. */
void growth_page(Text *out, const char *expression, const EgPictures *p, const Scene *s, Text *svg);

#endif
