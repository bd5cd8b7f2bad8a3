/* What the files of the algebra share: see form.h. */
#ifndef GRADUS_FORM_PARTS_H
#define GRADUS_FORM_PARTS_H

#include "algebra/form.h"
#include "rewrite/hazard.h"

/* Hazards that are met on the way to a form. */
enum {
    FORM_CANCELS = HAZARD_NMINUS | HAZARD_Z,         /* something that may be nan, or -0, is gone */
    FORM_EXPANDS = HAZARD_NPLUS | HAZARD_Z,          /* a sum over axes was multiplied out */
    FORM_DISTRIBUTES = HAZARD_NPLUS | FORM_ZERO_SUMS /* a sum of terms was multiplied out */
};

/* ---- coefficients (coef.c) ---- */

bool coef_of_number(DType d, double x, FormCoef *out); /* false: no short rational */
FormCoef coef_whole(DType d, i64 x);
i64 whole_gcd(i64 a, i64 b);
/* False: they do not fit. */
bool coef_add(DType d, FormCoef a, FormCoef b, FormCoef *out);
bool coef_mul(DType d, FormCoef a, FormCoef b, FormCoef *out);
bool coef_power(DType d, FormCoef a, int p, FormCoef *out);
static inline bool coef_is(FormCoef c, i64 x) { return c.num == x && c.den == 1; }

/* ---- forms (form.c) ---- */

typedef VEC(FormTerm) FormTerms;
/* Notes the limit; NULL. */
void *algebra_limit(Algebra *a, u32 most, const char *what);
/* That many terms more are made; false: they are too many. */
bool algebra_works(Algebra *a, u32 terms);
/* The sum of these terms, which are brought in order and added up. NULL: a limit. */
const Form *form_make(Algebra *a, DType d, FormTerms *terms);
const Form *form_number(Algebra *a, DType d, FormCoef c);
const Form *form_of_product(Algebra *a, DType d, const FormProduct *p);
const Form *form_add(Algebra *a, const Form *x, const Form *y);
const Form *form_scale(Algebra *a, const Form *x, FormCoef c);
const Form *form_mul(Algebra *a, const Form *x, const Form *y);
const Form *form_power(Algebra *a, const Form *x, int p);
/* What all terms have in common, but for numbers and what is summed over. */
const FormProduct *form_common(Algebra *a, const Form *f);
/* Is it one number? */
bool form_is_number(const Form *f, FormCoef *c);

static inline bool form_is_zero(const Form *f) { return !f->nterms && !f->choice; }
/* The form, interned. */
const Form *form_intern(Algebra *a, Form probe);

/* ---- choices (choice.c) ---- */

const FormFactor *form_only_factor(const Form *f); /* NULL: it is not just one, to the power 1 */
typedef const Form *FormLifted(Algebra *a, const void *ctx, const Form *const *x);
/* f of each combination of what n forms, one of them a choice, may be. */
const Form *form_lift(Algebra *a, u32 n, const Form *const *x, FormLifted *f, const void *ctx);
/* The value of the region that `of` lies in. */
const Form *form_choose(Algebra *a, const FormChoice *c);
/* A choice again, after what is known of its names or of its order has changed. */
const Form *form_settle(Algebra *a, const Form *f);
bool form_has_choice(u32 n, const Form *const *x);
/* less, equal or more by how x compares with y; `nan` where they do not compare (NULL: never). */
const Form *form_compare(Algebra *a, const Form *x, const Form *y, const Form *const values[3],
                         const Form *nan);
const Form *form_truth(Algebra *a, bool x);
/* The truth value that this atom is. */
const Form *form_of_truth(Algebra *a, const Form *f);

/* ---- ranges (range.c) ---- */

typedef struct {
    double lo, hi;
    bool nan;
} FormRange;
FormRange form_range(Algebra *a, const Form *f);
/* Is it of whole numbers that do not overflow on the way? */
bool form_is_exact(Algebra *a, const Form *f);

/* ---- whole numbers (laws_whole.c) ---- */

/* x // c and x % c for a constant above 0. */
bool form_is_by_constant(const FormFactor *f, OpId op, i64 *c);
const Form *form_dividend(Algebra *a, const FormFactor *f);
const Form *form_quotient(Algebra *a, const Form *x, i64 c);
const Form *form_remainder(Algebra *a, const Form *x, i64 c);

/* ---- products (product.c) ---- */

/* A product being built. */
typedef struct {
    VEC(FormFactor) factors;
    VEC(Size *) sizes;
} FormDraft;
void draft_free(FormDraft *d);
/* Is it a length that is not 0 where there is anything at all? */
bool atom_is_length_of_result(const Algebra *a, const FormAtom *atom);
void draft_product(Algebra *a, FormDraft *d, const FormProduct *p, int power);
/* [i = j] f(j), summed over j, is f(i); names may be left that nothing mentions. */
void draft_contract(Algebra *a, FormDraft *d);
/* A sum next to a negative power of itself goes (inverse.c). False: there is none. */
bool draft_cancel_sum(Algebra *a, FormDraft *d);
/* A negative power of one term, that is a product of several sums over axes; NULL: it is none. */
const Form *form_of_components(Algebra *a, const Form *x, int p);
/* Equal factors put together, deltas contracted, names made canonical. NULL: a limit. */
const FormProduct *draft_close(Algebra *a, FormDraft *d);
/* The number of axes that its free names are of: those below the result are in it. */
u64 form_free_names(const Form *f);
u64 product_free_names(const FormProduct *p);

/* ---- denominators (fraction.c) ---- */

bool form_has_bound_name(const FormFactor *f);
/* The term without its factor number `at` (nfactors: with all), times this. */
const Form *form_term_with(Algebra *a, DType d, const FormTerm *t, u32 at, const Form *by);
/* f times the base of this factor, to the power (which may be NULL) that leaves no negative one of
 * it. */
const Form *form_cleared_of(Algebra *a, const Form *f, const FormFactor *base, int *power);

/* ---- factors (factor.c) ---- */

typedef struct {
    FormCoef scale;
    const Form *root;
    int power;
} FormPower;
/* f is scale * root^power; false: it is no such power, of two terms or more. */
bool form_as_power(Algebra *a, const Form *f, FormPower *out);

/* ---- functions (laws_functions.c) ---- */

typedef enum {
    MIRROR_NONE,
    MIRROR_ODD,  /* f(-x) = -f(x) */
    MIRROR_EVEN, /* f(-x) = f(x) */
    MIRROR_ONE,  /* f(-x) = 1 - f(x) */
    MIRROR_LESS  /* f(-x) = f(x) - x */
} FormMirror;
FormMirror op_mirror(OpId op);
/* f(x), where f is what the operator makes of -x. */
const Form *form_reflected(Algebra *a, OpId op, const Form *f, const Form *x);

/* ---- keys (keys.c): the same on every run ---- */

u64 leaf_key(const Algebra *a, Node *n);
u64 size_key(const Algebra *a, const Size *s);
u64 size_atom_key(const Algebra *a, const SizeAtom *s);
/* Keys of these nodes and of their sizes are their places from here on. */
void keys_over(Algebra *a, const NodeVec *nodes, const NodeCounts *places);

/* ---- names (names.c) ---- */

/* The order in which the bound names of the draft are to be numbered: out[k] is what name k is
 * now. False: it is one of several that may be as good. */
bool names_order(const Algebra *a, const FormDraft *d, int *out);
/* A hash of the factor in which name n counts as colour[n] (the names below FORM_BOUND), and bound
 * ones as bound[..]. */
u64 factor_hash(const FormFactor *f, const u64 *free_colours, const u64 *bound_colours);
int compare_factors(const void *x, const void *y);

/* ---- atoms (atom.c) ---- */

const FormAtom *atom_leaf(Algebra *a, Node *n);
const FormAtom *atom_delta(Algebra *a);
const Form *form_nan(Algebra *a, DType d);
bool factor_is_nan(const FormFactor *f);
bool form_is_nan(const Form *f);
const Form *form_of_place(Algebra *a, int name);
/* The sign of x - y, x and y in this order. */
const Form *form_of_order(Algebra *a, const Form *x, const Form *y);
/* An elementwise operator with these operands, not looked into; NULL: a limit. */
const Form *form_of_function(Algebra *a, OpId op, DType d, u32 nargs, const Form *const *args);
/* An operator of forms over all axes of its operands. */
const FormAtom *atom_opaque(Algebra *a, const Node *n, u32 nargs, const Form *const *args);
/* An elementwise operator (node NULL: the form itself) of forms; the names that it is of, in its
 * own order, go to *factor. False: a limit. */
bool atom_again(Algebra *a, const FormAtom *like, const Form *const *args, FormFactor *factor);
bool atom_function(Algebra *a, const Node *like, u32 nargs, const Form *const *args,
                   FormFactor *factor);
const Form *form_of_factor(Algebra *a, DType d, const FormFactor *f);
/* At all axes of a type. */
const Form *form_of_atom(Algebra *a, const FormAtom *atom, const Type *t);
const Form *form_of_size(Algebra *a, DType d, const Size *s);

/* ---- substitution (substitute.c) ---- */

/* What becomes of free name k is to[k] (of n names); names of `to` from FORM_BOUND on get these
 * sizes, and are summed over. NULL: a limit. */
const Form *form_substitute(Algebra *a, const Form *f, const FormIndex *to, u32 nbound,
                            Size *const *sizes);
static inline FormIndex index_name(int name) { return (FormIndex){name, 1, NULL}; }

#endif
