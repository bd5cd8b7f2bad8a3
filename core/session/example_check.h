/* Examples of rules put to the test: the rule alone, applied once, as by `:try`.
 *
 *   try E => E2     gives E2 as written, but for names and order
 *   try E           it fires: alone, or where the usual passes take E through
 *   try E <=> E2    and the other way of the rule gives E of E2
 *   not E           it does not fire
 *
 * A rule in C of equality saturation fires nowhere else: `try E => E2` says that the proof of their
 * equality has a step of it, and `not E => E2` that it has none, or that there is no proof.
 *
 * `pass=NAME` after E: on what E is after that pass. Letters that the example does not declare mean
 * what they mean in :discover (families.def): x y z numbers, u v w vectors, a b c square matrices,
 * i j k whole numbers, p q r truth values.
 *
 * Invariant: everything happens in a session of its own; nothing of the caller's changes. */
#ifndef GRADUS_EXAMPLE_CHECK_H
#define GRADUS_EXAMPLE_CHECK_H

#include "rewrite/rule_example.h"

typedef struct {
    bool held;
    Text says;  /* why it does not hold */
    Text gives; /* what the rule makes of E; empty: it does not fire, or this cannot be written */
    Span expected; /* what follows the arrow, empty if there is none */
} ExampleOutcome;

/* `rules`: the set that the rule is of. */
void example_check(const RuleSet *rules, const RuleExample *e, ExampleOutcome *out);
void example_outcome_free(ExampleOutcome *o);

#endif
