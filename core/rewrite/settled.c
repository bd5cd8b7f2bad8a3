/* What is settled: at which nodes no rule fires any more, by groups of rules (engine.h: Settled).
 *
 * Invariant: a mark is made only after all rules of its groups were tried in vain. */
#include "rewrite/engine.h"

/* A mark: groups none of whose rules fires at the node, and those none of which fires below. */
typedef struct {
    u32 normal, deep;
} Mark;

void settled_free(Settled *s)
{
    node_map_free(&s->marks);
    node_map_free(&s->uses);
}

static Mark mark_of(const Settled *s, const Node *n)
{
    u64 m = node_map_get(&s->marks, n);
    return (Mark){(u32)m, (u32)(m >> 32)};
}

static void mark_put(Settled *s, const Node *n, Mark m)
{
    node_map_put(&s->marks, n, (u64)m.deep << 32 | m.normal);
}

bool settled_deep(const Settled *s, const Node *n, u32 groups)
{
    return groups ? (mark_of(s, n).deep & groups) == groups : node_map_has(&s->marks, n);
}

/* Does what is known hold for some results that are used, not for all? */
static bool asks_uses(const Node *n)
{
    int slots[4];
    return n->type->kind == TYPE_TUPLE || node_graphs(n, slots);
}

u32 settled_normal(const Settled *s, const Node *n, const IntList *uses)
{
    u32 normal = mark_of(s, n).normal;
    return normal && asks_uses(n) && node_map_get(&s->uses, n) != uses ? 0 : normal;
}

void settled_mark(Settled *s, const Node *n, u32 groups, const IntList *uses)
{
    u32 below = ~0u;
    Mark m = mark_of(s, n);
    if (asks_uses(n)) { /* not deep: there are bodies to visit */
        if (node_map_get(&s->uses, n) != uses)
            m.normal = 0;
        node_map_put(&s->uses, n, uses);
        m.normal |= groups;
        mark_put(s, n, m);
        return;
    }
    for (u32 i = 0; i < n->nops; i++)
        below &= mark_of(s, n->ops[i]).deep;
    m.normal |= groups;
    m.deep |= below & m.normal;
    mark_put(s, n, m);
}
