/* Loops that a derivative puts in the place of those that it was taken of, so that no loop runs
 * twice; of their rows, they keep those that somebody reads.
 *
 * Invariant: pairs stand in the order in which a reverse sweep met them, users before operands; a
 * loop that keeps more has all results of the one it was, its further traces behind the others. */
#include "grad/extended.h"
#include "graph/names.h"
#include "ops/scan_edit.h"

/* Result k of a scan in one that has more traces. */
static int moved_result(const ScanShape *from, const ScanShape *to, int k)
{
    return k < from->steps ? k : k - from->steps + to->steps;
}

static bool put_results(Store *st, NodeMap *memo, Node *old, Node *now)
{
    ScanShape from = scan_shape(old), to = scan_shape(now);
    bool ok = true;
    for (int k = 0; k < from.nresults && ok; k++) {
        Node *was = node_proj(st, old, k), *is = node_proj(st, now, moved_result(&from, &to, k));
        ok = was && is;
        if (ok) {
            node_carry_name(st, was, is);
            map_put(memo, was, is);
        }
    }
    return ok;
}

static bool substitute_all(Store *st, NodeMap *memo, int n, Node **roots)
{
    bool ok = true;
    for (int i = 0; i < n && ok; i++)
        ok = !roots[i] || (roots[i] = node_substitute(st, roots[i], memo)) != NULL;
    return ok;
}

bool scans_extend(Store *st, NodeVec *extended, int n, Node **roots)
{
    NodeMap memo = {0};
    bool ok = true;
    for (size_t i = extended->len; i >= 2 && ok; i -= 2) {
        Node **now = &extended->at[i - 1];
        *now = node_substitute(st, *now, &memo);
        ok = *now && put_results(st, &memo, extended->at[i - 2], *now);
    }
    ok = ok && substitute_all(st, &memo, n, roots);
    map_free(&memo);
    return ok;
}

static bool is_used(Store *st, Node *scan, const ScanShape *s, int trace, const NodeSet *used)
{
    return map_has(used, node_proj(st, scan, s->nstates + trace));
}

/* The scan without the traces that are not `used`, if there are such. */
static bool trim(Store *st, Node *scan, const NodeSet *used, NodeMap *memo)
{
    ScanShape s = scan_shape(scan);
    int unused = 0;
    for (int i = 0; i < s.nouts; i++)
        unused += !is_used(st, scan, &s, i, used);
    if (!unused)
        return true;
    ScanEdit ed;
    Node *now = node_substitute(st, scan, memo);
    if (!now || !scan_open(st, now, &ed))
        return false;
    for (int i = 0; i < s.nouts; i++)
        ed.outs[i].drop = !is_used(st, scan, &s, i, used);
    Node *r = scan_close(&ed);
    bool ok = r != NULL;
    for (int i = 0; i < ed.s.nresults && ok; i++) {
        bool trace = i >= ed.s.nstates && i < ed.s.steps;
        if (trace && ed.outs[i - ed.s.nstates].drop)
            continue;
        Node *is = trace ? scan_trace(&ed, r, i - ed.s.nstates)
                         : node_proj(st, r, i < ed.s.nstates ? i : i - unused);
        if ((ok = is != NULL)) {
            node_carry_name(st, node_proj(st, scan, i), is);
            map_put(memo, node_proj(st, scan, i), is);
        }
    }
    scan_edit_free(&ed);
    return ok;
}

static bool is_among(const NodeVec *scans, const Node *n)
{
    for (size_t i = 0; i < scans->len; i++)
        if (scans->at[i] == n)
            return true;
    return false;
}

bool scans_trim(Store *st, const NodeVec *scans, int n, Node **roots, const bool *wanted)
{
    NodeVec asked = {0}, order = {0};
    NodeSet used = {0};
    NodeMap memo = {0};
    for (int i = 0; i < n && scans->len; i++)
        if (roots[i] && (!wanted || wanted[i]))
            vec_push(&asked, roots[i]);
    nodes_topo((int)asked.len, asked.at, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(&used, order.at[i]);
    bool ok = true;
    for (size_t i = 0; i < order.len && ok; i++)
        if (order.at[i]->op == OP_SCAN && is_among(scans, order.at[i]))
            ok = trim(st, order.at[i], &used, &memo);
    ok = ok && (!memo.len || substitute_all(st, &memo, n, roots));
    map_free(&used);
    map_free(&memo);
    vec_free(&asked);
    vec_free(&order);
    return ok;
}

bool scans_settle(Store *st, NodeVec *extended, int n, Node **roots, const bool *wanted,
                  DerivativeRecords *record)
{
    NodeVec all = {0};
    if (!extended->len)
        return true;
    for (int i = 0; i < n; i++)
        vec_push(&all, roots[i]);
    for (size_t i = 0; record && i < record->len; i++) {
        const DerivativeRecord *r = &record->at[i];
        vec_push(&all, r->kind == RECORD_LOOP ? NULL : r->of); /* a loop as it was stays so */
        vec_push(&all, r->is);
    }
    bool *asked = xcalloc(all.len + 1, sizeof *asked);
    for (int i = 0; i < n; i++)
        asked[i] = !wanted || wanted[i];
    bool ok = scans_extend(st, extended, (int)all.len, all.at) &&
              scans_trim(st, extended, (int)all.len, all.at, asked);
    for (int i = 0; i < n; i++)
        roots[i] = all.at[i];
    for (size_t i = 0; record && i < record->len && ok; i++) {
        DerivativeRecord *r = &record->at[i];
        r->of = r->kind == RECORD_LOOP ? r->of : all.at[(size_t)n + 2 * i];
        r->is = all.at[(size_t)n + 2 * i + 1];
    }
    free(asked);
    vec_free(&all);
    return ok;
}
