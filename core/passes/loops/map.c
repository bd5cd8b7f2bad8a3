/* S13: a loop without states is its body applied to all rows at once.
 *
 *   y_t = f(x_t, w) for each t     =>     Y = F(X, w)
 *
 * Condition: no state, no `until`, not a loop that is to keep little (ops/control.h), and
 * every operator of the body has a form for all rows (rows.c). The direction does not
 * matter. Class R: products and sums of all rows at once may add in another order. */
#include "passes/loops/rows.h"

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
    rows_close(&r);
    return ok;
}

bool loop_map(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    if (s.nstates || s.stop || s.checkpoint == CHECKPOINT_STATES || !scan_open(site->st, n, &ed))
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
