/* What `:set` and `:rule` change, as a whole: so that :undo takes it back, whichever statement
 * changed it (also in a file that was loaded).
 *
 * Invariant: a snapshot borrows rules, which live as long as the session. */
#ifndef GRADUS_SETTINGS_H
#define GRADUS_SETTINGS_H

#include "session/undo.h"
#include "repl/commands/repl.h"

/* What undo.c asks of a session with this prompt. */
UndoSettings settings_of(Repl *r);

#endif
