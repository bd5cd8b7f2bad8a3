/* S15: trace[-1] of a state is its final value.
 *
 * With zero steps trace[-1] is an index error while the final value is the initial one:
 * where it is not proved that the loop runs, a check keeps the error. */
#include "passes/loops/loops.h"

bool loop_tail(Engine *e, Node *n, Changes *out, Text *why)
{
    Store *st = e->st;
    i64 i;
    Node *p = n->ops[0];
    if (n->attrs[0].i != 0 || !node_const_i64(n->ops[1], &i) || i != -1 || p->op != OP_PROJ ||
        p->ops[0]->op != OP_SCAN)
        return false;
    ScanShape s = scan_shape(p->ops[0]);
    int k = (int)p->attrs[0].i - s.nstates;
    if (s.reverse || k < 0 || k >= s.nouts)
        return false;
    int state = 0;
    while (state < s.nstates && s.body->outs[state] != s.body->outs[s.nstates + k])
        state++;
    if (state == s.nstates)
        return false;
    Node *final = node_proj(st, p->ops[0], state);
    if (!scan_runs(&s)) {
        Attr message = {
            .name =
                symbol(st, "index -1 is out of range: the scan took no step, its trace is empty")};
        Node *ok = node2(st, OP_GE, NULL, s.n, node_i64(st, 1));
        final = final && ok ? node2(st, OP_CHECK, &message, ok, final) : NULL;
        text_put(why, "under a check that there is a step");
    } else {
        text_put(why, "the loop runs at least once");
    }
    if (!final || !type_compatible(st, final->type, n->type))
        return false;
    vec_push(out, ((Change){n, final}));
    return true;
}
