/* Which of two sizes is the larger: lower bounds, and the normal form of max and min.
 *
 * Invariant: what is said holds for all values of the symbols, which are >= 0. */
#include "graph/size_parts.h"

/* ---- lower bounds ---- */

/* A length of an axis, or the number of steps that a loop took: never negative. */
static bool is_count(const Node *n)
{
    return n->op == OP_DIM || (n->op == OP_PROJ && n->ops[0]->op == OP_SCAN &&
                               n->attrs[0].i == n->ops[0]->type->nitems - 2);
}

static bool atom_lower_bound(const SizeAtom *a, i64 *bound)
{
    i64 x, y;
    bool has_x, has_y;
    switch (a->kind) {
    case ATOM_NAME:
    case ATOM_PARAM:
    case ATOM_RESULT: *bound = 0; return true;
    case ATOM_MAX:
        has_x = size_lower_bound(a->a, &x), has_y = size_lower_bound(a->b, &y);
        *bound = has_x && (!has_y || x > y) ? x : y;
        return has_x || has_y;
    case ATOM_MIN:
        if (!size_lower_bound(a->a, &x) || !size_lower_bound(a->b, &y))
            return false;
        *bound = x < y ? x : y;
        return true;
    case ATOM_FLOORDIV:
        *bound = 0;
        return size_lower_bound(a->a, &x) && size_lower_bound(a->b, &y) && x >= 0 && y > 0;
    case ATOM_NODE: *bound = 0; return is_count(a->node);
    }
    return false;
}

static bool terms_lower_bound(const SizeTerm *at, size_t n, i64 constant, i64 *bound)
{
    i64 low = constant;
    for (size_t i = 0; i < n; i++) {
        const SizeTerm *t = &at[i];
        if (t->coef < 0)
            return false;
        i64 product = t->coef;
        for (u32 k = 0; k < t->nfactors && product; k++) {
            i64 x;
            if (!atom_lower_bound(t->factors[k], &x) || x < 0)
                return false;
            if (__builtin_mul_overflow(product, x, &product))
                return false;
        }
        if (__builtin_add_overflow(low, product, &low))
            return false;
    }
    *bound = low;
    return true;
}

/* ---- bounds where one part is bounded by another ---- */

enum { MOST_CHOICES = 4 }; /* each doubles the work */

static bool is_choice(const SizeTerm *t)
{
    return t->nfactors == 1 && (t->factors[0]->kind == ATOM_MAX || t->factors[0]->kind == ATOM_MIN);
}

/* Does the bound of either side do? n - min(m, k) is at least n - m. */
static bool needs_one(const SizeTerm *t)
{
    return (t->factors[0]->kind == ATOM_MAX) == (t->coef > 0);
}

/* First those of which both sides are needed, since the other choices may differ between them; then
 * the one that is of most, since others may be parts of it. n: there is none. */
static size_t next_choice(const SizeTerm *at, size_t n)
{
    size_t best = n;
    u32 most = 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_choice(&at[i]) || !at[i].coef)
            continue;
        const SizeAtom *a = at[i].factors[0];
        u32 weight = a->a->weight + a->b->weight;
        bool both = !needs_one(&at[i]), best_both = best < n && !needs_one(&at[best]);
        if (best == n || (both == best_both ? weight > most : both)) {
            best = i;
            most = weight;
        }
    }
    return best;
}

static bool add_terms(SizeTerms *to, i64 *constant, const Size *s, i64 scale)
{
    i64 product;
    if (__builtin_mul_overflow(s->constant, scale, &product) ||
        __builtin_add_overflow(*constant, product, constant))
        return false;
    for (u32 i = 0; i < s->nterms; i++) {
        SizeTerm t = s->terms[i];
        size_t k = 0;
        while (k < to->len && !size_terms_equal(&to->at[k], &t))
            k++;
        if (__builtin_mul_overflow(t.coef, scale, &t.coef) ||
            (k < to->len && __builtin_add_overflow(t.coef, to->at[k].coef, &t.coef)))
            return false;
        if (k == to->len)
            vec_push(to, t);
        else
            to->at[k] = t;
    }
    return true;
}

static bool chosen_lower_bound(const SizeTerm *at, size_t n, i64 constant, int choices, i64 *bound);

/* The bound if term i is what `side` says it is. */
static bool side_lower_bound(const SizeTerm *at, size_t n, i64 constant, size_t i, const Size *side,
                             int choices, i64 *bound)
{
    SizeTerms terms = {0};
    for (size_t k = 0; k < n; k++)
        if (k != i)
            vec_push(&terms, at[k]);
    bool ok = add_terms(&terms, &constant, side, at[i].coef) &&
              chosen_lower_bound(terms.at, terms.len, constant, choices, bound);
    vec_free(&terms);
    return ok;
}

/* n - min(n, k) is at least n - n and at least n - k; n - max(m, k) the less of two such. */
static bool chosen_lower_bound(const SizeTerm *at, size_t n, i64 constant, int choices, i64 *bound)
{
    if (terms_lower_bound(at, n, constant, bound))
        return true;
    size_t i = next_choice(at, n);
    if (i == n || !choices)
        return false;
    const SizeAtom *c = at[i].factors[0];
    bool either = needs_one(&at[i]);
    i64 x, y;
    bool has_x = side_lower_bound(at, n, constant, i, c->a, choices - 1, &x);
    bool has_y = side_lower_bound(at, n, constant, i, c->b, choices - 1, &y);
    if (either ? !has_x && !has_y : !has_x || !has_y)
        return false;
    *bound = !has_y || (has_x && (x > y) == either) ? x : y;
    return true;
}

bool size_lower_bound(const Size *s, i64 *bound)
{
    return chosen_lower_bound(s->terms, s->nterms, s->constant, MOST_CHOICES, bound);
}

/* The constants are so far apart that a - b wraps around. */
static bool difference_wraps(const Size *a, const Size *b)
{
    i64 d;
    return __builtin_sub_overflow(a->constant, b->constant, &d) || d == INT64_MIN;
}

bool size_provably_different(Store *st, Size *a, Size *b)
{
    if (a == b)
        return false;
    if (difference_wraps(a, b))
        return !a->nterms && !b->nterms;
    i64 low;
    return (size_lower_bound(size_sub(st, a, b), &low) && low > 0) ||
           (size_lower_bound(size_sub(st, b, a), &low) && low > 0);
}

bool size_above(Store *st, Size *a, Size *b, i64 by)
{
    i64 low;
    if (difference_wraps(a, b))
        return !a->nterms && !b->nterms && a->constant > b->constant;
    return size_lower_bound(size_plain_sum(st, a, size_scale(st, b, -1)), &low) && low >= by;
}

static bool size_at_least(Store *st, Size *a, Size *b) { return size_above(st, a, b, 0); }

/* ---- the larger and the less ---- */

enum { MOST_TERMS = 8 };                       /* of a size in which they are looked for */
static const i64 MOST_CONSTANT = (i64)1 << 53; /* sums of such do not wrap around */

/* A size as the larger, or the less, of two: rest + max(a, b) is max(rest + a, rest + b). */
typedef struct {
    AtomKind kind;
    Size *rest, *a, *b;
} Either;

static Size *without_term(Store *st, const Size *s, u32 i)
{
    SizeTerms terms = {0};
    for (u32 k = 0; k < s->nterms; k++)
        if (k != i)
            vec_push(&terms, s->terms[k]);
    return size_intern(st, s->constant, &terms);
}

static bool is_moderate(const Size *s)
{
    return s->constant <= MOST_CONSTANT && s->constant >= -MOST_CONSTANT;
}

/* By its term i; false: that is no choice with a coefficient of 1 or -1. */
static bool either_of(Store *st, Size *s, u32 i, Either *out)
{
    const SizeTerm *t = &s->terms[i];
    if (!is_choice(t) || (t->coef != 1 && t->coef != -1))
        return false;
    const SizeAtom *c = t->factors[0];
    if (!is_moderate(s) || !is_moderate(c->a) || !is_moderate(c->b))
        return false;
    out->rest = without_term(st, s, i);
    out->kind = needs_one(t) ? ATOM_MAX : ATOM_MIN;
    out->a = size_plain_sum(st, out->rest, size_scale(st, c->a, t->coef));
    out->b = size_plain_sum(st, out->rest, size_scale(st, c->b, t->coef));
    return true;
}

/* max(a, b) + min(c, d), where c - a and d - b are the same, is b + c; NULL: it is no such pair. */
static Size *pair_sum(Store *st, const SizeTerm *s, const SizeTerm *t)
{
    if (!is_choice(s) || !is_choice(t) || needs_one(s) == needs_one(t) ||
        (s->coef != t->coef && s->coef != -t->coef))
        return NULL;
    const SizeAtom *x = s->factors[0], *y = t->factors[0];
    Size *a = size_scale(st, x->a, s->coef), *b = size_scale(st, x->b, s->coef);
    Size *c = size_scale(st, y->a, t->coef), *d = size_scale(st, y->b, t->coef);
    Size *minus_a = size_scale(st, a, -1), *minus_b = size_scale(st, b, -1);
    if (size_plain_sum(st, c, minus_a) == size_plain_sum(st, d, minus_b))
        return size_plain_sum(st, b, c);
    return size_plain_sum(st, d, minus_a) == size_plain_sum(st, c, minus_b)
               ? size_plain_sum(st, b, d)
               : NULL;
}

static bool is_zero(const Size *s) { return !s->nterms && !s->constant; }

/* min(v, c) + max(v - c, 0) is v; NULL: it is no such pair. `v` need not be written so: where v is
 * min(n, 5) and c is 2, min(v, c) is min(n, 2). */
static Size *clamped_sum(Store *st, const SizeTerm *low, const SizeTerm *rest)
{
    if (!is_choice(low) || !is_choice(rest) || low->coef != 1 || rest->coef != 1)
        return NULL;
    SizeAtom *least = low->factors[0], *most = rest->factors[0];
    if (least->kind != ATOM_MIN || most->kind != ATOM_MAX || is_zero(most->a) == is_zero(most->b))
        return NULL;
    Size *above = is_zero(most->a) ? most->b : most->a;
    for (int side = 0; side < 2; side++) {
        Size *c = side ? least->b : least->a, *v = size_plain_sum(st, above, c);
        if (is_moderate(v) && size_as_atom(size_min(st, v, c)) == least)
            return v;
    }
    return NULL;
}

static Size *without_pairs(Store *st, Size *s)
{
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = i + 1; k < s->nterms; k++) {
            Size *sum = pair_sum(st, &s->terms[i], &s->terms[k]);
            sum = sum ? sum : clamped_sum(st, &s->terms[i], &s->terms[k]);
            sum = sum ? sum : clamped_sum(st, &s->terms[k], &s->terms[i]);
            if (sum) /* k first, as i stands before it */
                return without_pairs(
                    st, size_plain_sum(st, without_term(st, without_term(st, s, k), i), sum));
        }
    return s;
}

Size *size_cancelled(Store *st, Size *s)
{
    if (s->nterms < 2 || s->nterms > MOST_TERMS)
        return s;
    s = without_pairs(st, s);
    Either e;
    for (u32 i = 0; i < s->nterms && s->nterms > 1; i++) {
        if (!either_of(st, s, i, &e))
            continue;
        Size *a = without_pairs(st, e.a), *b = without_pairs(st, e.b);
        if (a->weight < e.rest->weight || b->weight < e.rest->weight)
            return size_pair(st, e.kind, size_cancelled(st, a), size_cancelled(st, b));
    }
    return s;
}

static bool decides(Store *st, AtomKind kind, Size *a, Size *b)
{
    return kind == ATOM_MAX ? size_at_least(st, a, b) : size_at_least(st, b, a);
}

/* max(x, max(n, 2)) is max(x, n) if x is at least 2: of s what x does not decide. */
static Size *undecided(Store *st, AtomKind kind, Size *x, Size *s)
{
    Either e;
    for (u32 i = 0; i < s->nterms; i++)
        if (either_of(st, s, i, &e) && e.kind == kind) {
            if (decides(st, kind, x, e.a))
                return undecided(st, kind, x, size_cancelled(st, e.b));
            if (decides(st, kind, x, e.b))
                return undecided(st, kind, x, size_cancelled(st, e.a));
        }
    return s;
}

static Size *chosen(Store *st, AtomKind kind, Size *a, Size *b)
{
    a = undecided(st, kind, b, a);
    b = undecided(st, kind, a, b);
    if (decides(st, kind, a, b))
        return a;
    if (decides(st, kind, b, a))
        return b;
    return size_binary(st, kind, a, b);
}

Size *size_max(Store *st, Size *a, Size *b) { return chosen(st, ATOM_MAX, a, b); }

Size *size_min(Store *st, Size *a, Size *b) { return chosen(st, ATOM_MIN, a, b); }
