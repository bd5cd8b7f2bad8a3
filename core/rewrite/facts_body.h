/* Facts of the parameters of a body, from those of its owner's operands. */
#ifndef GRADUS_FACTS_BODY_H
#define GRADUS_FACTS_BODY_H

#include "rewrite/facts.h"

/* What `out`, of the graph the owner stands in, tells of the parameters of its body g, one for
 * each; in the arena. Of a state what holds at its start and what each step keeps. */
Fact *facts_given(Arena *a, Facts *out, const Node *owner, const Graph *g);
/* A table for that body, in which these are assumed; to be freed. */
void facts_enter(Facts *in, Store *st, const Facts *out, const Node *owner, const Graph *g,
                 const Fact *given);

#endif
