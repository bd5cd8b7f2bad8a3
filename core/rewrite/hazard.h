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
    HAZARD_C = 128      /* cost only */
};
#define HAZARD_DEFAULT (HAZARD_E | HAZARD_R | HAZARD_C | HAZARD_NPLUS | HAZARD_D)
u32 hazard_parse(const char *text, size_t n); /* "R N+" -> bits; 0 if malformed */
void hazard_print(Text *out, u32 classes);

#endif
