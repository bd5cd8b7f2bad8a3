/* Equality saturation of a session's expressions, beside its passes: these runs use the passes that
 * they need and no others, and what the session has set is as before when they end. */
#ifndef GRADUS_EQUAL_H
#define GRADUS_EQUAL_H

#include "egraph/saturate.h"
#include "session/refute.h"

/* Inlines, differentiates, and saturates; what was explored stays in the cache to be looked at. How
 * it went is in *growth (growth_free). NULL after a diagnostic. */
Exploration *session_saturate(Session *s, const Saturating *how, int n, Node *const *roots,
                              Growth *growth);

/* What is saturated of these roots: without calls and derivatives. NULL after a diagnostic; to be
 * freed. */
Node **session_saturable(Session *s, int n, Node *const *roots);

typedef enum {
    VERDICT_EQUAL,    /* to the bit: every step of the proof is exact */
    VERDICT_ROUNDING, /* one number on paper */
    VERDICT_EXCEPT,   /* but for some inputs, of which one is shown */
    VERDICT_IF,       /* where some inputs have a sign */
    VERDICT_DIFFERENT,
    VERDICT_UNKNOWN,
    VERDICTS
} EqualVerdict;

/* Invariant: nothing is said to be equal without a proof, nor against an input that was tried. */
typedef struct {
    EqualVerdict verdict;
    Exploration *x;  /* of both sides; proved: its steps make the left one the right one */
    u32 classes;     /* of the steps */
    bool rounds;     /* some step rounds, or values were seen to */
    u32 kinds;       /* EXCEPT, IF: how they differ somewhere all the same; bits of DifferKind, */
    DifferKind kind; /* the gravest of them, */
    const Witness *but;     /* where; UNKNOWN: a difference that refutes nothing; NULL: none */
    const Witness *against; /* DIFFERENT; IF: where it does not hold */
    Assumptions given;      /* IF */
    u32 off;                /* classes of steps that the session does not allow */
    Evidence seen, within, outside; /* of all inputs, those that are as assumed, and the others */
    Growth growth;
} SidesCompared;

/* Are two expressions of one type equal? False after a diagnostic; end with equal_free in either
 * case. */
bool session_equal(Session *s, const Saturating *how, Node *const sides[2], SidesCompared *out);
void equal_free(SidesCompared *e);
/* Would that be VERDICT_UNKNOWN? Cheaper where it would not: no proof is improved. False after a
 * diagnostic, too. */
bool session_undecided(Session *s, const Saturating *how, Node *const sides[2]);
/* A number next to an array stands for an array of it, of its dtype: `n` as one like `like`. NULL
 * after a diagnostic. */
Node *equal_adapt(Store *st, Node *n, Node *like);
/* Are all differences that were seen at ordinary inputs where these do not hold, and do they hold
 * often enough? */
bool evidence_agrees_given(const Evidence *e, const Assumptions *given);
Assumptions assumptions_without(const Assumptions *a, int i); /* without the i-th */
/* Does it count as a proof that they are: is it one, but for rounding and exceptions? */
static inline bool verdict_is_equal(EqualVerdict v) { return v <= VERDICT_EXCEPT; }

#endif
