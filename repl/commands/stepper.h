/* Where somebody stands among the steps of an expression, and what is to be seen there.
 *
 * Invariant: node numbers shown inside child steps do not move the numbers of the exploration. */
#ifndef GRADUS_STEPPER_H
#define GRADUS_STEPPER_H

#include "analysis/step_show.h"
#include "repl/commands/commands.h"

typedef struct {
    Call *c;
    Exploration *x;
    StepCursor at;
    double began; /* seconds */
    const char
        *sought; /* what a whole state marks instead of what its step put in; NULL: nothing */
} Stepper;

void stepper_init(Stepper *s, Call *c, Exploration *x);
/* As step_find_state; what it found is marked when the state is shown (`sought`). */
bool stepper_find_state(Stepper *s, const char *text);

/* What a step is, and what is to be seen there. false: the steps do not replay (a bug). */
bool stepper_put(Stepper *s, Text *out, StepShown what);
/* The members "step", "text", "state", "marked" and "change" of an object that is open. */
bool stepper_json(Stepper *s);

#endif
