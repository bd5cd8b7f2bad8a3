/* Some of the steps of a scan, as a scan of their own.
 *
 * Invariant: it is for a scan that takes `total` steps; step i of the segment does what step
 * from + i of the scan does, so nothing is tested: a segment has no `until`. */
#ifndef GRADUS_SEGMENT_H
#define GRADUS_SEGMENT_H

#include "graph/control.h"

/* Steps from .. to - 1, where the states are `inits` before the first of them; results by the same
 * places as the scan's. A long segment has the policy `checkpoint auto` if the scan has none. NULL
 * after a diagnostic. */
Node *scan_segment(Store *st, Node *scan, i64 total, i64 from, i64 to, Node *const *inits);
/* The rows that these steps read of a sequence, or give to a trace. NULL after a diagnostic. */
Node *segment_rows(Store *st, const ScanShape *s, Node *rows, i64 total, i64 from, i64 to);

#endif
