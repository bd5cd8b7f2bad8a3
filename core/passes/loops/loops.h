/* What the rewrites of loops share: scans opened for editing, and questions about them. */
#ifndef GRADUS_LOOPS_H
#define GRADUS_LOOPS_H

#include "ops/scan_edit.h"
#include "rewrite/rewrite.h"

/* May a rule that trades memory for time store a row like this one at every step? Not in a scan
 * that keeps states only (a policy, ops/control.h), unless it is as large as a state that is more
 * than a sum. */
bool scan_may_store(const ScanEdit *ed, const Node *row);
/* Adds proj(old, k) -> proj(new, k') for every result that is still there. */
void scan_changes(ScanEdit *ed, Node *new_scan, Changes *out);
/* Is `what` among what root is computed from, or root itself? Inner graphs are not entered. */
bool node_reads(Node *root, const Node *what);

/* Is it proved that it cannot fail if its operands are there (total.c)? */
bool node_is_total(Store *st, const Node *n);
bool nodes_are_total(Store *st, Node *root); /* everything that root reaches */

bool loop_dead(Engine *e, Node *n, Changes *out, Text *why);
bool loop_unused(Engine *e, Node *n, Changes *out, Text *why);
bool loop_unchanged(Engine *e, Node *n, Changes *out, Text *why);
bool loop_repeated(Engine *e, Node *n, Changes *out, Text *why);
bool loop_hoist(Engine *e, Node *n, Changes *out, Text *why);
bool loop_tail(Engine *e, Node *n, Changes *out, Text *why);
bool loop_accumulate(Engine *e, Node *n, Changes *out, Text *why);
bool loop_batch_dots(Engine *e, Node *n, Changes *out, Text *why);
bool loop_sequence_dot(Engine *e, Node *n, Changes *out, Text *why);
bool loop_reduce(Engine *e, Node *n, Changes *out, Text *why);
bool loop_unswitch(Engine *e, Node *n, Changes *out, Text *why);
bool loop_map(Engine *e, Node *n, Changes *out, Text *why);
bool loop_sink(Engine *e, Node *n, Changes *out, Text *why);
bool loop_lower(Engine *e, Node *n, Changes *out, Text *why);
bool loop_duplicate(Engine *e, Node *n, Changes *out, Text *why);
bool loop_constant(Engine *e, Node *n, Changes *out, Text *why);
bool loop_induction(Engine *e, Node *n, Changes *out, Text *why);
bool loop_running(Engine *e, Node *n, Changes *out, Text *why);
bool loop_index_rows(Engine *e, Node *n, Changes *out, Text *why);
bool loop_trip(Engine *e, Node *n, Changes *out, Text *why);
bool loop_unroll(Engine *e, Node *n, Changes *out, Text *why);
bool loop_counted(Engine *e, Node *n, Changes *out, Text *why);
bool loop_merge(Engine *e, Node *n, Changes *out, Text *why);
bool loop_fuse(Engine *e, Node *n, Changes *out, Text *why);
bool loop_same(Engine *e, Node *n, Changes *out, Text *why);

#endif
