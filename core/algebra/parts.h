/* What the files of the algebra share: see form.h. */
#ifndef GRADUS_FORM_PARTS_H
#define GRADUS_FORM_PARTS_H

#include "algebra/form.h"
#include "rewrite/hazard.h"

/* Hazards that are met on the way to a form. */
enum {
    FORM_CANCELS = HAZARD_NMINUS | HAZARD_Z, /* something that may be nan, or -0, is gone */
    FORM_EXPANDS = HAZARD_NPLUS | HAZARD_Z   /* a sum was multiplied out */
};

/* ---- coefficients (coef.c) ---- */

bool coef_of_number(DType d, double x, FormCoef *out); /* false: no short rational */
FormCoef coef_whole(DType d, i64 x);
/* False: they do not fit. */
bool coef_add(DType d, FormCoef a, FormCoef b, FormCoef *out);
bool coef_mul(DType d, FormCoef a, FormCoef b, FormCoef *out);
bool coef_power(DType d, FormCoef a, int p, FormCoef *out);
static inline bool coef_is(FormCoef c, i64 x) { return c.num == x && c.den == 1; }

/* ---- forms (form.c) ---- */

typedef VEC(FormTerm) FormTerms;
/* Notes the limit; NULL. */
void *algebra_limit(Algebra *a, const char *what);
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
/* Is it one number? */
bool form_is_number(const Form *f, FormCoef *c);

/* ---- products (product.c) ---- */

/* A product being built. */
typedef struct {
    VEC(FormFactor) factors;
    VEC(Size *) sizes;
} FormDraft;
void draft_free(FormDraft *d);
void draft_product(Algebra *a, FormDraft *d, const FormProduct *p, int power);
/* [i = j] f(j), summed over j, is f(i); names may be left that nothing mentions. */
void draft_contract(Algebra *a, FormDraft *d);
/* Equal factors put together, deltas contracted, names made canonical. NULL: a limit. */
const FormProduct *draft_close(Algebra *a, FormDraft *d);
/* The number of axes that its free names are of: those below the result are in it. */
u64 form_free_names(const Form *f);
u64 product_free_names(const FormProduct *p);

/* ---- names (names.c) ---- */

/* The order in which the bound names of the draft are to be numbered: out[k] is what name k is
 * now. False: it is one of several that may be as good. */
bool names_order(const FormDraft *d, int *out);
/* A hash of the factor in which name n counts as colour[n] (the names below FORM_BOUND), and bound
 * ones as bound[..]. */
u64 factor_hash(const FormFactor *f, const u64 *free_colours, const u64 *bound_colours);
int compare_factors(const void *x, const void *y);

/* ---- atoms (atom.c) ---- */

const FormAtom *atom_leaf(Algebra *a, Node *n);
const FormAtom *atom_length(Algebra *a, const SizeAtom *size);
const FormAtom *atom_delta(Algebra *a);
/* An operator of forms over all axes of its operands. */
const FormAtom *atom_opaque(Algebra *a, const Node *n, u32 nargs, const Form *const *args);
/* An elementwise operator (node NULL: the form itself) of forms; the names that it is of, in its
 * own order, go to *factor. False: a limit. */
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
