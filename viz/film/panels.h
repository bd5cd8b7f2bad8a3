/* Frames beside and below each other in one picture, each on a panel.
 *
 * Invariant: colours and places are literal, so that every viewer shows the same. */
#ifndef GRADUS_PANELS_H
#define GRADUS_PANELS_H

#include "viz/canvas/canvas.h"

typedef struct {
    Canvas frame; /* from (0, 0) on */
    int height;
} Panel;
typedef VEC(Panel) Panels;

/* As a document of its own, row after row; a row is as high as its highest panel. `sheet` is a
 * canvas with nothing on it, `more` are attributes of the whole. */
void panels_put(Text *out, Canvas sheet, const Panels *panels, int width, const char *more,
                const char *title);
/* One canvas so. */
void canvas_put_document(Text *out, const Canvas *c, Point size, const char *more,
                         const char *title);
void panels_free(Panels *panels);

#endif
