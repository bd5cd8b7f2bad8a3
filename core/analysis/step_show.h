/* What is to be seen where a cursor stands among steps, as text. */
#ifndef GRADUS_STEP_SHOW_H
#define GRADUS_STEP_SHOW_H

#include "analysis/step_cursor.h"
#include "base/pretty.h"

/* What changed, or the state as the language has it, as expressions of one line each, or as a graph
 * of numbered lines. Before the first step nothing changed: then as expressions. */
typedef enum { SHOW_CHANGE, SHOW_STATE, SHOW_EXPRESSIONS, SHOW_GRAPH } StepShown;

typedef struct {
    StepCursor *at;
    int width;
    Marks marks;
    const char *sought; /* marked instead of what the step put in; NULL: nothing; "": no marks */
} StepShow;

/* "9.1/4  canonicalize, mul-one [E]", where and why. */
void step_put_head(const StepShow *s, Text *out);
/* False: the steps do not replay (a bug). */
bool step_put_state(const StepShow *s, Text *out, StepShown what);
/* Here, or else to the start, if the whole state has this text in it. A state between has no text
 * that is neither there nor in a step's change. false: stays where it is. */
bool step_find_state(const StepShow *s, const char *text);

#endif
