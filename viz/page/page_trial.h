/* A group on trial; shared by what finds groups (page_repeat.c) and what numbers their turns
 * (page_turns.c), nobody else includes this. */
#ifndef GRADUS_PAGE_TRIAL_H
#define GRADUS_PAGE_TRIAL_H

#include "viz/page/page_repeat.h"

/* A neighbour of a cell. */
typedef struct {
    int cell;
    u32 kind;
    bool in;
} Tie;

typedef struct {
    int role, turn; /* role -1: none */
} Seat;

typedef struct {
    const Union *u;
    int box;
    int n;                     /* cells, from 0 */
    int *node_cell, *box_cell; /* of each slot, also of those deeper inside; -1: elsewhere */
    int *slot;                 /* of a cell: of a node, or, negative, of a box */
    u64 *looks, *colour;
    int *depth;
    int *start;
    Tie *ties;
    bool *taken; /* by a group found before */
} Field;

typedef struct {
    const Field *f;
    int turns;        /* with the margins */
    VEC(int *) roles; /* by turn: a cell or -1 */
    Seat *seat;       /* by cell */
    int *stamp, stamps;
    int covered;
} Trial;

/* The turn of a role's cell that is nearest to the middle, from below. */
int trial_middle(const Trial *t, int role);

/* ---- page_turns.c ---- */
/* What the trial covers becomes a group, and is taken. */
void group_put(Field *f, const Trial *t, Repeats *out);

#endif
