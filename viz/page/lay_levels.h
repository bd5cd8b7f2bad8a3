/* Boxes as levels of grids, and the ways of edges through them; shared by lay.c and lay_route.c. */
#ifndef GRADUS_PAGE_LAY_LEVELS_H
#define GRADUS_PAGE_LAY_LEVELS_H

#include "viz/page/lay_grid.h"

enum { TIP = 9 };

typedef enum { PORT_OUT, PORT_IN, PORT_TAIL, PORT_HEAD } PortKind;

/* An end of an edge: a box if that is not 0, else a node. */
typedef struct {
    int node, box;
    int result, room, edge; /* which edge, and as it says of leaving a box */
} End;

/* A way back through a lane at the side, along a track below the grid and one above it. */
typedef struct {
    int tail, head; /* ports */
    bool left;      /* the side */
    int lane;       /* on its side, from the inside */
    int track;      /* of both sides, from the inside: those of the right one come first */
    double order;
} Loop;

/* A port that says which result of a box it is. */
typedef struct {
    int cell, edge;
} PortName;

typedef struct {
    Grid grid;
    VEC(Loop) loops;
    VEC(PortName) names;
    int title;        /* the cell that keeps room for it on the border, or -1 */
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
    const LayMetric *metric;
    Level *levels; /* 0: outermost, then by box */
    Route *routes;
    int *node_cell, *box_cell;
    MAP(u64, int) ports;
    i64 crossings;
} Levels;

/* Lays all boxes out: places are in the levels. */
void levels_lay(Levels *v, const LayGraph *g);
void levels_free(Levels *v);
/* The same as rectangles. */
void levels_put(Levels *v, Layout *out);

/* The points of an edge, when all places are known; what is in the folds where it starts and ends,
 * apart. */
void route_put(const Levels *v, int edge, const Layout *places, Places *out, Places *tail,
               Places *head);

#endif
