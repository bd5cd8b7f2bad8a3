/* The session as text that builds it again when it is read (`:save`).
 *
 * Invariant: what is written is read back as the same, whatever its names mean by then: what an
 * older meaning of a name gave is written without that name. */
#ifndef GRADUS_SAVE_H
#define GRADUS_SAVE_H

#include "session/session.h"

/* Its contexts, definitions and declarations, these with the values that they have; how many. */
size_t session_print(Session *s, Text *out);
/* What an input or shared variable has as its value; NULL: nothing. */
const Tensor *session_value_held(Session *s, const Leaf *leaf);

/* ---- the derivation by hand (hand_script.c) ---- */

/* As statements that make it again, with all its branches, and check what comes of it; how many
 * moves in *moves. false: names that it began with mean something else now. */
bool hand_print(Session *s, Text *out, u32 *moves);
/* Sixteen digits of the structure of a graph, the same on every run. */
void hand_digest(Text *out, int n, Node *const *roots);
/* Rules of one's own, as lines of a .rules file. Returns how many there are. */
size_t rules_save(const RuleSet *rs, Text *out);
/* What was switched of passes, rules and classes, as `:set` lines. */
void options_save(const RuleSet *rs, const Options *o, Text *out);

#endif
