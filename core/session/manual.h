/* The texts of the manual that are compiled in: what stands in language.md about a
 * subject, the examples of examples.gr, for functions, and of commands.gr, for commands.
 *
 * Invariant: both are read where they lie; nothing is copied. */
#ifndef GRADUS_MANUAL_H
#define GRADUS_MANUAL_H

#include "base/base.h"

/* language.md as it is, with its directives. */
const char *manual_text(void);

/* A piece of an embedded text, without a NUL. */
typedef struct {
    const char *at;
    size_t len;
} Words;

/* A section of examples.gr or commands.gr: "## NAME", "# see: NAMES", and the program below them.
 */
typedef struct {
    Words name, see, program;
} ManualExample;

/* A section of language.md that has a line "<!-- help: NAMES -->": from its heading to
 * the next one. */
typedef struct {
    Words names, title, body;
} ManualTopic;

/* The next section from *at on (start with 0); false at the end. */
bool manual_next_example(size_t *at, ManualExample *out);
bool manual_next_command(size_t *at, ManualExample *out);
bool manual_next_topic(size_t *at, ManualTopic *out);
/* The section of a name; false if there is none. */
bool manual_example(const char *name, ManualExample *out);
bool manual_command(const char *name, ManualExample *out);
bool manual_topic(const char *name, ManualTopic *out);
/* The next blank-separated word of `list`, which it is taken away from; false at the end. */
bool words_next(Words *list, Words *word);

#endif
