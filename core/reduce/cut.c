/* Parts of the outermost graph become inputs: delta debugging over its nodes, in runs from half of
 * them down to one. */
#include "reduce/parts.h"

/* The nodes that may be cut off, the operands first; results stay what they are. */
static void find_cuts(const Reduction *r, NodeVec *out)
{
    NodeVec order = {0};
    NodeSet results = {0};
    for (size_t i = 0; i < r->roots.len; i++)
        set_add(&results, r->roots.at[i]);
    nodes_topo((int)r->roots.len, r->roots.at, &order);
    for (size_t i = 0; i < order.len; i++)
        if (can_be_input(order.at[i]) && !map_has(&results, order.at[i]))
            vec_push(out, order.at[i]);
    map_free(&results);
    vec_free(&order);
}

/* Of a run of nodes those that are still reached once all of them are inputs. */
static void find_frontier(const Reduction *r, const NodeVec *nodes, size_t from, size_t to,
                          NodeVec *out)
{
    NodeSet run = {0};
    Descent d = {0};
    for (size_t i = from; i < to; i++)
        set_add(&run, nodes->at[i]);
    for (size_t i = 0; i < r->roots.len; i++)
        descent_from(&d, r->roots.at[i]);
    for (Node *n; (n = descent_next(&d)) != NULL;)
        if (map_has(&run, n))
            vec_push(out, n);
        else
            descent_operands(&d, n);
    descent_end(&d);
    map_free(&run);
}

static bool cut_run(Reduction *r, const NodeVec *nodes, size_t from, size_t to)
{
    NodeVec frontier = {0};
    NodeMap at = {0};
    Candidate c = {0};
    find_frontier(r, nodes, from, to, &frontier);
    if (frontier.len)
        inputs_for(r, &frontier, &c, &at);
    bool made = at.len && candidate_replace(r, &c, NULL, &at);
    vec_free(&frontier);
    map_free(&at);
    if (made)
        return candidate_smaller(r, &c);
    candidate_free(&c);
    return false;
}

/* Runs of one length; true: at least one was cut off. */
static bool cut_runs(Reduction *r, size_t length)
{
    NodeVec nodes = {0};
    bool found = false;
    find_cuts(r, &nodes);
    for (size_t from = 0; from < nodes.len && !shrink_stops(r);) {
        size_t to = from + length < nodes.len ? from + length : nodes.len;
        bool cut = cut_run(r, &nodes, from, to);
        found = found || cut;
        if (cut) { /* what is left, from the beginning: little of it came before */
            nodes.len = 0;
            find_cuts(r, &nodes);
            from = 0;
        } else {
            from = to;
        }
    }
    vec_free(&nodes);
    return found;
}

void shrink_cut(Reduction *r)
{
    NodeVec nodes = {0};
    find_cuts(r, &nodes);
    size_t length = nodes.len;
    vec_free(&nodes);
    for (; length && !shrink_stops(r); length /= 2)
        cut_runs(r, length);
}
