/* A state that is computed from this step's rows alone is a sequence: the rows that it gets, one
 * step later, after its initial value.
 *
 *   scan over u from p = p0 { p[t] = f(u[t]); .. p[t-1] .. }   =>   the rows of [p0, F(U)]
 *
 * What read the state now reads a sequence: without other states the loop may be a map, with them
 * products with p[t-1] may be computed before it. Backwards the initial value is the last row.
 *
 * Condition: the next value reads no state and changes from step to step, it has a form for all
 * rows at once (rows.c), its shape is that of the initial value; no `until`, which might not need
 * the later rows; not a loop that is to keep little. Class R: as for all rows at once. */
#include "graph/reads.h"
#include "passes/loops/rows.h"

static const char not_of_rows[] = "is computed from more than sequence rows";

/* Does the next value of the state change from step to step, and read no state? */
static bool is_of_rows(const ScanShape *s, int i)
{
    const GraphReads *reads = graph_reads(s->body);
    const Node *next = s->body->outs[i];
    return !reads_among(reads, next, 0, s->nstates) &&
           reads_among(reads, next, s->nstates, s->nstates + s->nseqs);
}

static bool some_is_of_rows(const ScanShape *s)
{
    for (int i = 0; i < s->nstates; i++)
        if (is_of_rows(s, i))
            return true;
    return false;
}

/* Initial value and next values of a state, in the order of the rows; NULL: they are no sequence.
 */
static Node *all_values(Site *site, ScanEdit *ed, Rows *rows, int i)
{
    Store *st = ed->st;
    const EditState *state = &ed->states[i];
    Node *next = scan_may_store(ed, state->next) ? rows_of(rows, state->next) : NULL;
    if (!next || !batch_has(&rows->batch, state->next)) {
        refuse_state(site, &ed->s, i, not_of_rows);
        return NULL;
    }
    if (type_without_axis(st, next->type, 0, node_dtype(next)) != state->init->type) {
        refuse_state(site, &ed->s, i, "may have an initial value of another shape");
        return NULL;
    }
    Node *first = build_expand(st, state->init, 0);
    Node *parts[] = {ed->s.reverse ? next : first, ed->s.reverse ? first : next};
    Attr axis = {.i = 0};
    return first ? node_make(st, OP_CONCAT, &axis, 2, parts) : NULL;
}

/* Inside, the row of `all` that the state is at each step; outside, the one after the last. */
static bool replace_state(Site *site, ScanEdit *ed, int i, Node *all, NodeMap *memo)
{
    Store *st = ed->st;
    EditState *state = &ed->states[i];
    bool reverse = ed->s.reverse;
    Node *rows =
        reverse ? build_slice(st, all, 0, node_i64(st, 1), scan_count(st, &ed->s), 1) : all;
    if (!rows)
        return false;
    map_put(memo, state->hole, scan_sequence(ed, rows, state->hole));
    state->drop = true;
    if (!result_is_used(site_used(site), i))
        return true;
    Node *last = build_index(st, all, 0, node_i64(st, reverse ? 0 : -1));
    if (last)
        site_put(site, node_proj(st, ed->scan, i), last);
    return last != NULL;
}

bool loop_delay(Site *site)
{
    ScanShape s = scan_shape(site->node);
    ScanEdit ed;
    Rows rows;
    NodeMap memo = {0};
    int count = 0;
    if (!s.nstates || !s.nseqs)
        return site_refuse(site, NULL, "it has no %s", s.nstates ? "sequence" : "state");
    if (s.stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (!some_is_of_rows(&s)) {
        for (int i = 0; i < s.nstates; i++)
            refuse_state(site, &s, i, not_of_rows);
        return false;
    }
    if (!scan_open(site->st, site->node, &ed))
        return false;
    rows_open(&rows, &ed, NULL);
    bool ok = true;
    for (int i = 0; i < s.nstates && ok; i++) {
        Node *all = all_values(site, &ed, &rows, i);
        ok = !all || replace_state(site, &ed, i, all, &memo);
        count += all != NULL;
    }
    rows_close(&rows);
    Node *r = ok && count && scan_substitute(&ed, &memo) ? scan_close(&ed) : NULL;
    map_free(&memo);
    if (r) {
        scan_changes(site, &ed, r);
        site_why(site, "%d state%s", count, count == 1 ? "" : "s");
    }
    scan_edit_free(&ed);
    return r != NULL;
}
