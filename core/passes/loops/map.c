/* S13: a loop without states is its body applied to all rows at once.
 *
 *   y_t = f(x_t, w) for each t     =>     Y = F(X, w)
 *
 * Condition: no state, no `until`, not a loop that is to keep little (ops/control.h), and
 * every operator of the body has a form for all rows (rows.c). The direction does not
 * matter. Class R: products and sums of all rows at once may add in another order. */
#include "passes/loops/rows.h"

#include "graph/reads.h"

/* Is the state read in the next step, by whatever? */
static bool is_read(const ScanShape *s, int state)
{
    const GraphReads *reads = graph_reads(s->body);
    for (int i = 0; i < s->body->nouts; i++)
        if (reads_param(reads, s->body->outs[i], state))
            return true;
    return false;
}

/* Is it a loop that may be a map? */
static bool may_be_map(Site *site, const ScanShape *s)
{
    for (int i = 0; i < s->nstates; i++)
        if (is_read(s, i))
            return refuse_state(site, s, i, "is read at t-1, so this loop is not a map");
    if (s->nstates)
        return refuse_state(site, s, 0, "is used after the last step, so this loop is not a map");
    if (s->stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (s->checkpoint == CHECKPOINT_STATES)
        return site_refuse(site, NULL, "its checkpoint policy limits what it may keep");
    return true;
}

static bool all_rows(Site *site, ScanEdit *ed)
{
    Rows r;
    bool ok = true;
    rows_open(&r, ed, NULL);
    for (int i = 0; i < ed->s.nouts; i++) {
        i64 size = rows_estimate(ed->outs[i].value->type);
        r.limit = size > r.limit ? size : r.limit;
    }
    for (int i = 0; i < ed->s.nouts && ok; i++) {
        Node *before = node_proj(ed->st, ed->scan, i), *rows = rows_of(&r, ed->outs[i].value);
        ok = rows && type_compatible(ed->st, rows->type, before->type);
        site_put(site, before, rows);
    }
    if (!ok)
        site_refuse(site, r.failed, "an operator cannot be applied to all rows at once");
    rows_close(&r);
    return ok;
}

bool loop_map(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    if (!may_be_map(site, &s) || !scan_open(site->st, n, &ed))
        return false;
    bool ok = all_rows(site, &ed);
    if (ok) {
        site_put(site, node_proj(site->st, n, s.steps), scan_count(site->st, &s));
        site_put(site, node_proj(site->st, n, s.steps + 1), node_bool(site->st, false));
        site_why(site, "%d trace%s", s.nouts, s.nouts == 1 ? "" : "s");
    }
    scan_edit_free(&ed);
    return ok;
}
