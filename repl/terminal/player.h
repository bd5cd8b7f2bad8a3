/* A film at a terminal: a key, a step, a frame. */
#ifndef GRADUS_PLAYER_H
#define GRADUS_PLAYER_H

#include "session/session.h"
#include "viz/film/film.h"

/* Until somebody leaves it. false after a diagnostic about `span`. */
bool film_by_keys(Session *s, Film *f, Span span, Marks marks);
/* What was seen last, to stay: as much of it as the screen, which may have another size by now,
 * holds with the prompt below it. false after a diagnostic. */
bool film_put_last(const Film *f, Marks marks, int width, Text *out);

#endif
