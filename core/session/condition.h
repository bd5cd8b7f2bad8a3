/* Conditions that :reduce asks of programs: each of the results of one, in a session that has read
 * it.
 *
 * Invariant: options and what was explored are as before when a condition has been asked. */
#ifndef GRADUS_CONDITION_H
#define GRADUS_CONDITION_H

#include "session/session.h"

/* One of those below, and what it asks about; texts are borrowed. */
typedef struct Condition {
    bool (*holds)(struct Condition *c, Session *s, int n, Node *const *roots);
    const char *code;    /* of an error */
    const char *rule;    /* that fires, or not; of an audit the first that broke its class */
    bool wanted;         /* does the rule fire? */
    const char *off;     /* a rule or pass */
    bool asked, special; /* of nan: was it asked before; was the whole program given a nan? */
    bool interrupted;    /* an answer is no answer then */
} Condition;

/* A step of this rule (at first of any) changes more than its classes allow. */
bool condition_audit_breaks(Condition *c, Session *s, int n, Node *const *roots);
/* A value has a nan. Where it comes from is what is asked, so none is given, nor an infinity,
 * unless the whole program was given some. */
bool condition_gives_nan(Condition *c, Session *s, int n, Node *const *roots);
/* Evaluating gives an error with the code. */
bool condition_gives_error(Condition *c, Session *s, int n, Node *const *roots);
/* The rule fires, or does not. */
bool condition_rule_fires(Condition *c, Session *s, int n, Node *const *roots);
/* The value is another without the rule or pass, by more than rounding. */
bool condition_differs_without(Condition *c, Session *s, int n, Node *const *roots);
/* Whether the two results are equal is not decided. */
bool condition_is_undecided(Condition *c, Session *s, int n, Node *const *roots);

#endif
