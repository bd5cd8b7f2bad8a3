/* Temporaries: open variables whose numbers are used again, and until when a name over them counts.
 *
 * Invariant: a name that was given to an expression over temporaries is that of something else once
 * one of these is made anew. A node does not tell which temporaries it reaches; that is found when
 * a name over them is asked for, and kept until the next collection. */
#ifndef GRADUS_TEMPS_H
#define GRADUS_TEMPS_H

#include "graph/store.h"

/* Does it reach a temporary: is it of a body that is being built? */
bool node_over_temps(Store *st, const Node *n);
/* For the name of a node that is given now. */
u32 temps_now(const Store *st);
/* Is what was named then still the same? */
bool temps_last(Store *st, const Node *n, u32 since);

void temps_forget(Store *st); /* nodes are about to be freed */
void temps_free(Store *st);

#endif
