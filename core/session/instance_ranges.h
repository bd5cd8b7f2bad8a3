/* The ranges that a rule's guard asks of its variables, and leaves of instances that lie within
 * them.
 *
 * Invariant: whatever value instance_value gives such a leaf, the guard holds of the variable. */
#ifndef GRADUS_INSTANCE_RANGES_H
#define GRADUS_INSTANCE_RANGES_H

#include "rewrite/pattern.h"

/* Of one variable. The ends may be values unless they are open. */
typedef struct {
    double lo, hi;
    bool lo_open, hi_open, lo_told, hi_told; /* told: by a number in the guard, 0 included */
    bool asked, no_nan, finite, whole, even, nonzero;
} Range;

/* An input whose values are chosen by a range. `assumed`: nothing but its values makes the guard
 * true, as a fact that is assumed says; else operators bound whatever value it has. */
typedef struct {
    const Node *leaf;
    int slot; /* of the variable */
    Range range;
    bool assumed;
} RangedLeaf;

/* What the guard asks of an expression of variables: values are drawn until it holds. */
typedef struct {
    const Expr *asks; /* as the guard writes it */
    Range range;
    Node *node; /* NULL: it does not exist on this instance */
} RangedExpr;

enum { RANGED_LEAVES = 8, RANGED_EXPRS = 4 };
typedef struct {
    Range of[RULE_VARS]; /* what the guard asks, as chosen for this instance */
    RangedLeaf at[RANGED_LEAVES];
    RangedExpr exprs[RANGED_EXPRS];
    int n, nexprs;
} Ranges;

/* The ends as numbers of that dtype which lie within; false: there are none. */
bool range_fit(Range *r, DType d);
/* The number next to x in a dtype; integers too. */
double number_after(double x, DType d);
double number_before(double x, DType d);
/* Ranges for the variables of r: of an `or` one side, of two variables in order a border between
 * them, by chance. */
void ranges_choose(const Rule *r, u64 seed, Ranges *out);
Fact range_fact(const Range *r);
bool range_holds(const Range *r, double x);
/* NULL: the guard says nothing of that input. */
const RangedLeaf *ranged_leaf(const Ranges *r, const Node *leaf);
/* Is there one of which the guard is only assumed? */
bool ranges_assumed(const Ranges *r);

#endif
