/* Forms: sums of terms, added, scaled and multiplied out. */
#include "algebra/parts.h"

#include <string.h>

void *algebra_limit(Algebra *a, u32 most, const char *what)
{
    if (!a->limited.what)
        a->limited = (FormLimit){what, most};
    return NULL;
}

bool algebra_works(Algebra *a, u32 terms)
{
    a->work += terms;
    if (a->work > a->most_work || store_stops(a->st))
        algebra_limit(a, FORM_MOST_WORK, "terms in all");
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

static void note_gone(Algebra *a, const FormProduct *p)
{
    a->classes |= FORM_TERMS_GONE;
    for (u32 i = 0; a->whole && i < p->nfactors; i++)
        vec_push(&a->gone, p->factors[i]);
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
                return algebra_limit(a, 64, "bits of a coefficient") != NULL;
        if (sum.c.num)
            t->at[len++] = sum;
        else if (sum.of->nfactors && dtype_is_float(d))
            note_gone(a, sum.of);
    }
    t->len = len;
    return true;
}

static bool same_choice(const FormChoice *a, const FormChoice *b)
{
    bool same = a->of == b->of && a->ncuts == b->ncuts && a->nan == b->nan;
    for (u32 i = 0; i < a->ncuts && same; i++)
        same = a->cuts[i].at == b->cuts[i].at && a->cuts[i].after == b->cuts[i].after;
    for (u32 i = 0; i <= a->ncuts && same; i++)
        same = a->values[i] == b->values[i];
    return same;
}

static bool same_form(const void *x, const void *y)
{
    const Form *a = x, *b = y;
    bool same = a->dtype == b->dtype && a->nterms == b->nterms && !a->choice == !b->choice &&
                (!a->choice || same_choice(a->choice, b->choice));
    for (u32 i = 0; i < a->nterms && same; i++)
        same = a->terms[i].of == b->terms[i].of && a->terms[i].c.num == b->terms[i].c.num &&
               a->terms[i].c.den == b->terms[i].c.den;
    return same;
}

const Form *form_intern(Algebra *a, Form probe)
{
    Form *f = intern_find(&a->forms, probe.key, &probe, same_form);
    if (f)
        return f;
    f = arena_alloc(&a->arena, sizeof *f);
    *f = probe;
    f->id = ++a->ids;
    f->terms = arena_alloc(&a->arena, (probe.nterms + 1) * sizeof *f->terms);
    if (probe.nterms)
        memcpy(f->terms, probe.terms, probe.nterms * sizeof *f->terms);
    intern_add(&a->forms, f->key, f);
    return f;
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

/* Nan and anything is nan. */
static bool has_nan(const FormTerms *terms)
{
    for (size_t i = 0; i < terms->len; i++)
        for (u32 k = 0; k < terms->at[i].of->nfactors; k++)
            if (factor_is_nan(&terms->at[i].of->factors[k]))
                return true;
    return false;
}

/* The multiple of c that is nearest to x. */
static i64 near_multiple(i64 x, i64 c)
{
    i64 rest = x % c;
    rest += rest < 0 ? c : 0;
    return x - (rest > c / 2 ? rest - c : rest);
}

/* c * (y // c) is y - y % c: the first term of which there is more than half of that. NULL: there
 * is none. */
static const Form *without_quotients(Algebra *a, DType d, FormTerms *terms)
{
    for (size_t i = 0; i < terms->len; i++) {
        FormTerm t = terms->at[i];
        i64 c;
        const FormFactor *f = t.of->nfactors == 1 && !t.of->nbound ? &t.of->factors[0] : NULL;
        if (!f || f->power != 1 || !form_is_by_constant(f, OP_FLOORDIV, &c))
            continue;
        i64 all = near_multiple(t.c.num, c);
        const Form *y = all ? form_dividend(a, f) : NULL,
                   *rest = y ? form_remainder(a, y, c) : NULL;
        if (!rest)
            continue;
        terms->at[i].c = coef_whole(d, (i64)((u64)t.c.num - (u64)all));
        const Form *more = form_add(a, y, form_scale(a, rest, coef_whole(d, -1)));
        more = form_scale(a, more, coef_whole(d, all / c));
        return form_add(a, form_make(a, d, terms), more);
    }
    return NULL;
}

const Form *form_make(Algebra *a, DType d, FormTerms *terms)
{
    if (!algebra_works(a, (u32)terms->len + 1))
        return NULL;
    if (terms->len > FORM_MOST_TERMS)
        return algebra_limit(a, FORM_MOST_TERMS, "terms of a sum");
    if (!add_up(a, d, terms))
        return NULL;
    bool alone = terms->len == 1 && terms->at[0].of->nfactors == 1 && coef_is(terms->at[0].c, 1);
    if (a->relations && dtype_is_float(d) && !alone && has_nan(terms))
        return form_nan(a, d);
    if (a->relations && (d == DT_I64 || d == DT_I32)) {
        const Form *f = without_quotients(a, d, terms);
        if (f)
            return f;
    }
    Form probe = {.dtype = d, .nterms = (u32)terms->len, .terms = terms->at};
    probe.key = hash_mix((u64)d, terms->len);
    for (u32 i = 0; i < probe.nterms; i++) {
        probe.key = hash_mix(probe.key, probe.terms[i].of->key);
        probe.key =
            hash_mix(hash_mix(probe.key, (u64)probe.terms[i].c.num), (u64)probe.terms[i].c.den);
    }
    probe.depth = depth_of(&probe);
    return form_intern(a, probe);
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
    if (f->choice)
        return false;
    return !f->nterms || (f->nterms == 1 && !f->terms[0].of->nfactors && !f->terms[0].of->nbound);
}

/* ---- sums and products ---- */

static void push_terms(FormTerms *out, const Form *f)
{
    for (u32 i = 0; i < f->nterms; i++)
        vec_push(out, f->terms[i]);
}

static const Form *add_lifted(Algebra *a, const void *ctx, const Form *const *x)
{
    (void)ctx;
    return form_add(a, x[0], x[1]);
}

const Form *form_add(Algebra *a, const Form *x, const Form *y)
{
    FormTerms terms = {0};
    if (!x || !y)
        return NULL;
    if (x->choice || y->choice)
        return form_lift(a, 2, (const Form *[]){x, y}, add_lifted, NULL);
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
                      algebra_limit(a, 64, "bits of a coefficient"));
        if (ok)
            vec_push(out, t);
    }
    return ok;
}

static const Form *scale_lifted(Algebra *a, const void *ctx, const Form *const *x)
{
    const FormCoef *c = ctx;
    return form_scale(a, x[0], *c);
}

const Form *form_scale(Algebra *a, const Form *x, FormCoef c)
{
    FormTerms terms = {0};
    FormTerm by = {a->one, c};
    if (x && x->choice)
        return form_lift(a, 1, &x, scale_lifted, &c);
    const Form *f = x && push_multiples(a, &terms, x, &by) ? form_make(a, x->dtype, &terms) : NULL;
    vec_free(&terms);
    return f;
}

static bool has_bound(const Form *x)
{
    for (u32 i = 0; i < x->nterms; i++)
        if (x->terms[i].of->nbound)
            return true;
    return false;
}

/* Is it a number, or made of lengths that are not 0? */
static bool is_finite(const Algebra *a, const Form *x)
{
    for (u32 i = 0; i < x->nterms; i++)
        for (u32 k = 0; k < x->terms[i].of->nfactors; k++) {
            const FormFactor *f = &x->terms[i].of->factors[k];
            if (f->atom->kind != ATOM_LENGTH ||
                (f->power < 0 && !atom_is_length_of_result(a, f->atom)))
                return false;
        }
    return true;
}

/* A product of sums, and any that a sum over axes takes part in, is rounded otherwise than it
 * stands there in a way that shows at infinities and in signs of zeros. */
static void note_expansion(Algebra *a, const Form *x, const Form *y)
{
    if (!dtype_is_float(x->dtype))
        return;
    if ((!x->nterms && !is_finite(a, y)) || (!y->nterms && !is_finite(a, x)))
        a->classes |= FORM_CANCELS; /* 0 times infinity */
    a->classes |= x->nterms > 1 || y->nterms > 1 ? FORM_DISTRIBUTES : 0;
    FormCoef c; /* a number stays before the sum */
    bool number = form_is_number(x, &c) || form_is_number(y, &c);
    a->classes |= !number && (has_bound(x) || has_bound(y)) ? FORM_EXPANDS : 0;
}

static const Form *mul_lifted(Algebra *a, const void *ctx, const Form *const *x)
{
    (void)ctx;
    return form_mul(a, x[0], x[1]);
}

const Form *form_mul(Algebra *a, const Form *x, const Form *y)
{
    FormTerms terms = {0};
    bool ok = x && y;
    if (ok && (x->choice || y->choice))
        return form_lift(a, 2, (const Form *[]){x, y}, mul_lifted, NULL);
    if (ok && (u64)x->nterms * y->nterms > FORM_MOST_OUT && x->nterms > 1 && y->nterms > 1)
        return algebra_limit(a, FORM_MOST_OUT, "terms of a product of sums");
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
const FormProduct *form_common(Algebra *a, const Form *f)
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
    FormTerm common = {form_common(a, x), {1, 1}};
    FormCoef inverse = {1, 1};
    FormPower root;
    u32 classes = a->classes;
    const Form *parts = p < 0 && x->nterms == 1 ? form_of_components(a, x, p) : NULL;
    if (parts)
        return parts;
    if (p < 0 && form_as_power(a, x, &root) && coef_power(x->dtype, root.scale, p, &root.scale)) {
        a->classes = classes;
        return form_scale(a, form_power(a, root.root, root.power * p), root.scale);
    }
    a->classes = classes;
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

static const Form *power_lifted(Algebra *a, const void *ctx, const Form *const *x)
{
    const int *p = ctx;
    return form_power(a, x[0], *p);
}

const Form *form_power(Algebra *a, const Form *x, int p)
{
    FormCoef c;
    if (!x || p > 1000 || p < -1000)
        return NULL;
    if (x->choice)
        return form_lift(a, 1, &x, power_lifted, &p);
    if (p == 0 && !form_is_number(x, &c))
        a->classes |= FORM_CANCELS;
    if (p == 0)
        return form_number(a, x->dtype, (FormCoef){1, 1});
    if (p > 0 && form_is_zero(x))
        return x;
    bool simple = x->nterms == 1 && (!x->terms[0].of->nbound);
    if (simple)
        return power_of_term(a, x->dtype, &x->terms[0], p);
    if (p > 0 && comes_out_small(x, p))
        return multiply_out(a, x, p);
    if (p > 1)
        algebra_limit(a, FORM_MOST_OUT / 2, "terms of a power");
    return x->nterms && (p > 0 || dtype_is_float(x->dtype)) ? power_of_sum(a, x, p) : NULL;
}
