/* What commands share that work on the derivation by hand (session/by_hand.h). */
#ifndef GRADUS_DERIVATION_BY_HAND_H
#define GRADUS_DERIVATION_BY_HAND_H

#include "repl/commands/commands.h"
#include "session/by_hand.h"

/* The one that is under way; NULL after a diagnostic. */
struct ByHand *call_by_hand(Call *c);
/* The steps that led to its present state, with numbers for all nodes: what was listed last. */
Exploration *call_hand_steps(Call *c);
/* Its present state as an expression, with loops and what is shared as definitions: in the text,
 * and as "goal" in the data. */
void put_goal(Call *c);
/* The derivation as statements that make it again and check what comes of it; how many moves in
 * *moves. False after a diagnostic. */
bool put_hand_script(Call *c, Text *out, u32 *moves);
/* Sixteen digits of the structure of a graph, the same on every run. */
void put_digest(Text *out, int n, Node *const *roots);
/* Do the words of an expression, read now, mean these roots? Says nothing if they do not. */
bool call_means(Call *c, const char *text, int n, Node *const *roots);

#endif
