/* Equality saturation of a session's expressions, beside its passes: these runs use the passes that
 * they need and no others, and what the session has set is as before when they end. */
#ifndef GRADUS_EQUAL_H
#define GRADUS_EQUAL_H

#include "egraph/saturate.h"
#include "session/session.h"

/* Inlines, differentiates, and saturates; what was explored stays in the cache to be looked at. How
 * it went is in *growth (growth_free). NULL after a diagnostic. */
Exploration *session_saturate(Session *s, const Saturating *how, int n, Node *const *roots,
                              Growth *growth);

typedef enum { EQUAL, DIFFERENT, UNKNOWN } EqualAnswer;

typedef struct {
    EqualAnswer answer;
    Exploration *x; /* of both sides; EQUAL: its steps make the left one the right one */
    Counterexample against;
    Growth growth;
} SidesCompared;

/* Are two expressions of one type equal: on paper, so rounding, overflow and NaN of one side only
 * do not count in proofs? False after a diagnostic; end with equal_free in either case. */
bool session_equal(Session *s, const Saturating *how, Node *const sides[2], SidesCompared *out);
void equal_free(SidesCompared *e);

#endif
