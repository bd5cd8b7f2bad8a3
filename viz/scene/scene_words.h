/* A figure in words (figure_words.c), as scene_text.c needs it; nobody else includes this. */
#ifndef GRADUS_SCENE_WORDS_H
#define GRADUS_SCENE_WORDS_H

#include "viz/scene/scene.h"

/* Results in order, and the loops. */
void figure_words(Text *out, const Scene *s);
/* The formulas one by one, and what the notation means. */
void figure_formulas(Text *out, const Scene *s);

#endif
