/* A whole screen that is drawn by us and read key by key, as of a player; knows nothing of what is
 * shown.
 *
 * Invariant: however the program ends, is stopped or interrupted while a screen is open, the
 * terminal is given back as it was; what stood there before is there again. */
#ifndef GRADUS_SCREEN_H
#define GRADUS_SCREEN_H

#include "base/base.h"

/* What screen_key gives beside bytes that were typed. */
enum {
    KEY_UP = 256,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_BACK_TAB,
    KEY_ESCAPE,
    KEY_DELETE,
    KEY_RESIZE,   /* the size changed, or the program was stopped and goes on: draw again */
    KEY_BREAK,    /* ^C */
    KEY_FINISHED, /* nobody types any more */
    KEY_NOTHING,  /* none came in time */
    KEY_UNKNOWN
};

/* Takes the terminal over; false: there is none, or it cannot move its cursor. One at a time. */
bool screen_open(void);
void screen_close(void);
void screen_size(int *columns, int *rows);
/* Waits for the next key, at most so many ms (-1: for ever). */
int screen_key(int ms);
/* Shows lines (SGR sequences take no room) from line `top` on, cut to the width; in the last row
 * stands `foot`, with the cursor behind it if `asking`. */
void screen_draw(const char *lines, int top, const char *foot, bool asking);
/* The last row alone. */
void screen_foot(const char *foot);

#endif
