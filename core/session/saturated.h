/* What :saturate found last, so that a form of it can be taken: `form=J`.
 *
 * Invariant: it is about the exploration that commands without an expression are about, or about
 * none. */
#ifndef GRADUS_SATURATED_H
#define GRADUS_SATURATED_H

#include "session/equal.h"

typedef struct Saturated {
    Exploration *x;  /* whose steps lead to the form; NULL: something else was explored since */
    u32 form, forms; /* which one, from 1; how many there are */
    Saturating how;
    SizeGiven *sizes;
    OpCost *ops;
    char *rules;
} Saturated;

/* It was saturated so, and these forms found; x is the first of them. */
void session_note_saturated(Session *s, const Saturating *how, const SaturatedForms *found,
                            Exploration *x);
/* How many forms there are to choose from; 0: what was explored last is no such a thing. */
u32 session_form_count(const Session *s);
/* The way to one of them, from 1, found once more as the first one was; NULL after a diagnostic. */
Exploration *session_form(Session *s, u32 form);
void session_saturated_free(Session *s);

#endif
