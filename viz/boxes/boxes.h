/* A scene as boxes and lines of text, for a terminal: nodes in small boxes, inner graphs in titled
 * frames, values led from above to below on lines.
 *
 * Invariant: where two lines cross, the upright one is on top; lines that meet are one value.
 * Nothing is cut: what does not fit is not drawn. The same scene gives the same text. */
#ifndef GRADUS_BOXES_H
#define GRADUS_BOXES_H

#include "viz/scene/scene.h"

enum { BOXES_MOST_NODES = 200 };

typedef enum { BOXES_FIT, BOXES_WIDE, BOXES_MANY } BoxesFit;

/* Appends the picture, with a newline after each line, in plain ASCII or with the signs of Unicode.
 * It takes *columns; if that is more than `width`, or there are too many nodes, nothing is
 * appended. */
BoxesFit boxes_print(Text *out, const Scene *s, int width, bool ascii, int *columns);

#endif
