/* Choices: interval decision diagrams over forms (form.h).
 *
 * Invariant: what a choice looks at comes before what its values look at, by key; its regions can
 * all be met as far as ranges tell, and neighbours differ. */
#include "algebra/parts.h"

#include <math.h>
#include <string.h>

bool form_has_choice(u32 n, const Form *const *x)
{
    for (u32 i = 0; i < n; i++)
        if (x[i] && x[i]->choice)
            return true;
    return false;
}

const Form *form_truth(Algebra *a, bool x) { return form_number(a, DT_BOOL, (FormCoef){x, 1}); }

static int compare_cuts(const FormCut *x, const FormCut *y)
{
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (int)x->after - (int)y->after;
}

static bool comes_before(const Form *x, const Form *y)
{
    return x->key != y->key ? x->key < y->key : x->id < y->id;
}

/* ---- regions that are met ---- */

typedef struct {
    FormCut cuts[FORM_MOST_REGIONS];
    const Form *values[FORM_MOST_REGIONS + 1];
    u32 n; /* cuts */
    const Form *of, *nan;
} Regions;

static void drop_region(Regions *r, u32 value, u32 cut)
{
    memmove(&r->values[value], &r->values[value + 1], (r->n - value) * sizeof *r->values);
    memmove(&r->cuts[cut], &r->cuts[cut + 1], (r->n - cut - 1) * sizeof *r->cuts);
    r->n--;
}

static void keep_met(Algebra *a, Regions *r)
{
    FormRange in = form_range(a, r->of);
    bool exact = dtype_is_float(r->of->dtype) || form_is_exact(a, r->of);
    while (exact && r->n && (r->cuts[0].after ? r->cuts[0].at < in.lo : r->cuts[0].at <= in.lo))
        drop_region(r, 0, 0);
    while (exact && r->n &&
           (r->cuts[r->n - 1].after ? r->cuts[r->n - 1].at >= in.hi : r->cuts[r->n - 1].at > in.hi))
        r->n--;
    if (!in.nan || !dtype_is_float(r->of->dtype))
        r->nan = r->of->nterms && r->of->terms[0].of->nfactors == 1 &&
                         r->of->terms[0].of->factors[0].atom->kind == ATOM_ORDER
                     ? r->nan
                     : NULL;
}

static void join_equal(Regions *r)
{
    for (u32 i = 0; i < r->n;)
        if (r->values[i] == r->values[i + 1])
            drop_region(r, i, i);
        else
            i++;
}

/* ---- single points ---- */

const FormFactor *form_only_factor(const Form *f)
{
    bool one = f->nterms == 1 && coef_is(f->terms[0].c, 1) && !f->terms[0].of->nbound &&
               f->terms[0].of->nfactors == 1 && f->terms[0].of->factors[0].power == 1;
    return one ? &f->terms[0].of->factors[0] : NULL;
}

/* f with x in place of that whole number, in its products. */
static const Form *with_number(Algebra *a, const Form *f, const FormFactor *x, FormCoef c)
{
    FormTerms terms = {0};
    bool ok = !f->choice;
    u32 classes = a->classes;
    for (u32 i = 0; ok && i < f->nterms; i++) {
        FormTerm t = f->terms[i];
        FormDraft d = {0};
        FormCoef p = {1, 1};
        draft_product(a, &d, t.of, 1);
        for (size_t k = 0; k < d.factors.len;) {
            if (compare_factors(&d.factors.at[k], x)) {
                k++;
                continue;
            }
            ok = ok && coef_power(f->dtype, c, d.factors.at[k].power, &p);
            d.factors.at[k] = d.factors.at[--d.factors.len];
        }
        t.of = ok ? draft_close(a, &d) : NULL;
        draft_free(&d);
        ok = ok && t.of && coef_mul(f->dtype, t.c, p, &t.c);
        if (ok)
            vec_push(&terms, t);
    }
    const Form *out = ok ? form_make(a, f->dtype, &terms) : f;
    vec_free(&terms);
    a->classes = classes;
    return out ? out : f;
}

static const Form *at_point(Algebra *a, const Regions *r, u32 region, double at)
{
    return with_number(a, r->values[region], form_only_factor(r->of),
                       coef_whole(r->of->dtype, (i64)at));
}

/* A region reaches as far up as its value agrees with what stands there. */
static void raise_cut(Algebra *a, Regions *r, u32 i)
{
    enum { MOST_RAISED = 16 };
    for (int k = 0; k < MOST_RAISED; k++) {
        double at = r->cuts[i].at;
        bool end = i + 1 < r->n && r->cuts[i + 1].at <= at;
        if (end || at_point(a, r, i, at) != at_point(a, r, i + 1, at))
            return;
        r->cuts[i].at = at + 1;
    }
}

/* Where only one whole number is left, it stands for what is looked at. Is it what the next region
 * says, too? */
static bool put_point(Algebra *a, Regions *r, u32 i, const FormRange *in)
{
    double lo = i ? r->cuts[i - 1].at : in->lo, hi = i < r->n ? r->cuts[i].at : in->hi + 1;
    if (hi != lo + 1)
        return false;
    r->values[i] = at_point(a, r, i, lo);
    return i < r->n && r->values[i] == at_point(a, r, i + 1, lo);
}

static void put_points(Algebra *a, Regions *r)
{
    const FormFactor *x = form_only_factor(r->of);
    if (!x || dtype_is_float(r->of->dtype) || x->atom->kind == ATOM_ORDER ||
        r->of->dtype == DT_BOOL || r->values[0]->dtype != r->of->dtype)
        return;
    FormRange in = form_range(a, r->of);
    for (u32 i = 0; i < r->n;) {
        if (put_point(a, r, i, &in)) {
            drop_region(r, i, i);
            continue;
        }
        raise_cut(a, r, i);
        bool last = i + 1 == r->n;
        bool empty = last ? r->cuts[i].at > in.hi : r->cuts[i].at >= r->cuts[i + 1].at;
        if (empty)
            drop_region(r, i + 1, i);
        else
            i++;
    }
    put_point(a, r, r->n, &in);
}

/* ---- where it is nan ---- */

static bool has_factor(const Form *f, const FormFactor *x)
{
    for (u32 i = 0; i < f->nterms; i++)
        for (u32 k = 0; k < f->terms[i].of->nfactors; k++)
            if (!compare_factors(&f->terms[i].of->factors[k], x))
                return true;
    return false;
}

/* Is f nan where the form is? */
static bool is_strict(const Form *f, const Form *of)
{
    FormCoef c;
    if (f->choice || form_is_number(of, &c))
        return false;
    const FormFactor *x = form_only_factor(of);
    return form_is_nan(f) || (x ? has_factor(f, x) : f == of);
}

static bool is_nan_with(Algebra *a, const Form *f, const Form *of)
{
    const FormFactor *x = form_only_factor(of);
    bool order = x && x->atom->kind == ATOM_ORDER;
    if (!order)
        return is_strict(f, of);
    FormCoef c;
    for (u32 i = 0; i < 2; i++) {
        const Form *part = form_substitute(a, x->atom->args[i], x->index, 0, NULL);
        if (!part || (!form_is_number(part, &c) && !is_strict(f, part)))
            return false;
    }
    return true;
}

/* Any nan is as good as another. */
static void put_nan(Algebra *a, Regions *r)
{
    if (!r->nan || !dtype_is_float(r->nan->dtype) || r->nan->choice)
        return;
    if (is_nan_with(a, r->nan, r->of))
        r->nan = form_nan(a, r->nan->dtype);
    if (r->nan && form_is_nan(r->nan) && !r->n && is_nan_with(a, r->values[0], r->of))
        r->nan = r->values[0];
}

/* ---- making ---- */

static u64 choice_key(const FormChoice *c)
{
    u64 h = hash_mix(c->of->key, c->ncuts);
    for (u32 i = 0; i < c->ncuts; i++)
        h = hash_mix(h, hash_bytes(&c->cuts[i].at, sizeof c->cuts[i].at, c->cuts[i].after));
    for (u32 i = 0; i <= c->ncuts; i++)
        h = hash_mix(h, c->values[i]->key);
    return hash_mix(h, c->nan ? c->nan->key : 0);
}

static const Form *intern_choice(Algebra *a, const Regions *r)
{
    FormChoice *c = arena_alloc(&a->arena, sizeof *c);
    *c = (FormChoice){.of = r->of, .ncuts = r->n, .nan = r->nan};
    c->cuts = arena_alloc(&a->arena, (r->n + 1) * sizeof *c->cuts);
    c->values = arena_alloc(&a->arena, (r->n + 1) * sizeof *c->values);
    memcpy(c->cuts, r->cuts, r->n * sizeof *c->cuts);
    memcpy(c->values, r->values, (r->n + 1) * sizeof *c->values);
    Form probe = {.dtype = r->values[0]->dtype, .choice = c, .key = choice_key(c)};
    for (u32 i = 0; i <= r->n; i++)
        probe.depth = c->values[i]->depth > probe.depth ? c->values[i]->depth : probe.depth;
    probe.depth = c->of->depth > probe.depth ? c->of->depth : probe.depth;
    return form_intern(a, probe);
}

static const Form *close_regions(Algebra *a, Regions *r)
{
    keep_met(a, r);
    put_points(a, r);
    join_equal(r);
    put_nan(a, r);
    bool one = !r->n && (!r->nan || r->nan == r->values[0]);
    return one ? r->values[0] : intern_choice(a, r);
}

/* ---- lifting ---- */

static const Form *first_looked_at(u32 n, const Form *const *x)
{
    const Form *least = NULL;
    for (u32 i = 0; i < n; i++)
        if (x[i]->choice && (!least || comes_before(x[i]->choice->of, least)))
            least = x[i]->choice->of;
    return least;
}

static bool add_cut(Regions *r, const FormCut *cut)
{
    u32 k = 0;
    while (k < r->n && compare_cuts(&r->cuts[k], cut) < 0)
        k++;
    if (k < r->n && !compare_cuts(&r->cuts[k], cut))
        return true;
    if (r->n >= FORM_MOST_REGIONS)
        return false;
    memmove(&r->cuts[k + 1], &r->cuts[k], (r->n - k) * sizeof *r->cuts);
    r->cuts[k] = *cut;
    r->n++;
    return true;
}

/* The value of the region that lies behind that cut (NULL: before all). */
static const Form *value_behind(const FormChoice *c, const FormCut *cut)
{
    u32 k = 0;
    while (cut && k < c->ncuts && compare_cuts(&c->cuts[k], cut) <= 0)
        k++;
    return c->values[k];
}

enum { MOST_LIFTED = 64 };

typedef struct {
    u32 n;
    const Form *const *x;
    FormLifted *f;
    const void *ctx;
} Lifting;

static const Form *lift_region(Algebra *a, const Lifting *l, const Form *of, const FormCut *cut,
                               bool nan)
{
    const Form *part[MOST_LIFTED];
    for (u32 i = 0; i < l->n; i++) {
        const FormChoice *c = l->x[i]->choice;
        part[i] = !c || c->of != of ? l->x[i] : nan ? c->nan : value_behind(c, cut);
        if (!part[i])
            return NULL;
    }
    return form_lift(a, l->n, part, l->f, l->ctx);
}

/* The values may look at anything. */
static const Form *put_in_order(Algebra *a, Regions *r);

const Form *form_lift(Algebra *a, u32 n, const Form *const *x, FormLifted *f, const void *ctx)
{
    Lifting l = {n, x, f, ctx};
    Regions r = {.of = first_looked_at(n, x)};
    bool ok = n <= MOST_LIFTED, nan = true;
    if (!r.of)
        return f(a, ctx, x);
    if (!algebra_works(a, 8))
        return NULL;
    for (u32 i = 0; i < n && ok; i++) {
        const FormChoice *c = x[i]->choice;
        if (!c || c->of != r.of)
            continue;
        nan = nan && c->nan;
        for (u32 k = 0; k < c->ncuts && ok; k++)
            ok = add_cut(&r, &c->cuts[k]);
    }
    if (!ok)
        return algebra_limit(a, FORM_MOST_REGIONS, "regions of a choice");
    for (u32 i = 0; i <= r.n; i++)
        if (!(r.values[i] = lift_region(a, &l, r.of, i ? &r.cuts[i - 1] : NULL, false)))
            return NULL;
    if (nan && !(r.nan = lift_region(a, &l, r.of, NULL, true)))
        return NULL;
    return put_in_order(a, &r);
}

static const Form *pick(Algebra *a, const void *ctx, const Form *const *x)
{
    FormCoef c;
    (void)a;
    (void)ctx;
    return form_is_number(x[0], &c) ? x[1 + c.num] : NULL;
}

/* Which region it is, as a number, is a choice in order; with the values it is lifted. */
static const Form *put_in_order(Algebra *a, Regions *r)
{
    const Form *x[FORM_MOST_REGIONS + 3];
    Regions which = *r;
    u32 n = r->n + 1;
    bool late = false;
    for (u32 i = 0; i <= r->n; i++) {
        const FormChoice *c = r->values[i]->choice;
        late = late || (c && !comes_before(r->of, c->of));
        x[1 + i] = r->values[i];
        which.values[i] = form_number(a, DT_I64, coef_whole(DT_I64, i));
    }
    if (r->nan) {
        late = late || (r->nan->choice && !comes_before(r->of, r->nan->choice->of));
        which.nan = form_number(a, DT_I64, coef_whole(DT_I64, n));
        x[1 + n++] = r->nan;
    }
    if (!late)
        return close_regions(a, r);
    for (u32 i = 0; i <= r->n; i++)
        if (!which.values[i])
            return NULL;
    if (n + 1 > MOST_LIFTED)
        return algebra_limit(a, FORM_MOST_REGIONS, "regions of a choice");
    keep_met(a, &which);
    x[0] = which.n || which.nan ? intern_choice(a, &which) : which.values[0];
    return form_lift(a, n + 1, x, pick, NULL);
}

/* ---- what is looked at, brought to its one form ---- */

static void turn_around(Regions *r)
{
    Regions was = *r;
    for (u32 i = 0; i <= r->n; i++)
        r->values[i] = was.values[r->n - i];
    for (u32 i = 0; i < r->n; i++) {
        FormCut from = was.cuts[r->n - 1 - i];
        r->cuts[i] = (FormCut){-from.at, !from.after};
    }
}

/* Whole numbers: without what is constant, and a common factor; the first sign is +. */
static const Form *without_constant(Algebra *a, const Form *f, i64 *constant, i64 *factor)
{
    FormTerms terms = {0};
    *constant = 0, *factor = 0;
    for (u32 i = 0; i < f->nterms; i++)
        if (!f->terms[i].of->nfactors && !f->terms[i].of->nbound)
            *constant = f->terms[i].c.num;
        else
            *factor = whole_gcd(*factor, f->terms[i].c.num);
    for (u32 i = 0; i < f->nterms; i++) {
        FormTerm t = f->terms[i];
        if (!t.of->nfactors && !t.of->nbound)
            continue;
        if (!terms.len && t.c.num < 0)
            *factor = -*factor;
        t.c.num /= *factor;
        vec_push(&terms, t);
    }
    const Form *out = form_make(a, f->dtype, &terms);
    vec_free(&terms);
    return out;
}

/* c + k * x is below a whole number where x is below another one. */
static bool of_whole(Algebra *a, Regions *r)
{
    i64 c, k;
    if (!form_is_exact(a, r->of))
        return true;
    const Form *of = without_constant(a, r->of, &c, &k);
    if (!of || !of->nterms)
        return of != NULL;
    r->of = of;
    if (k < 0)
        turn_around(r);
    for (u32 i = 0; i < r->n; i++) {
        double at = k < 0 ? r->cuts[i].at + (double)c : r->cuts[i].at - (double)c;
        at = at / fabs((double)k);
        r->cuts[i] =
            r->cuts[i].after ? (FormCut){floor(at) + 1, false} : (FormCut){ceil(at), false};
    }
    for (u32 i = 0; i + 1 < r->n;) /* regions without a whole number */
        if (r->cuts[i].at >= r->cuts[i + 1].at)
            drop_region(r, i + 1, i);
        else
            i++;
    return true;
}

/* q * x lies where x does, divided by q. */
static bool of_floats(Algebra *a, Regions *r)
{
    FormCoef q = r->of->terms[0].c;
    double c = (double)q.num / (double)q.den;
    if (r->of->nterms != 1 || coef_is(q, 1))
        return true;
    FormCoef inverse;
    if (!coef_power(r->of->dtype, q, -1, &inverse))
        return true;
    a->classes |= q.num == -1 && q.den == 1 ? 0 : HAZARD_R | HAZARD_O;
    r->of = form_scale(a, r->of, inverse);
    if (c < 0)
        turn_around(r);
    for (u32 i = 0; i < r->n; i++) /* turn_around has changed the sign */
        r->cuts[i].at = r->cuts[i].at / fabs(c) + 0.0;
    return r->of != NULL;
}

static const Form *at_number(const Regions *r, FormCoef c)
{
    double x = (double)c.num / (double)c.den;
    u32 k = 0;
    while (k < r->n && (r->cuts[k].after ? x > r->cuts[k].at : x >= r->cuts[k].at))
        k++;
    return r->values[k];
}

const Form *form_choose(Algebra *a, const FormChoice *c)
{
    Regions r = {.of = c->of, .nan = c->nan, .n = c->ncuts};
    FormCoef number;
    if (c->ncuts > FORM_MOST_REGIONS || !c->of)
        return c->of ? algebra_limit(a, FORM_MOST_REGIONS, "regions of a choice") : NULL;
    for (u32 i = 0; i <= c->ncuts; i++)
        if (!(r.values[i] = c->values[i]))
            return NULL;
    if (c->ncuts)
        memcpy(r.cuts, c->cuts, c->ncuts * sizeof *r.cuts);
    if (r.nan && form_is_nan(r.of))
        return r.nan;
    if (form_is_number(r.of, &number))
        return at_number(&r, number);
    if (!(dtype_is_float(r.of->dtype) ? of_floats(a, &r) : of_whole(a, &r)))
        return NULL;
    return put_in_order(a, &r);
}

const Form *form_settle(Algebra *a, const Form *f)
{
    const Form *values[FORM_MOST_REGIONS + 1];
    if (!f || !f->choice)
        return f;
    FormChoice c = *f->choice;
    for (u32 i = 0; i <= c.ncuts; i++)
        if (!(values[i] = form_settle(a, c.values[i])))
            return NULL;
    c.values = values;
    if (c.nan && !(c.nan = form_settle(a, c.nan)))
        return NULL;
    return form_choose(a, &c);
}

/* ---- truth values and comparisons ---- */

const Form *form_of_truth(Algebra *a, const Form *f)
{
    FormCut cut = {1, false};
    const Form *values[] = {form_truth(a, false), form_truth(a, true)};
    return f ? form_choose(a, &(FormChoice){f, 1, &cut, values, NULL}) : NULL;
}

static const Form *by_constant(Algebra *a, const Form *x, double at, const Form *const v[3],
                               const Form *nan)
{
    FormCut cuts[] = {{at, false}, {at, true}};
    if (!dtype_is_float(x->dtype))
        cuts[1] = (FormCut){at + 1, false};
    const Form *values[] = {v[0], v[1], v[2]};
    return form_choose(a, &(FormChoice){x, 2, cuts, values, dtype_is_float(x->dtype) ? nan : NULL});
}

static bool is_short(FormCoef c) { return c.num < (i64)1 << 52 && c.num > -((i64)1 << 52); }

/* x - y, where it can be looked at in its place. */
static const Form *whole_difference(Algebra *a, const Form *x, const Form *y)
{
    if (dtype_is_float(x->dtype) || x->dtype == DT_BOOL || !form_is_exact(a, x) ||
        !form_is_exact(a, y))
        return NULL;
    const Form *d = form_add(a, x, form_scale(a, y, (FormCoef){-1, 1}));
    return d && (form_is_exact(a, d) || !d->nterms) && d->nterms > 0 ? d : NULL;
}

/* x - y of two terms that differ by their sign has the sign that x and y are compared with. */
static bool is_difference(const Form *f)
{
    return f->nterms == 2 && f->terms[0].c.num == -f->terms[1].c.num &&
           f->terms[0].c.den == f->terms[1].c.den;
}

static const Form *part_of(Algebra *a, const Form *f, bool plus)
{
    const FormTerm *t = &f->terms[(f->terms[0].c.num > 0) != plus];
    return form_of_product(a, f->dtype, t->of);
}

const Form *form_compare(Algebra *a, const Form *x, const Form *y, const Form *const values[3],
                         const Form *nan)
{
    FormCoef c, other;
    const Form *turned[] = {values[2], values[1], values[0]}, *same[] = {values[1]};
    bool left = form_is_number(x, &other), right = form_is_number(y, &c);
    if (nan && (form_is_nan(x) || form_is_nan(y)))
        return nan;
    if (x == y) /* only nan is not equal to itself */
        return form_choose(a,
                           &(FormChoice){x, 0, NULL, same, dtype_is_float(x->dtype) ? nan : NULL});
    const Form *d = left || right ? NULL : whole_difference(a, x, y);
    if (d)
        return by_constant(a, d, 0, values, NULL);
    if (left && !right && is_short(other))
        return form_compare(a, y, x, turned, nan);
    if (right && is_short(c)) {
        if (dtype_is_float(x->dtype) && !c.num && is_difference(x)) {
            a->classes |= HAZARD_R | HAZARD_NPLUS; /* inf - inf */
            return form_compare(a, part_of(a, x, true), part_of(a, x, false), values, nan);
        }
        return by_constant(a, x, (double)c.num / (double)c.den, values, nan);
    }
    if (comes_before(y, x))
        return form_compare(a, y, x, turned, nan);
    const Form *order = form_of_order(a, x, y);
    FormCut cuts[] = {{0, false}, {1, false}};
    const Form *v[] = {values[0], values[1], values[2]};
    return order ? form_choose(
                       a, &(FormChoice){order, 2, cuts, v, dtype_is_float(x->dtype) ? nan : NULL})
                 : NULL;
}
