/* Can a value be -0? What the ranges of facts do not say, since -0 and 0 compare equal.
 *
 * Invariant: a yes to "never" is proved from the operators alone; how far it looks is bounded. */
#include "graph/op.h"
#include "rewrite/facts.h"

#include <math.h>

enum { LOOK = 8 }; /* operators below the one that is asked about: there is no memo */

static bool constant_has_none(const Tensor *t)
{
    for (i64 i = 0; i < t->count; i++) {
        double v = tensor_f64_at(t, i);
        if (v == 0 && signbit(v))
            return false;
    }
    return true;
}

static bool never(Facts *f, const Node *n, int look);

static bool each_never(Facts *f, const Node *n, u32 from, int look)
{
    for (u32 i = from; i < n->nops; i++)
        if (!never(f, n->ops[i], look))
            return false;
    return true;
}

/* The sign of a product of such factors is that of 0 or better. */
static bool factors_are_plus(Facts *f, const Node *n, int look)
{
    for (u32 i = 0; i < n->nops; i++)
        if (!fact_at_least(f, n->ops[i], 0))
            return false;
    return each_never(f, n, 0, look);
}

/* 2 * x: what is not 0 stays so. */
static bool is_scaled_up(Facts *f, const Node *n, int look)
{
    double c;
    return n->op == OP_MUL && n->nops == 2 &&
           ((node_const_f64(n->ops[0], &c) && c >= 1 && never(f, n->ops[1], look)) ||
            (node_const_f64(n->ops[1], &c) && c >= 1 && never(f, n->ops[0], look)));
}

/* An even power of -0 is 0. */
static bool is_even_power(Facts *f, const Node *n)
{
    const Fact *k = fact_of(f, n->ops[1]);
    return k->lo == k->hi && isfinite(k->lo) && fmod(k->lo, 2) == 0;
}

static bool never_by_operator(Facts *f, const Node *n, int look)
{
    if (op_traits[n->op] & PLUS_ZERO)
        return true;
    if (op_traits[n->op] & ZERO_OF_FIRST)
        return never(f, n->ops[0], look);
    if (op_traits[n->op] & SIGN_OF_FIRST)
        return fact_at_least(f, n->ops[0], 0) && never(f, n->ops[0], look);
    switch (n->op) {
    case OP_POW: return is_even_power(f, n);
    case OP_CONST: return constant_has_none(n->attrs[0].value);
    case OP_MUL:
    case OP_DIV: return is_scaled_up(f, n, look) || factors_are_plus(f, n, look);
    case OP_ADD: /* only -0 + -0 is -0 */
        for (u32 i = 0; i < n->nops; i++)
            if (never(f, n->ops[i], look))
                return true;
        return false;
    case OP_SUB: { /* only -0 - 0 is -0 */
        const Node *x = n->ops[0];
        return never(f, x, look) || fact_of(f, n->ops[1])->nonzero;
    }
    case OP_SUM: /* it begins with 0 */ return n->attrs[0].ints->n > 0 || never(f, n->ops[0], look);
    case OP_WHERE: return each_never(f, n, 1, look);
    case OP_MAXIMUM:
    case OP_MINIMUM: return each_never(f, n, 0, look);
    case OP_CAST: return !dtype_is_float(n->ops[0]->type->dtype) || never(f, n->ops[0], look);
    default: return false;
    }
}

static bool never(Facts *f, const Node *n, int look)
{
    if (n->type->kind != TYPE_TENSOR || n->type->dtype == DT_RNG)
        return false;
    if (!dtype_is_float(n->type->dtype) || fact_of(f, n)->nonzero)
        return true;
    return look > 0 && never_by_operator(f, n, look - 1);
}

bool fact_never_minus_zero(Facts *f, const Node *n) { return never(f, n, LOOK); }
