/* Keys of what forms are made of: they decide the order of factors, of terms and of axes that are
 * summed over, wherever nothing else does.
 *
 * Invariant: a key is the same on every run. Over nodes in an order of their own (keys_over) no
 * name has a part in it, so that renaming an input changes no bit of a result. */
#include "algebra/parts.h"

u64 leaf_key(const Algebra *a, Node *n)
{
    u32 place = a->places ? map_get(a->places, n) : 0;
    return place ? place : n->shash;
}

u64 size_key(const Algebra *a, const Size *s)
{
    u32 place = map_get(&a->lengths, s);
    return place ? place : s->hash;
}

u64 size_atom_key(const Algebra *a, const SizeAtom *s)
{
    u32 place = map_get(&a->lengths, s);
    return place ? place : s->hash;
}

static void meet(Algebra *a, const void *length)
{
    if (!map_has(&a->lengths, length))
        map_put(&a->lengths, length, (u32)a->lengths.len + 1);
}

static void meet_size(Algebra *a, const Size *s)
{
    meet(a, s);
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++)
            meet(a, s->terms[i].factors[k]);
}

void keys_over(Algebra *a, const NodeVec *nodes, const NodeCounts *places)
{
    a->places = places;
    map_clear(&a->lengths);
    for (size_t i = 0; i < nodes->len; i++)
        for (int k = 0; k < nodes->at[i]->type->rank; k++)
            meet_size(a, nodes->at[i]->type->dims[k]);
}
