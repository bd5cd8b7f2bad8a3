/* What the files of the way back share: see back.h. */
#ifndef GRADUS_BACK_PARTS_H
#define GRADUS_BACK_PARTS_H

#include "algebra/back.h"
#include "algebra/parts.h"

enum {
    BACK_NAMES = 32,     /* of axes at one time: those of the result, and those summed over */
    BACK_PARTS = 24,     /* factors of a term */
    BACK_MOST_WORK = 200 /* terms put together for one form, those of forms not taken included */
};
typedef u32 Names; /* a bit for each name */

/* A way back under way. Names below BACK_NAMES stand for axes; a name is used again once nothing
 * has it any more. */
typedef struct {
    Algebra *a;
    Store *st;
    DType dtype;
    const Sources *from;
    Arena arena;
    Size *sizes[BACK_NAMES];
    u32 work;
    bool factors; /* common ones are taken out */
} Back;

/* c * node^power (1 or -1), whose axes have these names. */
typedef struct {
    Node *node;
    FormCoef c;
    int power;
    int names[MAX_RANK];
} Part;
typedef struct {
    u32 n;
    Part at[BACK_PARTS];
} Parts;

static inline Names name_bit(int name) { return (Names)1 << name; }
static inline Names names_below(int n) { return n >= BACK_NAMES ? ~(Names)0 : name_bit(n) - 1; }
Names part_names(const Part *p);
/* In the author's order. */
u32 source_place(const Sources *s, const FormAtom *a);
/* How long an axis is, or is taken to be. */
double back_length(const Back *b, int name);

/* ---- putting together (back_build.c); false: it cannot be ---- */

/* The value of a size, as a number of the form's dtype or as a whole one. */
Node *back_size(Back *b, Size *s, bool whole);
/* Factors of the same elements, or repeated along the axes that they do not have. */
bool build_product_of(Back *b, const Parts *factors, Part *out);
bool build_sum_of(Back *b, const Part *terms, u32 n, Part *out);
/* Summed over all names but these. */
bool build_summed(Back *b, const Part *p, Names keep, Part *out);
/* Two of them, summed over all names but these. */
bool build_pair(Back *b, const Part *x, const Part *y, Names keep, Part *out);
/* With its number and its power in it. */
bool build_plain(Back *b, Part *p);
/* The whole, with axes 0, 1, ... of the type. */
Node *build_result(Back *b, Part *p, const Type *type);

/* ---- the order of a contraction (back_order.c) ---- */

/* The product of the factors, summed over all names but these. */
bool build_contraction(Back *b, const Parts *factors, Names keep, Part *out);

#endif
