/* A form over one denominator: a / x + b / y as (b * x + a * y) / (x * y), fractions in
 * denominators too. What cancels only there is seen then: 1 - x / (b + x) is b / (b + x).
 *
 * Invariant: the fraction is the form wherever that is defined. */
#include "algebra/parts.h"

enum { MOST_STEPS = 16, MOST_INSIDE = 3 /* denominators in denominators */ };

bool form_has_bound_name(const FormFactor *f)
{
    for (u32 k = 0; k < f->arity; k++)
        if (f->index[k].name >= FORM_BOUND)
            return true;
    return false;
}

const Form *form_term_with(Algebra *a, DType d, const FormTerm *t, u32 at, const Form *by)
{
    FormDraft draft = {0};
    for (u32 i = 0; i < t->of->nfactors; i++)
        if (i != at)
            vec_push(&draft.factors, t->of->factors[i]);
    for (u32 i = 0; i < t->of->nbound; i++)
        vec_push(&draft.sizes, t->of->sizes[i]);
    const Form *rest = form_of_product(a, d, draft_close(a, &draft));
    draft_free(&draft);
    return rest && by ? form_mul(a, form_scale(a, rest, t->c), by) : NULL;
}

/* ---- one base ---- */

/* Where the product has a power of this; nfactors: it has none. */
static u32 same_base(const FormProduct *p, const FormFactor *base)
{
    u32 i = 0;
    for (; i < p->nfactors; i++) {
        FormFactor f = p->factors[i];
        f.power = base->power;
        if (!compare_factors(&f, base))
            break;
    }
    return i;
}

static int power_in(const FormProduct *p, u32 at)
{
    return at < p->nfactors ? p->factors[at].power : 0;
}

/* What the factor is a power of. */
static const Form *base_of(Algebra *a, DType d, const FormFactor *f)
{
    FormFactor once = *f;
    once.power = 1;
    return f->atom->kind == ATOM_SUM ? form_substitute(a, f->atom->args[0], f->index, 0, NULL)
                                     : form_of_factor(a, d, &once);
}

const Form *form_cleared_of(Algebra *a, const Form *f, const FormFactor *base, int *power)
{
    const Form *by = base_of(a, f->dtype, base);
    const Form *out = by ? form_number(a, f->dtype, (FormCoef){0, 1}) : NULL;
    int least = 0;
    for (u32 i = 0; i < f->nterms; i++) {
        int own = power_in(f->terms[i].of, same_base(f->terms[i].of, base));
        least = own < least ? own : least;
    }
    for (u32 i = 0; i < f->nterms && out; i++) {
        u32 at = same_base(f->terms[i].of, base);
        const Form *p = form_power(a, by, power_in(f->terms[i].of, at) - least);
        const Form *t = p ? form_term_with(a, f->dtype, &f->terms[i], at, p) : NULL;
        out = t ? form_add(a, out, t) : NULL;
    }
    if (power)
        *power = -least;
    return out;
}

/* ---- all of them ---- */

/* Lengths are numbers, which people multiply by. */
static const FormFactor *first_below(const Form *f)
{
    for (u32 i = 0; i < f->nterms; i++)
        for (u32 k = 0; k < f->terms[i].of->nfactors; k++) {
            const FormFactor *x = &f->terms[i].of->factors[k];
            if (x->power < 0 && x->atom->kind != ATOM_LENGTH && !form_has_bound_name(x))
                return x;
        }
    return NULL;
}

static bool divide_by(FormFraction *q, const Form *base, int power)
{
    for (u32 i = 0; i < q->n; i++)
        if (q->below[i].base == base) {
            q->below[i].power += power;
            return true;
        }
    if (q->n == FORM_MOST_BELOW)
        return false;
    q->below[q->n++] = (FormBelow){base, power};
    return true;
}

static bool fraction_of(Algebra *a, const Form *f, int inside, FormFraction *out);

/* Over base^power, where the base may be a fraction itself. */
static bool divide(Algebra *a, const Form *base, int power, int inside, FormFraction *q)
{
    FormFraction own = {.top = base};
    if (first_below(base) && (inside == MOST_INSIDE || !fraction_of(a, base, inside + 1, &own)))
        return false;
    for (u32 i = 0; i < own.n && q->top; i++) {
        const Form *up = form_power(a, own.below[i].base, own.below[i].power * power);
        q->top = up ? form_mul(a, q->top, up) : NULL;
    }
    return q->top && divide_by(q, own.top, power);
}

static bool fraction_of(Algebra *a, const Form *f, int inside, FormFraction *out)
{
    *out = (FormFraction){.top = f};
    for (int i = 0; i < MOST_STEPS; i++) {
        const FormFactor *below = first_below(out->top);
        int power = 0;
        if (!below)
            return true;
        const Form *base = base_of(a, f->dtype, below);
        out->top = form_cleared_of(a, out->top, below, &power);
        if (!base || !out->top || out->top->choice || base->choice ||
            !divide(a, base, power, inside, out))
            return false;
    }
    return false;
}

bool form_fraction(Algebra *a, const Form *f, FormFraction *out)
{
    u32 around = a->classes;
    bool ok = !f->choice && dtype_is_float(f->dtype) && fraction_of(a, f, 0, out) && out->n;
    a->classes = around;
    return ok;
}
