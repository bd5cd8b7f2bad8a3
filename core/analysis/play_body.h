/* The equations of a loop's body, one a line, with the values of a step put in.
 *
 * Invariant: a line is of a value that has a name, that the loop gives, or that stops it; what such
 * a line is made of stands in it by its name. */
#ifndef GRADUS_PLAY_BODY_H
#define GRADUS_PLAY_BODY_H

#include "analysis/loop_probe.h"

/* A part of a formula: words, or a place (place >= 0) where a value goes; `alone`: a negative one
 * without parentheses. */
typedef struct {
    const char *text;
    int place;
    bool alone;
} PlayPart;
typedef VEC(PlayPart) PlayParts;

typedef struct {
    Node *of;          /* of the body */
    Symbol name;       /* "h[t]" */
    PlayParts formula; /* places for what it is made of */
    bool kept;         /* a state, or a row of a trace */
    bool inside;       /* the value is computed by a loop inside */
} PlayLine;

typedef struct {
    LoopProbe *r;
    Arena *arena;
    i64 offset;        /* t of row 0 */
    NodeVec places;    /* by number: what stands there */
    VEC(Symbol) names; /* the same */
    VEC(PlayLine) lines;
    VEC(int) states;         /* those that have an equation of their own */
    VEC(Symbol) state_names; /* of these, after the step */
    int digits;
} PlayBody;

/* After loop_probe_open; asks the probe for what it shows. Texts live in the arena; digits of
 * numbers at most, 0: as many as values have in short. */
void play_body_open(PlayBody *b, LoopProbe *r, Arena *arena, int digits);
void play_body_free(PlayBody *b);

/* "h[3]": a name in the row of the step that is there; what a state begins with is in row -1. */
Symbol play_name(const PlayBody *b, Symbol name);
/* What the index of the loop is at that step. */
i64 play_index(const PlayBody *b, i64 step);
typedef enum { PLAY_NAMES, PLAY_VALUES } PlayFill;
/* The formula of a line with names in their rows, or with the values that are short. */
void play_formula(const PlayBody *b, const PlayLine *l, PlayFill fill, Text *out);
/* Is it put into formulas? */
bool play_is_short(const Tensor *t);
/* The formula of n, over `inputs`: places by their order there. Texts live in the arena. */
void play_parts(Store *st, Arena *arena, Node *n, const NodeSet *inputs, PlayParts *out);
/* A value in short, of a long one with bars for its numbers. */
void play_put_value(const Tensor *t, int digits, Text *out);
/* The value of a line so. */
void play_value(const PlayBody *b, const Tensor *t, Text *out);
/* The node over the probe's leaves that a name of the body ("h[t]", or "h") stands for; NULL. */
Node *play_named(const PlayBody *b, const char *name, size_t n);

#endif
