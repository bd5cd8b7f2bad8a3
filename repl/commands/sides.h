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
    bool names; /* inputs of other names are others */
    GraphDiff diff;
    Exploration *x; /* one step from the first to the second */
} Sides;

/* The text of one side. */
typedef struct {
    Span span;                 /* without keys; inside the call's `rest` */
    const Option *pass, *step; /* NULL: not given */
    bool inlined;              /* as written, but for calls of functions */
} SideText;

/* Takes pass= and step= off the end of its span. False after a diagnostic. */
bool side_keys(Call *c, SideText *t);
/* How many of the steps lead to the state that its keys name; unchanged without one. False after a
 * diagnostic. */
bool side_state(Call *c, const Exploration *x, const SideText *t, u32 *k);
/* The graph that it is; out->roots is to be freed. False after a diagnostic. */
bool side_take(Call *c, const SideText *t, GraphSide *out);

/* Is it about two graphs? */
bool call_has_sides(const Call *c);
/* Reads them and compares them. False after a diagnostic; to be freed in any case. */
bool sides_compare(Call *c, Sides *s);
bool sides_compare_texts(Call *c, const SideText of[2], Sides *s);
/* What they differ in, as text and data (commands_diff.c). */
void sides_put(Call *c, Sides *s);
/* The first place in one line: "operand 2 of +: sin(x) against cos(x)". */
void sides_put_first(Call *c, Sides *s, Text *out);
/* From here on names are those of one side (-1: of both). */
void sides_see(Sides *s, int side);
/* Puts the step into x, for those who show one. False after a diagnostic. */
bool sides_step(Call *c, Sides *s);
void sides_free(Sides *s);

#endif
