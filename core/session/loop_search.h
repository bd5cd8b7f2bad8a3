/* The step of a loop for which something holds of what the step gives. */
#ifndef GRADUS_LOOP_SEARCH_H
#define GRADUS_LOOP_SEARCH_H

#include "analysis/play_body.h"
#include "session/session.h"

/* The next step, from `from` on, for which a condition on names of the body holds, "x[t] > 3"; -1:
 * none. false after a diagnostic. */
bool session_search_loop(Session *s, const PlayBody *b, const char *condition, i64 from,
                         i64 *found);
/* The same for the first value that is not finite. */
bool search_not_finite(const PlayBody *b, i64 from, i64 *found);

#endif
