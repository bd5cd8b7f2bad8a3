/* Which rows of a scan's traces are read.
 *
 * Invariant: what is not in the list reads no row. Sizes are those of the graph that the scan
 * stands in; the number of steps is taken to be at least 0, as it is wherever there is a trace. */
#ifndef GRADUS_READS_H
#define GRADUS_READS_H

#include "passes/loops/loops.h"

typedef struct {
    Node *at;          /* index, slice or gather along axis 0 */
    int out;           /* of which trace: nstates + out is the result */
    Size *first, *end; /* the rows that it reads lie in [first, end) */
    Size *count;       /* end - first as its type says it; NULL: not all of them are read */
    bool there;        /* it is proved that these exist */
} RowRead;

typedef struct {
    VEC(RowRead) at;
    NodeVec gathers; /* of a few constant places: each place is a read of its own, an index node
                        that need not be in the graph */
    NodeVec lengths; /* the number of rows is asked for */
    bool *others;    /* by result: used, and no trace (finals, steps, stopped) */
    bool any_others;
    bool whole; /* some trace is used as a whole, or in a way that is not known */
} RowReads;

/* Reads of `scan` in what the roots reach (order: all of that). Free in any case. */
void reads_find(Store *st, Node *scan, int nroots, Node *const *roots, const NodeVec *order,
                RowReads *out);
void reads_at(const Site *site, RowReads *out); /* of its node, in its graph */
void reads_free(RowReads *r);

/* How many rows a trace has. */
Size *trace_rows(Store *st, Node *scan);
/* Is d >= 0 proved, where `count` is? Looks into maxima and minima. */
bool size_is_natural(Store *st, Size *d, Size *count);
/* Puts into s the sequences of `scan` under checks that they are long enough for all its steps: for
 * a loop that takes fewer. false after a diagnostic. */
bool scan_all_enough(Store *st, Node *scan, ScanShape *s);
/* The state that a trace shows, or -1. */
int trace_state(const ScanShape *s, int out);

#endif
