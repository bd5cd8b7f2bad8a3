/* What is no more than something it is made of, or one number everywhere: a sweep of the pass
 * `simplify` (simplify_parts.c). */
#ifndef GRADUS_SIMPLIFY_PARTS_H
#define GRADUS_SIMPLIFY_PARTS_H

#include "rewrite/engine.h"

/* One walk over the engine's graph; true if it changed. */
bool simplify_parts(Engine *e);

#endif
