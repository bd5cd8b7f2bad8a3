/* What was written otherwise once: commands and options that have other names now, and how what was
 * typed is typed today. One table (renamed.def). */
#ifndef GRADUS_RENAMED_H
#define GRADUS_RENAMED_H

#include "base/base.h"

/* The line to type instead of ":word rest", in the arena; NULL: there was no command that `word`
 * names or, if it is the only one, begins. `name` gets its whole name. "": nothing need be typed.
 */
char *renamed_command(Arena *arena, const char *word, const char *rest, const char **name);
/* The same of a command that there is, if one of its options was written otherwise; else NULL. */
char *renamed_options(Arena *arena, const char *name, const char *rest);

#endif
