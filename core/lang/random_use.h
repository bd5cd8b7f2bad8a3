/* Notes about a generator's state that is used twice. */
#ifndef GRADUS_RANDOM_USE_H
#define GRADUS_RANDOM_USE_H

#include "lang/elab.h"

typedef SET(u64) StateSet; /* hashes of states of generators */

/* Adds a note to st->diags for each state from which two parts of the roots draw, or every step of
 * a loop; `reported` keeps the states it has told of. */
void random_use_check(Store *st, StateSet *reported, int n, Node *const *roots);
/* The values of a draw and the next state as a tuple; a note if this draw was written before. */
Value *value_drawn(Elab *e, Args *a, Node *draw);
/* The same, the draw in the dtype that argument i asks for. */
Value *value_drawn_as(Elab *e, Args *a, int i, Node *draw);

#endif
