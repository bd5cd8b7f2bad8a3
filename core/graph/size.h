/* Sizes: polynomials with integer coefficients over symbols and other atoms, in normal form.
 *
 * Invariant: sizes are interned, so equal ones are the same pointer, and never changed. */
#ifndef GRADUS_SIZE_H
#define GRADUS_SIZE_H

#include "base/base.h"

typedef const char *Symbol; /* interned string: compare by pointer */
typedef struct Size Size;
typedef struct Node Node;
typedef struct Store Store;

typedef enum {
    ATOM_NAME,   /* a symbol of the program: n */
    ATOM_PARAM,  /* d0, d1, ...: a size parameter of the Graph it stands in */
    ATOM_NODE,   /* the value of an i64 scalar node */
    ATOM_RESULT, /* inside a tuple type: the value of result `index` of the node that has the type
                  */
    ATOM_MAX,
    ATOM_MIN,
    ATOM_FLOORDIV
} AtomKind;

typedef struct {
    AtomKind kind;
    Symbol name;
    i64 index;
    Node *node;
    Size *a, *b;
    u64 hash;
    bool mark;
    Node *source; /* of a symbol that only a run inside knows: a node outside whose axis it is; */
    int axis;     /* no part of what the atom is */
} SizeAtom;

typedef struct {
    i64 coef;
    u32 nfactors;
    SizeAtom **factors; /* sorted; a repeated factor is a power */
} SizeTerm;

struct Size {
    u64 hash;
    i64 constant;
    u32 nterms;
    u32 weight; /* how much there is to walk through, shared parts counted each time */
    bool mark;
    SizeTerm *terms;
};

Size *size_const(Store *st, i64 k);
Size *size_name(Store *st, Symbol name);
Size *size_param(Store *st, i64 index);
Size *size_result(Store *st, i64 index);
Size *size_of_node(Store *st, Node *n); /* the value of an i64 scalar, in normal form */
Size *size_add(Store *st, Size *a, Size *b);
Size *size_sub(Store *st, Size *a, Size *b);
Size *size_mul(Store *st, Size *a, Size *b);
Size *size_product(Store *st, int n, Size *const *sizes); /* 1 if there are none */
Size *size_scale(Store *st, Size *a, i64 k);
Size *size_max(Store *st, Size *a, Size *b);
Size *size_min(Store *st, Size *a, Size *b);
Size *size_floordiv(Store *st, Size *a, Size *b);
Size *size_pair(Store *st, AtomKind kind, Size *a, Size *b); /* ATOM_MAX, _MIN, _FLOORDIV */
bool size_is_const(const Size *s, i64 *k);                   /* k may be NULL */
bool size_is(const Size *s, i64 k);
/* The atom if s is exactly one atom, else NULL. */
SizeAtom *size_as_atom(const Size *s);
bool size_lower_bound(const Size *s, i64 *bound); /* symbols are >= 0; false if none is known */
/* Is a proved to be at least b + by? More is proved of two sizes than of their difference. */
bool size_above(Store *st, Size *a, Size *b, i64 by);
bool size_provably_different(Store *st, Size *a, Size *b);
bool size_has_kind(const Size *s, AtomKind kind);
/* Does it mention a symbol that only a run inside a branch or body knows (a name that starts with a
 * dot)? Its value can only be read off a tensor. */
bool size_is_opaque(const Size *s);
/* Symbols that only a run inside knows, in the type of what a run gave: from now on they are read
 * off n, if that stands in no closed graph. */
void size_read_off(Node *n);
/* Is it known outside of every body, so that it need not be read off a tensor? */
bool size_is_global(const Size *s);
/* Replaces atoms: f returns a size for an atom, or NULL to keep it. */
typedef Size *(*AtomMap)(Store *st, SizeAtom *atom, void *ctx);
Size *size_map(Store *st, Size *s, AtomMap f, void *ctx);
void size_print(Text *out, const Size *s);
/* The value of a size as an i64 scalar node: constants, `size` leaves, arithmetic. */
Node *size_to_node(Store *st, Size *s);
/* How many size parameters it refers to: the highest index + 1. */
i64 size_param_count(const Size *s);

#endif
