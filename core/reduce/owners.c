/* Nodes of the outermost graph that own graphs: a loop becomes one of its steps, a choice one of
 * its branches, a call what it computes; and what a body computes becomes the program. */
#include "reduce/parts.h"

#include "graph/op.h"
#include "ops/build.h"

/* ---- what parameters stand for ---- */

/* The first lane of an operand of vmap. */
static Node *lane_of(Reduction *r, const Node *owner, int i)
{
    i64 axis = owner->attrs[1].ints->at[i];
    return axis < 0 ? owner->ops[i]
                    : build_index(r->st, owner->ops[i], (int)axis, node_i64(r->st, 0));
}

/* What parameter i of g is outside, in a loop at its first step; NULL: it makes no sense. */
static Node *argument(Reduction *r, const Node *owner, const Graph *g, int i)
{
    bool row;
    if (owner->op == OP_VMAP)
        return lane_of(r, owner, i);
    if (owner->op == OP_LOOP) {
        LoopShape s = loop_shape(owner);
        return i < s.nstates ? s.inits[i] : s.captures[i - s.nstates];
    }
    Node *n = body_operand(owner, g, i, &row);
    return n && row ? build_index(r->st, n, 0, node_i64(r->st, 0)) : n;
}

/* The results of g outside; false: they make no sense. */
static bool results_outside(Reduction *r, const Node *owner, Graph *g, Node **outs)
{
    Node **args = xmalloc(((size_t)g->nparams + 1) * sizeof *args);
    bool ok = true;
    DiagTry trial;
    diag_try_begin(&trial, &r->st->diags);
    for (int i = 0; i < g->nparams && ok; i++)
        ok = (args[i] = argument(r, owner, g, i)) != NULL;
    ok = ok && graph_instantiate(r->st, g, args, outs);
    diag_try_end(&trial);
    free(args);
    return ok;
}

/* ---- in place ---- */

/* Result k of the owner, as one run of g gives it; NULL: it does not. */
static Node *result_of_run(Reduction *r, const Node *owner, Node *const *outs, int nouts, int k)
{
    bool loop = node_is_loop(owner);
    int states = !loop                  ? nouts
                 : owner->op == OP_SCAN ? scan_shape(owner).nstates
                                        : loop_shape(owner).nstates;
    int traces = !loop                  ? 0
                 : owner->op == OP_SCAN ? scan_shape(owner).nouts
                                        : loop_shape(owner).ntraces;
    if (k < states)
        return outs[k];
    return k < states + traces    ? build_expand(r->st, outs[k], 0)
           : k == states + traces ? node_i64(r->st, 1)
                                  : NULL;
}

static bool runs_in_place(const Node *owner)
{
    return node_is_loop(owner) || owner->op == OP_IFELSE || owner->op == OP_CALL ||
           owner->op == OP_FUSED;
}

static bool run_in_place(Reduction *r, Node *owner, Graph *g, Node *const *outs)
{
    NodeVec order = {0};
    NodeMap at = {0};
    DiagTry trial;
    diag_try_begin(&trial, &r->st->diags);
    nodes_topo((int)r->roots.len, r->roots.at, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i], *instead = NULL;
        if (n->op == OP_PROJ && n->ops[0] == owner)
            instead = result_of_run(r, owner, outs, g->nouts, (int)n->attrs[0].i);
        if (instead)
            map_put(&at, n, instead);
    }
    diag_try_end(&trial);
    bool found = at.len && try_replace(r, NULL, &at);
    vec_free(&order);
    map_free(&at);
    return found;
}

/* ---- all ---- */

static bool try_graph(Reduction *r, Node *owner, Graph *g)
{
    Node **outs = xmalloc(((size_t)g->nouts + 1) * sizeof *outs);
    bool found = false;
    if (results_outside(r, owner, g, outs)) {
        for (int k = 0; k < g->nouts && !found; k++)
            found = try_result(r, outs[k]);
        found = found || (runs_in_place(owner) && run_in_place(r, owner, g, outs));
    }
    free(outs);
    return found;
}

static bool try_owners(Reduction *r)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo((int)r->roots.len, r->roots.at, &order);
    for (size_t i = order.len; i-- > 0 && !found && !shrink_stops(r);) {
        int slots[4], graphs = node_graphs(order.at[i], slots);
        for (int k = 0; k < graphs && !found; k++)
            found = try_graph(r, order.at[i], order.at[i]->attrs[slots[k]].graph);
    }
    vec_free(&order);
    return found;
}

void shrink_owners(Reduction *r)
{
    while (try_owners(r))
        ;
}
