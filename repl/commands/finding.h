/* Patterns in commands: that of :find, and that of find= in :draw and :explore. */
#ifndef GRADUS_FINDING_H
#define GRADUS_FINDING_H

#include "repl/commands/commands.h"
#include "rewrite/find.h"
#include "viz/page/page_build.h"

/* That of an option which is given. The same holds. */
bool option_query(Call *c, const char *key, PatternQuery *q);

/* What find= matches, over all states of an exploration. */
typedef struct {
    const char *pattern; /* NULL: it is not given */
    VEC(PageFound) at;
} FoundNodes;
/* False after a diagnostic; out->at is to be freed. */
bool found_in_states(Call *c, Exploration *x, FoundNodes *out);

/* What it matches in one state with these roots: numbers, and the nodes themselves. Added to what
 * is there; nothing if it is not given. False after a diagnostic. */
typedef struct {
    VEC(i64) numbers;
    NodeSet nodes;
} FoundHere;
bool found_in_state(Call *c, Exploration *x, Node *const *roots, FoundHere *out);
void found_here_free(FoundHere *f);

#endif
