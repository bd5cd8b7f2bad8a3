/* Segments of scans. See segment.h. */
#include "passes/loops/segment.h"

#include "ops/scan_edit.h"

enum { LONG = 4096 }; /* steps: from there on a derivative had better not keep them all */

Node *segment_rows(Store *st, const ScanShape *s, Node *rows, i64 total, i64 from, i64 to)
{
    i64 first = s->reverse ? total - to : from;
    return build_slice(st, rows, 0, node_i64(st, first), node_i64(st, to - from), 1);
}

Node *scan_segment(Store *st, Node *scan, i64 total, i64 from, i64 to, Node *const *inits)
{
    ScanEdit ed;
    if (!scan_open(st, scan, &ed))
        return NULL;
    bool ok = true;
    for (int i = 0; i < ed.s.nstates; i++)
        ed.states[i].init = inits[i];
    for (int i = 0; i < ed.s.nseqs && ok; i++) {
        ed.seqs[i].value = segment_rows(st, &ed.s, ed.seqs[i].value, total, from, to);
        ok = ed.seqs[i].value != NULL;
    }
    ed.s.n = node_i64(st, to - from);
    ed.s.stop = false;
    ed.stop = NULL;
    if (to - from >= LONG && ed.s.checkpoint == CHECKPOINT_NONE)
        ed.s.checkpoint = CHECKPOINT_AUTO;
    Node *segment = ok ? scan_close(&ed) : NULL;
    scan_edit_free(&ed);
    return segment;
}
