/* Trying a rule in text on instances of its own left side, without a line of code per rule.
 *
 * Invariant: everything happens in a session of its own; nothing of the caller's changes. */
#ifndef GRADUS_RULE_CHECK_H
#define GRADUS_RULE_CHECK_H

#include "rewrite/exploration.h"

typedef struct {
    u32 instances; /* compared */
    u32 failed;    /* neither side could be evaluated */
    u32 dtypes;    /* bit d: some variable was of dtype d */
    u32 empty;     /* compared on tensors without elements, */
    u32 special;   /* on NaN or infinity, */
    u32 signed0;   /* on -0, */
    u32 partial;   /* on operands that may fail */
    bool fired;    /* on its own left side, at least once */
    bool refuted;
    bool untested; /* a part of its guard was never true, or never at its edge */
    u32 allow;     /* classes that would allow the counterexample; 0: none would */
    Text says;     /* the counterexample, or why it did not fire */
} RuleCheck;

/* Builds the left side of variables of several types, shapes and facts, and compares both sides on
 * about `instances` sets of random and of hard values (NaN, infinities, zeros of both signs): one
 * type, and values equal within the rule's classes. Free out->says. */
void rule_check(const Rule *r, const RuleSet *all, u32 instances, RuleCheck *out);

/* Does rewriting both sides of r come to an end with the rules of `all`, r among them, that these
 * options allow? `says` tells what goes round in circles or grows. */
bool rule_check_ends(const Rule *r, const RuleSet *all, const Options *options, Text *says);

#endif
