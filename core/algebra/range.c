/* Ranges of forms, by the facts of operators (rewrite/facts.h) and the sizes of axes.
 *
 * Invariant: a range holds for every element that is computed, of whole numbers as long as nothing
 * overflows on the way; a bound that a double does not hold exactly is taken for none. */
#include "algebra/parts.h"
#include "rewrite/facts.h"

#include <math.h>

static const double WHOLE = 0x1p52, LONGEST = 0x1p40; /* of an axis */

static FormRange no_range(void) { return (FormRange){-INFINITY, INFINITY, true}; }

static double bound(double x) { return fabs(x) > WHOLE ? copysign(INFINITY, x) : x; }

static FormRange scaled(FormRange r, double c)
{
    if (c == 0)
        return (FormRange){0, 0, r.nan};
    return c > 0 ? (FormRange){r.lo * c, r.hi * c, r.nan} : (FormRange){r.hi * c, r.lo * c, r.nan};
}

static FormRange range_of_fact(const Fact *k) { return (FormRange){k->lo, k->hi, k->nan}; }

/* What the operator makes of what is known of its operands. */
static FormRange range_of_function(Algebra *a, const FormAtom *atom)
{
    Facts f = {0};
    Size *const *dims = a->dims;
    a->dims = NULL; /* names in it are its own */
    for (u32 i = 0; i < atom->nargs; i++) {
        FormRange r = form_range(a, atom->args[i]);
        Fact k = fact_unknown(atom->args[i]->dtype);
        bool whole = !dtype_is_float(atom->args[i]->dtype);
        k.lo = r.lo > k.lo && (!whole || form_is_exact(a, atom->args[i])) ? r.lo : k.lo;
        k.hi = r.hi < k.hi && (!whole || form_is_exact(a, atom->args[i])) ? r.hi : k.hi;
        k.nan = k.nan && r.nan;
        bool again = false;
        for (u32 j = 0; j < i && !again; j++)
            again = atom->node->ops[j] == atom->node->ops[i];
        if (!again)
            fact_assume(&f, atom->node->ops[i], k, "");
    }
    a->dims = dims;
    Fact k = fact_by_operator(&f, atom->node);
    facts_free(&f);
    return range_of_fact(&k);
}

static FormRange range_of_length(const FormAtom *atom)
{
    SizeAtom *factor = (SizeAtom *)(uintptr_t)atom->size;
    SizeTerm term = {1, 1, &factor};
    i64 least;
    bool known = size_lower_bound(&(Size){.nterms = 1, .terms = &term}, &least);
    return (FormRange){known ? (double)least : -LONGEST, LONGEST, false};
}

/* The size of the axis that the index goes along; NULL: not known, or it is no plain place. */
static Size *axis_of_place(const Algebra *a, const FormIndex *x)
{
    bool plain = x->name >= 0 && x->scale == 1 && !x->at;
    return plain && a->dims && x->name < a->rank ? a->dims[x->name] : NULL;
}

static FormRange range_of_place(const Algebra *a, const FormIndex *x)
{
    Size *axis = axis_of_place(a, x);
    i64 size;
    if (x->name < 0 || x->scale != 1 || x->at)
        return no_range();
    return (FormRange){0, axis && size_is_const(axis, &size) ? (double)size - 1 : LONGEST, false};
}

static FormRange range_of_sum(Algebra *a, const FormAtom *atom)
{
    Size *const *dims = a->dims;
    a->dims = NULL; /* names in it are its own */
    FormRange r = form_range(a, atom->args[0]);
    a->dims = dims;
    return r;
}

static FormRange range_of_factor(Algebra *a, const FormFactor *f)
{
    FormRange r = no_range();
    switch (f->atom->kind) {
    case ATOM_LEAF:
    case ATOM_OPAQUE: r = range_of_fact(fact_of(a->facts, f->atom->node)); break;
    case ATOM_FUNCTION: r = range_of_function(a, f->atom); break;
    case ATOM_ORDER: r = (FormRange){-1, 1, true}; break;
    case ATOM_LENGTH: r = range_of_length(f->atom); break;
    case ATOM_DELTA: r = (FormRange){0, 1, false}; break;
    case ATOM_PLACE: r = range_of_place(a, &f->index[0]); break;
    case ATOM_SUM: r = range_of_sum(a, f->atom); break;
    }
    if (f->power == 1)
        return r;
    bool sure = f->power > 1 && r.lo >= 0;
    return sure ? (FormRange){pow(r.lo, f->power), pow(r.hi, f->power), r.nan} : no_range();
}

static FormRange range_of_product(Algebra *a, const FormProduct *p)
{
    FormRange r = {1, 1, false};
    for (u32 i = 0; i < p->nfactors; i++) {
        FormRange f = range_of_factor(a, &p->factors[i]);
        bool nan = r.nan || f.nan;
        if (i && (r.lo < 0 || f.lo < 0))
            return (FormRange){-INFINITY, INFINITY, true};
        r = i ? (FormRange){r.lo * f.lo, r.hi * f.hi, nan} : f;
        r.lo = isnan(r.lo) ? 0 : r.lo;
        r.hi = isnan(r.hi) ? INFINITY : r.hi;
    }
    if (!p->nbound)
        return r;
    return r.lo >= 0 ? (FormRange){0, INFINITY, true} : no_range();
}

static FormRange range_of_terms(Algebra *a, const Form *f)
{
    FormRange sum = {0, 0, false};
    bool positive = true;
    if (f->choice)
        return no_range();
    for (u32 i = 0; i < f->nterms; i++) {
        double c = (double)f->terms[i].c.num / (double)f->terms[i].c.den;
        FormRange r = scaled(range_of_product(a, f->terms[i].of), c);
        positive = positive && r.lo >= 0;
        sum = (FormRange){sum.lo + r.lo, sum.hi + r.hi, sum.nan || r.nan};
    }
    if (isnan(sum.lo) || isnan(sum.hi))
        return no_range();
    if (dtype_is_float(f->dtype) && f->nterms > 1) /* it is rounded; but the sign is sure */
        return positive ? (FormRange){0, INFINITY, true} : no_range();
    return sum;
}

static const FormFactor *place_of_term(const FormTerm *t)
{
    bool one = t->of->nfactors == 1 && !t->of->nbound && t->of->factors[0].power == 1 &&
               t->of->factors[0].atom->kind == ATOM_PLACE;
    return one ? &t->of->factors[0] : NULL;
}

/* f with each place as far up (or down) as its axis allows: i < n is i - n <= -1. */
static const Form *at_the_ends(Algebra *a, const Form *f, bool up)
{
    FormTerms terms = {0};
    for (u32 i = 0; i < f->nterms; i++) {
        const FormFactor *p = place_of_term(&f->terms[i]);
        i64 c = f->terms[i].c.num;
        Size *axis = p ? axis_of_place(a, &p->index[0]) : NULL;
        if (!axis) {
            vec_push(&terms, f->terms[i]);
            continue;
        }
        if ((c > 0) != up)
            continue;
        const Form *last = form_of_size(a, f->dtype, axis);
        last = form_add(a, last, form_number(a, f->dtype, coef_whole(f->dtype, -1)));
        last = form_scale(a, last, f->terms[i].c);
        for (u32 k = 0; last && k < last->nterms; k++)
            vec_push(&terms, last->terms[k]);
    }
    const Form *out = form_make(a, f->dtype, &terms);
    vec_free(&terms);
    return out;
}

static bool has_place(const Form *f)
{
    for (u32 i = 0; i < f->nterms; i++)
        if (place_of_term(&f->terms[i]))
            return true;
    return false;
}

FormRange form_range(Algebra *a, const Form *f)
{
    FormRange r = range_of_terms(a, f);
    u32 classes = a->classes;
    if (!f->choice && !dtype_is_float(f->dtype) && a->dims && has_place(f)) {
        const Form *low = at_the_ends(a, f, false), *high = at_the_ends(a, f, true);
        FormRange least = low ? range_of_terms(a, low) : no_range(),
                  most = high ? range_of_terms(a, high) : no_range();
        r.lo = least.lo > r.lo ? least.lo : r.lo;
        r.hi = most.hi < r.hi ? most.hi : r.hi;
        a->classes = classes;
    }
    if (f->dtype == DT_BOOL)
        return (FormRange){0, 1, false};
    if (dtype_is_float(f->dtype))
        return r;
    return (FormRange){bound(r.lo), bound(r.hi), false};
}

bool form_is_exact(Algebra *a, const Form *f)
{
    double most = f->dtype == DT_I32 ? 0x1p31 : WHOLE, size = 0;
    bool one = f->nterms == 1 && coef_is(f->terms[0].c, 1) && f->terms[0].of->nfactors == 1 &&
               !f->terms[0].of->nbound && f->terms[0].of->factors[0].power == 1;
    if (one || f->dtype == DT_BOOL)
        return true;
    if (f->choice || dtype_is_float(f->dtype))
        return false;
    for (u32 i = 0; i < f->nterms; i++) {
        FormRange r = range_of_product(a, f->terms[i].of);
        double c = fabs((double)f->terms[i].c.num), far = fmax(fabs(r.lo), fabs(r.hi));
        size += c * far;
    }
    return size < most;
}
