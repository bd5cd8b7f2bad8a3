/* Boxes as levels of grids, and the ways of edges through them; shared by lay.c and lay_route.c. */
#ifndef GRADUS_PAGE_LAY_LEVELS_H
#define GRADUS_PAGE_LAY_LEVELS_H

#include "viz/page/lay_grid.h"

enum { PAD = 14, TAB = 21 + 10, LANE = 9, MARGIN = 20, TIP = 9 };

typedef enum { PORT_OUT, PORT_IN, PORT_TAIL, PORT_HEAD } PortKind;

/* An end of an edge: a box if that is not 0, else a node. */
typedef struct {
    int node, box;
} End;

/* A way back through a lane; lane 0 is the innermost. */
typedef struct {
    int tail, head; /* ports */
    int lane;
    double order;
} Loop;

typedef struct {
    Grid grid;
    VEC(Loop) loops;
    int *box_at_cell; /* NULL: no boxes inside */
    int left, top;    /* of the grid in the box */
    int w, h;         /* of the box */
    int x, y;         /* of the grid in the picture */
} Level;

typedef struct {
    int box, link;
} RoutePart;

typedef struct {
    VEC(RoutePart) parts; /* from the start to the end; none: a plain curve */
    bool loop;
    int lane; /* which of the loops of the box */
} Route;

typedef struct {
    const LayGraph *g;
    Level *levels; /* 0: outermost, then by box */
    Route *routes;
    int *node_cell, *box_cell;
    PtrMap ports;
} Levels;

/* The points of an edge, when all places are known; what is in the folds where it starts and ends,
 * apart. */
void route_put(const Levels *v, int edge, const Layout *places, Places *out, Places *tail,
               Places *head);

#endif
