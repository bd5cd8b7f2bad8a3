/* A sum over bound names next to a power of the same sum: sum(x) * sum(x)^-1 is 1.
 *
 * A product falls apart into components, by the bound names that its factors share; each of them is
 * a sum of its own. */
#include "algebra/parts.h"

static bool has_name(const FormFactor *f, u64 bound)
{
    for (u32 k = 0; k < f->arity; k++) {
        int name = f->index[k].name - FORM_BOUND;
        if (name >= 0 && bound >> name & 1)
            return true;
    }
    return false;
}

static u64 bound_names(const FormFactor *f)
{
    u64 names = 0;
    for (u32 k = 0; k < f->arity; k++)
        if (f->index[k].name >= FORM_BOUND)
            names |= 1ull << (f->index[k].name - FORM_BOUND);
    return names;
}

/* All names that hang together with these. */
static u64 component_of(const FormDraft *d, u64 names)
{
    for (u64 before = 0; before != names;) {
        before = names;
        for (size_t i = 0; i < d->factors.len; i++)
            if (has_name(&d->factors.at[i], names))
                names |= bound_names(&d->factors.at[i]);
    }
    return names;
}

/* The factors of the draft that are (or are not) of the component, under new numbers of names. */
static void take_part(Algebra *a, const FormDraft *d, u64 names, bool of, FormDraft *out)
{
    int to[FORM_MOST_BOUND];
    for (size_t b = 0; b < d->sizes.len; b++) {
        to[b] = (int)out->sizes.len;
        if ((names >> b & 1) == of)
            vec_push(&out->sizes, d->sizes.at[b]);
    }
    for (size_t i = 0; i < d->factors.len; i++) {
        FormFactor f = d->factors.at[i];
        if (has_name(&f, names) != of)
            continue;
        f.index = arena_alloc(&a->arena, (f.arity + 1) * sizeof *f.index);
        for (u32 k = 0; k < f.arity; k++) {
            f.index[k] = d->factors.at[i].index[k];
            if (f.index[k].name >= FORM_BOUND)
                f.index[k].name = FORM_BOUND + to[f.index[k].name - FORM_BOUND];
        }
        vec_push(&out->factors, f);
    }
}

/* The sum of which the factor is a negative power; NULL: it is none, or of bound names itself. */
static const Form *inverted_sum(Algebra *a, const FormFactor *f)
{
    bool is = f->atom->kind == ATOM_SUM && f->power < 0 && !bound_names(f) &&
              f->atom->args[0]->nterms == 1 && f->atom->args[0]->terms[0].of->nbound;
    return is ? form_substitute(a, f->atom->args[0], f->index, 0, NULL) : NULL;
}

static const FormProduct *product_of_part(Algebra *a, const FormDraft *d, u64 names)
{
    FormDraft part = {0};
    take_part(a, d, names, true, &part);
    const FormProduct *p = draft_close(a, &part);
    draft_free(&part);
    return p;
}

static bool cancel_component(Algebra *a, FormDraft *d, size_t i, const Form *sum)
{
    for (size_t b = 0; b < d->sizes.len; b++) {
        u64 names = component_of(d, 1ull << b);
        FormDraft rest = {0};
        if (!coef_is(sum->terms[0].c, 1) || product_of_part(a, d, names) != sum->terms[0].of)
            continue;
        d->factors.at[i].power++;
        take_part(a, d, names, false, &rest);
        draft_free(d);
        *d = rest;
        a->classes |= FORM_CANCELS;
        return true;
    }
    return false;
}

const Form *form_of_components(Algebra *a, const Form *x, int p)
{
    const FormProduct *of = x->terms[0].of;
    FormDraft d = {0}, rest = {0};
    FormCoef c;
    u64 left = ((u64)1 << of->nbound) - 1, first = 0;
    draft_product(a, &d, of, 1);
    const Form *f = coef_power(x->dtype, x->terms[0].c, p, &c) ? form_number(a, x->dtype, c) : NULL;
    for (u64 names = 0; left && f; left &= ~names) {
        names = component_of(&d, left & -left);
        if (!first && names == left)
            f = NULL; /* it hangs together */
        first |= names;
        const Form *part = form_of_product(a, x->dtype, f ? product_of_part(a, &d, names) : NULL);
        f = part ? form_mul(a, f, form_power(a, part, p)) : NULL;
    }
    take_part(a, &d, first, false, &rest);
    const Form *outside = form_of_product(a, x->dtype, f ? draft_close(a, &rest) : NULL);
    f = outside ? form_mul(a, f, form_power(a, outside, p)) : NULL;
    draft_free(&rest);
    draft_free(&d);
    return f;
}

bool draft_cancel_sum(Algebra *a, FormDraft *d)
{
    if (!d->sizes.len || d->sizes.len > FORM_MOST_BOUND)
        return false;
    for (size_t i = 0; i < d->factors.len; i++) {
        const Form *sum = inverted_sum(a, &d->factors.at[i]);
        if (sum && sum->nterms == 1 && cancel_component(a, d, i, sum))
            return true;
    }
    return false;
}
