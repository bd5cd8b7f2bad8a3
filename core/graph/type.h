/* Types of nodes, and their attributes.
 *
 * Invariant: both are interned, and a type is a pure function of operator, attributes and operand
 * types. */
#ifndef GRADUS_TYPE_H
#define GRADUS_TYPE_H

#include "graph/size.h"
#include "tensor/tensor.h"

typedef struct Type Type;
typedef struct Graph Graph;

typedef enum { TYPE_TENSOR, TYPE_TUPLE } TypeKind;
struct Type {
    TypeKind kind;
    DType dtype; /* tensor */
    int rank;
    Size *dims[MAX_RANK];
    int nitems; /* tuple */
    Type **items;
    u64 hash;
    bool mark;
};
Type *type_tensor(Store *st, DType d, int rank, Size *const *dims);
Type *type_scalar(Store *st, DType d);
Type *type_tuple(Store *st, int n, Type *const *items);
Type *type_with_dtype(Store *st, Type *t, DType d);
bool type_is_scalar(const Type *t);
/* How many elements it has along the axes from `from` on: *count. False if that is not known, or
 * does not fit. */
bool type_count(const Type *t, int from, i64 *count);
Type *type_map_sizes(Store *st, Type *t, AtomMap f, void *ctx);
void type_print(Text *out, const Type *t);
/* False if dtype, rank or some size provably differ. */
bool type_compatible(Store *st, Type *a, Type *b);

/* ---- attributes ---- */

typedef struct {
    u32 n;
    bool mark;
    i64 at[];
} IntList;
const IntList *intlist(Store *st, u32 n, const i64 *at);
bool intlist_has(const IntList *l, i64 x);

typedef union {
    i64 i;               /* schema letters: i integer, b bool, d dtype */
    const IntList *ints; /* I */
    Symbol name;         /* s */
    Type *type;          /* t */
    Tensor *value;       /* v: interned by content */
    Graph *graph;        /* g */
    Size *size;          /* z */
    u64 bits;
} Attr;

#endif
