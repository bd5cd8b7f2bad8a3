/* The equations of a loop's body, one a line, with the values of a step put in.
 *
 * Invariant: a line is of a value that has a name, that the loop gives, or that stops it; what such
 * a line is made of stands in it by its name. */
#ifndef GRADUS_PLAY_BODY_H
#define GRADUS_PLAY_BODY_H

#include "repl/commands/play_reel.h"

typedef struct {
    Node *of;      /* of the body */
    Symbol name;   /* "h[t]" */
    char *formula; /* what it is made of stands in it as PLACE_OPEN number PLACE_CLOSE */
    bool kept;     /* a state, or a row of a trace */
    bool inside;   /* the value is computed by a loop inside */
} PlayLine;

typedef struct {
    Reel *r;
    i64 offset;        /* t of row 0 */
    NodeVec places;    /* by number: what stands there */
    VEC(Symbol) names; /* the same */
    VEC(PlayLine) lines;
    VEC(int) states;         /* those that have an equation of their own */
    VEC(Symbol) state_names; /* of these, after the step */
    int digits;
} PlayBody;

/* After reel_open; asks the reel for what it shows. Texts live in the call's arena. */
void play_body_open(PlayBody *b, Reel *r);
void play_body_free(PlayBody *b);

/* "h[3]": a name in the row of the step that is there; what a state begins with is in row -1. */
Symbol play_name(const PlayBody *b, Symbol name);
/* What the index of the loop is at that step. */
i64 play_index(const PlayBody *b, i64 step);
typedef enum { PLAY_NAMES, PLAY_VALUES } PlayFill;
/* The formula of a line with names in their rows, or with the values that are short. */
void play_formula(const PlayBody *b, const PlayLine *l, PlayFill fill, Text *out);
/* The parts of a formula: words, and places (place >= 0) where a value goes; `alone`: a negative
 * one without parentheses. Begin with `at` at the formula; false at its end. */
typedef struct {
    const char *at, *text;
    size_t len;
    int place;
    bool alone;
} PlayPart;
bool play_next_part(const PlayLine *l, PlayPart *p);
/* Is it put into formulas? */
bool play_is_short(const Tensor *t);
/* The value of a line in short, of a long one with bars for its numbers. */
void play_value(const PlayBody *b, const Tensor *t, Text *out);
/* The node over the reel's leaves that a name of the body ("h[t]", or "h") stands for; NULL. */
Node *play_named(const PlayBody *b, const char *name, size_t n);

#endif
