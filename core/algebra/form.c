/* Forms: sums of terms, added, scaled and multiplied out. */
#include "algebra/parts.h"

#include <string.h>

void *algebra_limit(Algebra *a, const char *what)
{
    a->limited = a->limited ? a->limited : what;
    return NULL;
}

bool algebra_works(Algebra *a, u32 terms)
{
    a->work += terms;
    if (a->work > a->most_work || store_stops(a->st))
        algebra_limit(a, "terms in all");
    return a->work <= a->most_work && !store_stops(a->st);
}

/* ---- making ---- */

static int compare_products(const FormProduct *a, const FormProduct *b)
{
    return a->key != b->key ? (a->key < b->key ? -1 : 1) : a->id < b->id ? -1 : a->id > b->id;
}

static int compare_terms(const void *x, const void *y)
{
    const FormTerm *a = x, *b = y;
    return compare_products(a->of, b->of);
}

/* Terms of one product become one; those that come to 0 go. */
static bool add_up(Algebra *a, DType d, FormTerms *t)
{
    size_t len = 0;
    if (t->len > 1)
        qsort(t->at, t->len, sizeof *t->at, compare_terms);
    for (size_t i = 0; i < t->len;) {
        FormTerm sum = t->at[i++];
        for (; i < t->len && t->at[i].of == sum.of; i++)
            if (!coef_add(d, sum.c, t->at[i].c, &sum.c))
                return algebra_limit(a, "coefficients of 64 bits") != NULL;
        if (sum.c.num)
            t->at[len++] = sum;
        else if (sum.of->nfactors)
            a->classes |= FORM_CANCELS;
    }
    t->len = len;
    return true;
}

static bool same_form(const void *x, const void *y)
{
    const Form *a = x, *b = y;
    bool same = a->dtype == b->dtype && a->nterms == b->nterms;
    for (u32 i = 0; i < a->nterms && same; i++)
        same = a->terms[i].of == b->terms[i].of && a->terms[i].c.num == b->terms[i].c.num &&
               a->terms[i].c.den == b->terms[i].c.den;
    return same;
}

static u32 depth_of(const Form *f)
{
    u32 depth = 0;
    for (u32 i = 0; i < f->nterms; i++)
        for (u32 k = 0; k < f->terms[i].of->nfactors; k++) {
            u32 own = f->terms[i].of->factors[k].atom->depth;
            depth = own > depth ? own : depth;
        }
    return depth;
}

const Form *form_make(Algebra *a, DType d, FormTerms *terms)
{
    if (!algebra_works(a, (u32)terms->len + 1))
        return NULL;
    if (terms->len > FORM_MOST_TERMS)
        return algebra_limit(a, "terms of a sum");
    if (!add_up(a, d, terms))
        return NULL;
    Form probe = {.dtype = d, .nterms = (u32)terms->len, .terms = terms->at};
    u64 key = hash_mix((u64)d, terms->len);
    for (u32 i = 0; i < probe.nterms; i++) {
        key = hash_mix(key, probe.terms[i].of->key);
        key = hash_mix(hash_mix(key, (u64)probe.terms[i].c.num), (u64)probe.terms[i].c.den);
    }
    Form *f = intern_find(&a->forms, key, &probe, same_form);
    if (f)
        return f;
    f = arena_alloc(&a->arena, sizeof *f);
    *f = probe;
    f->key = key;
    f->depth = depth_of(f);
    f->id = ++a->ids;
    f->terms = arena_alloc(&a->arena, (terms->len + 1) * sizeof *f->terms);
    if (terms->len)
        memcpy(f->terms, terms->at, terms->len * sizeof *f->terms);
    intern_add(&a->forms, key, f);
    return f;
}

static const Form *form_of_term(Algebra *a, DType d, FormTerm t)
{
    FormTerms terms = {0};
    vec_push(&terms, t);
    const Form *f = form_make(a, d, &terms);
    vec_free(&terms);
    return f;
}

const Form *form_number(Algebra *a, DType d, FormCoef c)
{
    return form_of_term(a, d, (FormTerm){a->one, c});
}

const Form *form_of_product(Algebra *a, DType d, const FormProduct *p)
{
    return p ? form_of_term(a, d, (FormTerm){p, {1, 1}}) : NULL;
}

bool form_is_number(const Form *f, FormCoef *c)
{
    *c = f->nterms ? f->terms[0].c : (FormCoef){0, 1};
    return !f->nterms || (f->nterms == 1 && !f->terms[0].of->nfactors && !f->terms[0].of->nbound);
}

/* ---- sums and products ---- */

static void push_terms(FormTerms *out, const Form *f)
{
    for (u32 i = 0; i < f->nterms; i++)
        vec_push(out, f->terms[i]);
}

const Form *form_add(Algebra *a, const Form *x, const Form *y)
{
    FormTerms terms = {0};
    if (!x || !y)
        return NULL;
    push_terms(&terms, x);
    push_terms(&terms, y);
    const Form *f = form_make(a, x->dtype, &terms);
    vec_free(&terms);
    return f;
}

static const FormProduct *multiply_products(Algebra *a, const FormProduct *x, const FormProduct *y)
{
    if (!x->nfactors && !x->nbound)
        return y;
    if (!y->nfactors && !y->nbound)
        return x;
    FormDraft d = {0};
    draft_product(a, &d, x, 1);
    draft_product(a, &d, y, 1);
    const FormProduct *p = draft_close(a, &d);
    draft_free(&d);
    return p;
}

/* The terms of x, each times that term. */
static bool push_multiples(Algebra *a, FormTerms *out, const Form *x, const FormTerm *by)
{
    bool ok = true;
    for (u32 i = 0; i < x->nterms && ok; i++) {
        FormTerm t = {multiply_products(a, x->terms[i].of, by->of), {0, 1}};
        ok = t.of && (coef_mul(x->dtype, x->terms[i].c, by->c, &t.c) ||
                      algebra_limit(a, "coefficients of 64 bits"));
        if (ok)
            vec_push(out, t);
    }
    return ok;
}

const Form *form_scale(Algebra *a, const Form *x, FormCoef c)
{
    FormTerms terms = {0};
    FormTerm by = {a->one, c};
    const Form *f = x && push_multiples(a, &terms, x, &by) ? form_make(a, x->dtype, &terms) : NULL;
    vec_free(&terms);
    return f;
}

/* A product of sums, and any that a sum over axes takes part in, is rounded otherwise than it
 * stands there in a way that shows at infinities and in signs of zeros. */
static void note_expansion(Algebra *a, const Form *x, const Form *y)
{
    bool sums = x->nterms > 1 || y->nterms > 1;
    FormCoef c;
    if ((!x->nterms && !form_is_number(y, &c)) || (!y->nterms && !form_is_number(x, &c)))
        a->classes |= FORM_CANCELS; /* 0 times infinity */
    for (u32 i = 0; i < x->nterms && !sums; i++)
        sums = x->terms[i].of->nbound > 0;
    for (u32 i = 0; i < y->nterms && !sums; i++)
        sums = y->terms[i].of->nbound > 0;
    a->classes |= sums ? FORM_EXPANDS : 0;
}

const Form *form_mul(Algebra *a, const Form *x, const Form *y)
{
    FormTerms terms = {0};
    bool ok = x && y;
    if (ok && (u64)x->nterms * y->nterms > FORM_MOST_OUT && x->nterms > 1 && y->nterms > 1)
        return algebra_limit(a, "terms of a product of sums");
    if (ok)
        note_expansion(a, x, y);
    for (u32 i = 0; ok && i < y->nterms; i++) {
        ok = algebra_works(a, x->nterms) && push_multiples(a, &terms, x, &y->terms[i]);
    }
    const Form *f = ok ? form_make(a, x->dtype, &terms) : NULL;
    vec_free(&terms);
    return f;
}

/* ---- powers ---- */

static const Form *multiply_out(Algebra *a, const Form *x, int p)
{
    const Form *f = form_number(a, x->dtype, (FormCoef){1, 1});
    for (; p > 0 && f; p--)
        f = form_mul(a, f, x);
    return f;
}

static const Form *power_of_term(Algebra *a, DType d, const FormTerm *t, int p)
{
    FormTerm r = {0};
    FormDraft draft = {0};
    draft_product(a, &draft, t->of, p);
    r.of = draft_close(a, &draft);
    draft_free(&draft);
    return r.of && coef_power(d, t->c, p, &r.c) ? form_of_term(a, d, r) : NULL;
}

/* The least power of each factor without bound names that all terms have: x * y + x * z is x times
 * the rest. */
static const FormProduct *common_factors(Algebra *a, const Form *f)
{
    FormDraft d = {0};
    const FormProduct *first = f->terms[0].of;
    for (u32 i = 0; i < first->nfactors; i++) {
        FormFactor least = first->factors[i];
        bool all = true;
        for (u32 k = 0; k < least.arity; k++)
            all = all && least.index[k].name < FORM_BOUND;
        for (u32 t = 1; t < f->nterms && all; t++) {
            const FormProduct *p = f->terms[t].of;
            bool has = false;
            for (u32 k = 0; k < p->nfactors && !has; k++) {
                FormFactor other = p->factors[k];
                int power = other.power;
                other.power = least.power;
                has = !compare_factors(&other, &least);
                least.power = has && power < least.power ? power : least.power;
            }
            all = has;
        }
        if (all)
            vec_push(&d.factors, least);
    }
    const FormProduct *p = draft_close(a, &d);
    draft_free(&d);
    return p;
}

/* A power that is not multiplied out: c^p * common^p * (the rest, that begins with 1)^p. */
static const Form *power_of_sum(Algebra *a, const Form *x, int p)
{
    FormTerm common = {common_factors(a, x), {1, 1}};
    FormCoef inverse = {1, 1};
    if (!common.of)
        return NULL;
    if (dtype_is_float(x->dtype)) {
        common.c = x->terms[0].c;
        if (!coef_power(x->dtype, common.c, -1, &inverse))
            return NULL;
    }
    const Form *out = power_of_term(a, x->dtype, &common, p);
    FormTerm by = {common.of, {1, 1}};
    const Form *one_over = power_of_term(a, x->dtype, &by, -1);
    const Form *rest = one_over ? form_mul(a, form_scale(a, x, inverse), one_over) : NULL;
    FormFactor factor;
    if (!out || !rest || !atom_function(a, NULL, 1, &rest, &factor))
        return NULL;
    factor.power = p;
    return form_mul(a, out, form_of_factor(a, x->dtype, &factor));
}

static bool comes_out_small(const Form *x, int p)
{
    u64 terms = 1, bound = 0;
    for (u32 i = 0; i < x->nterms; i++)
        bound = x->terms[i].of->nbound > bound ? x->terms[i].of->nbound : bound;
    for (int i = 0; i < p && terms <= FORM_MOST_OUT; i++)
        terms = terms * (x->nterms + (u64)i) / ((u64)i + 1); /* ways to choose p of them */
    return terms <= FORM_MOST_OUT / 2 && bound * (u64)p <= FORM_MOST_BOUND / 2;
}

const Form *form_power(Algebra *a, const Form *x, int p)
{
    FormCoef c;
    if (!x || p > 1000 || p < -1000)
        return NULL;
    if (p == 0 && !form_is_number(x, &c))
        a->classes |= FORM_CANCELS;
    if (p == 0)
        return form_number(a, x->dtype, (FormCoef){1, 1});
    if (p > 0 && !x->nterms)
        return x;
    bool simple = x->nterms == 1 && (!x->terms[0].of->nbound);
    if (simple)
        return power_of_term(a, x->dtype, &x->terms[0], p);
    if (p > 0 && comes_out_small(x, p))
        return multiply_out(a, x, p);
    return x->nterms && (p > 0 || dtype_is_float(x->dtype)) ? power_of_sum(a, x, p) : NULL;
}
