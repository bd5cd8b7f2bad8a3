/* What figure_level.c, figure_order.c and figure_lines.c share; nobody else includes this.
 *
 * A level is what stands directly in one box. Its cells are nodes, boxes as wholes, and places that
 * the lines of nets pass through; each is in a column. A net is one value with all its readers. */
#ifndef GRADUS_FIGURE_CELLS_H
#define GRADUS_FIGURE_CELLS_H

#include "viz/draw/figure.h"

typedef VEC(int) IntVec;

typedef struct {
    int node, box; /* of the scene; both 0: a place that a net passes */
    int column;
    int group;                 /* cells of one group keep their heights to each other */
    double shift;              /* its middle, from the height of its group */
    bool low;                  /* stays last in its column */
    double x, y, w, h, weight; /* x: left, y: middle */
    double room;               /* part of w, at its right: for what its line carries */
} Cell;

typedef struct {
    int cell;
    int node; /* that the line ends at: the cell's, or an end in the cell's box; 0: at the border */
    int edge;
} Reader;

typedef struct {
    int node, line;  /* that it leaves, and of its lines of text the one; 0: the whole */
    int source;      /* cell */
    int first, last; /* columns that it stands in */
    IntVec places;   /* by column from first: the cell that it is at */
    VEC(Reader) readers;
    bool below; /* comes from below the frame */
} Net;

typedef struct {
    Figure *f;
    const Scene *s;
    int box;
    VEC(Cell) cells;
    VEC(Net) nets;
    int ncolumns;
    IntVec *columns; /* cells from top to bottom */
    double *x, *w;   /* of columns */
    double width, height;
    double least; /* width */
} LevelLayout;

/* ---- figure_order.c: order in columns, and heights ---- */
void level_order(LevelLayout *l);
void level_heights(LevelLayout *l);

/* ---- figure_lines.c ---- */
/* Sets the columns' places and draws the lines. */
void level_lines(LevelLayout *l);
/* How far below the middle of its cell a line leaves it. */
double level_leaving(const LevelLayout *l, const Net *n);
bool level_is_circle(const LevelLayout *l, const Cell *c);

#endif
