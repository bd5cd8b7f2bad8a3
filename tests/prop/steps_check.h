/* What every recorded step must tell. */
#ifndef GRADUS_STEPS_CHECK_H
#define GRADUS_STEPS_CHECK_H

#include "session/session.h"

/* Goes through a log and the logs inside, child steps included; counts the steps.
 * false: one has no rule, no pass, no reason, no class or no change; `why` tells which. */
bool steps_tell(Store *st, const StepLog *log, u32 *count, Text *why);

/* Replays an exploration at once and step by step: every state is well formed and the last one the
 * result. */
bool steps_replay(Session *s, Exploration *x, const char **why);
/* Audits it: every step keeps to its classes; `by_hand`: or is of a rule of equality and
 * overflowed. Counts those that were compared. */
bool steps_audit(Session *s, Exploration *x, bool by_hand, const char **why, u32 *steps);

#endif
