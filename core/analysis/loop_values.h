/* Values of a loop's body that are worth watching from step to step, and what they are called. */
#ifndef GRADUS_LOOP_VALUES_H
#define GRADUS_LOOP_VALUES_H

#include "graph/control.h"

typedef struct {
    Symbol label; /* its name, or a text that is none */
    Node *node;
    int state; /* whose next value it is; -1: of none */
} LoopValue;
typedef VEC(LoopValue) LoopValues;

/* What a node of a scan's body is called: by its author, else its text, else operator and type. */
Symbol loop_label(Store *st, const Node *scan, Node *n);
/* What a step computes, operands first: what the body names or computes, constants left out. Added
 * to what is there. */
void loop_body_values(Store *st, const Node *scan, LoopValues *out);
/* States that a step computes (taps further back are earlier rows of them, and the index of a while
 * loop counts itself), then traces that are no states. Added to what is there. */
void loop_states(Store *st, const Node *scan, LoopValues *out);

#endif
