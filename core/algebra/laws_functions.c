/* Laws of functions: exponentials are products, logarithms sums, mirrored functions are written of
 * the side that comes first. */
#include "algebra/readers.h"
#include "ops/ops.h"

static const Form *number(Algebra *a, DType d, i64 x)
{
    return form_number(a, d, (FormCoef){x, 1});
}
static const Form *minus(Algebra *a, const Form *x) { return form_scale(a, x, (FormCoef){-1, 1}); }

/* An elementwise operator of n's dtype, of x. */
static const Form *apply(Algebra *a, OpId op, const Form *x)
{
    return x ? form_of_function(a, op, x->dtype, 1, &x) : NULL;
}

/* ---- functions with a symmetry ---- */

typedef struct {
    FormMirror mirror;
    u32 classes;
} Mirror;

static const Mirror mirrors[OP_COUNT] = {
    [OP_SIN] = {MIRROR_ODD, 0},
    [OP_TAN] = {MIRROR_ODD, 0},
    [OP_SINPI] = {MIRROR_ODD, HAZARD_Z},
    [OP_ASIN] = {MIRROR_ODD, 0},
    [OP_ATAN] = {MIRROR_ODD, 0},
    [OP_SINH] = {MIRROR_ODD, 0},
    [OP_ASINH] = {MIRROR_ODD, 0},
    [OP_ATANH] = {MIRROR_ODD, 0},
    [OP_ERF] = {MIRROR_ODD, 0},
    [OP_COS] = {MIRROR_EVEN, 0},
    [OP_COSPI] = {MIRROR_EVEN, 0},
    [OP_COSH] = {MIRROR_EVEN, 0},
    [OP_SIGMOID] = {MIRROR_ONE, HAZARD_R},
    [OP_SOFTPLUS] = {MIRROR_LESS, HAZARD_R | HAZARD_NPLUS | HAZARD_NMINUS},
};

FormMirror op_mirror(OpId op) { return mirrors[op].mirror; }

const Form *form_reflected(Algebra *a, OpId op, const Form *f, const Form *x)
{
    a->classes |= mirrors[op].classes | HAZARD_R;
    switch (mirrors[op].mirror) {
    case MIRROR_ODD: return minus(a, f);
    case MIRROR_ONE: return form_add(a, number(a, f->dtype, 1), minus(a, f));
    case MIRROR_LESS: return form_add(a, f, x);
    default: return f;
    }
}

/* Vector functions may round both sides of their axis differently, by a unit. */
static const Form *mirrored(Algebra *a, OpId op, const Form *x)
{
    bool turn = x && x->nterms && x->terms[0].c.num < 0;
    const Form *f = apply(a, op, turn ? minus(a, x) : x);
    return turn && f ? form_reflected(a, op, f, x) : f;
}

static bool is_float(const Node *n, const Form *const *x)
{
    return dtype_is_float(n->type->dtype) && x[0]->dtype == n->type->dtype;
}

const Form *form_law_mirror(Algebra *a, const Node *n, const Form *const *x)
{
    return is_float(n, x) ? mirrored(a, n->op, x[0]) : NULL;
}

/* 2 * sigmoid(2 * x) - 1 */
const Form *form_law_tanh(Algebra *a, const Node *n, const Form *const *x)
{
    if (!is_float(n, x))
        return NULL;
    a->classes |= HAZARD_R;
    const Form *s = mirrored(a, OP_SIGMOID, form_scale(a, x[0], (FormCoef){2, 1}));
    return form_add(a, form_scale(a, s, (FormCoef){2, 1}), number(a, n->type->dtype, -1));
}

const Form *form_law_erfc(Algebra *a, const Node *n, const Form *const *x)
{
    if (!is_float(n, x))
        return NULL;
    a->classes |= HAZARD_R;
    return form_add(a, number(a, n->type->dtype, 1), minus(a, mirrored(a, OP_ERF, x[0])));
}

/* ---- exponentials ---- */

enum { MOST_PARTS = 8, MOST_POWER = 32 };

/* exp(k * t) is exp(t)^k. */
static const Form *exp_of_term(Algebra *a, DType d, FormTerm t)
{
    FormTerms terms = {0};
    bool whole = t.c.den == 1 && t.c.num <= MOST_POWER && t.c.num >= -MOST_POWER;
    int power = whole ? (int)t.c.num : 1;
    if (whole)
        t.c = (FormCoef){1, 1};
    vec_push(&terms, t);
    const Form *f = apply(a, OP_EXP, form_make(a, d, &terms));
    vec_free(&terms);
    return form_power(a, f, power);
}

static const Form *exp_lifted(Algebra *a, const void *ctx, const Form *const *x)
{
    const Form *f = number(a, x[0]->dtype, 1);
    (void)ctx;
    if (x[0]->nterms > MOST_PARTS)
        return apply(a, OP_EXP, x[0]);
    a->classes |= x[0]->nterms > 1 || (x[0]->nterms && !coef_is(x[0]->terms[0].c, 1))
                      ? HAZARD_R | HAZARD_NPLUS | HAZARD_O
                      : 0;
    for (u32 i = 0; i < x[0]->nterms && f; i++)
        f = form_mul(a, f, exp_of_term(a, x[0]->dtype, x[0]->terms[i]));
    return f;
}

static const Form *exponential(Algebra *a, const Form *x)
{
    return x ? form_lift(a, 1, &x, exp_lifted, NULL) : NULL;
}

const Form *form_law_exp(Algebra *a, const Node *n, const Form *const *x)
{
    return is_float(n, x) ? exponential(a, x[0]) : NULL;
}

const Form *form_law_expm1(Algebra *a, const Node *n, const Form *const *x)
{
    if (!is_float(n, x))
        return NULL;
    a->classes |= HAZARD_R;
    return form_add(a, exponential(a, x[0]), number(a, n->type->dtype, -1));
}

/* ---- roots ---- */

/* One over the root. */
const Form *form_law_rsqrt(Algebra *a, const Node *n, const Form *const *x)
{
    if (!is_float(n, x))
        return NULL;
    a->classes |= HAZARD_R;
    return form_power(a, apply(a, OP_SQRT, x[0]), -1);
}

/* ---- logarithms ---- */

static bool is_function_of(const FormFactor *f, OpId op)
{
    return f->atom->kind == ATOM_FUNCTION && f->atom->node->op == op;
}

/* What it is a function of, in names of the product. */
static const Form *operand_of(Algebra *a, const FormFactor *f)
{
    return form_substitute(a, f->atom->args[0], f->index, 0, NULL);
}

static const Form *logarithm(Algebra *a, const Form *x);

/* The logarithm of a factor, if that of a product is a sum with it: of an exponential, a root of
 * anything, or what is not negative. */
static const Form *log_of_factor(Algebra *a, DType d, FormFactor f, bool alone)
{
    int power = f.power;
    FormCoef half = {1, 2};
    f.power = 1;
    bool sum = f.atom->kind == ATOM_SUM;
    const Form *own = sum ? operand_of(a, &f) : form_of_factor(a, d, &f), *log = NULL;
    if (is_function_of(&f, OP_EXP))
        log = operand_of(a, &f);
    else if (is_function_of(&f, OP_SQRT))
        log = form_scale(a, logarithm(a, operand_of(a, &f)), half);
    else if (is_function_of(&f, OP_SIGMOID) && (own = operand_of(a, &f)))
        log = form_add(a, own, minus(a, mirrored(a, OP_SOFTPLUS, own)));
    else if ((alone && power == 1) || (own && form_range(a, own).lo >= 0))
        log = sum ? logarithm(a, own) : apply(a, OP_LOG, own);
    return log ? form_scale(a, log, (FormCoef){power, 1}) : NULL;
}

/* What of a product is summed over. */
static const Form *summed_part(Algebra *a, DType d, const FormProduct *p)
{
    FormDraft draft = {0};
    for (u32 i = 0; i < p->nfactors; i++)
        if (form_has_bound_name(&p->factors[i]))
            vec_push(&draft.factors, p->factors[i]);
    for (u32 i = 0; i < p->nbound; i++)
        vec_push(&draft.sizes, p->sizes[i]);
    const Form *f = form_of_product(a, d, draft_close(a, &draft));
    draft_free(&draft);
    return f;
}

static const Form *log_of_product(Algebra *a, const Form *x)
{
    const FormTerm *t = &x->terms[0];
    const Form *f = number(a, x->dtype, 0);
    bool one = coef_is(t->c, 1), alone = one && t->of->nfactors == 1;
    if (t->of->nbound) {
        const Form *sum = summed_part(a, x->dtype, t->of);
        f = sum && form_range(a, sum).lo >= 0 ? apply(a, OP_LOG, sum) : NULL;
    }
    if (!f)
        return NULL;
    if (!one && t->c.num > 0)
        f = form_add(a, f, apply(a, OP_LOG, form_number(a, x->dtype, t->c)));
    else if (!one)
        return NULL;
    for (u32 i = 0; i < t->of->nfactors && f; i++) {
        if (form_has_bound_name(&t->of->factors[i]))
            continue;
        const Form *part = log_of_factor(a, x->dtype, t->of->factors[i], alone);
        f = part ? form_add(a, f, part) : NULL;
    }
    a->classes |= HAZARD_R | HAZARD_NPLUS | HAZARD_O;
    return f;
}

/* 1 + s * a factor, s being 1 or -1. */
static const FormFactor *beside_one(const Form *x, int *sign)
{
    if (x->nterms != 2)
        return NULL;
    const FormTerm *t = &x->terms[0], *u = &x->terms[1];
    bool first = !t->of->nfactors && !t->of->nbound;
    const FormTerm *one = first ? t : u, *other = first ? u : t;
    bool is = !one->of->nfactors && !one->of->nbound && coef_is(one->c, 1) &&
              other->of->nfactors == 1 && !other->of->nbound && other->c.den == 1 &&
              (other->c.num == 1 || other->c.num == -1);
    *sign = is ? (int)other->c.num : 0;
    return is ? &other->of->factors[0] : NULL;
}

/* log(1 + exp(t)) is softplus(t), log(1 - sigmoid(t)) is -softplus(t). */
static const Form *log_beside_one(Algebra *a, const Form *x)
{
    int sign;
    const FormFactor *f = beside_one(x, &sign);
    const Form *inner = NULL;
    if (f && sign == 1 && is_function_of(f, OP_EXP) && (f->power == 1 || f->power == -1))
        inner = form_scale(a, operand_of(a, f), (FormCoef){f->power, 1});
    else if (f && sign == -1 && is_function_of(f, OP_SIGMOID) && f->power == 1)
        inner = operand_of(a, f);
    if (!inner)
        return NULL;
    a->classes |= HAZARD_R | HAZARD_NPLUS | HAZARD_O;
    const Form *log = mirrored(a, OP_SOFTPLUS, inner);
    return sign < 0 ? minus(a, log) : log;
}

static const Form *log_lifted(Algebra *a, const void *ctx, const Form *const *x)
{
    u32 classes = a->classes;
    const Form *f = NULL;
    (void)ctx;
    bool simple = x[0]->nterms == 1 && x[0]->terms[0].of->nfactors;
    f = simple ? log_of_product(a, x[0]) : log_beside_one(a, x[0]);
    if (f)
        return f;
    a->classes = classes;
    return apply(a, OP_LOG, x[0]);
}

static const Form *logarithm(Algebra *a, const Form *x)
{
    return x ? form_lift(a, 1, &x, log_lifted, NULL) : NULL;
}

const Form *form_law_log(Algebra *a, const Node *n, const Form *const *x)
{
    return is_float(n, x) ? logarithm(a, x[0]) : NULL;
}

const Form *form_law_log1p(Algebra *a, const Node *n, const Form *const *x)
{
    if (!is_float(n, x))
        return NULL;
    a->classes |= HAZARD_R;
    return logarithm(a, form_add(a, number(a, n->type->dtype, 1), x[0]));
}

/* log(exp(x) + exp(z)) */
const Form *form_law_logaddexp(Algebra *a, const Node *n, const Form *const *x)
{
    if (!is_float(n, x) || x[1]->dtype != x[0]->dtype)
        return NULL;
    a->classes |= HAZARD_R | HAZARD_NPLUS | HAZARD_O;
    return logarithm(a, form_add(a, exponential(a, x[0]), exponential(a, x[1])));
}

/* ---- along axes ---- */

/* The sum over axes, at each of them again. */
static const Form *sum_along(Algebra *a, const Node *n, const Form *x, bool kept)
{
    const Type *t = n->ops[0]->type;
    FormIndex to[FORM_BOUND];
    u64 axes = 0;
    for (u32 i = 0; i < n->attrs[0].ints->n; i++)
        axes |= 1ull << n->attrs[0].ints->at[i];
    const Form *sum = form_sum_axes(a, x, t->rank, axes, t->dims);
    if (!kept || !sum)
        return sum;
    indices_same(to);
    for (int i = 0, left = 0; i < t->rank; i++)
        if (!(axes >> i & 1))
            to[left++] = index_name(i);
    return form_substitute(a, sum, to, 0, NULL);
}

static const Form *sum_of_exp(Algebra *a, const Node *n, const Form *const *x, bool kept)
{
    if (!is_float(n, x))
        return NULL;
    a->classes |= HAZARD_R | HAZARD_NPLUS | HAZARD_O;
    return sum_along(a, n, exponential(a, x[0]), kept);
}

const Form *form_law_logsumexp(Algebra *a, const Node *n, const Form *const *x)
{
    return logarithm(a, sum_of_exp(a, n, x, false));
}

const Form *form_law_softmax(Algebra *a, const Node *n, const Form *const *x)
{
    const Form *sum = sum_of_exp(a, n, x, true);
    return sum ? form_mul(a, exponential(a, x[0]), form_power(a, sum, -1)) : NULL;
}

const Form *form_law_log_softmax(Algebra *a, const Node *n, const Form *const *x)
{
    const Form *sum = sum_of_exp(a, n, x, true);
    return sum ? form_add(a, x[0], minus(a, logarithm(a, sum))) : NULL;
}
