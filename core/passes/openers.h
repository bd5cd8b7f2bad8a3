/* What takes steps apart, for the rows of the rules whose steps they are. */
#ifndef GRADUS_OPENERS_H
#define GRADUS_OPENERS_H

#include "rewrite/open.h"

/* The loops whose results a step replaced: x first. false: there are not two. */
bool step_two_loops(const Step *s, Node **x, Node **y); /* loops/join.c */

/* Is a child step of an expanded derivative called that: "d tanh"? (derivative_steps.c) */
bool is_derivative_step(const char *name);

extern const Opener open_derivative; /* derivative_steps.c */
extern const Opener open_vmap;       /* vmap_steps.c */
extern const Opener open_lower;      /* loops/lower.c */
extern const Opener open_batch_dots; /* loops/batch_dots.c */
extern const Opener open_same;       /* loops/same.c */
extern const Opener open_join;       /* loops/join.c */
extern const Opener open_fuse;       /* fuse.c */
extern const Opener open_simplify;   /* simplify.c */

#endif
