/* What figure_stack.c, figure_lanes.c and figure_rungs.c share; nobody else includes this.
 *
 * Pieces are the formulas and frames of the outermost level, each in a row of its own. A line
 * between two of them is a rung, straight down from frame to frame, or goes over lanes at the
 * sides. */
#ifndef GRADUS_FIGURE_PIECES_H
#define GRADUS_FIGURE_PIECES_H

#include "viz/draw/figure.h"

typedef struct {
    int node, box; /* one of them */
    int row;
} Piece;

typedef struct {
    Figure *f;
    const Scene *s;
    VEC(Piece) pieces;
    double *top; /* of rows */
    int nrows;
    double left, right; /* where rows begin and end */
    double edge[2];     /* where the next lane is, left and right */
    double lacking;     /* width that the rungs have too little */
} Stack;

/* The outermost box around a box. */
int stack_box(const Scene *s, int box);
Piece *stack_end(Stack *t, const SceneEdge *e, bool to);

/* ---- figure_lanes.c ---- */
/* Should it stand at the left? Its lines lead only there. */
bool stack_is_left(Stack *t, const Piece *p);
/* How much of the room above a frame, from the right, lanes that come down there take. */
double stack_taken(Stack *t, int box);
/* Is it one straight line, from a formula down to the next? */
bool stack_goes_down(Stack *t, const SceneEdge *e);
void stack_lanes(Stack *t);

/* ---- figure_rungs.c ---- */
bool stack_is_rung(Stack *t, const SceneEdge *e);
/* How much room the words at rungs need above this row. */
double stack_rung_height(Stack *t, int row);
void stack_rungs(Stack *t);

#endif
