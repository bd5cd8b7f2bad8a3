/* What commands share that work on the derivation by hand (session/by_hand.h). */
#ifndef GRADUS_DERIVATION_BY_HAND_H
#define GRADUS_DERIVATION_BY_HAND_H

#include "repl/commands/commands.h"
#include "session/by_hand.h"

/* The steps that led to its present state, with numbers for all nodes: what was listed last. */
Exploration *call_hand_steps(Call *c);
/* Its present state as an expression, with loops and what is shared as definitions: in the text,
 * and as "goal" in the data. */
void put_goal(Call *c);
/* :expect without a claim: an error unless the derivation has led to that. */
bool expect_derivation(Call *c);

#endif
