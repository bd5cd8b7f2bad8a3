/* What the files of core/discover share: a discovery under way. */
#ifndef GRADUS_DISCOVERING_H
#define GRADUS_DISCOVERING_H

#include "discover/discover.h"
#include "session/equal.h"

/* An operator with places for its operands: "exp(?)", "? + ?". */
typedef struct {
    const char *text;
    u32 arity;
    int of;    /* the operator */
    bool used; /* some operands fit */
} TermForm;

typedef struct {
    const char *text; /* reads as the node: no more parentheses than needed */
    Node *node;
    u32 size;
    bool composed;                /* not a variable or a constant */
    u64 everywhere, positive;     /* hashes of its values: at all points, at those where no input is
                                     negative, */
    bool number, positive_number; /* and whether some of them is a number */
} FoundTerm;

/* A term, and the smaller one with its values. */
typedef struct {
    FoundTerm term;
    u32 small;      /* place in terms */
    u32 generality; /* many variables, few constants */
    bool same;      /* at all points; else at the positive ones */
} Pair;

/* Values of all variables. */
typedef struct {
    TensorMap values;
    bool positive; /* none is negative */
} Point;

typedef struct {
    Session s; /* of its own: rules that are found join its rules */
    const DiscoverHow *how;
    Discovery *out;
    VEC(TermForm) forms;
    VEC(FoundTerm) terms;                /* one of each value: the first, so the smallest */
    VEC(u32) begins;                     /* where those of each size begin in `terms` */
    NodeSet nodes;                       /* all that were met */
    MAP(u64, u32) by_value, by_positive; /* place in terms + 1 */
    VEC(Point) points;
    size_t ordinary;   /* as many of them; the others are corners */
    VEC(Pair) pairs;   /* of terms of one size, not compared yet */
    u32 rules;         /* found */
    SET(u64) compared; /* pairs of nodes, their variables in order */
} Discoverer;

/* ---- terms (terms.c) ---- */

/* Declares the variables, and makes terms of size 1. */
bool terms_open(Discoverer *d);
/* What the text is; NULL: no expression. */
Node *term_node(Discoverer *d, const char *text);
/* Calls `found` for each term of that size over operands of d->terms, until it returns false. */
typedef bool (*TermFound)(Discoverer *d, FoundTerm *t);
bool terms_of_size(Discoverer *d, u32 size, TermFound found);
/* The family of a variable; -1: it is none. */
int family_of_variable(const Discoverer *d, char name);

/* ---- variables (variables.c) ---- */

enum { MOST_VARIABLES = 3 * FAMILIES };
/* The next one from *at on, which is moved behind it; 0: there is none. */
char next_variable(const Discoverer *d, const char **at);
/* Each once, in order; how many. */
int variables_in(const Discoverer *d, const char *text, char out[MOST_VARIABLES]);
/* Does it mention all variables of the other? */
bool mentions_all(const Discoverer *d, const char *text, const char *of);
/* Both with the first names of each family, in the order in which variables come. */
void rename_variables(Discoverer *d, const char *const texts[2], const char **left,
                      const char **right);

/* ---- values (values.c) ---- */

void values_open(Discoverer *d);
void values_close(Discoverer *d);
/* Fills the hashes. */
void values_of_term(Discoverer *d, FoundTerm *t);

/* ---- pairs (pairs.c) ---- */

/* Are the two equal? Notes what was found. */
void pair_compare(Discoverer *d, const Pair *p);

/* ---- rules (candidates.c) ---- */

/* The texts as a rule: tried with more and more classes until it holds. `given`: what it holds
 * under, or NULL. */
void candidate_try(Discoverer *d, const char *left, const char *right, const Assumptions *given,
                   Found *out);
/* It helps to prove what comes later. */
void candidate_join(Discoverer *d, const Found *f);

#endif
