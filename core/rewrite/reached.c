/* What the roots of an engine reach; see engine.h. */
#include "graph/walk.h"
#include "rewrite/engine.h"

void reached_free(Reach *r)
{
    vec_free(&r->roots);
    vec_free(&r->order);
    *r = (Reach){0};
}

static bool is_of(const Reach *r, const Engine *e)
{
    return r->roots.len == (size_t)e->nroots && r->roots.len &&
           !memcmp(r->roots.at, e->roots, r->roots.len * sizeof *e->roots);
}

const Reach *engine_reached(Engine *e)
{
    Reach *r = e->reached;
    if (is_of(r, e))
        return r;
    reached_free(r);
    for (int i = 0; i < e->nroots; i++)
        vec_push(&r->roots, e->roots[i]);
    nodes_topo(e->nroots, e->roots, &r->order);
    for (size_t i = 0; i < r->order.len; i++) {
        const Node *n = r->order.at[i];
        int slots[4];
        r->ops[n->op / 64] |= 1ull << n->op % 64;
        r->tuples = r->tuples || n->type->kind == TYPE_TUPLE;
        if (!r->bodies && node_graphs(n, slots)) {
            r->graphs = true;
            r->bodies = n->op != OP_FUSED;
        }
    }
    return r;
}

bool engine_any(Engine *e, bool (*is)(const Node *n))
{
    const Reach *r = engine_reached(e);
    for (size_t i = 0; i < r->order.len; i++)
        if (is(r->order.at[i]))
            return true;
    return r->bodies && nodes_any(e->nroots, e->roots, is);
}

bool engine_concerned(Engine *e, u32 groups)
{
    const Reach *r = engine_reached(e);
    bool found = r->bodies;
    for (u32 op = 0; op < OP_COUNT && !found; op++)
        found = (r->ops[op / 64] >> op % 64 & 1) && (rule_groups_at(e->rs, (OpId)op) & groups);
    return found;
}
