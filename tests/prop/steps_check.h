/* What every recorded step must tell. */
#ifndef GRADUS_STEPS_CHECK_H
#define GRADUS_STEPS_CHECK_H

#include "rewrite/exploration.h"

/* Goes through a log and the logs inside, child steps included; counts the steps.
 * false: one has no rule, no pass, no reason, no class or no change; `why` tells which. */
bool steps_tell(Store *st, const StepLog *log, u32 *count, Text *why);

#endif
