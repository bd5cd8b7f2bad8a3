/* A place among the steps of an expression, and moving from it to others.
 *
 * Invariant: a cursor is a stack: the steps of the expression at the bottom, those of inner graphs
 * that were entered above. It owns nothing; what it refers to lives as long as the exploration. */
#ifndef GRADUS_STEP_CURSOR_H
#define GRADUS_STEP_CURSOR_H

#include "rewrite/exploration.h"

typedef struct {
    const StepLog *log;
    int n;
    Node *const *start;
    u32 at;             /* steps done */
    const Graph *graph; /* whose steps these are; NULL: the expression's */
} StepLevel;

typedef struct {
    Exploration *x;
    StepLevel levels[PLACE_DEPTH];
    int depth; /* index of the innermost */
} StepCursor;

/* At the start. */
StepCursor cursor_at_start(Exploration *x);
StepLevel *cursor_level(StepCursor *c);
const Step *cursor_step(StepCursor *c); /* that was done last; NULL: none at this level */
void cursor_place(const StepCursor *c, Place *out);

/* One step on or back at this level; false: there is none. */
bool cursor_next(StepCursor *c);
bool cursor_back(StepCursor *c);
/* Into the steps of the present step, to the state before the first of them; false: it has none. */
bool cursor_in(StepCursor *c);
bool cursor_out(StepCursor *c); /* false: this is the outermost graph */
/* To "9.1"; false: there is no such place, stays anywhere. */
bool cursor_goto(StepCursor *c, const Place *p);
/* On to the next step of a rule, into inner graphs and out of them; false: stays where it is. */
bool cursor_until(StepCursor *c, const char *rule);
/* On to the next step whose rule, reason or change, in lines of this width, has this text in it,
 * from the start again after the last one; false: there is none, stays where it is. */
bool cursor_find(StepCursor *c, const char *text, int width);

/* Where a cursor has been; to be freed with vec_free. */
typedef struct {
    VEC(Place) of;
    size_t at; /* the present one */
} StepTrail;
/* Notes the present place; what was ahead is forgotten. */
void trail_note(StepTrail *t, const StepCursor *c);
/* Back along it, or forward again; false: there is nothing. */
bool trail_move(StepTrail *t, StepCursor *c, bool back);

#endif
