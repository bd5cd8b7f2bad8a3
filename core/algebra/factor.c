/* Sums that are a power of a smaller sum: x^2 + 2 x y + y^2 is (x + y)^2.
 *
 * A term that is a power itself is taken for that of the root's first term, which says what the
 * other ones are: of those terms in which it stands but once less, p * first^(p - 1) * other. That
 * the root's power is the sum decides. */
#include "algebra/parts.h"

enum { MOST_POWER = 4, MOST_TERMS = 35 /* of the fourth power of four terms */ };

/* The number whose power it is; false: of no whole one. */
static bool coef_root(FormCoef c, int p, FormCoef *out)
{
    for (i64 k = 1; c.den == 1 && c.num > 0 && k <= c.num && k < 1000; k++) {
        FormCoef power;
        if (coef_power(DT_F64, (FormCoef){k, 1}, p, &power) && power.num == c.num) {
            *out = (FormCoef){k, 1};
            return true;
        }
    }
    return false;
}

static const FormProduct *product_root(Algebra *a, const FormProduct *of, int p)
{
    FormDraft d = {0};
    bool ok = of->nfactors > 0 && !of->nbound;
    for (u32 i = 0; i < of->nfactors && ok; i++) {
        FormFactor f = of->factors[i];
        ok = f.power > 0 && f.power % p == 0;
        f.power /= p;
        vec_push(&d.factors, f);
    }
    const FormProduct *root = ok ? draft_close(a, &d) : NULL;
    draft_free(&d);
    return root;
}

/* x / y^p, if y^p is in it. */
static const FormProduct *divided(Algebra *a, const FormProduct *x, const FormProduct *y, int p)
{
    FormDraft d = {0};
    draft_product(a, &d, x, 1);
    draft_product(a, &d, y, -p);
    const FormProduct *q = x->nbound ? NULL : draft_close(a, &d);
    draft_free(&d);
    for (u32 i = 0; q && i < q->nfactors; i++)
        if (q->factors[i].power < 0)
            return NULL;
    return q;
}

/* What the root is, if the term `first` is the power of its first one. */
static const Form *root_from(Algebra *a, const Form *f, u32 first, int p, FormCoef *scale)
{
    FormTerms terms = {0};
    FormTerm t = f->terms[first], own = {product_root(a, t.of, p), {1, 1}};
    FormCoef over;
    if (!own.of)
        return NULL;
    *scale = coef_root(t.c, p, &own.c) ? (FormCoef){1, 1} : t.c;
    vec_push(&terms, own);
    bool ok = coef_power(f->dtype, own.c, p - 1, &over) &&
              coef_mul(f->dtype, over, (FormCoef){p, 1}, &over) &&
              coef_mul(f->dtype, over, *scale, &over) && coef_power(f->dtype, over, -1, &over);
    for (u32 i = 0; i < f->nterms && ok; i++) {
        FormTerm other = {i == first ? NULL : divided(a, f->terms[i].of, own.of, p - 1), {1, 1}};
        ok = !other.of || coef_mul(f->dtype, f->terms[i].c, over, &other.c);
        if (other.of)
            vec_push(&terms, other);
    }
    const Form *root = ok && terms.len > 1 ? form_make(a, f->dtype, &terms) : NULL;
    vec_free(&terms);
    return root;
}

bool form_as_power(Algebra *a, const Form *f, FormPower *out)
{
    size_t gone = a->gone.len;
    bool found = false;
    bool small = f->nterms > 2 && f->nterms <= MOST_TERMS && dtype_is_float(f->dtype);
    for (int p = MOST_POWER; p > 1 && small && !found; p--)
        for (u32 i = 0; i < f->nterms && !found; i++) {
            *out = (FormPower){.power = p};
            out->root = root_from(a, f, i, p, &out->scale);
            found = out->root && form_scale(a, form_power(a, out->root, p), out->scale) == f;
        }
    a->gone.len = gone;
    return found;
}
