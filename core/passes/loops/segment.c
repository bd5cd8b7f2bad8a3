/* Segments of scans. See segment.h. */
#include "passes/loops/segment.h"

#include "grad/scan_parts.h"

enum { LONG = 4096 }; /* steps: from there on a derivative had better not keep them all */

static Node *first_row(Store *st, const ScanShape *s, i64 total, i64 from, i64 to)
{
    return node_i64(st, s->reverse ? total - to : from);
}

Node *segment_rows(Store *st, const ScanShape *s, Node *rows, i64 total, i64 from, i64 to)
{
    return rows_part(st, rows, first_row(st, s, total, from, to), node_i64(st, to - from));
}

Node *scan_segment(Store *st, Node *scan, i64 total, i64 from, i64 to, Node *const *inits)
{
    Node *counted = scan_counted(st, scan);
    if (!counted)
        return NULL;
    ScanShape s = scan_shape(counted);
    if (to - from >= LONG && s.checkpoint == CHECKPOINT_NONE)
        s.checkpoint = CHECKPOINT_AUTO;
    return scan_part(st, &s, first_row(st, &s, total, from, to), node_i64(st, to - from), inits);
}
