/* A picture turned so that everything flows from top to bottom, and room made in it. */
#ifndef GRADUS_DRAW_VIEW_H
#define GRADUS_DRAW_VIEW_H

#include "viz/draw/picture.h"

typedef struct {
    bool swap, up; /* it flows from left to right; the other way round */
} View;

Point seen(View v, Point q);
Point unseen(View v, Point q);
Rect rect_of(View v, const Item *i);
void set_rect(View v, Item *i, Rect r);
/* A node, or a box by minus its number. */
Item *item_at(const Picture *p, int code);

/* Room of d at `cut`: what is drawn beyond it moves, open boxes across it grow. With a negative d,
 * the strip of `strip` beyond the cut, in which no node stands, becomes narrower by that. */
typedef struct {
    View view;
    bool down; /* a horizontal cut */
    double cut, d, strip;
} Stretch;
void stretch(Picture *p, const Stretch *s);

/* Where a way turns, with both its ends; the same point twice is one. */
typedef struct {
    Point at[8];
    int n;
} Corners;
void corner_put(Corners *c, double x, double y);
/* Straight pieces with round corners through `at` (as seen), after what the route has already; the
 * last one ends in a tip. */
void route_follow(View v, Route *r, Point *at, int n);

#endif
