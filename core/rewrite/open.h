/* Opening a step: the parts of a change that is too large for one look, as steps of their own.
 *
 * A rule in C that makes such changes names an Opener in its row (site.h). It starts with the nodes
 * that the step replaced and says, part after part, what stands for each of them then; every such
 * state is a graph like any other, with the same value.
 *
 * Invariant: the child log replays by substitution from what the step replaced to exactly what it
 * put there, the same pointers. Nothing of this is recorded: it is made again when asked for. */
#ifndef GRADUS_OPEN_H
#define GRADUS_OPEN_H

#include "rewrite/steps.h"

/* A step being opened. */
typedef struct Opening {
    Store *st;
    const Step *step; /* NULL: of a node that no step replaced yet */
    const char *pass;
    u32 classes, extra; /* of the children */
    int n;
    Node **start, **now; /* what the step replaced; what stands there after the parts so far */
    StepLog *log;
    LogList *inner; /* owns the logs of bodies */
} Opening;

struct Opener {
    bool (*opens)(const Step *s); /* has it more than one part? Answered without building them */
    bool (*open)(Opening *o);     /* false: it cannot be taken apart */
};

/* One part more, told by a name and a reason (both copied): to[i] stands where start[i] stood; NULL
 * leaves what is there. NULL if nothing changes, or if a node does not fit its place: then what the
 * part does comes with the next one. */
Step *open_part(Opening *o, const char *name, const char *reason, Node *const *to);
/* The last part: what the step itself put there. */
bool open_last(Opening *o, const char *name, const char *reason);

#endif
