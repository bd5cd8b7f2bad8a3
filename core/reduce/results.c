/* What the condition needs is often computed on the way to the result: a node of the outermost
 * graph becomes the result. */
#include "reduce/parts.h"

enum { FEW = 64 }; /* nodes: each of them is tried, the smallest part first */

static bool can_be_result(const Node *n) { return n->type->kind == TYPE_TENSOR && n->nops; }

/* One of them: at a 64th of the graph, a 32nd, .. a half, then three quarters and seven eighths.
 * What fails costs no more than what is found. */
static bool jump(Reduction *r, const NodeVec *nodes)
{
    for (size_t part = FEW; part > 1; part /= 2)
        if (try_result(r, nodes->at[nodes->len / part]))
            return true;
    return try_result(r, nodes->at[nodes->len / 4 * 3]) ||
           try_result(r, nodes->at[nodes->len / 8 * 7]);
}

/* An operand of the results, the later ones first: more is computed for them. */
static bool descend(Reduction *r)
{
    NodeVec next = {0};
    NodeSet seen = {0};
    bool found = false;
    for (size_t i = 0; i < r->roots.len; i++)
        vec_push(&next, r->roots.at[i]);
    for (size_t i = 0; i < next.len && next.len < FEW; i++)
        for (u32 k = 0; k < next.at[i]->nops; k++)
            if (set_add(&seen, next.at[i]->ops[k]) &&
                (i < r->roots.len || next.at[i]->type->kind == TYPE_TUPLE))
                vec_push(&next, next.at[i]->ops[k]);
    for (size_t i = next.len; i-- > 0 && !found;)
        found = can_be_result(next.at[i]) && try_result(r, next.at[i]);
    map_free(&seen);
    vec_free(&next);
    return found;
}

bool shrink_to_part(Reduction *r)
{
    NodeVec nodes = {0};
    nodes_where((int)r->roots.len, r->roots.at, can_be_result, &nodes);
    bool found = nodes.len > FEW && jump(r, &nodes);
    vec_free(&nodes);
    return found;
}

static bool smaller_result(Reduction *r)
{
    NodeVec nodes = {0};
    bool found = false;
    nodes_where((int)r->roots.len, r->roots.at, can_be_result, &nodes);
    if (nodes.len > FEW)
        found = jump(r, &nodes) || descend(r);
    for (size_t i = 0; i < nodes.len && nodes.len <= FEW && !found && !shrink_stops(r); i++)
        found = try_result(r, nodes.at[i]);
    vec_free(&nodes);
    return found;
}

/* Two results that are compared become an operand of each. */
static bool smaller_pair(Reduction *r)
{
    if (r->roots.len != 2)
        return false;
    const Node *a = r->roots.at[0], *b = r->roots.at[1];
    for (u32 i = 0; i < a->nops; i++)
        for (u32 k = 0; k < b->nops; k++) {
            Candidate c = {0};
            if (a->ops[i]->type != b->ops[k]->type || a->ops[i]->type->kind != TYPE_TENSOR)
                continue;
            vec_push(&c.roots, a->ops[i]);
            vec_push(&c.roots, b->ops[k]);
            if (candidate_smaller(r, &c))
                return true;
        }
    return false;
}

void shrink_results(Reduction *r)
{
    while (!shrink_stops(r) && (r->paired ? smaller_pair(r) : smaller_result(r)))
        ;
}
