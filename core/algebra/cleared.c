/* Do two forms agree where both are defined? In their difference, sums over short axes are written
 * out, element by element; it is brought over one denominator, and roots in it to a power of 0 or
 * 1. It is zero if nothing is left.
 *
 * Invariant: each step multiplies the difference by what is not zero where it is defined, or puts
 * equals in place of equals, so a difference that vanishes did so before. */
#include "algebra/readers.h"
#include "ops/ops.h"

enum {
    MOST_CLEARED = 48,            /* steps */
    SHORT_AXIS = 8,               /* elements */
    ELEMENT_NAME = FORM_BOUND - 1 /* of an axis that is written out; no axis of a result has it */
};

static const Form *argument_of(Algebra *a, const FormFactor *f, u32 k)
{
    return form_substitute(a, f->atom->args[k], f->index, 0, NULL);
}

/* ---- roots ---- */

/* The factor is root^times, where root^2 is `square`. */
typedef struct {
    const Form *square;
    i64 times;
} Root;

static bool is_root(Algebra *a, const FormFactor *f, Root *out)
{
    OpId op = f->atom->kind == ATOM_FUNCTION ? f->atom->node->op : OP_PARAM;
    FormCoef c = {1, 2};
    if ((op != OP_SQRT && op != OP_HYPOT && op != OP_POW) || form_has_bound_name(f))
        return false;
    const Form *x = argument_of(a, f, 0), *z = op == OP_SQRT ? x : argument_of(a, f, 1);
    if (!x || !z || x->choice || z->choice || (op == OP_POW && !form_is_number(z, &c)))
        return false;
    if (op == OP_HYPOT)
        x = form_add(a, form_power(a, x, 2), form_power(a, z, 2));
    bool half = c.den == 2 && c.num < 1000 && c.num > -1000;
    *out = (Root){x, (op == OP_POW ? c.num : 1) * f->power};
    return x && half && form_range(a, x).lo >= 0 &&
           (op != OP_SQRT || (f->power != 1 && f->power != 0));
}

/* root^times as square^(times / 2), and the root itself if that is odd. */
static const Form *rooted(Algebra *a, const Root *r)
{
    i64 odd = r->times & 1, whole = (r->times - odd) / 2;
    const Form *f = form_power(a, r->square, (int)whole);
    if (!odd || !f)
        return f;
    const Form *root = form_of_function(a, OP_SQRT, r->square->dtype, 1, &r->square);
    return root ? form_mul(a, f, root) : NULL;
}

/* ---- sums over short axes ---- */

/* A bound name that stands for n places, which are few; -1: there is none. */
static int short_name(const FormProduct *p, i64 *n)
{
    for (u32 k = 0; k < p->nbound; k++)
        if (size_is_const(p->sizes[k], n) && *n <= SHORT_AXIS)
            return FORM_BOUND + (int)k;
    return -1;
}

/* What the term sums over this name, at ELEMENT_NAME. */
static const Form *summand(Algebra *a, DType d, const FormProduct *p, int name)
{
    FormDraft draft = {0};
    for (u32 i = 0; i < p->nfactors; i++) {
        FormFactor f = p->factors[i];
        f.index = arena_alloc(&a->arena, (f.arity + 1) * sizeof *f.index);
        for (u32 k = 0; k < f.arity; k++) {
            f.index[k] = p->factors[i].index[k];
            int *at = &f.index[k].name;
            *at = *at == name ? ELEMENT_NAME : *at - (*at > name);
        }
        vec_push(&draft.factors, f);
    }
    for (u32 k = 0; k < p->nbound; k++)
        if (FORM_BOUND + (int)k != name)
            vec_push(&draft.sizes, p->sizes[k]);
    const Form *f = form_of_product(a, d, draft_close(a, &draft));
    draft_free(&draft);
    return f;
}

static const Form *written_out(Algebra *a, DType d, const FormTerm *t, int name, i64 n)
{
    FormIndex to[FORM_BOUND];
    const Form *row = summand(a, d, t->of, name), *out = form_number(a, d, (FormCoef){0, 1});
    indices_same(to);
    for (i64 i = 0; i < n && row && out; i++) {
        const Form *at = form_number(a, DT_I64, (FormCoef){i, 1});
        to[ELEMENT_NAME] = (FormIndex){-1, 0, at};
        out = at ? form_add(a, out, form_substitute(a, row, to, 0, NULL)) : NULL;
    }
    return row ? form_scale(a, out, t->c) : NULL;
}

/* ---- the difference ---- */

static bool is_sum_below(const FormFactor *f)
{
    return f->atom->kind == ATOM_SUM && f->power < 0 && !form_has_bound_name(f);
}

/* The form with this in place of term i. */
static const Form *with_term(Algebra *a, const Form *f, u32 i, const Form *now)
{
    const Form *minus = form_term_with(a, f->dtype, &f->terms[i], f->terms[i].of->nfactors,
                                       form_number(a, f->dtype, (FormCoef){-1, 1}));
    return form_add(a, f, form_add(a, minus, now));
}

/* One step on. False: there is none; *f is NULL: a limit. That all cancels in the end hides
 * nothing, so *classes is of what is written out and divided by, not of what is added. */
static bool clear_one(Algebra *a, const Form **f, u32 *classes)
{
    DType d = (*f)->dtype;
    for (u32 i = 0; i < (*f)->nterms; i++) {
        const FormProduct *p = (*f)->terms[i].of;
        i64 n;
        int name = short_name(p, &n);
        if (name >= 0) {
            a->classes = 0;
            const Form *elements = written_out(a, d, &(*f)->terms[i], name, n);
            *classes |= form_hazards(a->classes);
            *f = with_term(a, *f, i, elements);
            return true;
        }
        for (u32 k = 0; k < p->nfactors; k++) {
            Root r;
            bool root = is_root(a, &p->factors[k], &r);
            if (!root && !is_sum_below(&p->factors[k]))
                continue;
            *classes |= HAZARD_NPLUS | HAZARD_NMINUS;
            *f = root ? with_term(a, *f, i, form_term_with(a, d, &(*f)->terms[i], k, rooted(a, &r)))
                      : form_cleared_of(a, *f, &p->factors[k], NULL);
            return true;
        }
    }
    return false;
}

bool form_agrees(Algebra *a, const Form *x, const Form *y, u32 *classes)
{
    u32 around = a->classes;
    if (x->choice || y->choice || x->dtype != y->dtype || !dtype_is_float(x->dtype))
        return false;
    *classes = HAZARD_R | HAZARD_Z | HAZARD_O;
    const Form *f = form_add(a, x, form_scale(a, y, (FormCoef){-1, 1}));
    for (int i = 0; i < MOST_CLEARED && f && !f->choice && clear_one(a, &f, classes); i++)
        ;
    a->classes = around;
    return f && form_is_zero(f);
}
