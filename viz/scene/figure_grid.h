/* Loops as cells, each with arrows from those that it is computed from.
 *
 * A scan in a scan, whose trace is the outer one's next row, is a grid: cell (i, j) is value j of
 * row i, as in the table of an edit distance. A scan that multiplies its vector by a matrix is a
 * trellis, as in Bishop, "Pattern Recognition and Machine Learning", figure 13.7: a column of
 * states for each step, and a line between each two of neighbouring columns.
 *
 * A scene of style STYLE_FIGURE whose nodes have rows and columns; ends are initial values, and
 * dots what is left out. */
#ifndef GRADUS_FIGURE_GRID_H
#define GRADUS_FIGURE_GRID_H

#include "graph/store.h"
#include "viz/scene/scene.h"

enum { FIGURE_GRID_MOST = 12 }; /* rows, and columns: more are not told apart on a page */

/* The first loop of the roots that can be drawn so: of a grid so many rows and columns, of a
 * trellis so many columns, each up to FIGURE_GRID_MOST; NULL: none can. */
Scene *figure_of_grid(Store *st, int nroots, Node *const *roots, const char *title, int rows,
                      int columns);

#endif
