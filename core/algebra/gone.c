/* What terms that cancelled have taken with them. Where x is not finite, neither is x - x; a form
 * in which x still stands is not finite there either, so that nothing is hidden. So it is with 1 /
 * c and a form that still divides by c. */
#include "algebra/parts.h"

u32 form_hazards(u32 classes)
{
    u32 own = classes & (FORM_ZERO_SUMS | FORM_TERMS_GONE);
    u32 as_rule =
        (own & FORM_ZERO_SUMS ? HAZARD_Z : 0) | (own & FORM_TERMS_GONE ? FORM_CANCELS : 0);
    return (classes & ~own) | as_rule;
}

static bool same_index(const FormIndex *x, const FormIndex *y)
{
    return x->name == y->name && x->scale == y->scale && x->at == y->at;
}

/* Does f read the elements that `gone` read: the same ones, or all? */
static bool reads_as_much(const FormFactor *f, const FormFactor *gone)
{
    bool same = true, all = true;
    for (u32 i = 0; i < f->arity; i++) {
        const FormIndex *x = &f->index[i];
        same = same && same_index(x, &gone->index[i]);
        all = all && x->name >= FORM_BOUND && x->scale == 1 && !x->at;
        for (u32 k = 0; k < i; k++)
            all = all && f->index[k].name != x->name;
    }
    return same || all;
}

/* 0 times what is not finite need not be computed. */
static bool has_delta(const FormProduct *p)
{
    for (u32 i = 0; i < p->nfactors; i++)
        if (p->factors[i].atom->kind == ATOM_DELTA)
            return true;
    return false;
}

static bool term_shows(const FormProduct *p, const FormFactor *gone)
{
    for (u32 i = 0; i < p->nfactors; i++) {
        const FormFactor *f = &p->factors[i];
        if (f->atom == gone->atom && (f->power > 0) == (gone->power > 0) && reads_as_much(f, gone))
            return true;
    }
    return false;
}

static bool shows(const Form *f, const FormFactor *gone)
{
    bool seen = gone->atom->kind == ATOM_LENGTH || gone->atom->kind == ATOM_DELTA;
    for (u32 i = 0; i < f->nterms && !seen; i++)
        seen = !has_delta(f->terms[i].of) && term_shows(f->terms[i].of, gone);
    return seen;
}

bool form_shows_gone(const Algebra *a, const Form *f)
{
    for (size_t i = 0; i < a->gone.len; i++)
        if (!shows(f, &a->gone.at[i]))
            return false;
    return true;
}
