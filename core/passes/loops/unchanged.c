/* S9: a state whose next value is itself is a constant of the loop. */
#include "passes/loops/loops.h"

bool loop_unchanged(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    int count = 0;
    if (!s.nstates)
        return site_refuse(site, NULL, "it has no state");
    for (int i = 0; i < s.nstates; i++)
        if (s.body->outs[i] == s.body->param_nodes[i])
            count++;
        else
            refuse_state(site, &s, i, "gets a new value at each step");
    ScanEdit ed;
    if (!count || !scan_open(site->st, n, &ed))
        return false;
    NodeMap memo = {0};
    for (int i = 0; i < s.nstates; i++)
        if (ed.states[i].next == ed.states[i].hole) {
            ed.states[i].drop = true;
            map_put(&memo, ed.states[i].hole,
                    scan_capture(&ed, ed.states[i].init, ed.states[i].hole));
        }
    Node *r = scan_become(site, &ed, &memo);
    map_free(&memo);
    if (r) {
        for (int i = 0; i < s.nstates; i++)
            if (ed.states[i].drop)
                site_put(site, node_proj(site->st, n, i),
                         scan_without(site->st, &s, ed.states[i].init));
        site_why(site, "%d state%s", count, count == 1 ? "" : "s");
    }
    scan_edit_free(&ed);
    return r != NULL;
}
