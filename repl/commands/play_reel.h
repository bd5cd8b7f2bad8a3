/* A reel: one loop of which any step can be asked for, in any order.
 *
 * The body is written out once, over leaves for the states, the row and the loop's operands; a step
 * is that program run on the values that are there before it.  States are kept at few, evenly
 * spaced steps, and another program runs the loop itself from one of them to the step asked for, so
 * a step of a long loop costs as much as a small part of the loop.
 *
 * Invariant: what a step gives is what the loop computes at that step, nothing rewritten. Steps are
 * counted from 0 as the loop takes them. */
#ifndef GRADUS_PLAY_REEL_H
#define GRADUS_PLAY_REEL_H

#include "graph/control.h"
#include "repl/commands/commands.h"

typedef struct {
    Call *c;
    Store *st;
    Node *scan;    /* as it stands in the graph: names belong to it */
    ScanShape s;   /* of the same over leaves */
    i64 steps;     /* that it takes */
    bool stopped;  /* by its `until` */
    PtrMap copy;   /* node of the body -> what the step's program asks for */
    NodeVec shown; /* nodes of the body that were asked for */

    PtrMap values; /* leaf -> its tensor, owned */
    NodeVec owned; /* the leaves that are in it */
    Node **before; /* by state: its leaf */
    Node *row, *first, *count;
    Program *step, *run;
    i64 stride;          /* states are kept before every so many steps */
    VEC(Tensor *) marks; /* of step k * stride: [k * s.nstates + state] */
    Tensor **end;        /* the states after the last step */
    i64 at;              /* the step that is there, or -1 */
    Tensor **now;        /* what it gave: next states, outputs, `until`, then `shown` */
} Reel;

/* A loop whose operands are nodes over leaves with `values` (NULL: those of the session); evaluates
 * the operands, and how many steps it takes. Free it either way. false after a diagnostic. */
bool reel_open(Reel *r, Call *c, Node *scan, const PtrMap *values);
void reel_free(Reel *r);
/* Asks for the value of a node of the body, too; before the first step. */
void reel_show(Reel *r, Node *n);
/* Runs to step i of [0, steps). false after a diagnostic: then no step is there. */
bool reel_go(Reel *r, i64 i);
/* Values of the step that is there; borrowed. NULL: none. */
const Tensor *reel_value(const Reel *r, const Node *of_body);
const Tensor *reel_before(const Reel *r, int state);
const Tensor *reel_after(const Reel *r, int state);
/* The value that is kept of a state before step k * stride; NULL: there is none. */
const Tensor *reel_mark(const Reel *r, i64 k, int state);
const Tensor *reel_end(const Reel *r, int state); /* after the last step */
/* The row of sequences and traces that step i reads and gives. */
i64 reel_row(const Reel *r, i64 i);
/* The first step, from `from` on, for which `test` (one bool, over what `copy` gives) is true; -1:
 * there is none. The loop itself runs, until the test. false after a diagnostic. (play_find.c) */
bool reel_find(Reel *r, Node *test, i64 from, i64 *found);

/* ---- for play_find.c ---- */

/* Gives a leaf a value, which is taken over. */
void reel_give(Reel *r, Node *leaf, Tensor *value);
/* Gives the leaves of the states what is there before step i. */
bool reel_set_before(Reel *r, i64 i);
/* The loop over leaves without its `until`. */
bool reel_counted(const Reel *r, ScanShape *out);

#endif
