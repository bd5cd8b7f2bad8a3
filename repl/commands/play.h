/* :play: a loop as a film.  A film has a track for the loop, one for its way back if a gradient was
 * asked for, and one for each loop inside that was entered.  Code without a loop is a film of
 * backpropagation: a track with a step for each node, and one with a step for each edge.
 *
 * Invariant: a frame is a function of track and step alone; whoever shows it, terminal, text, page
 * or picture, shows the same numbers. */
#ifndef GRADUS_PLAY_H
#define GRADUS_PLAY_H

#include "repl/commands/change.h"
#include "repl/commands/looking.h"
#include "analysis/backprop.h"

typedef struct {
    Call *c;
    LoopProbe r;
    PlayBody b;
    const char *title;        /* "scan h" */
    bool backward;            /* the way back of a gradient */
    i64 step;                 /* that is looked at */
    const Backprop *straight; /* NULL: a loop; else only r.steps is known of r, and nothing of b */
} PlayTrack;

typedef struct {
    Call *c;
    Looking l;
    PlayTrack *tracks[2]; /* forward, and backward or NULL */
    Backprop straight;    /* what they show if there is no loop */
    int which;
    VEC(PlayTrack *) inner; /* loops inside that were entered, the innermost last */
    int loop, loops;        /* which one, from 1 on, of how many in the expression */
} Film;

/* As the command's EXPR, loop=, scan= and grad= ask for it. Free it either way. */
bool film_open(Film *f, Call *c);
void film_free(Film *f);
PlayTrack *film_track(const Film *f);
/* Into the first loop inside this step, or out of it. false: there is none; with a diagnostic if it
 * could not be run. */
bool film_enter(Film *f, bool *none);
bool film_leave(Film *f);

/* The same for an expression without a loop. (play_straight.c) */
bool film_open_straight(Film *f);
/* What a step of such a track is: "node 2 of 0..4", "edge 0 of 0..5: v1 to x"; and, as rows, what
 * happens in it. */
void straight_place(const PlayTrack *t, Text *out);
void straight_put(const PlayTrack *t, Text *out, int width, Marks marks);
void straight_put_json(const PlayTrack *t, Json *j);
/* Its data for the page. (play_straight_page.c) */
void straight_put_tracks(const Film *f, Json *j);
void straight_put_picture(const Film *f, Json *j);
/* The film as a picture of the graph for each frame. false after a diagnostic. */
bool straight_sheet(Film *f, const char *about, Text *out);
/* Text from a column on, in as many rows as it takes; the first row has been begun. */
void play_wrap(Text *out, const char *s, int column, int width);

/* The step that is looked at, as rows of at most `width` characters; curves are as high as the rest
 * of `height` rows allows (0: any). false after a diagnostic. */
bool play_put_frame(PlayTrack *t, Text *out, int width, int height, Marks marks);
/* The same as an object. */
bool play_put_json(PlayTrack *t, Json *j);

/* The equations alone, of the step that is there. */
void play_put_equations(const PlayTrack *t, Text *out, int width, Marks marks);

/* An element of a state after each of the steps so far that are kept, the last one included: x from
 * 0 to 1 by the index, y from 0 to 1 over all that is known of the loop. (play_curve.c) */
enum { PLAY_ELEMENTS = 3 /* that have curves */ };
typedef struct {
    double x, y;
    bool there; /* it is a finite number */
} PlayPoint;
typedef VEC(PlayPoint) PlayPoints;
void play_points(const PlayTrack *t, int state, int element, PlayPoints *out);
bool play_has_curve(const Tensor *v);

/* At a terminal, until somebody leaves it. false after a diagnostic. (play_screen.c) */
bool film_screen(Film *f);
/* The steps that at= asks for, of a loop that takes so many. false after a diagnostic.
 */
typedef struct {
    i64 from, to; /* both shown */
    bool last;    /* and the last one */
} PlaySteps;
bool film_steps(Film *f, i64 steps, PlaySteps *s);
/* As one page with a slider. false after a diagnostic. (play_page.c) */
bool film_page(Film *f, const char *expression, Text *out);
/* As one picture, frames beside and below each other. (play_sheet.c) */
bool film_sheet(Film *f, const char *about, Text *out);

/* The next step of the track, from `from` on, for which a condition on names of the body holds; -1:
 * none. false after a diagnostic. */
bool play_search(PlayTrack *t, const char *condition, i64 from, i64 *found);
/* The same for the first value that is not finite. */
bool play_search_bad(PlayTrack *t, i64 from, i64 *found);

#endif
