/* Where somebody stands among the steps of an expression, and what is to be seen there.
 *
 * Invariant: node numbers shown inside child steps do not move the numbers of the exploration. */
#ifndef GRADUS_STEPPER_H
#define GRADUS_STEPPER_H

#include "analysis/step_cursor.h"
#include "rewrite/history.h"
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
/* Here, or else to the start, if the whole state has this text in it, which is marked when it is
 * shown (`sought`).  A state between has no text that is neither there nor in a step's change.
 * false: stays where it is. */
bool stepper_find_state(Stepper *s, const char *text);

typedef enum { SHOW_CHANGE, SHOW_STATE, SHOW_EXPRESSIONS, SHOW_GRAPH } Shown;
/* "9.1/4  canonicalize, mul-one [E]", where and why; then what changed, or the state as an
 * expression, or as a graph.  The state before the first step is an expression.  false: the steps
 * do not replay (a bug). */
bool stepper_put(Stepper *s, Text *out, Shown what);
/* The members "step", "text", "state", "marked" and "change" of an object that is open. */
bool stepper_json(Stepper *s);

#endif
