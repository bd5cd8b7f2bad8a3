/* Sizes as numbers.  See size_numbers.h. */
#include "analysis/size_numbers.h"

typedef struct KnownSize {
    double value;
    bool known;
} Number;

static Number number_of_name(SizeNumbers *n, Symbol name)
{
    Store *st = n->e.st;
    NamedSize z = {name, n->assumed, SIZE_ASSUMED};
    if (n->given && n->given(n->ctx, name, &z.value))
        z.from = SIZE_GIVEN;
    else if (*name != '.' && probe_number(&n->e, size_to_node(st, size_name(st, name)), &z.value))
        z.from = SIZE_OF_VALUE;
    vec_push(&n->names, z);
    return (Number){z.value, z.from != SIZE_ASSUMED};
}

static Number find_number(SizeNumbers *n, const SizeAtom *a)
{
    Number x = {n->assumed, false};
    if (a->kind == ATOM_NAME)
        return number_of_name(n, a->name);
    x.known = a->kind == ATOM_NODE && probe_number(&n->e, a->node, &x.value);
    return x;
}

double size_number(void *ctx, const SizeAtom *a)
{
    SizeNumbers *n = ctx;
    if (!a) {
        n->endless = true;
        return n->assumed;
    }
    Number *found = map_get(&n->numbers, a);
    if (!found) {
        found = arena_alloc(&n->arena, sizeof *found);
        *found = find_number(n, a);
        map_put(&n->numbers, a, found);
    }
    n->known = n->known && found->known;
    return found->value;
}

void size_numbers_free(SizeNumbers *n)
{
    map_free(&n->numbers);
    arena_free(&n->arena);
    vec_free(&n->names);
}
