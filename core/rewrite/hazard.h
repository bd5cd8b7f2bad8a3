/* What a rule may do to values: its hazard classes. */
#ifndef GRADUS_HAZARD_H
#define GRADUS_HAZARD_H

#include "base/base.h"

/* Hazard classes of a rule; `:rule NAME` tells what they mean. */
enum {
    HAZARD_E = 1,       /* exact: same bits for every input */
    HAZARD_Z = 2,       /* may change the sign of a zero */
    HAZARD_R = 4,       /* may change rounding */
    HAZARD_NPLUS = 8,   /* removes NaN or infinity that the source would have given */
    HAZARD_NMINUS = 16, /* may hide NaN or infinity */
    HAZARD_D = 32,      /* needs a proven fact */
    HAZARD_S = 64,      /* may hide an error */
    HAZARD_C = 128,     /* cost only */
    HAZARD_O = 256,     /* may overflow or underflow where the previous form did not */
    /* No class, but shown beside them: the rule was accepted without a trial. */
    HAZARD_UNTRIED = 512
};
#define HAZARD_ALL (2u * HAZARD_O - 1)
#define HAZARD_DEFAULT (HAZARD_E | HAZARD_R | HAZARD_C | HAZARD_NPLUS | HAZARD_D | HAZARD_O)
/* Of a step on a function of which a derivative is asked for: that of another form is rounded
 * otherwise, and need not multiply a zero by an infinity where the form before did. */
#define HAZARD_DERIVED (HAZARD_R | HAZARD_NPLUS)
u32 hazard_parse(const char *text, size_t n); /* "R N+" -> bits; 0 if malformed */
void hazard_print(Text *out, u32 classes);    /* "R N+ untried" */

#endif
