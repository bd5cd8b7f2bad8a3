/* Sums and terms of a form as nodes.
 *
 * A sum is built as it stands, and once for each factor that several terms have, taken out of them
 * (what is left of them is a sum again); the cheapest is kept. A factor may have axes that its
 * terms are summed over: these are summed over once, outside.
 *
 * Names: those of the result come first. The axes that a term is summed over are FORM_BOUND and up,
 * its own, until it is put together, or a factor with them is taken out: then they get names behind
 * those in use around it. */
#include "algebra/back_parts.h"
#include "ops/build.h"

#include <string.h>

typedef struct {
    FormCoef c;
    u32 n, nbound;
    FormFactor *factors;
    Size **sizes; /* of its own names */
} Term;

/* Names 0 .. nfree - 1 stay. */
static bool build_terms(Back *b, const Term *terms, u32 n, int nfree, Part *out);

/* ---- copies with other names ---- */

static FormFactor renamed(Back *b, const FormFactor *f, const int *to)
{
    FormFactor own = *f;
    own.index = arena_alloc(&b->arena, (f->arity + 1) * sizeof *own.index);
    for (u32 k = 0; k < f->arity; k++) {
        own.index[k] = f->index[k];
        if (own.index[k].name >= 0)
            own.index[k].name = to[own.index[k].name];
    }
    return own;
}

enum { ALL_NAMES = FORM_BOUND + FORM_MOST_BOUND };

static Term *new_terms(Back *b, u32 n) { return arena_alloc(&b->arena, (n + 1) * sizeof(Term)); }

/* The terms of a form, whose name k is to[k]. */
static Term *terms_of(Back *b, const Form *f, const int *to)
{
    Term *out = new_terms(b, f->nterms);
    for (u32 i = 0; i < f->nterms; i++) {
        const FormProduct *p = f->terms[i].of;
        out[i] = (Term){f->terms[i].c, p->nfactors, p->nbound, NULL, p->sizes};
        out[i].factors = arena_alloc(&b->arena, (p->nfactors + 1) * sizeof(FormFactor));
        for (u32 k = 0; k < p->nfactors; k++)
            out[i].factors[k] = renamed(b, &p->factors[k], to);
    }
    return out;
}

static void same_names(int *to)
{
    for (int i = 0; i < ALL_NAMES; i++)
        to[i] = i;
}

/* ---- factors ---- */

/* An axis of length 1 has no name. */
static bool without_ones(Back *b, const FormFactor *f, Part *out)
{
    i64 axes[MAX_RANK] = {0};
    u32 n = 0;
    int k = 0;
    const Type *t = out->node->type;
    for (u32 i = 0; i < f->arity; i++) {
        const FormIndex *x = &f->index[i];
        if (x->name < 0 && !x->at && size_is(t->dims[i], 1))
            axes[n++] = i;
        else if (x->name < 0 || x->name >= BACK_NAMES || x->scale != 1 || x->at)
            return false;
        else
            out->names[k++] = x->name;
    }
    Attr a = {.ints = intlist(b->st, n, axes)};
    out->node = n ? node1(b->st, OP_SQUEEZE, &a, out->node) : out->node;
    return out->node != NULL;
}

/* A[i, i] is a diagonal. */
static bool names_differ(Back *b, Part *p)
{
    Attr none = {.i = 0};
    for (int i = 0; i < node_rank(p->node); i++)
        for (int k = 0; k < i; k++)
            if (p->names[i] == p->names[k] && node_rank(p->node) != 2)
                return false;
    if (node_rank(p->node) == 2 && p->names[0] == p->names[1])
        p->node = node1(b->st, OP_DIAG, &none, p->node);
    return p->node != NULL;
}

static bool build_leaf(Back *b, const FormFactor *f, Part *out)
{
    out->node = (Node *)(uintptr_t)f->atom->node;
    return without_ones(b, f, out) && names_differ(b, out);
}

static bool build_length(Back *b, const FormAtom *atom, Part *out)
{
    Size *s = NULL;
    switch (atom->size->kind) {
    case ATOM_NAME: s = size_name(b->st, atom->size->name); break;
    case ATOM_PARAM: s = size_param(b->st, atom->size->index); break;
    case ATOM_NODE: s = size_of_node(b->st, atom->size->node); break;
    case ATOM_MAX:
    case ATOM_MIN:
    case ATOM_FLOORDIV: s = size_pair(b->st, atom->size->kind, atom->size->a, atom->size->b); break;
    default: break;
    }
    out->node = s ? back_size(b, s, false) : NULL;
    return out->node != NULL;
}

static bool build_delta(Back *b, const FormFactor *f, Part *out)
{
    Attr dtype = {.i = b->dtype};
    const FormIndex *x = &f->index[0], *y = &f->index[1];
    if (x->name < 0 || y->name < 0 || x->scale != 1 || y->scale != 1 || x->at || y->at)
        return false;
    Node *n = back_size(b, b->sizes[x->name], true);
    out->node = n ? node1(b->st, OP_EYE, &dtype, n) : NULL;
    out->names[0] = x->name;
    out->names[1] = y->name;
    return out->node != NULL;
}

/* The sum that a power is of. */
static bool build_inner(Back *b, const FormFactor *f, int nfree, Part *out)
{
    int to[ALL_NAMES];
    const Form *inside = f->atom->args[0];
    same_names(to);
    for (u32 k = 0; k < f->arity; k++) {
        if (f->index[k].name < 0 || f->index[k].scale != 1 || f->index[k].at)
            return false;
        to[k] = f->index[k].name;
    }
    return build_terms(b, terms_of(b, inside, to), inside->nterms, nfree, out);
}

static bool build_base(Back *b, const FormFactor *f, int nfree, Part *out)
{
    *out = (Part){.c = {1, 1}, .power = 1};
    switch (f->atom->kind) {
    case ATOM_LEAF: return build_leaf(b, f, out);
    case ATOM_LENGTH: return build_length(b, f->atom, out);
    case ATOM_DELTA: return build_delta(b, f, out);
    case ATOM_SUM: return build_inner(b, f, nfree, out);
    default: return false; /* functions are leaves here */
    }
}

static bool raise_part(Back *b, Part *p, int power)
{
    int size = power < 0 ? -power : power;
    if (size > 1) {
        if (!build_plain(b, p))
            return false;
        Node *k = node_number(b->st, b->dtype, size);
        p->node = node2(b->st, OP_POW, NULL, p->node, k);
    }
    if (power < 0) {
        if (!coef_power(b->dtype, p->c, -1, &p->c))
            return false;
        p->power = -p->power;
    }
    return p->node != NULL;
}

static bool add_part(Parts *all, const Part *p)
{
    if (all->n == BACK_PARTS)
        return false;
    all->at[all->n++] = *p;
    return true;
}

/* A square that is summed over is a product with itself. */
static bool build_factor(Back *b, const FormFactor *f, int nfree, int nkept, Parts *all)
{
    Part p;
    if (!build_base(b, f, nfree, &p))
        return false;
    bool twice = f->power == 2 && part_names(&p) & ~names_below(nkept) && p.power == 1;
    return (twice || raise_part(b, &p, f->power)) && add_part(all, &p) &&
           (!twice || add_part(all, &p));
}

/* ---- terms ---- */

static u32 place_of(const Back *b, const FormFactor *f) { return source_place(b->from, f->atom); }

/* In the author's order. */
static void sort_factors(const Back *b, Term *t)
{
    for (u32 i = 1; i < t->n; i++)
        for (u32 k = i; k && place_of(b, &t->factors[k]) < place_of(b, &t->factors[k - 1]); k--) {
            FormFactor f = t->factors[k];
            t->factors[k] = t->factors[k - 1];
            t->factors[k - 1] = f;
        }
}

/* Of its first factor; a number stands behind the sources before it. */
static u32 first_place(const Back *b, const Term *t)
{
    u32 number = b->from->number ? b->from->number : (u32)b->from->nodes.len + 1;
    return t->n ? 2 * place_of(b, &t->factors[0]) : 2 * number - 1;
}

/* As they were written; where that does not tell, the one of more factors and higher powers. */
static bool term_before(const Back *b, const Term *x, const Term *y)
{
    u32 first_x = first_place(b, x), first_y = first_place(b, y);
    int more = 0;
    if (first_x != first_y)
        return first_x < first_y;
    for (u32 i = 0; i < x->n && i < y->n; i++) {
        u32 px = place_of(b, &x->factors[i]), py = place_of(b, &y->factors[i]);
        if (px != py)
            return px < py;
        more = more ? more : x->factors[i].power - y->factors[i].power;
    }
    return x->n != y->n ? x->n > y->n : more > 0;
}

/* Its own names get places behind the first `nfree`. -1: there are not so many. */
static int open_names(Back *b, const Term *t, int nfree, Term *out)
{
    int to[ALL_NAMES];
    same_names(to);
    if (nfree + (int)t->nbound > BACK_NAMES)
        return -1;
    for (u32 i = 0; i < t->nbound; i++) {
        to[FORM_BOUND + i] = nfree + (int)i;
        b->sizes[nfree + (int)i] = t->sizes[i];
    }
    *out = *t;
    out->nbound = 0;
    out->factors = arena_alloc(&b->arena, (t->n + 1) * sizeof *out->factors);
    for (u32 k = 0; k < t->n; k++)
        out->factors[k] = renamed(b, &t->factors[k], to);
    return nfree + (int)t->nbound;
}

static bool build_term(Back *b, const Term *t, int nfree, Part *out)
{
    Term open;
    Parts parts = {.n = 0};
    int all = open_names(b, t, nfree, &open);
    if (all < 0 || ++b->work > BACK_MOST_WORK || !algebra_works(b->a, t->n + 1))
        return false;
    sort_factors(b, &open);
    for (u32 i = 0; i < open.n; i++)
        if (!build_factor(b, &open.factors[i], all, nfree, &parts))
            return false;
    return build_contraction(b, &parts, names_below(nfree), out) &&
           coef_mul(b->dtype, out->c, open.c, &out->c);
}

/* ---- sums as they stand ---- */

static bool build_each(Back *b, const Term *terms, u32 n, int nfree, Part *out)
{
    Part *parts = arena_alloc(&b->arena, (n + 1) * sizeof *parts);
    for (u32 i = 0; i < n; i++)
        if (!build_term(b, &terms[i], nfree, &parts[i]))
            return false;
    return build_sum_of(b, parts, n, out);
}

/* ---- common factors ---- */

static bool same_index(const FormIndex *x, const FormIndex *y)
{
    bool own = x->name >= FORM_BOUND && y->name >= FORM_BOUND;
    return (own || x->name == y->name) && x->scale == y->scale && x->at == y->at;
}

/* Are they the same factor, but for the names of axes that their terms are summed over? */
static bool same_factor(const Term *s, const FormFactor *x, const Term *t, const FormFactor *y)
{
    bool same = x->atom == y->atom && (x->power < 0) == (y->power < 0);
    for (u32 k = 0; k < x->arity && same; k++) {
        const FormIndex *i = &x->index[k], *j = &y->index[k];
        same = same_index(i, j);
        if (same && i->name >= FORM_BOUND)
            same = s->sizes[i->name - FORM_BOUND] == t->sizes[j->name - FORM_BOUND];
        for (u32 m = 0; m < k && same; m++) /* equal names where it has equal names */
            same = (x->index[m].name == i->name) == (y->index[m].name == j->name);
    }
    return same;
}

/* Its place in t, or -1. */
static int find_factor(const Term *s, const FormFactor *x, const Term *t)
{
    for (u32 k = 0; k < t->n; k++)
        if (same_factor(s, x, t, &t->factors[k]))
            return (int)k;
    return -1;
}

typedef struct {
    u32 term, factor; /* where it is met first */
    u32 count;        /* how many terms have it */
    int power;        /* the least of them */
} Common;

static Common common_at(const Term *terms, u32 n, u32 term, u32 factor)
{
    const FormFactor *f = &terms[term].factors[factor];
    Common c = {term, factor, 0, f->power};
    for (u32 i = 0; i < n; i++) {
        int at = find_factor(&terms[term], f, &terms[i]);
        if (at < 0)
            continue;
        int p = terms[i].factors[at].power;
        c.count++;
        c.power = (p < 0 ? p > c.power : p < c.power) ? p : c.power;
    }
    return c;
}

static bool is_better(const Term *terms, const Common *x, const Common *y)
{
    u32 rank_x = terms[x->term].factors[x->factor].arity;
    u32 rank_y = terms[y->term].factors[y->factor].arity;
    return x->count != y->count ? x->count > y->count : rank_x > rank_y;
}

enum { MOST_COMMON = 4, MOST_LOOKED_AT = 400 /* terms: each factor is looked for in each */ };

static void insert_common(const Term *terms, const Common *c, Common *out, u32 *count)
{
    u32 at = *count;
    while (at && is_better(terms, c, &out[at - 1]))
        at--;
    if (at == MOST_COMMON)
        return;
    *count += *count < MOST_COMMON;
    for (u32 i = *count - 1; i > at; i--)
        out[i] = out[i - 1];
    out[at] = *c;
}

static bool met_before(const Term *terms, u32 term, const FormFactor *f)
{
    for (u32 i = 0; i < term; i++)
        if (find_factor(&terms[term], f, &terms[i]) >= 0)
            return true;
    return false;
}

/* The factors that most terms have, the best first. */
static u32 find_common(const Term *terms, u32 n, Common *out)
{
    u32 count = 0;
    for (u32 i = 0; i < n && n <= MOST_LOOKED_AT; i++)
        for (u32 k = 0; k < terms[i].n; k++) {
            if (met_before(terms, i, &terms[i].factors[k]))
                continue;
            Common c = common_at(terms, n, i, k);
            if (c.count > 1)
                insert_common(terms, &c, out, &count);
        }
    return count;
}

/* A factor taken out: the terms that had it, without it; those that had not. */
typedef struct {
    FormFactor factor;
    u32 nopened;
    Term *inside, *rest;
    u32 ninside, nrest;
    bool last; /* the first term is one of the rest */
} Split;

/* Names of the factor become those behind `nfree`, other own names move up. */
static Term without(Back *b, const Term *t, u32 at, const Split *s)
{
    int to[ALL_NAMES];
    Term out = {t->c, 0, 0, NULL, NULL};
    same_names(to);
    out.factors = arena_alloc(&b->arena, (t->n + 1) * sizeof *out.factors);
    out.sizes = arena_alloc(&b->arena, (t->nbound + 1) * sizeof *out.sizes);
    for (u32 i = 0; i < t->nbound; i++) {
        int name = FORM_BOUND + (int)i, own = -1;
        for (u32 k = 0; k < t->factors[at].arity; k++)
            own = t->factors[at].index[k].name == name ? s->factor.index[k].name : own;
        to[name] = own >= 0 ? own : FORM_BOUND + (int)out.nbound;
        if (own < 0)
            out.sizes[out.nbound++] = t->sizes[i];
    }
    for (u32 k = 0; k < t->n; k++) {
        FormFactor f = renamed(b, &t->factors[k], to);
        if (k == at)
            f.power -= s->factor.power;
        if (f.power)
            out.factors[out.n++] = f;
    }
    return out;
}

static bool open_factor(Back *b, const Term *t, const FormFactor *f, int nfree, Split *s)
{
    int to[ALL_NAMES];
    same_names(to);
    s->nopened = 0;
    for (u32 k = 0; k < f->arity; k++) {
        int name = f->index[k].name;
        if (name < FORM_BOUND || to[name] != name)
            continue;
        if (nfree + (int)s->nopened >= BACK_NAMES)
            return false;
        to[name] = nfree + (int)s->nopened++;
        b->sizes[to[name]] = t->sizes[name - FORM_BOUND];
    }
    s->factor = renamed(b, f, to);
    return true;
}

/* x^2 + x + 1 stays as it is: a factor that is left in what it is taken out of is one of all terms.
 */
static bool split(Back *b, const Term *terms, u32 n, const Common *c, int nfree, Split *s)
{
    const Term *first = &terms[c->term];
    bool left = false;
    *s = (Split){.inside = new_terms(b, n), .rest = new_terms(b, n)};
    if (!open_factor(b, first, &first->factors[c->factor], nfree, s))
        return false;
    s->factor.power = c->power;
    for (u32 i = 0; i < n; i++) {
        int at = find_factor(first, &first->factors[c->factor], &terms[i]);
        if (at < 0) {
            s->last = s->last || !i;
            s->rest[s->nrest++] = terms[i];
            continue;
        }
        left = left || terms[i].factors[at].power != c->power;
        s->inside[s->ninside++] = without(b, &terms[i], (u32)at, s);
    }
    return !left || !s->nrest;
}

static bool build_split(Back *b, const Split *s, int nfree, Part *out)
{
    Parts two = {.n = 0};
    Part inner, all[2];
    int open = nfree + (int)s->nopened;
    if (!build_terms(b, s->inside, s->ninside, open, &inner) ||
        !build_factor(b, &s->factor, open, nfree, &two) || !add_part(&two, &inner) ||
        !build_contraction(b, &two, names_below(nfree), &all[s->last]))
        return false;
    if (!s->nrest) {
        *out = all[0];
        return true;
    }
    return build_terms(b, s->rest, s->nrest, nfree, &all[!s->last]) && build_sum_of(b, all, 2, out);
}

static BackCost cost_of(Back *b, Part p)
{
    return build_plain(b, &p) ? back_cost(b->st, p.node, b->from) : (BackCost){.work = 1e300};
}

static bool is_cheaper(const BackCost *x, const BackCost *y)
{
    return x->work < y->work * (1 - 1e-9);
}

static void sort_terms(const Back *b, Term *terms, u32 n)
{
    for (u32 i = 0; i < n; i++)
        sort_factors(b, &terms[i]);
    for (u32 i = 1; i < n && n <= MOST_LOOKED_AT; i++)
        for (u32 k = i; k && term_before(b, &terms[k], &terms[k - 1]); k--) {
            Term t = terms[k];
            terms[k] = terms[k - 1];
            terms[k - 1] = t;
        }
}

/* Terms without names of their own as a form again; NULL: some have such names. */
static const Form *form_of_terms(Back *b, const Term *terms, u32 n)
{
    FormTerms all = {0};
    bool ok = true;
    for (u32 i = 0; i < n && ok; i++) {
        FormDraft d = {0};
        for (u32 k = 0; k < terms[i].n; k++)
            vec_push(&d.factors, terms[i].factors[k]);
        FormTerm t = {terms[i].nbound ? NULL : draft_close(b->a, &d), terms[i].c};
        draft_free(&d);
        ok = t.of != NULL;
        vec_push(&all, t);
    }
    const Form *f = ok ? form_make(b->a, b->dtype, &all) : NULL;
    vec_free(&all);
    return f;
}

/* The sum as a power of a smaller one. False: it is none. */
static bool build_power(Back *b, const Term *terms, u32 n, int nfree, Part *out)
{
    FormPower p;
    int to[ALL_NAMES];
    const Form *f = n > 2 ? form_of_terms(b, terms, n) : NULL;
    if (!f || !form_as_power(b->a, f, &p))
        return false;
    same_names(to);
    Term *root = terms_of(b, p.root, to);
    sort_terms(b, root, p.root->nterms);
    for (u32 i = p.root->nterms; i-- > 0 && p.power % 2 == 0 && root[0].c.num < 0;)
        root[i].c.num = -root[i].c.num;
    return build_terms(b, root, p.root->nterms, nfree, out) && raise_part(b, out, p.power) &&
           coef_mul(b->dtype, out->c, p.scale, &out->c);
}

static bool build_terms(Back *b, const Term *given, u32 n, int nfree, Part *out)
{
    Common common[MOST_COMMON];
    Term *terms = new_terms(b, n);
    memcpy(terms, given, n * sizeof *terms);
    sort_terms(b, terms, n);
    if (!n) {
        *out = (Part){.c = {1, 1}, .power = 1, .node = node_number(b->st, b->dtype, 0)};
        return out->node != NULL;
    }
    bool found = build_each(b, terms, n, nfree, out);
    BackCost least = found ? cost_of(b, *out) : (BackCost){.work = 0};
    Part power;
    if (b->factors && build_power(b, terms, n, nfree, &power)) {
        BackCost cost = cost_of(b, power);
        if (!found || is_cheaper(&cost, &least)) {
            *out = power;
            return true;
        }
    }
    u32 count = n > 1 && b->factors ? find_common(terms, n, common) : 0;
    for (u32 i = 0; i < count && b->work < BACK_MOST_WORK; i++) {
        Split s;
        Part other;
        if (!split(b, terms, n, &common[i], nfree, &s) || !build_split(b, &s, nfree, &other))
            continue;
        BackCost cost = cost_of(b, other);
        if (found && !is_cheaper(&cost, &least))
            continue;
        found = true;
        least = cost;
        *out = other;
    }
    return found;
}

Node *form_back(Algebra *a, const Form *f, Type *type, const Sources *from, bool factors)
{
    Back b = {.a = a, .st = a->st, .dtype = f->dtype, .from = from, .factors = factors};
    int to[ALL_NAMES];
    Part whole;
    same_names(to);
    memcpy(b.sizes, type->dims, (size_t)type->rank * sizeof *b.sizes);
    Node *out = build_terms(&b, terms_of(&b, f, to), f->nterms, type->rank, &whole)
                    ? build_result(&b, &whole, type)
                    : NULL;
    arena_free(&b.arena);
    return out && out->type == type ? out : NULL;
}
