/* Laws of truth values, comparisons and choices between values. */
#include "algebra/readers.h"
#include "ops/ops.h"

#include <math.h>

/* ---- truth values: operands are 0 or 1 ---- */

static bool is_true(const Form *x) { return x->nterms > 0; }

static const Form *truth_of(Algebra *a, const Node *n, const Form *const *x, bool value)
{
    for (u32 i = 0; i < n->nops; i++)
        if (x[i]->dtype != DT_BOOL)
            return NULL;
    return form_truth(a, value);
}

const Form *form_law_not(Algebra *a, const Node *n, const Form *const *x)
{
    return truth_of(a, n, x, !is_true(x[0]));
}

const Form *form_law_and(Algebra *a, const Node *n, const Form *const *x)
{
    return truth_of(a, n, x, is_true(x[0]) && is_true(x[1]));
}

const Form *form_law_or(Algebra *a, const Node *n, const Form *const *x)
{
    return truth_of(a, n, x, is_true(x[0]) || is_true(x[1]));
}

const Form *form_law_xor(Algebra *a, const Node *n, const Form *const *x)
{
    return truth_of(a, n, x, is_true(x[0]) != is_true(x[1]));
}

const Form *form_law_const(Algebra *a, const Node *n, const Form *const *x)
{
    i64 truth;
    (void)x;
    bool known = node_dtype(n) == DT_BOOL && !node_rank(n) && node_const_i64(n, &truth);
    return known ? form_truth(a, truth != 0) : NULL;
}

const Form *form_law_where(Algebra *a, const Node *n, const Form *const *x)
{
    FormCoef c;
    if (!form_is_number(x[0], &c))
        return NULL;
    const Form *f = x[is_true(x[0]) ? 1 : 2];
    return f->dtype == n->type->dtype ? f : form_cast(a, f, n->type->dtype);
}

/* ---- comparisons ---- */

static const Form *compare_values(Algebra *a, const Form *const *x, bool less, bool equal,
                                  bool more, bool nan)
{
    const Form *values[] = {form_truth(a, less), form_truth(a, equal), form_truth(a, more)};
    return x[0]->dtype == x[1]->dtype ? form_compare(a, x[0], x[1], values, form_truth(a, nan))
                                      : NULL;
}

const Form *form_law_eq(Algebra *a, const Node *n, const Form *const *x)
{
    (void)n;
    return compare_values(a, x, false, true, false, false);
}

const Form *form_law_ne(Algebra *a, const Node *n, const Form *const *x)
{
    (void)n;
    return compare_values(a, x, true, false, true, true);
}

const Form *form_law_lt(Algebra *a, const Node *n, const Form *const *x)
{
    (void)n;
    return compare_values(a, x, true, false, false, false);
}

const Form *form_law_le(Algebra *a, const Node *n, const Form *const *x)
{
    (void)n;
    return compare_values(a, x, true, true, false, false);
}

const Form *form_law_gt(Algebra *a, const Node *n, const Form *const *x)
{
    (void)n;
    return compare_values(a, x, false, false, true, false);
}

const Form *form_law_ge(Algebra *a, const Node *n, const Form *const *x)
{
    (void)n;
    return compare_values(a, x, false, true, true, false);
}

static const Form *zero(Algebra *a, const Form *like)
{
    return form_number(a, like->dtype, (FormCoef){0, 1});
}

static const Form *of_sign(Algebra *a, const Form *x, const Form *less, const Form *equal,
                           const Form *more, const Form *nan)
{
    const Form *values[] = {less, equal, more};
    return less && more && nan ? form_compare(a, x, zero(a, x), values, nan) : NULL;
}

const Form *form_law_isnan(Algebra *a, const Node *n, const Form *const *x)
{
    const Form *no = form_truth(a, false);
    FormCoef c;
    (void)n;
    if (form_is_number(x[0], &c) || !dtype_is_float(x[0]->dtype))
        return no;
    return form_choose(a, &(FormChoice){x[0], 0, NULL, &no, form_truth(a, true)});
}

/* ---- choices between values ---- */

const Form *form_law_abs(Algebra *a, const Node *n, const Form *const *x)
{
    if (n->type->dtype != x[0]->dtype || x[0]->dtype == DT_BOOL)
        return NULL;
    const Form *equal = a->loose ? x[0] : zero(a, x[0]);
    a->classes |= a->loose && dtype_is_float(x[0]->dtype) ? (u32)HAZARD_Z : 0;
    return of_sign(a, x[0], form_scale(a, x[0], coef_whole(x[0]->dtype, -1)), equal, x[0], x[0]);
}

const Form *form_law_sign(Algebra *a, const Node *n, const Form *const *x)
{
    DType d = x[0]->dtype;
    if (n->type->dtype != d || d == DT_BOOL)
        return NULL;
    return of_sign(a, x[0], form_number(a, d, coef_whole(d, -1)), zero(a, x[0]),
                   form_number(a, d, coef_whole(d, 1)), form_nan(a, d));
}

const Form *form_law_relu(Algebra *a, const Node *n, const Form *const *x)
{
    if (n->type->dtype != x[0]->dtype || x[0]->dtype == DT_BOOL)
        return NULL;
    return of_sign(a, x[0], zero(a, x[0]), zero(a, x[0]), x[0], x[0]);
}

/* Which zero comes of -0 and 0 is told by the operator alone. */
static const Form *equal_of_both(Algebra *a, const Form *x, const Form *y, bool larger)
{
    FormCoef c;
    bool first = x->key != y->key ? x->key < y->key : x->id < y->id;
    const Form *both[] = {first ? x : y, first ? y : x};
    if (!dtype_is_float(x->dtype) || x == y)
        return x;
    if (form_is_number(x, &c) && c.num)
        return x;
    if (form_is_number(y, &c) && c.num)
        return y;
    if (a->loose) {
        a->classes |= HAZARD_Z;
        return both[larger];
    }
    return form_of_function(a, larger ? OP_MAXIMUM : OP_MINIMUM, x->dtype, 2, both);
}

typedef struct {
    bool larger;
} Extreme;

static const Form *extreme_lifted(Algebra *a, const void *ctx, const Form *const *x)
{
    const Extreme *e = ctx;
    const Form *equal = equal_of_both(a, x[0], x[1], e->larger);
    const Form *values[] = {x[e->larger], equal, x[!e->larger]};
    return equal ? form_compare(a, x[0], x[1], values, form_nan(a, x[0]->dtype)) : NULL;
}

const Form *form_extreme(Algebra *a, const Form *x, const Form *y, bool larger)
{
    Extreme e = {larger};
    if (!x || !y || x->dtype != y->dtype)
        return NULL;
    return form_lift(a, 2, (const Form *[]){x, y}, extreme_lifted, &e);
}

static const Form *extreme_of(Algebra *a, const Node *n, const Form *const *x, bool larger)
{
    const Form *f = form_cast(a, x[0], n->type->dtype);
    for (u32 i = 1; i < n->nops && f; i++)
        f = form_extreme(a, f, form_cast(a, x[i], n->type->dtype), larger);
    return f;
}

const Form *form_law_maximum(Algebra *a, const Node *n, const Form *const *x)
{
    return extreme_of(a, n, x, true);
}

const Form *form_law_minimum(Algebra *a, const Node *n, const Form *const *x)
{
    return extreme_of(a, n, x, false);
}
