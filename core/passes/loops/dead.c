/* S7: results that nothing uses, and the states that only feed themselves. */
#include "passes/loops/loops.h"

static bool reaches_any(Node *root, const PtrMap *set)
{
    NodeVec order = {0};
    nodes_topo(1, &root, &order);
    bool found = false;
    for (size_t i = 0; i < order.len && !found; i++)
        found = map_has(set, order.at[i]);
    vec_free(&order);
    return found;
}

/* States that a needed value reads, to a fixpoint. */
static void find_needed(ScanEdit *ed, const IntList *used, bool *needed)
{
    ScanShape *s = &ed->s;
    for (int i = 0; i < s->nstates; i++)
        needed[i] = result_is_used(used, i);
    for (int i = 0; i < s->nouts; i++)
        ed->outs[i].drop = !result_is_used(used, s->nstates + i);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < s->nstates; i++) {
            if (needed[i])
                continue;
            PtrMap hole = {0};
            map_put(&hole, ed->states[i].hole, ed->states[i].hole);
            bool read = ed->stop && reaches_any(ed->stop, &hole);
            for (int k = 0; k < s->nstates && !read; k++)
                read = needed[k] && reaches_any(ed->states[k].next, &hole);
            for (int k = 0; k < s->nouts && !read; k++)
                read = !ed->outs[k].drop && reaches_any(ed->outs[k].value, &hole);
            map_free(&hole);
            if (read)
                needed[i] = changed = true;
        }
    }
}

bool loop_dead(Site *site)
{
    Node *n = site->node;
    const IntList *used = site_used(site);
    ScanShape s = scan_shape(n);
    bool all = true;
    for (int i = 0; i < s.steps; i++)
        all = all && result_is_used(used, i);
    ScanEdit ed;
    if (all)
        return site_refuse(site, NULL, "all that it gives is used");
    if (!scan_open(site->st, n, &ed))
        return false;
    bool *needed = xcalloc((size_t)s.nstates + 1, sizeof *needed);
    find_needed(&ed, used, needed);
    int states = 0, outs = 0;
    for (int i = 0; i < s.nstates; i++)
        states += ed.states[i].drop = !needed[i];
    for (int i = 0; i < s.nouts; i++)
        outs += ed.outs[i].drop;
    if (!(states + outs))
        site_refuse(site, NULL, "what is not used is needed for what is");
    Node *r = states + outs ? scan_close(&ed) : NULL;
    if (r) {
        site_why(site, "%d state%s and %d trace%s", states, states == 1 ? "" : "s", outs,
                 outs == 1 ? "" : "s");
        scan_changes(site, &ed, r);
    }
    free(needed);
    scan_edit_free(&ed);
    return r != NULL;
}

bool loop_unused(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    PtrMap reached = {0};
    NodeVec order = {0};
    nodes_topo(s.body->nouts, s.body->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        map_put(&reached, order.at[i], order.at[i]);
    int unused = 0;
    for (int i = s.nstates; i < s.body->nparams; i++)
        unused += !map_has(&reached, s.body->param_nodes[i]);
    for (int i = 1 + s.nstates; i < (int)n->nops; i++) /* equal captures are one */
        for (int k = 1 + s.nstates + s.nseqs; k < i; k++)
            unused += i > s.nstates + s.nseqs && n->ops[i] == n->ops[k];
    vec_free(&order);
    map_free(&reached);
    ScanEdit ed;
    if (!unused)
        return site_refuse(site, NULL, "the body reads every sequence and every capture");
    if (!scan_open(site->st, n, &ed))
        return false;
    PtrMap memo = {0};
    for (size_t i = 0; i < ed.captures.len; i++)
        for (size_t k = 0; k < i; k++)
            if (ed.captures.at[i].value == ed.captures.at[k].value) {
                map_put(&memo, ed.captures.at[i].hole, ed.captures.at[k].hole);
                break;
            }
    Node *r = scan_substitute(&ed, &memo) ? scan_close(&ed) : NULL;
    map_free(&memo);
    if (r && r != n) {
        site_why(site, "%u of %u inputs stay", r->nops, n->nops);
        scan_changes(site, &ed, r);
    }
    scan_edit_free(&ed);
    return r && r != n;
}
