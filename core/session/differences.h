/* A gradient checked by differences: along some directions at random, the slope of the function is
 * compared with what the gradient says. Knows nothing of rules, so it also finds what all rules
 * have in common. */
#ifndef GRADUS_DIFFERENCES_H
#define GRADUS_DIFFERENCES_H

#include "analysis/gradient_flow.h"
#include "session/session.h"

enum { DIRECTIONS = 4 };

typedef enum {
    SLOPE_AGREES,
    SLOPE_DIFFERS,
    SLOPE_UNSURE /* the two sides, or differences of two widths, disagree: a kink, or rounding */
} SlopeVerdict;

typedef struct {
    double slope, along; /* by differences; by the gradient */
    double width;        /* of the finer differences */
    SlopeVerdict verdict;
} SlopeRow;

/* The derivative, one of a number, along DIRECTIONS directions: at the values of the session, or
 * (*given false) at random ones where some are missing. False after a diagnostic. */
bool session_differences(Session *s, const DerivativeAt *d, SlopeRow rows[DIRECTIONS], bool *given);

#endif
