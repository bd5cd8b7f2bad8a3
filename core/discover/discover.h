/* Rules that are missing: terms over some operators that have the same values, and that nothing
 * proves equal (Nandi et al., Rewrite Rule Inference Using Equality Saturation, OOPSLA 2021).
 *
 * Terms are made by size, their operands being the smallest term of each value; those that have
 * one value at all sample points are compared, smallest first. What `:equal` proves is known; what
 * is left is tried as a rule, and what holds helps to prove what comes after it.
 *
 * Invariant: a candidate was accepted by the same trial as a rule that is typed; nothing of the
 * caller's session changes. */
#ifndef GRADUS_DISCOVER_H
#define GRADUS_DISCOVER_H

#include "session/session.h"

typedef enum {
#define F(NAME, ...) FAMILY_##NAME,
#include "session/families.def"
    FAMILIES
} FamilyId;
typedef struct {
    const char *name, *type;
    const char *variables; /* each letter is one */
    const char *kind;      /* of a variable in a pattern */
    const char *guard;     /* that a rule needs */
    const char *constants; /* with blanks between them */
    const char *about;
} Family;
extern const Family families[FAMILIES];

typedef struct {
    int noperators;
    const char *const *operators; /* as they are written: "+", "exp", "sum" */
    u32 families;                 /* bit FamilyId */
    u32 size;                     /* operators, variables and constants of a term at most */
    u32 variables;                /* of each family */
    u32 candidates;               /* stops at so many */
} DiscoverHow;

typedef enum {
    FOUND_RULE,   /* ready to be a rule */
    FOUND_UNSAID, /* equal wherever it was tried, but no rule can be made of it: `says` */
    FOUND_NEARLY  /* equal at ordinary numbers, not everywhere: `says` */
} FoundKind;

/* Texts live as long as the Discovery. */
typedef struct {
    FoundKind kind;
    const char *left, *right; /* as expressions */
    const char *rule;         /* "found-1 [R]: exp(x) * exp(y) => exp(x + y) if ..."; or NULL */
    const char *when;         /* "x >= 0 and y >= 0"; NULL: always */
    const char *says;         /* a counterexample, or why it is no rule; or NULL */
    u32 classes;
    bool both; /* it is for equality saturation: as a rule of a pass it would go round in circles */
} Found;

typedef enum {
    DISCOVER_DONE,
    DISCOVER_TERMS,
    DISCOVER_CANDIDATES,
    DISCOVER_INTERRUPTED
} DiscoverStop;

typedef struct {
    VEC(Found) found; /* in the order in which they were found: general and small ones first */
    u32 terms, values, compared, proved; /* terms, different values of them, pairs of terms, those
                                            proved */
    DiscoverStop stop;
    const char *unused; /* an operator that took no operands of these families; or NULL */
    Arena arena;
} Discovery;

/* False after a diagnostic. ^C ends it with what was found so far. Free with discovery_free in
 * either case. */
bool discover(Session *s, const DiscoverHow *how, Discovery *out);
void discovery_free(Discovery *d);

#endif
