/* Two graphs that a command is about: `A, B`.
 *
 * Each is an expression, as written or with pass=NAME or step=K as it is then; "F.gr" and an
 * expression of that file; or "last", what was explored before. Keys behind the second are its own
 * if they are pass= or step=; the others are the command's.
 *
 * Invariant: what a file defines is gone when its side has been read. */
#ifndef GRADUS_SIDES_H
#define GRADUS_SIDES_H

#include "analysis/graph_diff.h"
#include "repl/commands/commands.h"

typedef struct {
    int n;
    Node **roots;
    struct Provenance *provenance; /* which knows its names */
    const char *text;              /* as it was typed, without keys */
} GraphSide;

typedef struct {
    GraphSide of[2];
    GraphDiff diff;
    Exploration *x; /* one step from the first to the second */
} Sides;

/* Is it about two graphs? */
bool call_has_sides(const Call *c);
/* Reads them and compares them. False after a diagnostic; to be freed in any case. */
bool sides_compare(Call *c, Sides *s);
/* From here on names are those of one side (-1: of both). */
void sides_see(Sides *s, int side);
/* Puts the step into x, for those who show one. False after a diagnostic. */
bool sides_step(Call *c, Sides *s);
void sides_free(Sides *s);

#endif
