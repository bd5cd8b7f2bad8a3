/* A loop as a film.  A film has a track for the loop, one for its way back if a gradient was asked
 * for, and one for each loop inside that was entered.  Code without a loop is a film of
 * backpropagation: a track with a step for each node, and one with a step for each edge.
 *
 * Invariant: a frame is a function of track and step alone; whoever shows it, terminal, text, page
 * or picture, shows the same numbers. */
#ifndef GRADUS_FILM_H
#define GRADUS_FILM_H

#include "analysis/backprop.h"
#include "analysis/play_body.h"
#include "base/pretty.h"

typedef struct {
    LoopProbe r;
    PlayBody b;
    const char *title; /* "scan h" */
    int digits;
    bool backward;            /* the way back of a gradient */
    i64 step;                 /* that is looked at */
    const Backprop *straight; /* NULL: a loop; else only r.steps is known of r, and nothing of b */
} PlayTrack;

/* Steps of a track that are shown, both ends included. */
typedef struct {
    i64 from, to;
    bool last; /* and the last one */
} PlaySteps;

typedef struct {
    Evaluator e;
    Arena *arena;           /* of titles and formulas */
    const char *expression; /* as it was typed */
    int digits;             /* of numbers, at most; 0: as many as values have in short */
    PlayTrack *tracks[2];   /* forward, and backward or NULL */
    Backprop straight;      /* what they show if there is no loop */
    int which;
    VEC(PlayTrack *) inner; /* loops inside that were entered, the innermost last */
} Film;

/* ---- tracks (film.c) ---- */

/* The track of a loop whose operands are nodes over leaves with `values` (NULL: those of the
 * session); NULL after a diagnostic. */
PlayTrack *track_open(Film *f, Node *scan, const TensorMap *values);
/* That of the way back, over a loop that goes through the steps of the first track's in reverse.
 * false after a diagnostic. */
bool film_add_way_back(Film *f, Node *back);
/* Code without a loop: what f->straight found, as tracks. */
void film_add_straight(Film *f);
void film_free(Film *f); /* what it owns: all but texts, which are the arena's */
PlayTrack *film_track(const Film *f);
/* Into the first loop inside this step, or out of it. false: there is none; with a diagnostic if it
 * could not be run. */
bool film_enter(Film *f, bool *none);
bool film_leave(Film *f);

/* ---- frames as text and data (frame_text.c, back_text.c) ---- */

/* The step that is looked at, as rows of at most `width` characters; curves are as high as the rest
 * of `height` rows allows (0: any). false after a diagnostic. */
bool play_put_frame(PlayTrack *t, Text *out, int width, int height, Marks marks);
/* The same as an object. */
bool play_put_json(PlayTrack *t, Json *j);
/* What it begins with: "scan h, backward pass", and "step 3 of 0..9, t = 4". */
void play_put_title(const PlayTrack *t, Text *out);
void play_put_step(const PlayTrack *t, Text *out);
/* The equations alone, of the step that is there. */
void play_put_equations(const PlayTrack *t, Text *out, int width, Marks marks);
/* Text from a column on, in as many rows as it takes; the first row has been begun. */
void play_wrap(Text *out, const char *s, int column, int width);
/* Of code without a loop: what a step is: "node 2 of 0..4", "edge 0 of 0..5: v1 to x"; and, as
 * rows, what happens in it. */
void straight_place(const PlayTrack *t, Text *out);
void straight_put(const PlayTrack *t, Text *out, int width, Marks marks);
void straight_put_json(const PlayTrack *t, Json *j);

/* ---- curves (curve.c) ---- */

/* An element of a state after each of the steps so far that are kept, the last one included: x from
 * 0 to 1 by the index, y from 0 to 1 over all that is known of the loop. */
enum { PLAY_ELEMENTS = 3 /* that have curves */ };
typedef struct {
    double x, y;
    bool there; /* it is a finite number */
} PlayPoint;
typedef VEC(PlayPoint) PlayPoints;
void play_points(const PlayTrack *t, int state, int element, PlayPoints *out);
bool play_has_curve(const Tensor *v);

/* ---- files; `shown` are the steps of each track ---- */

/* As one page with a slider. false after a diagnostic. (film_page.c) */
bool film_page(Film *f, const PlaySteps *shown, Text *out);
/* As one picture, frames beside and below each other. false after a diagnostic. (film_sheet.c) */
bool film_sheet(Film *f, const PlaySteps *shown, const char *about, Text *out);
/* Of code without a loop: its data for the page, and the picture. (back_page.c) */
void straight_put_tracks(const Film *f, Json *j);
void straight_put_picture(const Film *f, Json *j);
void straight_sheet(Film *f, const PlaySteps *shown, const char *about, Text *out);

#endif
