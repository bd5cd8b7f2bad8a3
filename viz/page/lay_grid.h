/* The cells of one box, in rows; shared by the parts of the layout, nobody else includes this. */
#ifndef GRADUS_PAGE_LAY_GRID_H
#define GRADUS_PAGE_LAY_GRID_H

#include "viz/page/lay.h"

typedef enum {
    PIN_NONE,
    PIN_TOP,    /* above all: where edges come in */
    PIN_HEAD,   /* first row */
    PIN_FOOT,   /* last row, if nothing but ways out is below */
    PIN_BOTTOM, /* below all: where edges go out */
} Pin;

typedef struct {
    int w, h;
    Pin pin;
    bool bend;                                /* no more than the place of an edge */
    enum { IN_ROW, ASIDE, BELOW_ASIDE } side; /* at the right side, in no row; or below what is */
    int row, at;
    int wish;     /* where its middle would best be; 0: anywhere */
    int wish_y;   /* and where that was from above */
    bool led;     /* a port, and `outer` says where the other end of its way stands outside */
    double outer; /* in the measure of x */
    double x;     /* of its middle */
    int y;        /* of its top */
} Cell;

/* An edge between cells. `turned`: it leads upwards, so it is seen the other way round. */
typedef struct {
    int from, to;           /* cells */
    int from_port, to_port; /* where they are boxes: the cell inside from which it comes, else -1 */
    double from_dx, to_dx;  /* where on them, from the middle */
    int weight;
    bool turned, flat; /* flat: both ends in one row */
    int bend, bends;   /* the cells between, from above to below */
    const Places *was; /* as of an edge */
} Link;

/* A part of a link between two rows that are next to each other. */
typedef struct {
    int up, down; /* cells */
    int link;
    int weight;
    double up_off, down_off; /* where it is fixed, in widths of its cells: while rows are ordered */
    int track; /* of square ways: so many lines below the upper row it runs to the side */
} Piece;

typedef VEC(int) IntVec;

/* Distances: between neighbours, rows, and of what is inside from the border of its box. */
typedef struct {
    int node_gap, bend_gap, mixed_gap, port_gap;
    int pad_x, pad_y, tab, lane_x, lane_y, margin;
} LayMetric;

typedef struct {
    const LayMetric *metric;
    bool square; /* edges run only upright and level; a cell has a letter in its middle */
    bool quick;  /* the order that is wished for is nearly the best */
    bool stands; /* x of the cells is where they are wished to be */
    VEC(Cell) cells;
    VEC(Link) links;
    VEC(Piece) pieces;
    int rows;
    IntVec *row; /* the cells of each */
    /* the pieces that lead to each cell from above, and away from it: a[start[c]] .. a[start[c +
     * 1]] */
    int *ups, *up_start, *downs, *down_start;
    int *row_y, *row_h;
    int width, height;
} Grid;

/* The ends of a link as seen from above. */
static inline int link_up(const Link *l) { return l->turned ? l->to : l->from; }
static inline int link_down(const Link *l) { return l->turned ? l->from : l->to; }
static inline double link_up_dx(const Link *l) { return l->turned ? l->to_dx : l->from_dx; }
static inline double link_down_dx(const Link *l) { return l->turned ? l->from_dx : l->to_dx; }

/* Does it lead to or from the side? Then it is a plain bow. */
static inline bool is_side(const Grid *g, const Link *l)
{
    return g->cells.at[l->from].side || g->cells.at[l->to].side;
}

/* Where a piece is fixed to its cells. */
double piece_up_dx(const Grid *g, const Piece *p);
double piece_down_dx(const Grid *g, const Piece *p);

void grid_rank(Grid *g);     /* rows, bends, pieces */
void grid_order(Grid *g);    /* the order in each row; edges come in side by side */
void grid_place(Grid *g);    /* coordinates, from 0; the size */
i64 grid_crossings(Grid *g); /* of the rows, and of the ways of ports outside */
void grid_free(Grid *g);

/* ---- square ways (lay_square.c) ---- */

/* Where edges enter and leave cells, so that they are straight where they can be. */
void grid_enter(Grid *g);
/* Gives the pieces below a row their tracks; how many there are. */
int grid_tracks(Grid *g, int r);
/* The columns at which a piece leaves its upper and enters its lower cell. */
static inline int piece_x1(const Grid *g, const Piece *p)
{
    return (int)(g->cells.at[p->up].x + piece_up_dx(g, p));
}
static inline int piece_x2(const Grid *g, const Piece *p)
{
    return (int)(g->cells.at[p->down].x + piece_down_dx(g, p));
}

#endif
