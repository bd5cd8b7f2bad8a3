/* Laws of whole numbers: quotients and remainders by constants, of sums within ranges.
 *
 * x % c stands for itself where a range does not tell it, and c * (x // c) is x - x % c (form.c).
 * Products and sums that may overflow are left as they stand. */
#include "algebra/readers.h"
#include "ops/ops.h"

#include <math.h>

static i64 floor_quotient(i64 x, i64 c) { return x / c - (x % c < 0); }
static i64 floor_rest(i64 x, i64 c) { return x % c + (x % c < 0 ? c : 0); }

/* The rest of a coefficient that is nearest to 0. */
static i64 near_rest(i64 x, i64 c)
{
    i64 r = floor_rest(x, c);
    return r > c / 2 ? r - c : r;
}

static const Form *whole(Algebra *a, DType d, i64 x) { return form_number(a, d, coef_whole(d, x)); }
static bool is_constant(const FormTerm *t) { return !t->of->nfactors && !t->of->nbound; }

bool form_is_by_constant(const FormFactor *f, OpId op, i64 *c)
{
    FormCoef k;
    bool is = f->atom->kind == ATOM_FUNCTION && f->atom->node->op == op && f->atom->nargs == 2 &&
              form_is_number(f->atom->args[1], &k) && k.num > 0;
    *c = is ? k.num : 0;
    return is;
}

/* What the factor is a quotient or a remainder of, in names of the product. */
const Form *form_dividend(Algebra *a, const FormFactor *f)
{
    return form_substitute(a, f->atom->args[0], f->index, 0, NULL);
}

/* The factor that a term is, apart from its coefficient. */
static const FormFactor *factor_of_term(const FormTerm *t)
{
    return t->of->nfactors == 1 && !t->of->nbound && t->of->factors[0].power == 1
               ? &t->of->factors[0]
               : NULL;
}

typedef struct {
    FormTerms whole, rest; /* x = c * whole + rest */
    i64 common;            /* of the rest's coefficients and c */
    i64 constant;          /* of the rest */
} Divided;

static void divided_free(Divided *d)
{
    vec_free(&d->whole);
    vec_free(&d->rest);
}

static void divide_terms(const Form *x, i64 c, Divided *d)
{
    d->common = c;
    for (u32 i = 0; i < x->nterms; i++) {
        FormTerm t = x->terms[i], part = t;
        i64 rest = is_constant(&t) ? floor_rest(t.c.num, c) : near_rest(t.c.num, c);
        part.c.num = (t.c.num - rest) / c;
        if (part.c.num)
            vec_push(&d->whole, part);
        t.c.num = rest;
        if (rest)
            vec_push(&d->rest, t);
        d->constant = is_constant(&t) ? rest : d->constant;
        d->common = is_constant(&t) ? d->common : whole_gcd(d->common, rest);
    }
}

/* rest without its constant, divided by the common factor, and that much added. */
static const Form *reduced(Algebra *a, const Form *rest, i64 by, i64 add)
{
    FormTerms terms = {0};
    for (u32 i = 0; i < rest->nterms; i++) {
        FormTerm t = rest->terms[i];
        t.c.num /= by;
        if (!is_constant(&t))
            vec_push(&terms, t);
    }
    const Form *f = form_make(a, rest->dtype, &terms);
    vec_free(&terms);
    return form_add(a, f, whole(a, rest->dtype, add));
}

/* Do all values of x lie in one period of c? Then how many periods are below it. */
static bool in_one_period(Algebra *a, const Form *x, i64 c, i64 *below)
{
    FormRange r = form_range(a, x);
    if (!form_is_exact(a, x) || isinf(r.lo) || isinf(r.hi))
        return false;
    *below = floor_quotient((i64)r.lo, c);
    return *below == floor_quotient((i64)r.hi, c);
}

static const Form *atom_by(Algebra *a, OpId op, const Form *x, i64 c)
{
    const Form *args[] = {x, whole(a, x->dtype, c)};
    return args[1] ? form_of_function(a, op, x->dtype, 2, args) : NULL;
}

static const Form *quotient_of_rest(Algebra *a, const Form *rest, const Divided *d, i64 c)
{
    i64 below, inner;
    if (in_one_period(a, rest, c, &below))
        return whole(a, rest->dtype, below);
    if (d->common > 1)
        return form_quotient(a, reduced(a, rest, d->common, floor_quotient(d->constant, d->common)),
                             c / d->common);
    const FormFactor *f =
        rest->nterms == 1 && coef_is(rest->terms[0].c, 1) ? factor_of_term(&rest->terms[0]) : NULL;
    if (f && form_is_by_constant(f, OP_FLOORDIV, &inner) && inner < INT32_MAX && c < INT32_MAX)
        return form_quotient(a, form_dividend(a, f), c * inner);
    return atom_by(a, OP_FLOORDIV, rest, c);
}

const Form *form_quotient(Algebra *a, const Form *x, i64 c)
{
    FormCoef number;
    Divided d = {0};
    if (!x || x->choice || c < 1)
        return NULL;
    if (c == 1)
        return x;
    if (form_is_number(x, &number))
        return whole(a, x->dtype, floor_quotient(number.num, c));
    if (!form_is_exact(a, x))
        return atom_by(a, OP_FLOORDIV, x, c);
    divide_terms(x, c, &d);
    const Form *rest = form_make(a, x->dtype, &d.rest), *out = NULL;
    const Form *part = form_make(a, x->dtype, &d.whole);
    if (rest && part && form_is_exact(a, rest) && form_is_exact(a, part))
        out = form_add(a, part, quotient_of_rest(a, rest, &d, c));
    else if (rest && part)
        out = atom_by(a, OP_FLOORDIV, x, c);
    divided_free(&d);
    return out;
}

/* k * (y % m) leaves what k * y does, if k * m is a multiple of c. */
static const Form *without_remainders(Algebra *a, const Form *x, i64 c)
{
    const Form *out = x;
    for (u32 i = 0; i < x->nterms && out; i++) {
        const FormFactor *f = factor_of_term(&x->terms[i]);
        i64 k = floor_rest(x->terms[i].c.num, c), m, period;
        if (!f || !form_is_by_constant(f, OP_MOD, &m) || __builtin_mul_overflow(k, m, &period) ||
            period % c)
            continue;
        FormCoef back = coef_whole(x->dtype, (i64)(0 - (u64)x->terms[i].c.num));
        const Form *inner = form_scale(a, form_dividend(a, f), x->terms[i].c);
        out = form_add(a, out, inner);
        out = form_add(a, out, form_scale(a, form_of_product(a, x->dtype, x->terms[i].of), back));
    }
    return out;
}

static const Form *remainder_of_rest(Algebra *a, const Form *rest, const Divided *d, i64 c)
{
    i64 below;
    if (in_one_period(a, rest, c, &below))
        return form_add(a, rest, whole(a, rest->dtype, -below * c));
    if (d->common < 2)
        return atom_by(a, OP_MOD, rest, c);
    i64 up = floor_quotient(d->constant, d->common);
    const Form *inner = form_remainder(a, reduced(a, rest, d->common, up), c / d->common);
    return form_add(a, form_scale(a, inner, coef_whole(rest->dtype, d->common)),
                    whole(a, rest->dtype, d->constant - up * d->common));
}

const Form *form_remainder(Algebra *a, const Form *x, i64 c)
{
    FormCoef number;
    Divided d = {0};
    if (!x || x->choice || c < 1)
        return NULL;
    if (c == 1)
        return whole(a, x->dtype, 0);
    if (form_is_number(x, &number))
        return whole(a, x->dtype, floor_rest(number.num, c));
    const FormFactor *f =
        coef_is(x->terms[0].c, 1) && x->nterms == 1 ? factor_of_term(&x->terms[0]) : NULL;
    i64 inner;
    if (f && form_is_by_constant(f, OP_MOD, &inner) && inner % c == 0)
        return form_remainder(a, form_dividend(a, f), c);
    if (!form_is_exact(a, x))
        return atom_by(a, OP_MOD, x, c);
    const Form *plain = without_remainders(a, x, c);
    divide_terms(plain && form_is_exact(a, plain) ? plain : x, c, &d);
    const Form *rest = form_make(a, x->dtype, &d.rest);
    const Form *out = rest && form_is_exact(a, rest) ? remainder_of_rest(a, rest, &d, c)
                                                     : atom_by(a, OP_MOD, x, c);
    divided_free(&d);
    return out;
}

/* ---- operators ---- */

static bool is_whole(const Node *n, const Form *const *x)
{
    return (n->type->dtype == DT_I64 || n->type->dtype == DT_I32) &&
           x[0]->dtype == n->type->dtype && x[1]->dtype == n->type->dtype;
}

/* 0 <= x < z. */
static bool is_below(Algebra *a, const Form *x, const Form *z)
{
    const Form *d = form_add(a, z, form_scale(a, x, coef_whole(x->dtype, -1)));
    return d && form_is_exact(a, x) && form_is_exact(a, z) && form_range(a, x).lo >= 0 &&
           form_range(a, d).lo >= 1;
}

const Form *form_law_floordiv(Algebra *a, const Node *n, const Form *const *x)
{
    FormCoef c;
    if (!is_whole(n, x))
        return NULL;
    if (form_is_number(x[1], &c))
        return c.num > 0 ? form_quotient(a, x[0], c.num) : NULL;
    return is_below(a, x[0], x[1]) ? whole(a, n->type->dtype, 0) : NULL;
}

const Form *form_law_mod(Algebra *a, const Node *n, const Form *const *x)
{
    FormCoef c;
    if (!is_whole(n, x))
        return NULL;
    if (form_is_number(x[1], &c))
        return c.num > 0 ? form_remainder(a, x[0], c.num) : NULL;
    return is_below(a, x[0], x[1]) ? x[0] : NULL;
}

/* The power of 2 that a shift by a constant is about; 0: another. */
static i64 shift_factor(const Form *x)
{
    FormCoef c;
    int most = x->dtype == DT_I32 ? 31 : 63;
    return form_is_number(x, &c) && c.num >= 0 && c.num < most ? (i64)1 << c.num : 0;
}

const Form *form_law_left_shift(Algebra *a, const Node *n, const Form *const *x)
{
    i64 c = is_whole(n, x) ? shift_factor(x[1]) : 0;
    return c ? form_scale(a, x[0], coef_whole(n->type->dtype, c)) : NULL;
}

const Form *form_law_right_shift(Algebra *a, const Node *n, const Form *const *x)
{
    i64 c = is_whole(n, x) ? shift_factor(x[1]) : 0;
    return c ? form_quotient(a, x[0], c) : NULL;
}

static bool is_power_of_2(i64 x) { return x > 0 && !(x & (x - 1)); }

/* The lowest bits are a remainder; all but those are the rest. NULL: the mask is another one. */
static const Form *masked(Algebra *a, const Form *y, const Form *mask)
{
    FormCoef c;
    if (!form_is_number(mask, &c))
        return NULL;
    if (c.num < INT64_MAX && is_power_of_2(c.num + 1))
        return form_remainder(a, y, c.num + 1);
    if (c.num == INT64_MIN || c.num >= 0 || !is_power_of_2(-c.num))
        return NULL;
    return form_add(a, y, form_scale(a, form_remainder(a, y, -c.num), coef_whole(y->dtype, -1)));
}

const Form *form_law_bitwise_and(Algebra *a, const Node *n, const Form *const *x)
{
    if (x[0]->dtype == DT_BOOL && x[1]->dtype == DT_BOOL)
        return form_law_and(a, n, x);
    if (!is_whole(n, x))
        return NULL;
    const Form *f = masked(a, x[0], x[1]);
    return f ? f : masked(a, x[1], x[0]);
}
