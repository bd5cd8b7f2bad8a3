/* The KEY=VALUE of :draw: one table (draw_options.def) for completion, help and checks, and those
 * of them that tell how a drawing looks. */
#ifndef GRADUS_DRAW_OPTIONS_H
#define GRADUS_DRAW_OPTIONS_H

#include "repl/commands/commands.h"
#include "viz/scene/scene.h"

extern const char draw_keys[]; /* blank-separated */
extern const char draw_help[]; /* a row each */

/* The words that a key takes, blank-separated; "" if it takes others, or is no key of :draw. */
const char *draw_words(const char *key);
/* Which of its words the key has, counted from 0; *out stays if it is not given. False after a
 * diagnostic. */
bool draw_choice(Call *c, const char *key, int *out);
/* False after a diagnostic about a key that this format has no use for. */
bool draw_check_format(Call *c, const char *format);
/* How the scene is to look, as the keys say. False after a diagnostic. */
bool draw_looks(Call *c, Scene *s);
/* The nodes that highlight= names, as they are in the state with these roots; false after a
 * diagnostic. */
bool draw_lit_nodes(Call *c, Exploration *x, Node *const *roots, PtrMap *lit);
/* Was one of each found, so that it has no value in `lit` any more? false after a diagnostic. */
bool draw_found_lit(Call *c, Exploration *x, Node *const *roots, const PtrMap *lit);

#endif
