/* Two scans with the same operands, states and stop, of which one has all outputs of the
 * other: the larger does the work of both. This is what is left of a loop after its
 * derivative has asked for the states to be kept: the forward loop runs once. */
#include "loops/scan_edit.h"

static bool steps_alike(const ScanShape *a, const ScanShape *b) {
    if (a->nstates != b->nstates || a->nseqs != b->nseqs || a->ncaptures != b->ncaptures || a->stop != b->stop ||
        a->reverse != b->reverse || a->body->nparams != b->body->nparams)
        return false;
    for (int i = 0; i < a->nstates; i++)
        if (a->body->outs[i] != b->body->outs[i])
            return false;
    return !a->stop || a->body->outs[a->body->nouts - 1] == b->body->outs[b->body->nouts - 1];
}

static int find_output(const ScanShape *s, const Node *value) {
    for (int i = 0; i < s->nouts; i++)
        if (s->body->outs[s->nstates + i] == value)
            return s->nstates + i;
    return -1;
}

static bool subsumes(Store *st, Node *large, Node *small, Changes *out) {
    ScanShape a = scan_shape(large), b = scan_shape(small);
    if (!steps_alike(&a, &b) || a.nouts <= b.nouts)
        return false;
    for (int i = 0; i < b.nouts; i++)
        if (find_output(&a, b.body->outs[b.nstates + i]) < 0)
            return false;
    for (int i = 0; i < b.nresults; i++) {
        int k = i < b.nstates ? i : i < b.steps ? find_output(&a, b.body->outs[i]) : a.steps + (i - b.steps);
        vec_push(out, ((Change){node_proj(st, small, i), node_proj(st, large, k)}));
    }
    return true;
}

bool loop_same(Engine *e, Node *n, Changes *out, Text *why) {
    NodeVec order = {0};
    nodes_topo(e->nroots, e->roots, &order);
    bool found = false;
    for (size_t i = 0; i < order.len && !found; i++) {
        Node *o = order.at[i];
        if (o == n || o->op != OP_SCAN || o->nops != n->nops || memcmp(o->ops, n->ops, n->nops * sizeof *n->ops))
            continue;
        found = subsumes(e->st, o, n, out);
    }
    if (found)
        text_put(why, "same operands, same next states; one keeps more");
    vec_free(&order);
    return found;
}
