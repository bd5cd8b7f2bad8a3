/* Nodes inside graphs that nodes own become parameters of their type, or constants. */
#include "reduce/parts.h"

#include "ops/build.h"

static Node *scalar_for(Reduction *r, DType d)
{
    return d == DT_BOOL ? node_bool(r->st, true) : node_number(r->st, d, 1);
}

/* What stands for n, a node of g: a parameter of its type that it is not made of alone, else ones.
 */
static Node *filler(Reduction *r, const Graph *g, const Node *n)
{
    const Type *t = n->type;
    for (int i = 0; i < g->nparams; i++)
        if (g->params[i] == t)
            return g->param_nodes[i];
    if (!t->rank)
        return scalar_for(r, t->dtype);
    Node *dims[MAX_RANK];
    for (int a = 0; a < t->rank; a++)
        dims[a] = size_to_node(r->st, t->dims[a]);
    return build_full(r->st, scalar_for(r, t->dtype), t->rank, dims);
}

static bool fill_run(Reduction *r, const Graph *g, const NodeVec *nodes, size_t from, size_t to)
{
    NodeMap at = {0};
    DiagTry trial;
    diag_try_begin(&trial, &r->st->diags);
    for (size_t i = from; i < to; i++) {
        Node *f = filler(r, g, nodes->at[i]);
        if (f)
            map_put(&at, nodes->at[i], f);
    }
    diag_try_end(&trial);
    bool found = at.len && try_replace(r, g, &at);
    map_free(&at);
    return found;
}

/* True: the graph is another one now. */
static bool fill_graph(Reduction *r, const Graph *g)
{
    NodeVec nodes = {0};
    bool found = false;
    nodes_where(g->nouts, g->outs, can_be_input, &nodes);
    for (size_t length = nodes.len; length && !found; length /= 2)
        for (size_t from = 0; from < nodes.len && !found && !shrink_stops(r); from += length) {
            size_t to = from + length < nodes.len ? from + length : nodes.len;
            found = fill_run(r, g, &nodes, from, to);
        }
    vec_free(&nodes);
    return found;
}

static bool fill_one(Reduction *r)
{
    StandingVec all = {0};
    GraphSet seen = {0};
    bool found = false;
    nodes_standing((int)r->roots.len, r->roots.at, NULL, &all);
    for (size_t i = all.len; i-- > 0 && !found;)
        if (all.at[i].within && set_add(&seen, all.at[i].within))
            found = fill_graph(r, all.at[i].within);
    map_free(&seen);
    vec_free(&all);
    return found;
}

void shrink_bodies(Reduction *r)
{
    while (!shrink_stops(r) && fill_one(r))
        ;
}
