/* Some steps of a scan, written out: straight-line nodes over the scan's own operands.
 *
 * Invariant: what step i gives is what the scan gives at step i; no test is written out, so the
 * caller says how many steps there are. */
#ifndef GRADUS_UNROLL_H
#define GRADUS_UNROLL_H

#include "graph/control.h"

typedef struct {
    Node *scan;
    ScanShape s;
    i64 first;        /* the number of the first one written out; below, i counts from there */
    int k;            /* steps written out */
    NodeVec states;   /* state j before step i: [i * s.nstates + j]; i = k: after the last */
    NodeVec outs;     /* what step i gives to trace j: [i * s.nouts + j] */
    NodeVec stops;    /* the test after step i; empty without `until` */
    NodeMap *of_body; /* by step: node of the body -> its copy */
} Unroll;

/* The first k steps. false after a diagnostic; free either way. Step i reads row i of each sequence
 * or, backwards, row n-1-i. */
bool scan_unroll(Store *st, Node *scan, int k, Unroll *u);
/* k steps from `first` on, of a scan that takes `total`; the loop itself takes those before. */
bool scan_unroll_from(Store *st, Node *scan, i64 total, i64 first, int k, Unroll *u);
void unroll_free(Unroll *u);

/* One step over these states and that row of the sequences; memo: node of the body -> its copy.
 * false after a diagnostic. */
bool scan_copy_step(Store *st, const ScanShape *s, Node *const *states, Node *row, NodeMap *memo);

#endif
