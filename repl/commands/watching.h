/* What the two tables of :watch share: the one of what a loop does, and the one of the way back of
 * a gradient. */
#ifndef GRADUS_WATCHING_H
#define GRADUS_WATCHING_H

#include "repl/commands/looking.h"

/* The columns: states that a step computes (taps further back are earlier rows of them), then
 * traces that are no states. */
typedef struct {
    VEC(int) states, outs;
} Columns;

/* "h[t]" of the state that the body knows as h[t-1]. */
char *watched_state(Looking *l, int state);
/* The labels of the columns, into the table and as a list into the data. */
void watched_heading(Looking *l, Grid *g, const char *prefix, const Columns *c, bool stop);
/* A row: of the i-th step written out, or (-1) of what was there before the first step. */
void watched_row(Looking *l, Grid *g, int i, Tensor **at);
/* The values of those of `cells` that are nodes; to be released. false after a diagnostic. */
bool watched_values(Looking *l, const NodeVec *cells, Tensor ***at);

/* ---- the way back (way_back.c) ---- */

/* What `grad=` gives, a tensor of reals; NULL after a diagnostic. */
Node *watched_variable(Looking *l);
/* The table of what the value changes by, and the gradient. false after a diagnostic. */
bool watched_way_back(Looking *l, const Columns *all, Node *x);

#endif
