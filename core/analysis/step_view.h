/* Walking through the steps of an exploration: equal steps in a row as one run, those inside bodies
 * and child steps below their owner. How a run is shown is up to the walker's owner.
 *
 * Invariant: the steps of a body are shown once, where they come up first. What a view has found is
 * freed by view_end; texts live as long as its arena. */
#ifndef GRADUS_STEP_VIEW_H
#define GRADUS_STEP_VIEW_H

#include "rewrite/exploration.h"

/* Equal steps in a row, or one step. */
typedef struct {
    const Step *step;           /* the first */
    u32 from, count;            /* its place in its log, from 1; how many */
    const char *number, *range; /* "9.1"; "9.1-4" */
} StepRun;

/* A rule whose steps are not shown, and how many of its steps are not shown. */
typedef struct {
    const char *rule;
    u32 steps;
} HiddenRule;

typedef struct StepView StepView;
struct StepView {
    Exploration *x;
    Arena *arena; /* of numbers and the names of passes */
    /* Shows a run; calls view_children and view_inside where those belong. */
    void (*show)(StepView *v, const StepRun *run);
    void *ctx;
    const char *open; /* number of a step whose child steps are shown, or "all"; NULL: none */
    bool opened;      /* there was such a step */
    bool apart;       /* every step is a run of its own */
    LogSet shown;     /* logs of bodies */
    VEC(HiddenRule) hidden;
    const Graph *within; /* whose steps these are; NULL: the expression's */
};

/* So many steps of a log from this one on, below a step of that number ("": the outermost). */
void view_log(StepView *v, const StepLog *log, u32 from, u32 count, const char *number);
/* Are steps inside the step to be shown? */
bool view_enters(const StepView *v, const Step *s);
void view_inside(StepView *v, const StepRun *run);
/* Are its child steps to be shown? */
bool view_opens(const StepView *v, const StepRun *run);
void view_children(StepView *v, const StepRun *run);
/* From here on steps of this rule are not shown. */
void view_hide(StepView *v, const char *rule);
/* Is it of a rule that is to be hidden?  Counts its steps if so; what is inside them is shown. */
bool view_hides(StepView *v, const StepRun *run);
/* Calls `show` for each pass, or for that of a name; for one that did nothing only if all are
 * wanted. The others' names: "fuse, lower". */
const char *view_passes(StepView *v, const char *name, bool all,
                        void (*show)(StepView *v, const PassRun *p));
/* "3 steps, 10 -> 8 nodes, done" */
void pass_run_put(Text *out, const PassRun *p);
void view_end(StepView *v);

#endif
