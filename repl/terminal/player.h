/* A film at a terminal: a key, a step, a frame. */
#ifndef GRADUS_PLAYER_H
#define GRADUS_PLAYER_H

#include "session/session.h"
#include "viz/film/film.h"

/* Until somebody leaves it; what was seen last is put in `last`, at most `width` wide. false after
 * a diagnostic about `span`. */
bool film_by_keys(Session *s, Film *f, Span span, Marks marks, int width, Text *last);

#endif
