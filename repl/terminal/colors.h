/* Colours of program text: while it is typed, and where it is shown.
 *
 * Invariant: bytes are never changed; what is neither a token nor a blank is a comment. */
#ifndef GRADUS_COLORS_H
#define GRADUS_COLORS_H

#include "base/base.h"

/* For the line editor (line.h): of each byte of the entry its place in entry_colors. */
void colors_of_entry(const char *entry, unsigned char *colors, void *ctx);
/* Appends a text of the language, or of graphs as numbered lines; where it is coloured also types,
 * operators, and the names of functions that are called. */
void put_colored(Text *out, const char *text, bool colored);

#endif
