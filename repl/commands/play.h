/* :play at a terminal. */
#ifndef GRADUS_PLAY_H
#define GRADUS_PLAY_H

#include "repl/commands/commands.h"
#include "viz/film/film.h"

/* The film by keys, until somebody leaves it. false after a diagnostic. */
bool film_screen(Call *c, Film *f);

#endif
