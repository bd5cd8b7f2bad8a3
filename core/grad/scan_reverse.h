/* The derivative of a scan while it is built: what scan_vjp.c (the backward scan) and scan_kept.c
 * (what the forward one keeps for it) share.
 *
 * Invariant: the body stands open, over holes for its parameters; both scans close over them. */
#ifndef GRADUS_SCAN_REVERSE_H
#define GRADUS_SCAN_REVERSE_H

#include "grad/vjp.h"

typedef struct {
    Vjp *v;
    Node *n;
    ScanShape s;
    bool *carried; /* by state: depends on a wanted node at some step, and has a cotangent */
    /* by parameter of the body, states first, one after the other: holes, and cotangents of them */
    Node **s_holes, **x_holes, **w_holes, **a_next, **x_bars, **w_bars;
    Node **body_outs;
    Node **final_bars, **trace_bars; /* given cotangents or NULL */
    Node **same_bars;                /* what each row of the cotangent of a trace is, or NULL */
    Node **a_holes, **y_holes, **sum_holes;
    int *kept;                   /* state -> trace of the forward scan, or -1 */
    NodeVec values, value_holes; /* expensive values of the step, and what stands for them */
    VEC(int) value_traces;       /* where the forward scan has them */
    NodeVec inner;               /* loops in the body that keep more, in pairs */
    Node *forward;               /* the scan that keeps the states */
    const Symbol *names, *outs;  /* of the scan's parts, and which states are further registers: */
    const bool *earlier;         /* graph/control.h */
} Reverse;

/* Finds what the backward step, open, reads of the forward one; puts holes into it for what is
 * kept, and makes the scan that keeps it. false after a diagnostic. */
bool reverse_keep(Reverse *r, NodeVec *backward);

#endif
