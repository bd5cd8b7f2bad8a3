/* The KEY=VALUE of :draw: one table (draw_options.def) for completion, help and checks, and those
 * of them that tell how a drawing looks. */
#ifndef GRADUS_DRAW_OPTIONS_H
#define GRADUS_DRAW_OPTIONS_H

#include "repl/commands/commands.h"
#include "viz/scene/scene.h"

extern const char draw_declared[]; /* what it takes (arguments.h) */
extern const char draw_help[];     /* a row each */

/* False after a diagnostic about a key that this format has no use for. */
bool draw_check_format(Call *c, const char *format);
/* In tests, an error for each thing that a scene of these roots does not tell (scene_check.h). It
 * is whole: nothing is closed, nothing cut; and it tells more than how cells depend on cells. */
void draw_check_scene(Call *c, const Scene *s, int n, Node *const *roots);
/* Fills the nodes of a scene of these roots by numbers, as color= says; false after a diagnostic.
 */
bool draw_colors(Call *c, Numbering *num, int n, Node *const *roots, Scene *s);
/* How the scene is to look, as the keys say. False after a diagnostic. */
bool draw_looks(Call *c, Scene *s);
/* The nodes that highlight= names, as they are in the state with these roots; false after a
 * diagnostic. */
bool draw_lit_nodes(Call *c, Exploration *x, Node *const *roots, NodeSet *lit);
/* Was one of each found, so that it is false in `lit`? false after a diagnostic. */
bool draw_found_lit(Call *c, Exploration *x, Node *const *roots, const NodeSet *lit);

/* Reverse mode over the expression as it is written, as a figure (draw_reverse.c); NULL after a
 * diagnostic. */
Scene *draw_reverse(Call *c, const Exploration *x, const char *title, bool values);
/* The cells of its first loop that has some, as many as unroll= says (draw_grid.c); NULL after a
 * diagnostic. */
Scene *draw_grid(Call *c, const Exploration *x, const char *title);

#endif
