/* What steps of class O may have done to an exploration's values: see overflow.c. */
#ifndef GRADUS_OVERFLOW_H
#define GRADUS_OVERFLOW_H

#include "rewrite/exploration.h"

/* flags: which of FLAG_OVERFLOW, ... make a value doubtful (0: none does); step: the first of class
 * O, of the expression's own log or of one inside. */
typedef struct {
    u32 flags;
    const Step *step;
} OverflowRisk;
OverflowRisk overflow_risk(const Exploration *x);
/* "flatten-mul: (y * 1e300) * y => ..", for a note. */
void overflow_tell(Text *out, const Exploration *x, const Step *s);

#endif
