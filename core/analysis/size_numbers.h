/* Sizes as numbers: each name, and each size that a value decides, is what was given for it, else
 * what the values at hand say, else what is assumed.
 *
 * Invariant: an atom has the same number however often it is asked for; what was assumed is told.
 */
#ifndef GRADUS_SIZE_NUMBERS_H
#define GRADUS_SIZE_NUMBERS_H

#include "analysis/probe.h"
#include "ops/cost.h"

/* What the size of a name was taken to be, and where from. */
typedef struct {
    Symbol name;
    double value;
    enum { SIZE_GIVEN, SIZE_OF_VALUE, SIZE_ASSUMED } from;
} NamedSize;

struct KnownSize;

typedef struct {
    Evaluator e;
    double assumed;                                   /* for what is not known */
    bool (*given)(void *ctx, Symbol name, double *x); /* may be NULL: nothing is given */
    void *ctx;
    MAP(const SizeAtom *, struct KnownSize *) numbers;
    Arena arena;
    bool known;           /* nothing was assumed so far; set it to ask about what follows */
    bool endless;         /* a loop whose steps only a run knows had `assumed` steps */
    VEC(NamedSize) names; /* in the order in which they were met */
} SizeNumbers;

/* An AtomNumber; ctx is a SizeNumbers. NULL: the steps of a loop that has no bound. */
double size_number(void *ctx, const SizeAtom *a);
void size_numbers_free(SizeNumbers *n);

#endif
