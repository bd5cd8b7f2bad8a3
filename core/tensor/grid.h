/* A table of values that fits its width: columns stand beside each other as far as they fit, the
 * others below them, or rows and columns change places where that takes fewer lines; arrays are
 * shortened where it helps. Numbers of one quantity that stand below each other are aligned by
 * their decimal points.
 *
 * Invariant: no line is longer than the width, and whatever is left out of a cell leaves "…". */
#ifndef GRADUS_GRID_H
#define GRADUS_GRID_H

#include "tensor/tensor.h"

typedef struct {
    int width, digits;
    char *corner;               /* what the labels of the rows are */
    VEC(char *) columns, rows;  /* labels */
    VEC(const Tensor *) values; /* row by row; NULL: an empty cell; borrowed */
    bool across;                /* a row is of one quantity, else a column is */
    int marked;                 /* the row that has a mark behind it, or -1 */
    const char *mark;
} Grid;

void grid_begin(Grid *g, const char *corner, int width, int digits);
void grid_column(Grid *g, const char *label);
void grid_row(Grid *g, const char *label);
void grid_value(Grid *g, const Tensor *value); /* the next one of the last row */
/* Writes it (nothing if it has no columns) and frees it; true if values are shown in part. */
bool grid_print(Grid *g, Text *out);
/* A line of text below a table, folded at blanks. */
void grid_note(Text *out, const char *text, int width);
/* "label = value", shortened where that makes it fit. */
void grid_value_line(Text *out, const char *label, const Tensor *value, int width, int digits);

#endif
