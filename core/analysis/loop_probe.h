/* Values of nodes of a loop's body at given steps, which may be asked for in any order.
 *
 * The body is written out once, over leaves for the states, the row and the loop's operands; a step
 * is that program run on the values that are there before it.  States are kept at few, evenly
 * spaced steps, and another program runs the loop itself from one of them to the step asked for, so
 * a step of a long loop costs as much as a small part of the loop.
 *
 * Invariant: what a step gives is what the loop computes at that step, nothing rewritten. Steps are
 * counted from 0 as the loop takes them. */
#ifndef GRADUS_LOOP_PROBE_H
#define GRADUS_LOOP_PROBE_H

#include "analysis/probe.h"
#include "graph/control.h"

typedef struct {
    Evaluator e;
    Store *st;
    Node *scan;    /* as it stands in the graph: names belong to it */
    ScanShape s;   /* of the same over leaves */
    i64 steps;     /* that it takes */
    bool stopped;  /* by its `until` */
    NodeMap copy;  /* node of the body -> what the step's program asks for */
    NodeVec shown; /* nodes of the body that were asked for */

    TensorMap values; /* of leaves, owned */
    Node **before;    /* by state: its leaf */
    Node *row, *first, *count;
    Program *step, *run;
    i64 stride;          /* states are kept before every so many steps */
    VEC(Tensor *) marks; /* of step k * stride: [k * s.nstates + state] */
    Tensor **end;        /* the states after the last step */
    i64 at;              /* the step that is there, or -1 */
    Tensor **now;        /* what it gave: next states, outputs, `until`, then `shown` */
} LoopProbe;

/* A loop whose operands are nodes over leaves with `values` (NULL: those of the session); evaluates
 * the operands, and how many steps it takes. Free it either way. false after a diagnostic. */
bool loop_probe_open(LoopProbe *r, const Evaluator *e, Node *scan, const TensorMap *values);
void loop_probe_free(LoopProbe *r);
/* Asks for the value of a node of the body, too; before the first step. */
void loop_probe_add(LoopProbe *r, Node *n);
/* Runs to step i of [0, steps). false after a diagnostic: then no step is there. */
bool loop_probe_go(LoopProbe *r, i64 i);
/* The values of n nodes of the body in the steps [first, first + k): at[i * n + j] gets a reference
 * to that of nodes[j] in step first + i. Before other steps are asked for, and only once. false
 * after a diagnostic: then all are NULL. */
bool loop_probe_steps(LoopProbe *r, i64 first, i64 k, size_t n, Node *const *nodes, Tensor **at);
/* Values of the step that is there; borrowed. NULL: none. */
const Tensor *loop_probe_value(const LoopProbe *r, const Node *of_body);
const Tensor *loop_probe_before(const LoopProbe *r, int state);
const Tensor *loop_probe_after(const LoopProbe *r, int state);
/* The value that is kept of a state before step k * stride; NULL: there is none. */
const Tensor *loop_probe_mark(const LoopProbe *r, i64 k, int state);
const Tensor *loop_probe_end(const LoopProbe *r, int state); /* after the last step */
/* The row of sequences and traces that step i reads and gives. */
i64 loop_probe_row(const LoopProbe *r, i64 i);
/* The first step, from `from` on, for which `test` (one bool, over what `copy` gives) is true; -1:
 * there is none. The loop itself runs, until the test. false after a diagnostic. (loop_find.c) */
bool loop_probe_find(LoopProbe *r, Node *test, i64 from, i64 *found);

/* ---- for loop_find.c ---- */

/* Gives a leaf a value, which is taken over. */
void loop_probe_give(LoopProbe *r, Node *leaf, Tensor *value);
/* Gives the leaves of the states what is there before step i; no step is there any more. */
bool loop_probe_set_before(LoopProbe *r, i64 i);
/* The loop over leaves without its `until`. */
bool loop_probe_counted(const LoopProbe *r, ScanShape *out);

#endif
