/* Products: built as drafts, then brought into their one form and interned. */
#include "algebra/parts.h"

#include <string.h>

void draft_free(FormDraft *d)
{
    vec_free(&d->factors);
    vec_free(&d->sizes);
}

static FormIndex *copy_indices(Algebra *a, const FormFactor *f)
{
    FormIndex *index = arena_alloc(&a->arena, (f->arity + 1) * sizeof *index);
    if (f->arity)
        memcpy(index, f->index, f->arity * sizeof *index);
    return index;
}

void draft_product(Algebra *a, FormDraft *d, const FormProduct *p, int power)
{
    int shift = (int)d->sizes.len;
    for (u32 i = 0; i < p->nfactors; i++) {
        FormFactor f = p->factors[i];
        f.power *= power;
        if (shift && p->nbound)
            f.index = copy_indices(a, &f);
        for (u32 k = 0; k < f.arity && shift && p->nbound; k++)
            f.index[k].name += f.index[k].name >= FORM_BOUND ? shift : 0;
        vec_push(&d->factors, f);
    }
    for (u32 i = 0; i < p->nbound; i++)
        vec_push(&d->sizes, p->sizes[i]);
}

/* ---- deltas ---- */

static bool is_plain(const FormIndex *x) { return x->name >= 0 && x->scale == 1 && !x->at; }
static bool is_bound(const FormIndex *x) { return is_plain(x) && x->name >= FORM_BOUND; }

static bool factor_has(const FormFactor *f, int name)
{
    for (u32 k = 0; k < f->arity; k++)
        if (f->index[k].name == name)
            return true;
    return false;
}

/* The indices of a function are names that differ. */
static bool can_rename(const FormDraft *d, int from, int to)
{
    for (size_t i = 0; i < d->factors.len; i++) {
        const FormFactor *f = &d->factors.at[i];
        if (f->atom->kind >= ATOM_FUNCTION && f->atom->kind <= ATOM_SUM && factor_has(f, from) &&
            factor_has(f, to))
            return false;
    }
    return true;
}

static void rename_in(Algebra *a, FormFactor *f, int from, int to)
{
    if (!factor_has(f, from))
        return;
    f->index = copy_indices(a, f);
    for (u32 k = 0; k < f->arity; k++)
        if (f->index[k].name == from)
            f->index[k].name = to;
}

static void drop_factor(FormDraft *d, size_t i)
{
    d->factors.at[i] = d->factors.at[--d->factors.len];
}

/* Name `from`, bound, is another one: no sum is left over it. */
static void contract(Algebra *a, FormDraft *d, int from, int to)
{
    int last = FORM_BOUND + (int)d->sizes.len - 1;
    for (size_t i = 0; i < d->factors.len; i++)
        rename_in(a, &d->factors.at[i], from, to);
    for (size_t i = 0; i < d->factors.len && from != last; i++)
        rename_in(a, &d->factors.at[i], last, from);
    d->sizes.at[from - FORM_BOUND] = d->sizes.at[d->sizes.len - 1];
    d->sizes.len--;
}

/* [i = j] f(j), summed over j, is f(i). True if there was one. */
static bool contract_one(Algebra *a, FormDraft *d)
{
    for (size_t i = 0; i < d->factors.len; i++) {
        FormFactor *f = &d->factors.at[i];
        if (f->atom->kind != ATOM_DELTA)
            continue;
        f->power = 1;
        FormIndex x = f->index[0], y = f->index[1];
        bool equal = x.name == y.name && x.scale == y.scale && x.at == y.at;
        bool known = !equal && is_plain(&x) && is_plain(&y);
        int from = known && is_bound(&y) ? y.name : known && is_bound(&x) ? x.name : -1;
        int to = from == y.name ? x.name : y.name;
        if (!equal && (from < 0 || !can_rename(d, from, to)))
            continue;
        drop_factor(d, i);
        if (!equal) /* 0 times infinity was a part of it; all is still there where the other stays
                     */
            a->classes |= to < FORM_BOUND ? FORM_EXPANDS : FORM_CANCELS;
        if (!equal)
            contract(a, d, from, to);
        return true;
    }
    return false;
}

/* [i = j] f(j) is [i = j] f(i): of two names that stay, the first is the one that is read. */
static void read_first(Algebra *a, FormDraft *d)
{
    for (size_t i = 0; i < d->factors.len; i++) {
        const FormFactor *f = &d->factors.at[i];
        if (f->atom->kind != ATOM_DELTA || !is_plain(&f->index[0]) || !is_plain(&f->index[1]))
            continue;
        int x = f->index[0].name, y = f->index[1].name, first = x < y ? x : y, last = x < y ? y : x;
        if (last >= FORM_BOUND || first == last || !can_rename(d, last, first))
            continue;
        for (size_t k = 0; k < d->factors.len; k++)
            if (k != i)
                rename_in(a, &d->factors.at[k], last, first);
    }
}

/* [i = j] is [j = i]. */
static void turn_deltas(Algebra *a, FormDraft *d)
{
    for (size_t i = 0; i < d->factors.len; i++) {
        FormFactor *f = &d->factors.at[i];
        if (f->atom->kind != ATOM_DELTA || f->index[0].name <= f->index[1].name)
            continue;
        f->index = copy_indices(a, f);
        FormIndex t = f->index[0];
        f->index[0] = f->index[1];
        f->index[1] = t;
    }
}

/* ---- closing ---- */

bool atom_is_length_of_result(const Algebra *a, const FormAtom *atom)
{
    for (int i = 0; atom->kind == ATOM_LENGTH && a->whole && i < a->whole->rank; i++)
        if (size_as_atom(a->whole->dims[i]) == atom->size)
            return true;
    return false;
}

/* The same factor several times is a power of it. Where it goes, what it hid is hidden; where a
 * power of it stays, as in x^2 / x, only what was NaN between them is gone. */
static void collect_factors(Algebra *a, FormDraft *d)
{
    size_t len = 0;
    if (d->factors.len > 1)
        qsort(d->factors.at, d->factors.len, sizeof *d->factors.at, compare_factors);
    for (size_t i = 0; i < d->factors.len;) {
        FormFactor sum = d->factors.at[i++];
        bool cancels = false;
        for (; i < d->factors.len && !compare_factors(&sum, &d->factors.at[i]); i++) {
            int more = d->factors.at[i].power;
            cancels = cancels ||
                      ((sum.power < 0) != (more < 0) && !atom_is_length_of_result(a, sum.atom));
            sum.power += more;
        }
        if (cancels)
            a->classes |= sum.power ? (u32)HAZARD_NPLUS : (u32)FORM_CANCELS;
        if (sum.power)
            d->factors.at[len++] = sum;
    }
    d->factors.len = len;
}

static void number_names(Algebra *a, FormDraft *d, const int *order)
{
    int to[FORM_MOST_BOUND];
    Size *sizes[FORM_MOST_BOUND];
    size_t n = d->sizes.len;
    for (size_t k = 0; k < n; k++) {
        to[order[k]] = (int)k;
        sizes[k] = d->sizes.at[order[k]];
    }
    if (n)
        memcpy(d->sizes.at, sizes, n * sizeof *sizes);
    for (size_t i = 0; i < d->factors.len; i++) {
        FormFactor *f = &d->factors.at[i];
        f->index = copy_indices(a, f);
        for (u32 k = 0; k < f->arity; k++)
            if (f->index[k].name >= FORM_BOUND)
                f->index[k].name = FORM_BOUND + to[f->index[k].name - FORM_BOUND];
    }
    if (d->factors.len > 1)
        qsort(d->factors.at, d->factors.len, sizeof *d->factors.at, compare_factors);
}

static bool same_product(const void *x, const void *y)
{
    const FormProduct *a = x, *b = y;
    bool same = a->nfactors == b->nfactors && a->nbound == b->nbound && a->key == b->key;
    for (u32 i = 0; i < a->nbound && same; i++)
        same = a->sizes[i] == b->sizes[i];
    for (u32 i = 0; i < a->nfactors && same; i++)
        same = a->factors[i].power == b->factors[i].power &&
               !compare_factors(&a->factors[i], &b->factors[i]);
    return same;
}

static u64 product_key(const Algebra *a, const FormProduct *p)
{
    u64 names[FORM_BOUND + FORM_MOST_BOUND], key = hash_mix(p->nfactors, p->nbound);
    for (int i = 0; i < FORM_BOUND + FORM_MOST_BOUND; i++)
        names[i] = (u64)i + 1;
    for (u32 i = 0; i < p->nbound; i++)
        key = hash_mix(key, size_key(a, p->sizes[i]));
    for (u32 i = 0; i < p->nfactors; i++)
        key = hash_mix(key, factor_hash(&p->factors[i], names, names + FORM_BOUND));
    return key;
}

static const FormProduct *intern_product(Algebra *a, const FormDraft *d, bool unsure)
{
    FormProduct probe = {.nfactors = (u32)d->factors.len,
                         .nbound = (u32)d->sizes.len,
                         .factors = d->factors.at,
                         .sizes = d->sizes.at,
                         .unsure = unsure};
    probe.key = product_key(a, &probe);
    FormProduct *p = intern_find(&a->products, probe.key, &probe, same_product);
    if (p)
        return p;
    p = arena_alloc(&a->arena, sizeof *p);
    *p = probe;
    p->id = ++a->ids;
    p->factors = arena_alloc(&a->arena, (p->nfactors + 1) * sizeof *p->factors);
    p->sizes = arena_alloc(&a->arena, (p->nbound + 1) * sizeof *p->sizes);
    if (p->nfactors)
        memcpy(p->factors, probe.factors, p->nfactors * sizeof *p->factors);
    if (p->nbound)
        memcpy(p->sizes, probe.sizes, p->nbound * sizeof *p->sizes);
    for (u32 i = 0; i < p->nfactors; i++)
        p->factors[i].index = copy_indices(a, &p->factors[i]);
    intern_add(&a->products, p->key, p);
    return p;
}

void draft_contract(Algebra *a, FormDraft *d)
{
    while (contract_one(a, d))
        ;
}

const FormProduct *draft_close(Algebra *a, FormDraft *d)
{
    int order[FORM_MOST_BOUND];
    bool sure = true;
    draft_contract(a, d);
    read_first(a, d);
    turn_deltas(a, d);
    while (a->relations && draft_cancel_sum(a, d))
        ;
    collect_factors(a, d);
    if (d->sizes.len > FORM_MOST_BOUND)
        return algebra_limit(a, FORM_MOST_BOUND, "axes of a product");
    if (d->factors.len > FORM_MOST_FACTORS)
        return algebra_limit(a, FORM_MOST_FACTORS, "factors of a product");
    if (d->sizes.len) {
        sure = names_order(a, d, order);
        number_names(a, d, order);
    }
    if (!sure)
        algebra_limit(a, FORM_MOST_TRIES, "ways to name the axes of a product");
    return intern_product(a, d, !sure);
}

u64 product_free_names(const FormProduct *p)
{
    u64 names = 0;
    for (u32 i = 0; i < p->nfactors; i++)
        for (u32 k = 0; k < p->factors[i].arity; k++) {
            int name = p->factors[i].index[k].name;
            names |= name >= 0 && name < FORM_BOUND ? 1ull << name : 0;
        }
    return names;
}

u64 form_free_names(const Form *f)
{
    u64 names = 0;
    for (u32 i = 0; i < f->nterms; i++)
        names |= product_free_names(f->terms[i].of);
    if (!f->choice)
        return names;
    names |=
        form_free_names(f->choice->of) | (f->choice->nan ? form_free_names(f->choice->nan) : 0);
    for (u32 i = 0; i <= f->choice->ncuts; i++)
        names |= form_free_names(f->choice->values[i]);
    return names;
}
