/* Inputs and shared variables in the order in which their names were first declared: whether an
 * older one of a name still exists makes no difference. */
#include "graph/store.h"

void leaf_declare(Store *st, Symbol name)
{
    if (!map_has(&st->input_order, name))
        map_put(&st->input_order, name, (u32)st->input_order.len + 1);
}

u32 leaf_place(const Store *st, const Node *leaf)
{
    return map_get(&st->input_order, leaf->attrs[0].name) - 1;
}

void leaf_name_dimensions(Store *st, Node *leaf, const Symbol *names)
{
    Symbol *old = map_get(&st->dimensions, leaf), *now = NULL;
    int rank = leaf->type->rank;
    if (old == NULL && names == NULL)
        return;
    if (names) {
        now = xmalloc((size_t)(rank + 1) * sizeof *now);
        memcpy(now, names, (size_t)rank * sizeof *now);
        map_put(&st->dimensions, leaf, now);
    } else {
        map_remove(&st->dimensions, leaf);
    }
    st->dimension_age++;
    free(old);
}

const Symbol *leaf_dimensions(const Store *st, const Node *leaf)
{
    return map_get(&st->dimensions, (Node *)(uintptr_t)leaf);
}

typedef struct {
    u32 place;
    size_t was;
    Node *leaf;
} Placed;

static int by_place(const void *a, const void *b)
{
    const Placed *x = a, *y = b;
    return x->place != y->place ? (x->place < y->place ? -1 : 1)
                                : (x->was > y->was) - (x->was < y->was);
}

void leaves_by_declaration(const Store *st, size_t n, Node **leaves)
{
    Placed *all = xmalloc((n + 1) * sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = (Placed){leaf_place(st, leaves[i]), i, leaves[i]};
    if (n)
        qsort(all, n, sizeof *all, by_place);
    for (size_t i = 0; i < n; i++)
        leaves[i] = all[i].leaf;
    free(all);
}
