/* Which results of a tuple node the graph of a sweep uses: see engine.h.
 *
 * Invariant: a set is interned, so two are equal where their addresses are. */
#include "rewrite/engine.h"

typedef MAP(Node *, i64 *) NodeBits;

static u32 words_of(const Node *tuple) { return (u32)tuple->type->nitems / 64 + 1; }

/* The bits of a tuple node while they are counted. */
static i64 *bits_of(NodeBits *bits, const Node *tuple)
{
    i64 *b = map_get(bits, tuple);
    if (!b)
        map_put(bits, tuple, b = xcalloc(words_of(tuple), sizeof *b));
    return b;
}

static void use_result(NodeBits *bits, const Node *tuple, const Node *user)
{
    i64 *b = bits_of(bits, tuple);
    if (user && user->op == OP_PROJ)
        b[user->attrs[0].i / 64] |= (i64)(1ull << user->attrs[0].i % 64);
    else
        memset(b, 0xff, words_of(tuple) * sizeof *b);
}

void engine_count_uses(Engine *e)
{
    const Reach *r = engine_reached(e);
    const NodeVec *order = &r->order;
    NodeBits bits = {0};
    node_map_clear(&e->used);
    for (size_t i = 0; i < order->len && r->tuples; i++) {
        Node *n = order->at[i];
        if (n->type->kind == TYPE_TUPLE)
            bits_of(&bits, n);
        for (u32 k = 0; k < n->nops; k++)
            if (n->ops[k]->type->kind == TYPE_TUPLE)
                use_result(&bits, n->ops[k], n);
    }
    for (int i = 0; i < e->nroots; i++)
        if (e->roots[i]->type->kind == TYPE_TUPLE)
            use_result(&bits, e->roots[i], NULL);
    for (size_t i = 0; i < order->len && r->tuples; i++) {
        Node *n = order->at[i];
        i64 *b = n->type->kind == TYPE_TUPLE ? map_get(&bits, n) : NULL;
        if (b)
            node_map_put(&e->used, n, intlist(e->st, words_of(n), b));
        free(b);
    }
    map_free(&bits);
}

const IntList *engine_used(Engine *e, const Node *tuple) { return node_map_get(&e->used, tuple); }

bool result_is_used(const IntList *used, int result)
{
    return !used || ((u64)used->at[result / 64] >> result % 64 & 1);
}

void engine_carry_uses(Engine *e, const Node *from, const Node *to)
{
    if (from == to || to->type->kind != TYPE_TUPLE)
        return;
    const IntList *all = engine_used(e, from), *other = engine_used(e, to);
    if (node_map_has(&e->used, to) && all != other) {
        u32 n = all && other && all->n == other->n ? all->n : 0;
        i64 *both = xcalloc(n + 1, sizeof *both);
        for (u32 i = 0; i < n; i++)
            both[i] = all->at[i] | other->at[i];
        all = n ? intlist(e->st, n, both) : NULL;
        free(both);
    }
    node_map_put(&e->used, to, all);
}
