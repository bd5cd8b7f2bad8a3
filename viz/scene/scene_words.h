/* A figure in words (figure_words.c), as scene_text.c needs it; nobody else includes this. */
#ifndef GRADUS_SCENE_WORDS_H
#define GRADUS_SCENE_WORDS_H

#include "viz/scene/scene.h"

/* One line of at most so many bytes, control characters made visible; a newline is `line`. */
void words_put(Text *out, const char *s, size_t n, size_t most, const char *line);
/* Results in order. */
void figure_words(Text *out, const Scene *s);
/* What a box is, and what enters and leaves it. */
void figure_box_words(Text *out, const Scene *s, int box);
/* The formulas one by one, and what the notation means. */
void figure_formulas(Text *out, const Scene *s);

#endif
