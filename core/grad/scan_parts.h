/* Loops run in parts, for derivatives: some of the steps of a scan, and scans replaced
 * wherever they stand in a graph.
 *
 * Invariant: a part runs the very body of the whole, on the same rows, in the same order,
 * so every value is the same to the last bit. */
#ifndef GRADUS_SCAN_PARTS_H
#define GRADUS_SCAN_PARTS_H

#include "ops/build.h"
#include "graph/control.h"

/* The scan that takes as many steps as `scan` did, without `until`: its count is the result `steps`
 * of `scan`. Without `until`: itself. NULL after a diagnostic. */
Node *scan_counted(Store *st, Node *scan);
/* The steps of s (no `until`) that read and write rows [start, start + len), from other initial
 * states. The number of rows is not clipped. NULL after a diagnostic. */
Node *scan_part(Store *st, const ScanShape *s, Node *start, Node *len, Node *const *inits);
/* Rows [start, start + len) of a sequence; an arange is made anew instead of cut. */
Node *rows_part(Store *st, Node *rows, Node *start, Node *len);

/* Is it an arange, perhaps from another start? Then it need not be kept. */
bool rows_are_range(const Node *rows);

/* Gives the results of a scan another form: results[i] stands for proj(scan, i), and is that or,
 * where nothing reads it, NULL before. false: it stays as it is. `failed` is set after a
 * diagnostic. */
typedef bool (*ScanForm)(Store *st, Node *scan, void *ctx, Node **results, bool *failed);
/* g with every scan offered to `form`, inner ones first; those in the bodies of scans only if
 * `bodies`. g itself if nothing changes, NULL after a diagnostic. */
Graph *graph_reform_scans(Store *st, Graph *g, bool bodies, ScanForm form, void *ctx);

/* checkpoint.c: loops with a policy in segments. */
Graph *graph_segmented(Store *st, Graph *g);
/* The same: g where loops without a policy have this one, CHECKPOINT_AUTO or k >= 1, except loops
 * in the bodies of loops. NULL after a diagnostic. */
Graph *graph_with_policy(Store *st, Graph *g, i64 checkpoint);
/* online.c: may a loop, some results of which are used, be cut without counting its steps? It gives
 * its results then; false after a diagnostic. */
bool scan_is_online(const ScanShape *s, Node *const *used);
bool scan_online(Store *st, Node *scan, Node **results);
/* truncate.c: nothing flows through more than the last k executed steps of a loop. */
Graph *graph_truncated(Store *st, Graph *g, i64 k);

#endif
