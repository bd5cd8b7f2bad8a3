/* Parts of the outermost graph become inputs: delta debugging over its nodes, in runs from half of
 * them down to one. */
#include "reduce/parts.h"

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

/* One run of that length. */
static bool cut_one_run(Reduction *r, const NodeVec *nodes, size_t length)
{
    for (size_t from = 0; from < nodes->len && !shrink_stops(r); from += length) {
        size_t to = from + length < nodes->len ? from + length : nodes->len;
        if (cut_run(r, nodes, from, to))
            return true;
    }
    return false;
}

/* A run, the longest that goes, of at least this part of the nodes. */
static bool cut_longest(Reduction *r, size_t parts)
{
    NodeVec nodes = {0};
    bool found = false;
    nodes_where((int)r->roots.len, r->roots.at, can_be_input, &nodes);
    for (size_t n = 1; n <= parts && n <= nodes.len && !found; n *= 2)
        found = cut_one_run(r, &nodes, nodes.len / n);
    vec_free(&nodes);
    return found;
}

bool shrink_coarsely(Reduction *r)
{
    enum { PARTS = 16 };
    return cut_longest(r, PARTS);
}

/* Runs of one length, as long as one goes: what is left is gone through from the beginning, as
 * little of it came before. */
static void cut_runs(Reduction *r, size_t length)
{
    for (bool found = true; found && !shrink_stops(r);) {
        NodeVec nodes = {0};
        nodes_where((int)r->roots.len, r->roots.at, can_be_input, &nodes);
        found = cut_one_run(r, &nodes, length);
        vec_free(&nodes);
    }
}

void shrink_cut(Reduction *r)
{
    NodeVec nodes = {0};
    nodes_where((int)r->roots.len, r->roots.at, can_be_input, &nodes);
    size_t length = nodes.len;
    vec_free(&nodes);
    for (; length && !shrink_stops(r); length /= 2)
        cut_runs(r, length);
}
