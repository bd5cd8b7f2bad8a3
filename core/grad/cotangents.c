/* Which node of an expanded derivative is the cotangent of which: the expansion made once more, and
 * what it gathers read off. Nodes are interned, so the pairs are those of the graph itself. */
#include "grad/expand.h"
#include "grad/implicit.h"
#include "grad/vjp.h"

/* Values over the parameters of the body and their cotangents, by turns. */
static bool sweep(Store *st, Graph *g, int wrt, Node *const *seeds, NodeVec *pairs)
{
    VjpSweep s;
    NodeVec order = {0};
    vjp_begin(&s, st, g->nouts, g->outs, seeds, wrt, g->param_nodes);
    while (vjp_peek(&s) && vjp_next(&s))
        continue;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len && !s.failed; i++) {
        Node *bar = map_get(&s.v.cotangents, order.at[i]);
        if (bar) {
            vec_push(pairs, order.at[i]);
            vec_push(pairs, bar);
        }
    }
    bool ok = !s.failed;
    vjp_end(&s);
    vec_free(&order);
    return ok;
}

bool implicit_cotangents(Store *st, Node *n, NodeVec *values, NodeVec *cotangents)
{
    u32 temps = st->temp_count;
    if (!(n = implicit_ready(st, n)))
        return false;
    Graph *g = n->attrs[0].graph;
    bool seeded = n->op == OP_GRAD;
    Node **seeds = vector_holes(st, g->nouts, g->outs);
    NodeVec pairs = {0};
    if (seeded)
        seeds[0] = node_number(st, g->outs[0]->type->dtype, 1);
    bool ok = sweep(st, g, (int)n->attrs[1].i, seeds, &pairs);
    Node **results = xcalloc(pairs.len + 1, sizeof *results);
    ok = ok && body_results(st, n, g, pairs.at, (int)pairs.len, results) &&
         (seeded || close_holes(st, g->nouts, seeds, n->ops + g->nparams, (int)pairs.len, results));
    for (size_t i = 0; i + 1 < pairs.len && ok; i += 2) {
        vec_push(values, results[i]);
        vec_push(cotangents, results[i + 1]);
    }
    st->temp_count = temps;
    free(results);
    free(seeds);
    vec_free(&pairs);
    return ok;
}
