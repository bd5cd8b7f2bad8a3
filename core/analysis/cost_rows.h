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

/* "fused: 2 add, 1 mul": what a row computes. */
void cost_put_row(Text *out, Store *st, const CostRow *row);

enum { MOST_COST_ROWS = 24 };
/* The rows of the largest weight, the largest first, until they have nearly all of it. Returns how
 * many. */
u32 cost_order(const ProgramCost *cost, const double *weight, u32 *order);

/* What the rows weigh by line of the source, the heaviest first; to be freed with vec_free. */
typedef struct {
    const Source *src;
    int line;
    double weight;
} CostLine;
typedef VEC(CostLine) CostLines;
void cost_lines(const CostPlaces *k, const double *weight, CostLines *out);

#endif
