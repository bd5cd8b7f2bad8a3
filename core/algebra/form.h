/* Sums of products in index form: two expressions over + and * and sums are equal for all values of
 * their inputs exactly if their forms are (Wang et al., SPORES, VLDB 2020).
 *
 * A form is a sum of terms c * sum over bound names of a product of atoms, each at its indices and
 * to a whole power. Names 0, 1, .. are the axes of the result, BOUND and up are bound. An atom is
 * an input, a function of forms, or any other operator as a whole. An index is scale * name + at.
 *
 * With relations (Algebra.relations), a form may also be a choice: one value or another, by where a
 * form that is looked at lies between cuts (an interval decision diagram: what is looked at comes
 * in one order, so equal choices meet). Truth values are such choices of 0 and 1.
 *
 * Invariant: coefficients, products and forms are interned in their Algebra, and named canonically:
 * equal means the same pointer. Nothing depends on addresses. What goes beyond a limit below stays
 * an atom as a whole, so a form is right whether or not it is complete; Algebra.limited tells. */
#ifndef GRADUS_FORM_H
#define GRADUS_FORM_H

#include "graph/op.h"

enum {
    FORM_BOUND = 32,         /* the first bound name; free ones are below MAX_RANK */
    FORM_MOST_BOUND = 24,    /* bound names of a product: more than 20 axes */
    FORM_MOST_FACTORS = 64,  /* of a product */
    FORM_MOST_TERMS = 20000, /* of a sum that is written as one */
    FORM_MOST_OUT = 256,     /* of a product of sums that is multiplied out */
    FORM_MOST_WORK = 400000, /* terms made in one Algebra: a fraction of a second; */
    FORM_NODE_WORK = 60000,  /* and for one node */
    FORM_MOST_DEPTH = 200,   /* of functions in functions: the machine's stack is finite */
    FORM_MOST_REGIONS = 64,  /* of a choice */
    FORM_MOST_TRIES = 720    /* ways to name what looks alike: six names */
};

typedef struct Form Form;
typedef struct FormAtom FormAtom;

/* A rational number; of whole numbers, one modulo 2^64 or 2^32. */
typedef struct {
    i64 num, den;
} FormCoef;

typedef struct {
    int name;       /* -1: none */
    i64 scale;      /* of the name; 0 if there is none */
    const Form *at; /* a whole number that is added; NULL: 0 */
} FormIndex;

typedef enum {
    ATOM_LEAF,     /* a node as a whole, by the axes of its value */
    ATOM_OPAQUE,   /* an operator of forms over all axes of its operands */
    ATOM_FUNCTION, /* an elementwise operator of forms over the names that they mention */
    ATOM_ORDER,    /* the sign of the difference of two forms */
    ATOM_SUM,      /* a form, where a power of it is not multiplied out */
    ATOM_LENGTH,   /* a size */
    ATOM_DELTA,    /* 1 where its two indices are equal, else 0 */
    ATOM_PLACE     /* its index, as a number */
} FormAtomKind;

struct FormAtom {
    FormAtomKind kind;
    const Node *node;     /* LEAF, and an example of the others; NULL: from ATOM_ORDER on */
    const SizeAtom *size; /* LENGTH */
    DType dtype;
    u32 nargs, arity; /* arity: how many indices it has */
    u32 depth;        /* of functions in it */
    const Form **args;
    u64 key; /* the same on every run */
    u32 id;  /* where keys are the same */
};

typedef struct {
    const FormAtom *atom;
    int power;
    u32 arity;
    FormIndex *index;
} FormFactor;

/* sum over bound names of a product. */
typedef struct FormProduct {
    u32 nfactors, nbound;
    FormFactor *factors; /* in order */
    Size **sizes;        /* of the bound names */
    u64 key;
    u32 id;
    bool unsure; /* equal ones may have got other names: there were too many ways to name them */
} FormProduct;

typedef struct {
    const FormProduct *of;
    FormCoef c;
} FormTerm;

typedef struct {
    double at;
    bool after; /* `at` itself comes before the cut, not behind it */
} FormCut;

typedef struct {
    const Form *of; /* no choice itself, and no number */
    u32 ncuts;
    FormCut *cuts;       /* in order */
    const Form **values; /* of the ncuts + 1 regions between them */
    const Form *nan;     /* where `of` is nan; NULL: it never is */
} FormChoice;

struct Form {
    DType dtype;
    u32 nterms, depth;
    FormTerm *terms;
    const FormChoice *choice; /* or NULL; then there are no terms */
    u64 key;
    u32 id;
};

/* Bits beside those of HAZARD_*: where terms cancel, the zero that is left has another sign; terms
 * have cancelled as a whole (Algebra.gone). */
enum { FORM_ZERO_SUMS = 1 << 16, FORM_TERMS_GONE = 1 << 17 };

/* What was met on the way to a form besides reordering: its value may differ from the node's by
 * that. Bits of HAZARD_*, as of a rule, and those above. */
typedef struct {
    const Form *form; /* NULL: it is not known (yet) */
    u32 classes;
} FormOf;

/* "20000 terms of a sum"; `what` NULL: none. */
typedef struct {
    const char *what;
    u32 most;
} FormLimit;

typedef struct Algebra {
    Store *st;
    Arena arena;
    Intern atoms, products, forms;
    MAP(Node *, FormOf *) of;
    /* Of the nodes that forms are over, and of their sizes: the order in which they are met, which
     * takes the place of their keys, as names have a part in those. Empty: keys decide. */
    const NodeCounts *places;
    MAP(const void *, u32) lengths;
    u32 ids, classes; /* classes: of what is being read */
    u32 work, most_work;
    bool relations;    /* laws of functions, choices, whole numbers */
    bool loose;        /* and of what differs in the sign of a zero alone */
    Size *const *dims; /* of the axes that free names are of; NULL: not known */
    int rank;
    struct Facts *facts;
    const Type *whole;    /* of this all forms are parts: where it has an element, its axes are not
                                0 long; NULL: not known */
    VEC(FormFactor) gone; /* of the terms that cancelled since the last algebra_read_over; kept only
                             where `whole` is known */
    FormLimit limited;    /* the first one that was met */
    const FormProduct *one;
} Algebra;

void algebra_init(Algebra *a, Store *st);
void algebra_free(Algebra *a);
/* The form of a node. Its `form` is NULL if the node is no tensor of numbers, or if there is no
 * room left. */
FormOf algebra_form(Algebra *a, Node *n);
/* The classes with the bits above as those of a rule that any value may meet. */
u32 form_hazards(u32 classes);
/* Is all that is gone still to be seen in f: is f not finite wherever a factor of it is not? */
bool form_shows_gone(const Algebra *a, const Form *f);
/* Is the difference of two forms zero over one denominator, with sums over short axes written out?
 * They are equal wherever both are defined; in what else they may differ is in *classes. */
bool form_agrees(Algebra *a, const Form *x, const Form *y, u32 *classes);

enum { FORM_MOST_BELOW = 8 };
typedef struct {
    const Form *base;
    int power; /* above 0 */
} FormBelow;
/* top / (base^power * ..) */
typedef struct {
    const Form *top;
    u32 n;
    FormBelow below[FORM_MOST_BELOW];
} FormFraction;
/* f over one denominator; false: it has none, or a limit. */
bool form_fraction(Algebra *a, const Form *f, FormFraction *out);
/* "2 * x[i] * w[j] + ...", for messages and tests. */
void form_print(const Algebra *a, const Form *f, Text *out);

#endif
