/* Types: a dtype and sizes, or a tuple of types; interned. */
#include "graph/store.h"

static bool type_eq(const void *pa, const void *pb)
{
    const Type *a = pa, *b = pb;
    if (a->kind != b->kind)
        return false;
    if (a->kind == TYPE_TUPLE)
        return a->nitems == b->nitems &&
               (!a->nitems || !memcmp(a->items, b->items, (size_t)a->nitems * sizeof *a->items));
    return a->dtype == b->dtype && a->rank == b->rank &&
           !memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims);
}

static Type *type_intern(Store *st, Type *probe)
{
    u64 h = hash_mix(0x61, (u64)probe->kind);
    if (probe->kind == TYPE_TUPLE) {
        for (int i = 0; i < probe->nitems; i++)
            h = hash_mix(h, probe->items[i]->hash);
    } else {
        h = hash_mix(hash_mix(h, (u64)probe->dtype), (u64)probe->rank);
        for (int i = 0; i < probe->rank; i++)
            h = hash_mix(h, probe->dims[i]->hash);
    }
    probe->hash = h;
    Type *found = intern_find(&st->types, h, probe, type_eq);
    if (found)
        return found;
    Type *t = store_alloc(st, sizeof *t + (size_t)probe->nitems * sizeof *t->items);
    *t = *probe;
    if (t->nitems) {
        t->items = (Type **)(t + 1);
        memcpy(t->items, probe->items, (size_t)t->nitems * sizeof *t->items);
    }
    intern_add(&st->types, h, t);
    return t;
}

Type *type_tensor(Store *st, DType d, int rank, Size *const *dims)
{
    if (rank > MAX_RANK)
        return store_error(st, "rank", "reshape so that fewer axes are needed",
                           "a tensor can have at most %d axes, this one would have %d", MAX_RANK,
                           rank);
    Type probe = {.kind = TYPE_TENSOR, .dtype = d, .rank = rank};
    for (int i = 0; i < rank; i++)
        probe.dims[i] = dims[i];
    return type_intern(st, &probe);
}

Type *type_scalar(Store *st, DType d) { return type_tensor(st, d, 0, NULL); }

Type *type_tuple(Store *st, int n, Type *const *items)
{
    Type probe = {.kind = TYPE_TUPLE, .nitems = n};
    probe.items = (Type **)(uintptr_t)items; /* only read, copied when interned */
    return type_intern(st, &probe);
}

Type *type_with_dtype(Store *st, Type *t, DType d) { return type_tensor(st, d, t->rank, t->dims); }

bool type_is_scalar(const Type *t) { return t->kind == TYPE_TENSOR && t->rank == 0; }

Type *type_map_sizes(Store *st, Type *t, AtomMap f, void *ctx)
{
    if (t->kind == TYPE_TUPLE) {
        Type **items = xmalloc((size_t)(t->nitems + 1) * sizeof *items);
        for (int i = 0; i < t->nitems; i++)
            items[i] = type_map_sizes(st, t->items[i], f, ctx);
        Type *r = type_tuple(st, t->nitems, items);
        free(items);
        return r;
    }
    Size *dims[MAX_RANK];
    for (int i = 0; i < t->rank; i++)
        dims[i] = size_map(st, t->dims[i], f, ctx);
    return type_tensor(st, t->dtype, t->rank, dims);
}

bool type_count(const Type *t, int from, i64 *count)
{
    *count = 1;
    for (int i = from; i < t->rank; i++) {
        i64 n;
        if (!size_is_const(t->dims[i], &n) || n < 0 || __builtin_mul_overflow(*count, n, count))
            return false;
    }
    return true;
}

bool type_compatible(Store *st, Type *a, Type *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    if (a->kind == TYPE_TUPLE) {
        if (a->nitems != b->nitems)
            return false;
        for (int i = 0; i < a->nitems; i++)
            if (!type_compatible(st, a->items[i], b->items[i]))
                return false;
        return true;
    }
    if (a->dtype != b->dtype || a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (size_provably_different(st, a->dims[i], b->dims[i]))
            return false;
    return true;
}
