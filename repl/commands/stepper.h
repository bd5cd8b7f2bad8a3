/* Where somebody stands among the steps of an expression, and what is to be seen there.
 *
 * Invariant: a stepper is a stack: the steps of the expression at the bottom, those of inner
 * graphs that were entered above.  Node numbers shown inside child steps do not
 * move the numbers of the exploration. */
#ifndef GRADUS_STEPPER_H
#define GRADUS_STEPPER_H

#include "rewrite/history.h"
#include "repl/commands/commands.h"

typedef struct {
    const StepLog *log;
    int n;
    Node *const *start;
    u32 at;             /* steps done */
    const Graph *graph; /* whose steps these are; NULL: the expression's */
} Level;

typedef struct {
    Call *c;
    Exploration *x;
    Level levels[PLACE_DEPTH];
    int depth;    /* index of the innermost */
    double began; /* seconds */
    const char
        *sought; /* what a whole state marks instead of what its step put in; NULL: nothing */
} Stepper;

void stepper_init(Stepper *s, Call *c, Exploration *x);
Level *stepper_level(Stepper *s);
/* Into the steps of the present step, to the state before the first of them; false: it has none. */
bool stepper_in(Stepper *s);
bool stepper_out(Stepper *s); /* false: this is the outermost graph */
/* On to the next step of a rule, into inner graphs and out of them; false: stays where it is. */
bool stepper_until(Stepper *s, const char *rule);
/* To "9.1"; false: there is no such place, stays anywhere. */
bool stepper_goto(Stepper *s, const Place *p);

/* On to the next step whose rule, reason or change has this text in it, from the start again after
 * the last one; false: there is none, stays where it is. */
bool stepper_find(Stepper *s, const char *text);
/* Here, or else to the start, if the whole state has this text in it, which is marked when it is
 * shown (`sought`).  A state between has no text that is neither there nor in a step's change.
 * false: stays where it is. */
bool stepper_find_state(Stepper *s, const char *text);
void stepper_place(const Stepper *s, Place *out);

typedef enum { SHOW_CHANGE, SHOW_STATE, SHOW_EXPRESSIONS, SHOW_GRAPH } Shown;
/* "9.1/4  canonicalize, mul-one [E]", where and why; then what changed, or the state as an
 * expression, or as a graph.  The state before the first step is an expression.  false: the steps
 * do not replay (a bug). */
bool stepper_put(Stepper *s, Text *out, Shown what);
/* The members "step", "text", "state", "marked" and "change" of an object that is open. */
bool stepper_json(Stepper *s);

#endif
