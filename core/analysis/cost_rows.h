/* Rows of a program's cost: which of them matter, and where what they do was written. */
#ifndef GRADUS_COST_ROWS_H
#define GRADUS_COST_ROWS_H

#include "exec/cost.h"
#include "rewrite/exploration.h"

/* The program of an exploration's result. */
typedef struct {
    Exploration *x;
    const ProgramCost *cost;
    const Source *prelude; /* is no place of the author's */
} CostPlaces;

/* Where a node of a row (itself, or one of a fused group) was written, or what it was made of, or
 * what runs it; NULL: not known. */
const Span *cost_span(const CostPlaces *k, const CostRow *row, const Node *n);

enum { MOST_COST_ROWS = 24 };
/* The rows of the largest weight, the largest first, until they have nearly all of it. Returns how
 * many. */
u32 cost_order(const ProgramCost *cost, const double *weight, u32 *order);

#endif
