/* S9: a state whose next value is itself is a constant of the loop. */
#include "passes/loops/loops.h"

bool loop_unchanged(Engine *e, Node *n, Changes *out, Text *why)
{
    ScanShape s = scan_shape(n);
    int count = 0;
    for (int i = 0; i < s.nstates; i++)
        count += s.body->outs[i] == s.body->param_nodes[i];
    ScanEdit ed;
    if (!count || !scan_open(e->st, n, &ed))
        return false;
    PtrMap memo = {0};
    for (int i = 0; i < s.nstates; i++)
        if (ed.states[i].next == ed.states[i].hole) {
            ed.states[i].drop = true;
            map_put(&memo, ed.states[i].hole,
                    scan_capture(&ed, ed.states[i].init, ed.states[i].init->type));
        }
    Node *r = scan_substitute(&ed, &memo) ? scan_close(&ed) : NULL;
    map_free(&memo);
    if (r) {
        scan_changes(&ed, r, out);
        for (int i = 0; i < s.nstates; i++)
            if (ed.states[i].drop)
                vec_push(out, ((Change){node_proj(e->st, n, i), ed.states[i].init}));
        text_printf(why, "%d state%s", count, count == 1 ? "" : "s");
    }
    scan_edit_free(&ed);
    return r != NULL;
}
