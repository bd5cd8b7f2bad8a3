/* Changing a scan: open it, edit the parts, close it again.
 *
 * Invariant: closing brings the body back to its normal form, so two scans that become
 * the same share one body again. Unused sequences and captures go by themselves. */
#ifndef GRADUS_SCAN_EDIT_H
#define GRADUS_SCAN_EDIT_H

#include "graph/control.h"
#include "ops/build.h"

/* A scan that is put together: its body stands open, over holes. */
typedef struct {
    NodeVec states, inits; /* the hole inside, the initial value outside */
    NodeVec rows, seqs;    /* the hole for a row, the sequence; what the body does not read goes */
    NodeVec holes,
        captures;      /* the hole for what stands outside; anything else is captured as it is */
    NodeVec outs;      /* open: next states, rows of traces, stop */
    NodeSet mentioned; /* closed nodes that are captured where they stand */
} NewScan;
/* Closes the body; the number of steps, direction, stop and policy are those of `flags`. NULL after
 * a diagnostic, which also a NULL in a list tells of. */
Node *scan_make(Store *st, const NewScan *b, const ScanShape *flags);
void new_scan_free(NewScan *b);

typedef struct {
    Node *hole, *init; /* the state inside, its initial value outside */
    Node *next;        /* open */
    bool drop;
} EditState;

typedef struct {
    Node *hole, *value; /* inside, outside */
} EditOuter;

typedef struct {
    Node *value; /* open */
    bool drop;
} EditOut;

typedef struct {
    Store *st;
    Node *scan;
    ScanShape s;
    EditState *states;
    EditOuter *seqs;
    VEC(EditOuter) captures;
    EditOut *outs;
    int old_states, old_outs; /* those that the scan had; new ones come after them */
    Node *stop;
    const Symbol *names; /* by parameter of the scan that was opened */
    int nnames;
    u32 temps;
} ScanEdit;

/* A hole for parameter p of the body, of the type of what is outside, a row of it for a sequence.
 */
Node *scan_hole(Store *st, const Node *scan, int p, Symbol name);

bool scan_open(Store *st, Node *scan, ScanEdit *ed);
/* Nodes of the scan's body as they are over the holes, in the order in which they stand there,
 * operands before users: which comes first of two that need not is not the same as in the body.
 * Before edits. False after a diagnostic. */
bool scan_inside(ScanEdit *ed, const NodeVec *closed, NodeVec *open);
/* The new scan; NULL after a diagnostic. */
Node *scan_close(ScanEdit *ed);
void scan_edit_free(ScanEdit *ed);
/* A hole inside for a value computed outside, of the type and, if it has one, by the name of `was`,
 * which it is instead of. */
Node *scan_capture(ScanEdit *ed, Node *outer, const Node *was);
/* The same for the rows of a sequence computed outside. */
Node *scan_sequence(ScanEdit *ed, Node *outer, const Node *was);
/* One more state; its hole is states[r].hole. */
int scan_add_state(ScanEdit *ed, Node *init, Node *next);
/* What a hole inside stands for outside; a node that is no such hole itself. */
Node *scan_outer(const ScanEdit *ed, Node *hole);
/* Sequence i, under a check that it has a row for each step if that is not proved: the loop would
 * fail at the first row that is missing. */
Node *scan_enough(const ScanEdit *ed, int i);
/* Sequence i as far as the loop reads it: its first n rows. */
Node *scan_rows(ScanEdit *ed, int i);
/* What every row of a sequence is; NULL: they may differ. */
Node *scan_same_row(Store *st, Node *seq);
/* Everything the body gives: next states, outputs, stop. */
void scan_roots(const ScanEdit *ed, NodeVec *roots);
/* Replaces open nodes everywhere in the body. */
bool scan_substitute(ScanEdit *ed, NodeMap *memo);
/* An open node that reaches only captures, with the outer values put in. */
Node *scan_outside(ScanEdit *ed, Node *open);
/* One more trace; an output that is there already is not added again. */
int scan_add_output(ScanEdit *ed, Node *open);
Node *scan_trace(const ScanEdit *ed, Node *new_scan, int output);
/* The final value of a state of the old scan that stays. */
Node *scan_final(const ScanEdit *ed, Node *new_scan, int state);
/* Is it proved that the scan takes at least one step? */
bool scan_runs(const ScanShape *s);
/* The number of steps for use without the loop: under a check that it is not negative, which
 * the loop would have refused. Its size is that of n. */
Node *scan_count(Store *st, const ScanShape *s);
/* Is it certain from its size that the number of steps is not negative? */
bool scan_count_fits(Store *st, const ScanShape *s);
/* `value` under that check. */
Node *scan_under_count(Store *st, const ScanShape *s, Node *value);

#endif
