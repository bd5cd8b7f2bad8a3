/* S7, dead code: results that nothing uses, and the states that only feed themselves. */
#include "graph/reads.h"
#include "passes/loops/loops.h"

/* Is the state read by a value that is needed, other than its own next one? */
static bool is_read(const ScanShape *s, const IntList *used, const bool *needed, int state)
{
    const GraphReads *reads = graph_reads(s->body);
    Node **outs = s->body->outs;
    bool read = s->stop && reads_param(reads, outs[s->body->nouts - 1], state);
    for (int k = 0; k < s->nstates && !read; k++)
        read = needed[k] && reads_param(reads, outs[k], state);
    for (int k = 0; k < s->nouts && !read; k++)
        read =
            result_is_used(used, s->nstates + k) && reads_param(reads, outs[s->nstates + k], state);
    return read;
}

/* States whose final value is used, or that a needed value reads, to a fixpoint. */
static void find_needed(const ScanShape *s, const IntList *used, bool *needed)
{
    for (int i = 0; i < s->nstates; i++)
        needed[i] = result_is_used(used, i);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < s->nstates; i++)
            if (!needed[i] && is_read(s, used, needed, i))
                needed[i] = changed = true;
    }
}

/* The scan without the states and traces that go. */
static bool drop_results(Site *site, const IntList *used, const bool *needed, int states, int outs)
{
    ScanEdit ed;
    if (!scan_open(site->st, site->node, &ed))
        return false;
    for (int i = 0; i < ed.s.nstates; i++)
        ed.states[i].drop = !needed[i];
    for (int i = 0; i < ed.s.nouts; i++)
        ed.outs[i].drop = !result_is_used(used, ed.s.nstates + i);
    Node *r = scan_close(&ed);
    if (r) {
        site_why(site, "%d state%s and %d trace%s", states, states == 1 ? "" : "s", outs,
                 outs == 1 ? "" : "s");
        scan_changes(site, &ed, r);
    }
    scan_edit_free(&ed);
    return r != NULL;
}

bool loop_dead(Site *site)
{
    const IntList *used = site_used(site);
    ScanShape s = scan_shape(site->node);
    bool all = true;
    for (int i = 0; i < s.steps; i++)
        all = all && result_is_used(used, i);
    if (all)
        return site_refuse(site, NULL, "all its results are used");
    bool *needed = xcalloc((size_t)s.nstates + 1, sizeof *needed);
    find_needed(&s, used, needed);
    int states = 0, outs = 0;
    for (int i = 0; i < s.nstates; i++)
        states += !needed[i];
    for (int i = 0; i < s.nouts; i++)
        outs += !result_is_used(used, s.nstates + i);
    bool ok = states + outs ? drop_results(site, used, needed, states, outs)
                            : site_refuse(site, NULL,
                                          "the unused results are needed to compute the used ones");
    free(needed);
    return ok;
}

bool loop_unused(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    const GraphReads *reads = graph_reads(s.body);
    int unused = 0;
    for (int i = s.nstates; i < s.body->nparams; i++)
        unused += !reads_param(reads, s.body->param_nodes[i], i);
    for (int i = 1 + s.nstates; i < (int)n->nops; i++) /* equal captures are one */
        for (int k = 1 + s.nstates + s.nseqs; k < i; k++)
            unused += i > s.nstates + s.nseqs && n->ops[i] == n->ops[k];
    ScanEdit ed;
    if (!unused)
        return site_refuse(site, NULL, "the body reads every sequence and every capture");
    if (!scan_open(site->st, n, &ed))
        return false;
    NodeMap memo = {0};
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
