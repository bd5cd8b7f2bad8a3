/* Substitution: other indices in place of the names of a form. */
#include "algebra/readers.h"

#include <string.h>

/* ---- indices ---- */

static bool plain_distinct(const FormFactor *f)
{
    for (u32 i = 0; i < f->arity; i++) {
        const FormIndex *x = &f->index[i];
        if (x->name < 0 || x->scale != 1 || x->at)
            return false;
        for (u32 k = 0; k < i; k++)
            if (f->index[k].name == x->name)
                return false;
    }
    return true;
}

/* x with `to` in place of its name. */
static bool compose(Algebra *a, const FormIndex *x, const FormIndex *to, FormIndex *out)
{
    *out = (FormIndex){to->name, x->scale * to->scale, x->at};
    if (to->at) {
        u32 classes = a->classes; /* positions are no values that anything is hidden of */
        const Form *more = form_scale(a, to->at, (FormCoef){x->scale, 1});
        out->at = x->at ? form_add(a, more, x->at) : more;
        a->classes = classes;
        if (!out->at)
            return false;
    }
    if (out->at && !out->at->nterms)
        out->at = NULL;
    return true;
}

typedef struct {
    const FormIndex *to;
    u32 nbound;        /* new ones; they come first */
    const Form *times; /* what else the term is multiplied by, or NULL */
} Substitution;

static bool compose_factor(Algebra *a, const Substitution *s, const FormFactor *f, FormFactor *out)
{
    *out = *f;
    out->index = arena_alloc(&a->arena, (f->arity + 1) * sizeof *out->index);
    for (u32 k = 0; k < f->arity; k++) {
        FormIndex x = f->index[k];
        if (x.name >= FORM_BOUND)
            x.name += (int)s->nbound;
        else if (x.name >= 0 && !compose(a, &f->index[k], &s->to[x.name], &x))
            return false;
        out->index[k] = x;
    }
    return true;
}

/* ---- functions at other places than names ---- */

/* The outer names in these indices, numbered from 0. */
static u32 outer_names(const FormFactor *f, int *names)
{
    u32 n = 0;
    for (u32 k = 0; k < f->arity; k++) {
        bool known = f->index[k].name < 0;
        for (u32 i = 0; i < n && !known; i++)
            known = names[i] == f->index[k].name;
        if (!known)
            names[n++] = f->index[k].name;
    }
    for (u32 i = 1; i < n; i++)
        for (u32 k = i; k && names[k] < names[k - 1]; k--) {
            int t = names[k];
            names[k] = names[k - 1];
            names[k - 1] = t;
        }
    return n;
}

static void rename_to_outer(FormFactor *f, const int *names)
{
    for (u32 k = 0; k < f->arity; k++)
        if (f->index[k].name >= 0 && f->index[k].name < FORM_BOUND)
            f->index[k].name = names[f->index[k].name];
}

/* A power of a sum that has become one term is a product. */
static bool push_power(Algebra *a, FormDraft *d, FormTerm *t, const Form *sum, int power,
                       const int *names)
{
    const Form *f = sum->nterms == 1 ? form_power(a, sum, power) : NULL;
    if (!f || f->nterms != 1 || f->terms[0].of->nbound ||
        !coef_mul(f->dtype, t->c, f->terms[0].c, &t->c))
        return false;
    size_t first = d->factors.len;
    for (u32 i = 0; i < f->terms[0].of->nfactors; i++) {
        FormFactor own = f->terms[0].of->factors[i];
        own.index = arena_alloc(&a->arena, (own.arity + 1) * sizeof *own.index);
        if (own.arity)
            memcpy(own.index, f->terms[0].of->factors[i].index, own.arity * sizeof *own.index);
        vec_push(&d->factors, own);
    }
    for (size_t i = first; i < d->factors.len; i++)
        rename_to_outer(&d->factors.at[i], names);
    return true;
}

enum { MOST_ARGS = 16 };

/* The indices go into the forms that the function is of. */
static bool push_function(Algebra *a, FormDraft *d, FormTerm *t, const FormFactor *f)
{
    int names[FORM_BOUND];
    FormIndex to[FORM_BOUND] = {{0}};
    const Form *args[MOST_ARGS];
    u32 n = outer_names(f, names);
    for (u32 k = 0; k < f->arity; k++) {
        to[k] = f->index[k];
        for (u32 i = 0; i < n; i++)
            if (f->index[k].name == names[i])
                to[k].name = (int)i;
    }
    if (f->atom->nargs > MOST_ARGS)
        return false;
    for (u32 i = 0; i < f->atom->nargs; i++)
        if (!(args[i] = form_substitute(a, f->atom->args[i], to, 0, NULL)))
            return false;
    if (f->atom->kind == ATOM_SUM && push_power(a, d, t, args[0], f->power, names))
        return true;
    FormFactor own;
    if (!atom_again(a, f->atom, args, &own))
        return false;
    own.power = f->power;
    rename_to_outer(&own, names);
    vec_push(&d->factors, own);
    return true;
}

/* The place scale * name + at, as a number. */
static bool push_place(Algebra *a, Substitution *s, FormFactor *f)
{
    FormIndex x = f->index[0];
    f->index[0] = index_name(x.name);
    const Form *place = x.name >= 0 ? form_of_factor(a, DT_I64, f) : NULL;
    place = x.name >= 0 ? form_scale(a, place, coef_whole(DT_I64, x.scale))
                        : form_number(a, DT_I64, coef_whole(DT_I64, 0));
    place = x.at ? form_add(a, place, x.at) : place;
    place = f->power != 1 ? form_power(a, place, f->power) : place;
    s->times = place && s->times ? form_mul(a, s->times, place) : place;
    return s->times != NULL;
}

static bool push_factor(Algebra *a, Substitution *s, FormDraft *d, FormTerm *t, const FormFactor *f)
{
    FormFactor own;
    if (!compose_factor(a, s, f, &own))
        return false;
    bool function =
        f->atom->kind == ATOM_FUNCTION || f->atom->kind == ATOM_SUM || f->atom->kind == ATOM_ORDER;
    if (function && !plain_distinct(&own))
        return push_function(a, d, t, &own);
    if (f->atom->kind == ATOM_PLACE && !plain_distinct(&own))
        return own.index[0].name < FORM_BOUND && own.power > 0 && push_place(a, s, &own);
    vec_push(&d->factors, own);
    return true;
}

/* ---- terms ---- */

static bool draft_mentions(const FormDraft *d, int name)
{
    for (size_t i = 0; i < d->factors.len; i++)
        for (u32 k = 0; k < d->factors.at[i].arity; k++)
            if (d->factors.at[i].index[k].name == name)
                return true;
    return false;
}

/* A sum over a name that nothing mentions is its length. */
static const Form *take_lengths(Algebra *a, DType dtype, FormDraft *d)
{
    const Form *out = form_number(a, dtype, (FormCoef){1, 1});
    for (size_t b = d->sizes.len; b-- > 0 && out;) {
        if (draft_mentions(d, FORM_BOUND + (int)b))
            continue;
        out = form_mul(a, out, form_of_size(a, dtype, d->sizes.at[b]));
        for (size_t k = b; k + 1 < d->sizes.len; k++)
            d->sizes.at[k] = d->sizes.at[k + 1];
        d->sizes.len--;
        for (size_t i = 0; i < d->factors.len; i++)
            for (u32 k = 0; k < d->factors.at[i].arity; k++)
                d->factors.at[i].index[k].name -=
                    d->factors.at[i].index[k].name > FORM_BOUND + (int)b;
    }
    return out;
}

static bool push_term(Algebra *a, DType dtype, Substitution *s, Size *const *sizes,
                      const FormTerm *t, FormTerms *out)
{
    s->times = NULL;
    FormDraft d = {0};
    FormTerm own = {NULL, t->c};
    bool ok = true;
    for (u32 i = 0; i < s->nbound; i++)
        vec_push(&d.sizes, sizes[i]);
    for (u32 i = 0; i < t->of->nbound; i++)
        vec_push(&d.sizes, t->of->sizes[i]);
    for (u32 i = 0; i < t->of->nfactors && ok; i++)
        ok = push_factor(a, s, &d, &own, &t->of->factors[i]);
    draft_contract(a, &d);
    const Form *lengths = ok ? take_lengths(a, dtype, &d) : NULL;
    if (lengths && s->times)
        lengths = form_mul(a, lengths, form_cast(a, s->times, dtype));
    own.of = lengths ? draft_close(a, &d) : NULL;
    draft_free(&d);
    if (!own.of)
        return false;
    FormCoef one;
    if (form_is_number(lengths, &one) && coef_is(one, 1)) {
        vec_push(out, own);
        return true;
    }
    FormTerms single = {0};
    vec_push(&single, own);
    const Form *f = form_mul(a, form_make(a, dtype, &single), lengths);
    vec_free(&single);
    if (f && f->choice)
        return false;
    for (u32 i = 0; f && i < f->nterms; i++)
        vec_push(out, f->terms[i]);
    return f != NULL;
}

static bool is_identity(const Form *f, const FormIndex *to)
{
    u64 names = form_free_names(f);
    bool same = true;
    for (int i = 0; i < FORM_BOUND && same; i++)
        same = !(names >> i & 1) || (to[i].name == i && to[i].scale == 1 && !to[i].at);
    return same;
}

static const Form *substitute_choice(Algebra *a, const FormChoice *from, const FormIndex *to)
{
    const Form *values[FORM_MOST_REGIONS + 1];
    FormChoice c = *from;
    c.values = values;
    c.of = form_substitute(a, from->of, to, 0, NULL);
    for (u32 i = 0; i <= c.ncuts; i++)
        values[i] = form_substitute(a, from->values[i], to, 0, NULL);
    c.nan = from->nan ? form_substitute(a, from->nan, to, 0, NULL) : NULL;
    return !from->nan || c.nan ? form_choose(a, &c) : NULL;
}

const Form *form_substitute(Algebra *a, const Form *f, const FormIndex *to, u32 nbound,
                            Size *const *sizes)
{
    Substitution s = {to, nbound, NULL};
    FormTerms terms = {0};
    if (!f)
        return NULL;
    if (!nbound && is_identity(f, to))
        return f;
    if (f->choice)
        return nbound ? NULL : substitute_choice(a, f->choice, to);
    bool ok = true;
    for (u32 i = 0; i < f->nterms && ok; i++) {
        ok = algebra_works(a, 1) && push_term(a, f->dtype, &s, sizes, &f->terms[i], &terms);
    }
    const Form *out = ok ? form_make(a, f->dtype, &terms) : NULL;
    vec_free(&terms);
    return out;
}
