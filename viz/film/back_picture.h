/* The graph of a film of backpropagation as a picture: each node with its formula, its value and
 * what the result changes by with it.
 *
 * Invariant: places depend on the whole film only, so that frames lie on each other. */
#ifndef GRADUS_BACK_PICTURE_H
#define GRADUS_BACK_PICTURE_H

#include "analysis/backprop.h"
#include "viz/canvas/canvas.h"
#include "viz/page/lay.h"

typedef struct {
    const Backprop *of;
    int digits;
    Layout layout;
    VEC(int) froms;
    VEC(int) tos; /* ends of the lines, by number from 0 */
} BackPicture;

/* How far the film is: so many nodes have values, so many edges have been passed; the line `edge`
 * (-1: none) is marked. */
typedef struct {
    int nodes, edges, edge;
    bool
        live; /* for a page, which marks what is reached by itself: everything is drawn, with ids */
} BackMoment;

void back_picture_open(BackPicture *p, const Backprop *of, int digits);
void back_picture_free(BackPicture *p);
Canvas back_picture_canvas(void);
/* From (0, 0) on, layout.width by layout.height. */
void back_picture_draw(const BackPicture *p, Canvas *c, BackMoment m);
/* The line from one node to the other, by number; -1: there is none. */
int back_picture_line(const BackPicture *p, int from, int to);

#endif
