/* Parts of scans in the outermost graph: states, traces and `until` go. */
#include "reduce/parts.h"

#include "ops/scan_edit.h"

/* One edit of a scan. */
typedef struct {
    int state;         /* it stays what it is at the start; -1: none does */
    bool traces, stop; /* traces that nothing reads, and `until`, go */
} ScanCut;

/* Which of its results the program reads. */
static void find_used(const Reduction *r, const Node *scan, bool *used)
{
    NodeVec order = {0};
    nodes_topo((int)r->roots.len, r->roots.at, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_PROJ && order.at[i]->ops[0] == scan)
            used[order.at[i]->attrs[0].i] = true;
    vec_free(&order);
}

static bool fix_state(ScanEdit *ed, int k)
{
    NodeMap memo = {0};
    EditState *s = &ed->states[k];
    Node *fixed = scan_capture(ed, s->init, s->hole);
    map_put(&memo, s->hole, fixed);
    bool ok = scan_substitute(ed, &memo);
    s->drop = true;
    map_free(&memo);
    return ok;
}

/* What results of the scan are in the edited one. */
static void note_results(const ScanEdit *ed, Node *scan, Node *edited, NodeMap *at)
{
    Store *st = ed->st;
    ScanShape was = scan_shape(scan), now = scan_shape(edited);
    for (int i = 0; i < ed->old_states; i++)
        map_put(at, node_proj(st, scan, i),
                ed->states[i].drop ? ed->states[i].init : scan_final(ed, edited, i));
    for (int i = 0; i < ed->old_outs; i++)
        if (!ed->outs[i].drop)
            map_put(at, node_proj(st, scan, was.nstates + i), scan_trace(ed, edited, i));
    for (int i = 0; i < 2; i++)
        map_put(at, node_proj(st, scan, was.steps + i), node_proj(st, edited, now.steps + i));
}

static Node *edited_scan(ScanEdit *ed, const ScanCut *cut, const bool *used)
{
    bool ok = cut->state < 0 || fix_state(ed, cut->state);
    for (int i = 0; i < ed->s.nouts; i++)
        ed->outs[i].drop = cut->traces && !used[ed->s.nstates + i];
    if (cut->stop) {
        ed->stop = NULL;
        ed->s.stop = false;
    }
    return ok ? scan_close(ed) : NULL;
}

static bool try_cut(Reduction *r, Node *scan, const ScanCut *cut)
{
    ScanShape s = scan_shape(scan);
    bool *used = xcalloc((size_t)s.nresults + 1, sizeof *used), found = false;
    ScanEdit ed;
    NodeMap at = {0};
    DiagTry trial;
    find_used(r, scan, used);
    diag_try_begin(&trial, &r->st->diags);
    Node *edited = NULL;
    if (scan_open(r->st, scan, &ed)) {
        edited = edited_scan(&ed, cut, used);
        if (edited && edited != scan)
            note_results(&ed, scan, edited, &at);
        scan_edit_free(&ed);
    }
    diag_try_end(&trial);
    found = at.len && try_replace(r, NULL, &at);
    map_free(&at);
    free(used);
    return found;
}

static bool cut_scan(Reduction *r, Node *scan)
{
    ScanShape s = scan_shape(scan);
    i64 steps;
    bool ends = node_const_i64(s.n, &steps) && steps < SCAN_UNBOUNDED;
    if (try_cut(r, scan, &(ScanCut){.state = -1, .traces = true}))
        return true;
    for (int k = 0; k < s.nstates; k++)
        if (try_cut(r, scan, &(ScanCut){.state = k, .traces = true}))
            return true;
    bool unbounded = node_const_i64(s.n, &steps) && !ends;
    return s.stop && !unbounded && try_cut(r, scan, &(ScanCut){.state = -1, .stop = true});
}

static bool cut_one(Reduction *r)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo((int)r->roots.len, r->roots.at, &order);
    for (size_t i = 0; i < order.len && !found && !shrink_stops(r); i++)
        found = order.at[i]->op == OP_SCAN && cut_scan(r, order.at[i]);
    vec_free(&order);
    return found;
}

void shrink_scans(Reduction *r)
{
    while (cut_one(r))
        ;
}
