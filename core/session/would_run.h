/* What forms cost once they run: after all passes, elementwise groups fused, loops lowered,
 * planned.
 *
 * An e-graph compares forms node by node, as a node cannot know what runs beside it; where a form
 * is taken, what would run of it has the last word. */
#ifndef GRADUS_WOULD_RUN_H
#define GRADUS_WOULD_RUN_H

#include "egraph/saturate.h"
#include "session/session.h"

/* Predicted nanoseconds of the program that the session's passes make of these roots; NAN: there is
 * none. `how` says what sizes count as. Nothing is recorded. */
double would_run(Session *s, const Saturating *how, int n, Node *const *roots);

/* Does equality saturation find a form of a small graph that would run in much less time? *now and
 * *then tell the nanoseconds of both. Bounded: no answer is no. */
bool saturating_pays(Session *s, int n, Node *const *roots, double *now, double *then);

#endif
