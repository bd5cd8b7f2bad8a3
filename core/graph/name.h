/* A name as data: how it is derived, of what, and at which index it stands.
 *
 * A Symbol is the spelling of a name. A name of one word, as authors write them, is that word; any
 * other is made here, once for each Name, so that its Symbol tells it by its address. Nobody takes
 * the spelling apart, and only name.c knows it.
 *
 * Invariant: the symbol of a derived name is never that of a name that an author wrote, even if
 * both are spelled alike. Whoever prints several names makes those that are spelled alike differ:
 * names_distinct. */
#ifndef GRADUS_NAME_H
#define GRADUS_NAME_H

#include "graph/store.h"

typedef enum {
    NAME_OWN,        /* as the author wrote it */
    NAME_COTANGENT,  /* d_x: all that reaches x */
    NAME_GRADIENT,   /* d_W: what a gradient gives by W */
    NAME_GIVEN,      /* given_x: what row t of a trace is given of d_x from outside the loop */
    NAME_CARRIED,    /* carry_x: what comes of d_x from the step before in time of running */
    NAME_GATHERED,   /* sum_d_W: what d_W has gathered so far */
    NAME_TANGENT,    /* dot_x */
    NAME_FINAL,      /* x_last: the final state */
    NAME_ROW,        /* x_row: of a trace of a state, which is not what the state is */
    NAME_NEXT,       /* next_x: what the step gives if the lane is not done */
    NAME_COMPLEMENT, /* one_minus_x */
    NAME_MINUS,      /* minus_x */
    NAME_TRANSPOSED, /* x_T */
    NAME_APPLIED,    /* tanh_x: the operator `other` of x and of nothing else that matters */
    NAME_REDUCED,    /* sum_x: the same of a reduction */
    NAME_PRODUCT     /* x_W: x and `other`, multiplied */
} NameKind;

typedef struct {
    NameKind kind;
    Symbol base;  /* what it is derived from, without an index; if it is NAME_OWN, the word */
    Symbol other; /* or NULL */
    int tap;      /* only what arrives through the taps from this one on; 0: all */
    int again;    /* the second, third, .. of this name; 0: the first */
    bool indexed;
    Symbol letter; /* of the index, or NULL: it is a number */
    i64 offset;    /* from the letter, or the number */
} Name;

Name name_data(const Store *st, Symbol s); /* s is not NULL */
Symbol name_symbol(Store *st, Name n);
bool name_is_made(const Store *st, const char *s); /* a symbol of name_symbol that is no word */

/* ---- the same of symbols; NULL of NULL ---- */

Symbol name_derived(Store *st, NameKind kind, Symbol name); /* keeps the index */
Symbol name_applied(Store *st, NameKind kind, const char *op, Symbol name);
Symbol name_product(Store *st, Symbol a, Symbol b); /* NULL if they stand at different indices */
Symbol name_base(Store *st, Symbol name);           /* without its index */
Symbol name_with_index(Store *st, Symbol name, Symbol of); /* that of another name, if any */
Symbol name_at(Store *st, Symbol name, Symbol letter, i64 offset);
Symbol name_tap(Store *st, Symbol name, int k);
Symbol name_shifted(Store *st, Symbol name, i64 by);  /* without an index: itself */
Symbol name_in_row(Store *st, Symbol name, i64 row);  /* h[t-1] in row 3: h[2]; NULL: before 0 */
Symbol name_again(Store *st, Symbol name, int again); /* its name if others are called the same */
/* A row of what is called `rows`, with the index that the names `near` have: x[t]. */
Symbol name_of_row(Store *st, Symbol rows, const Symbol *near, int n);
bool name_is_word(const Store *st, Symbol name);   /* an author's, or its gradient */
bool name_has_index(const Store *st, Symbol name); /* at a letter: h[t-1] */
bool name_is_cotangent(const Store *st, Symbol name);
/* "final", "one minus": the word that tells the kind, or "". */
const char *name_word(NameKind kind);
/* "dx", "ddx" of a NAME_GRADIENT, as mathematics has it. */
Symbol name_gradient_text(Store *st, const Name *n);
/* The spelling alone: the same of two names that are spelled alike. */
Symbol name_spelling(Store *st, Symbol name);

/* ---- the collector ---- */
struct Collection;
bool name_collect(struct Collection *c, Symbol s); /* false: it is none that was made here */
void names_sweep(struct Collection *c);

#endif
