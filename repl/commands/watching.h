/* What the two tables of :trace share: the one of what a loop does, and the one of the way back of
 * a gradient. */
#ifndef GRADUS_WATCHING_H
#define GRADUS_WATCHING_H

#include "repl/commands/looking.h"

/* The labels of the columns, in the text with a prefix. */
void watched_heading(Cells *t, const char *prefix, const LoopValues *columns, bool stop);
/* A row: of the i-th step written out, or (-1) of what was there before the first step. */
void watched_row(Looking *l, Cells *t, int i, Tensor **at);

/* ---- the way back (way_back.c) ---- */

/* What `grad=` gives, a tensor of reals, by which one real number can be derived; NULL after a
 * diagnostic. */
Node *watched_variable(Looking *l);
/* The table of what the value changes by, and the gradient. false after a diagnostic. */
bool watched_way_back(Looking *l, const LoopValues *all, Node *x);

#endif
