/* Which call of a function a node comes from, after the function's body has taken the call's place:
 * what the rule inline-call put there, and what other rules made of that. */
#ifndef GRADUS_CALLED_H
#define GRADUS_CALLED_H

#include "rewrite/things.h"

typedef VEC(const Occurrence *) Calls;

/* Adds the calls, as they were, each inside the one before. */
void called_from(const Things *t, const Occurrence *o, Calls *out);

#endif
