/* See reverse_sweep.h. What a rule adds to its operands is told apart by the operand's place. */
#include "analysis/reverse_sweep.h"

#include "grad/vjp.h"

/* The edges of one rule: `added` has operands and what they get by turns. */
static bool add_edges(Store *st, ReverseSweep *s, Node *user, const NodeVec *added, NodeMap *sums)
{
    for (size_t i = 0; i + 1 < added->len; i += 2) {
        Node *operand = added->at[i], *part = added->at[i + 1], *old = map_get(sums, operand);
        Node *sum = old ? cotangent_sum(st, old, part) : part;
        if (!sum)
            return false;
        map_put(sums, operand, sum);
        vec_push(&s->edges, ((SweptEdge){user, operand, part, sum, old != NULL}));
    }
    return true;
}

bool reverse_sweep(Store *st, Node *root, int n, Node *const *xs, ReverseSweep *out)
{
    Node *one = node_number(st, node_dtype(root), 1);
    NodeVec added = {0};
    NodeMap sums = {0};
    VjpSweep s;
    *out = (ReverseSweep){.edges = {0}};
    vjp_begin(&s, st, 1, &root, &one, n, xs);
    s.v.added = &added;
    bool ok = !s.failed;
    for (Node *at; ok && (at = vjp_peek(&s));) {
        added.len = 0;
        ok = vjp_next(&s) && add_edges(st, out, at, &added, &sums);
    }
    ok = ok && !s.failed;
    out->bars = s.v.cotangents;
    out->active = s.v.active;
    s.v.cotangents = (NodeMap){0};
    s.v.active = (NodeSet){0};
    vjp_end(&s);
    map_free(&sums);
    vec_free(&added);
    return ok;
}

void reverse_sweep_free(ReverseSweep *s)
{
    vec_free(&s->edges);
    map_free(&s->bars);
    map_free(&s->active);
}
