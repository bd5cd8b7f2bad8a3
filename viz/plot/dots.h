/* Dots of Braille characters, 2 by 4 in each: what lines in a terminal are drawn with.
 *
 * Invariant: what lies outside is not drawn. */
#ifndef GRADUS_DOTS_H
#define GRADUS_DOTS_H

#include "base/base.h"

typedef struct {
    int columns, rows; /* in characters */
    u8 *dots;          /* a bit for each of the 8 dots of a character */
    u8 *owner;         /* the series, + 1, that drew there last */
} Dots;

void dots_begin(Dots *d, int columns, int rows);
void dots_free(Dots *d);
void dots_put(Dots *d, int x, int y, size_t series);
void dots_line(Dots *d, int x0, int y0, int x1, int y1, size_t series);
/* One row of characters; with `color` (may be NULL) each in the colour of its series, whose SGR
 * numbers they are, n of them. Blanks at the end stay. */
void dots_put_row(const Dots *d, Text *out, int row, const char *const *color, size_t n);

#endif
