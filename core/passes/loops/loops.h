/* What the rewrites of loops share: scans opened for editing, and questions about them. */
#ifndef GRADUS_LOOPS_H
#define GRADUS_LOOPS_H

#include "ops/scan_edit.h"
#include "rewrite/site.h"

/* May a rule that trades memory for time store a row like this one at every step? Not in a scan
 * that keeps states only (a policy, ops/control.h), unless it is as large as a state that is more
 * than a sum. */
bool scan_may_store(const ScanEdit *ed, const Node *row);
/* Adds proj(old, k) -> proj(new, k') for every result that is still there. */
void scan_changes(Site *site, ScanEdit *ed, Node *new_scan);
/* The edited scan, closed after nodes of its body were replaced as `memo` says, and put so. NULL
 * after a diagnostic. */
Node *scan_become(Site *site, ScanEdit *ed, NodeMap *memo);
/* A size as a value where the scan stands: read off its operands, or computed. NULL if it is known
 * only inside. */
Node *scan_length(Store *st, const Node *scan, Size *z);

/* What a result of the loop is, without the loop: under a check where the number of steps may be
 * wrong, which the loop would have refused. */
Node *scan_without(Store *st, const ScanShape *s, Node *value);

/* Why the rule does not fire: "state h is ...". Returns false. */
bool refuse_state(Site *site, const ScanShape *s, int state, const char *what);

bool loop_dead(Site *site);
bool loop_unused(Site *site);
bool loop_unchanged(Site *site);
bool loop_repeated(Site *site);
bool loop_captured_numbers(Site *site);
bool loop_delay(Site *site);
bool loop_hoist(Site *site);
bool loop_hoist_terms(Site *site);
bool loop_tail(Site *site);
bool loop_pieces(Site *site);
bool loop_recent(Site *site);
bool loop_first_rows(Site *site);
bool implicit_numbers(Site *site); /* at derivatives and vmap */
bool loop_accumulate(Site *site);
bool loop_batch_dots(Site *site);
bool loop_sequence_dot(Site *site);
bool loop_powers(Site *site);
bool loop_powers_derived(Site *site);
bool loop_reduce(Site *site);
bool loop_runs(Site *site);
bool loop_unswitch(Site *site);
bool loop_map(Site *site);
bool loop_sink(Site *site);
bool loop_lower(Site *site);
bool loop_duplicate(Site *site);
bool loop_constant(Site *site);
bool loop_induction(Site *site);
bool loop_running(Site *site);
bool loop_index_rows(Site *site);
bool loop_trip(Site *site);
bool loop_unroll(Site *site);
bool loop_write_out(Site *site);
bool loop_counted(Site *site);
bool loop_merge(Site *site);
bool loop_fuse(Site *site);
bool loop_same(Site *site);
bool loop_late(Site *site);
bool loop_inward(Site *site);

#endif
