/* Where things stand: a layered layout of our own, quick enough to be made for every page.
 *
 * A box is laid out alone, then stands in the box around it as one cell. In a box the cells stand
 * in rows, values above what uses them; an edge over several rows holds a place in each of them.
 * Next states lead back to states through lanes at both sides of their box.
 *
 *   lay.c        boxes one in another, and edges that cross their borders
 *   lay_rank.c   rows of cells
 *   lay_order.c  the order within rows: few crossings
 *   lay_place.c  coordinates: straight edges
 *   lay_square.c edges that run only upright and level, in letters of a terminal
 *   lay_route.c  edges as curves
 *   lay_sizes.c  a union of states as such a graph
 *
 * Invariant: work is bounded by counts, never by time: the same graph has the same layout. */
#ifndef GRADUS_PAGE_LAY_H
#define GRADUS_PAGE_LAY_H

#include "base/base.h"

typedef struct {
    int box; /* the box it stands in; 0: outermost */
    int w, h;
    bool head;  /* stands in the first row of its box */
    int wish;   /* where its middle would best be from the left, from 1; 0: anywhere */
    int wish_y; /* where it was from above, from 1; 0: not known */
} LayNode;

typedef struct {
    int box;
    int w, h;         /* at least; h > 0: nothing is drawn inside */
    int title;        /* in letters: the room for a title on its upper border */
    bool side;        /* stands at the side, with what is tied to nothing else */
    bool fold;        /* edges that cross its border are cut there; none stands in another */
    int wish, wish_y; /* as of a node */
} LayBox;

typedef enum {
    LAY_FLOW,  /* from above to below */
    LAY_BACK,  /* through a lane of the box, back to the first row */
    LAY_LOOSE, /* has no influence on places */
} LayKind;

typedef VEC(int) Places; /* of a node or box: x, y, w, h; of an edge: points; none: not drawn */

typedef struct {
    int from, to;         /* nodes, from 1 */
    int from_box, to_box; /* not 0: that end is this box */
    int weight;           /* how much it wants to be short and straight */
    LayKind kind;
    int result, room;  /* leaves a box with others of the same result only; the width of that place
                          at the border */
    const Places *was; /* its points in a layout of nearly the same graph; NULL: not known */
} LayEdge;

/* A box comes before what stands in it. */
typedef struct {
    VEC(LayNode) nodes;
    VEC(LayBox) boxes;
    VEC(LayEdge) edges;
    bool letters; /* sizes are letters of a terminal, widths of nodes odd: see lay_levels.h */
    bool quick;   /* the wishes come from the layout of nearly the same graph: little is tried */
} LayGraph;

typedef VEC(Places) PlacesList;
typedef struct {
    int width, height;
    i64 crossings;
    PlacesList nodes, boxes, edges;
    PlacesList tails, heads; /* of edges that leave and enter folds: their parts inside these */
} Layout;

/* Points of an edge: a start, three for each curve, and the tip of the arrow; or start, end, tip.
 */
void lay_out(const LayGraph *g, Layout *out);
bool lay_is_large(const LayGraph *g); /* it is laid out only once, not in several ways */
void lay_graph_free(LayGraph *g);
void layout_free(Layout *l);

#endif
