/* What is settled: at which nodes no rule fires any more, by groups of rules (engine.h: Mark).
 *
 * Invariant: a mark is made only after all rules of its groups were tried in vain. */
#include "rewrite/engine.h"

void settled_free(Settled *s)
{
    free(s->at);
    *s = (Settled){0};
}

static u32 mark_slot(const Settled *s, u32 id)
{
    u32 i = id * 0x9E3779B1u & (s->cap - 1);
    while (s->at[i].used && s->at[i].id != id)
        i = (i + 1) & (s->cap - 1);
    return i;
}

/* NULL: nothing is known of it. */
static const Mark *mark_of(const Settled *s, const Node *n)
{
    const Mark *m = s->cap ? &s->at[mark_slot(s, n->id)] : NULL;
    return m && m->used ? m : NULL;
}

/* Valid until the next one is asked for. */
static Mark *mark_put(Settled *s, const Node *n)
{
    if (4 * (s->len + 1) > 3 * s->cap) {
        Settled old = *s;
        s->cap = old.cap ? 2 * old.cap : 64;
        s->at = xcalloc(s->cap, sizeof *s->at);
        for (u32 i = 0; i < old.cap; i++)
            if (old.at[i].used)
                s->at[mark_slot(s, old.at[i].id)] = old.at[i];
        settled_free(&old);
    }
    Mark *m = &s->at[mark_slot(s, n->id)];
    s->len += !m->used;
    m->used = true;
    m->id = n->id;
    return m;
}

bool settled_deep(const Settled *s, const Node *n, u32 groups)
{
    const Mark *m = mark_of(s, n);
    return m && (m->deep & groups) == groups;
}

/* At a tuple, as long as the same results are used. */
u32 settled_normal(const Settled *s, const Node *n, u64 uses)
{
    const Mark *m = mark_of(s, n);
    if (!m || (m->uses && m->uses != uses))
        return 0;
    return m->normal;
}

void settled_mark(Settled *s, const Node *n, u32 groups, u64 uses)
{
    int slots[4];
    u32 below = ~0u;
    for (u32 i = 0; i < n->nops; i++) {
        const Mark *operand = mark_of(s, n->ops[i]);
        below &= operand ? operand->deep : 0;
    }
    Mark *m = mark_put(s, n);
    if (n->type->kind == TYPE_TUPLE || node_graphs(n, slots)) {
        if (m->uses != uses)
            m->normal = 0;
        m->uses = uses;
        m->normal |= groups;
        return; /* not deep: there are bodies to visit */
    }
    m->normal |= groups;
    m->deep |= below & m->normal;
}
