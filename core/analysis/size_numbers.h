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

/* ---- in words (size_text.c); a size may be NULL: nothing is known of it ---- */

/* *known: nothing in it was assumed. */
double size_value(SizeNumbers *n, const Size *s, bool *known);
/* "4", "2*T", or where it has no name that could be said, `unknown`; false: that was written. */
bool size_put(SizeNumbers *n, Text *out, Size *s, const char *unknown);
/* "4", "2*T", "an unknown number of" */
void size_put_count(SizeNumbers *n, Text *out, Size *s);
/* "128 bytes", "1.5 KB", "16*T bytes" */
void size_put_bytes(SizeNumbers *n, Text *out, Size *bytes);
/* "f64[4, 2]", "f64[?]" */
void size_put_type(SizeNumbers *n, Text *out, const Type *t);

#endif
