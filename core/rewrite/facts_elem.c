/* Facts through elementwise operators. The kernels' vector functions are good to a few units of the
 * last place, so bounds that come out of one are widened by WIDER; a single rounded operation is
 * monotone and needs nothing. */
#include "rewrite/facts_step.h"
#include <math.h>

#define WIDER 1e-6 /* relative: covers single precision */
/* Rounded up, in single precision, too. */
#define HALF_PI 1.5707964
#define PI 3.1415928
#define LN_2 0.6931472

#define FINITE 1e37  /* partial sums and products below it do not overflow in f32 */
#define EXACT 0x1p52 /* quotients of whole numbers below it are not rounded across one */
#define TAME 1e9     /* factors below it may be multiplied in any order, as far as FINITE */

static Fact within(double lo, double hi, bool nan)
{
    return (Fact){.lo = lo, .hi = hi, .nan = nan};
}

static double below(double x) { return isfinite(x) ? x - WIDER * fabs(x) : x; }
static double above(double x) { return isfinite(x) ? x + WIDER * fabs(x) : x; }

static bool may_be_inf(const Fact *x) { return isinf(x->lo) || isinf(x->hi); }
static bool may_be_zero(const Fact *x) { return x->lo <= 0 && x->hi >= 0 && !x->nonzero; }

/* An increasing function with f(0) = 0: it keeps the sign; bounded by +-`limit`. */
static Fact odd(Fact x, double limit)
{
    return within(x.lo >= 0 ? 0 : -limit, x.hi <= 0 ? 0 : limit, x.nan);
}

static Fact magnitude(Fact x)
{
    double a = fabs(x.lo), b = fabs(x.hi);
    bool through = x.lo <= 0 && x.hi >= 0;
    Fact k = within(through ? 0 : fmin(a, b), fmax(a, b), x.nan);
    k.whole = x.whole;
    k.nonzero = x.nonzero;
    return k;
}

static Fact increasing(Fact x, double (*f)(double), double lowest)
{
    return within(fmax(below(f(x.lo)), lowest), above(f(x.hi)), x.nan);
}

static Fact rounded(Fact x, double (*f)(double))
{
    Fact k = within(f(x.lo), f(x.hi), x.nan);
    k.whole = true;
    return k;
}

/* log and its kin: defined from `start` on. */
static Fact logarithm(Fact x, double (*f)(double), double start)
{
    Fact k =
        within(x.lo <= start ? -INFINITY : below(f(x.lo)), above(f(x.hi)), x.nan || x.lo < start);
    if (x.hi < start)
        k.hi = INFINITY;
    return k;
}

static Fact inverse(Fact x)
{
    if (x.lo > 0 || x.hi < 0)
        return within(1 / x.hi, 1 / x.lo, x.nan);
    return within(-INFINITY, INFINITY, x.nan);
}

/* ---- one operand ---- */

Fact facts_neg(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    Fact k = x;
    k.lo = -x.hi, k.hi = -x.lo;
    return fact_wrapped(k, n);
}

Fact facts_abs(Facts *f, const Node *n)
{
    return fact_wrapped(magnitude(fact_operand(f, n, 0)), n);
}

Fact facts_sign(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    Fact k = within(x.lo > 0 ? 1 : x.lo >= 0 ? 0 : -1, x.hi < 0 ? -1 : x.hi <= 0 ? 0 : 1, x.nan);
    k.whole = true, k.nonzero = x.nonzero;
    return k;
}

Fact facts_sqr(Facts *f, const Node *n)
{
    Fact k = magnitude(fact_operand(f, n, 0));
    k.lo *= k.lo, k.hi *= k.hi, k.nonzero = false;
    return fact_wrapped(k, n);
}

Fact facts_sqrt(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    return within(x.lo > 0 ? below(sqrt(x.lo)) : 0, x.hi > 0 ? above(sqrt(x.hi)) : 0,
                  x.nan || x.lo < 0);
}

/* Of -0 it is -inf. */
Fact facts_rsqrt(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    return within(x.lo > 0 ? 0 : -INFINITY, INFINITY, x.nan || x.lo < 0);
}

Fact facts_reciprocal(Facts *f, const Node *n) { return inverse(fact_operand(f, n, 0)); }

static Fact exponential(Fact x, double (*function)(double))
{
    Fact k = increasing(x, function, 0);
    if (x.hi <= 0)
        k.hi = 1;
    return k;
}

Fact facts_exp(Facts *f, const Node *n) { return exponential(fact_operand(f, n, 0), exp); }

Fact facts_exp2(Facts *f, const Node *n) { return exponential(fact_operand(f, n, 0), exp2); }

Fact facts_expm1(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    Fact k = increasing(x, expm1, -1);
    if (x.lo >= 0)
        k.lo = 0;
    return k;
}

Fact facts_log(Facts *f, const Node *n) { return logarithm(fact_operand(f, n, 0), log, 0); }

Fact facts_log2(Facts *f, const Node *n) { return logarithm(fact_operand(f, n, 0), log2, 0); }

Fact facts_log10(Facts *f, const Node *n) { return logarithm(fact_operand(f, n, 0), log10, 0); }

Fact facts_log1p(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    Fact k = logarithm(x, log1p, -1);
    if (x.lo >= 0)
        k.lo = 0;
    return k;
}

/* sin, cos */
Fact facts_wave(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    double far = fmax(fabs(x.lo), fabs(x.hi));
    bool falls = n->op == OP_COS && far < 3; /* cos falls from 0 to there, by more than it rounds */
    return within(falls ? cos(far) - 1e-6 : -1, 1, x.nan || may_be_inf(&x));
}

/* tanh, erf */
Fact facts_tanh(Facts *f, const Node *n) { return odd(fact_operand(f, n, 0), 1); }

Fact facts_atan(Facts *f, const Node *n) { return odd(fact_operand(f, n, 0), HALF_PI); }

/* sinh, asinh */
Fact facts_odd(Facts *f, const Node *n) { return odd(fact_operand(f, n, 0), INFINITY); }

Fact facts_asin(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    Fact k = odd(x, HALF_PI);
    k.nan = x.nan || x.lo < -1 || x.hi > 1;
    return k;
}

Fact facts_acos(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    return within(0, PI, x.nan || x.lo < -1 || x.hi > 1);
}

Fact facts_cosh(Facts *f, const Node *n) { return within(1, INFINITY, fact_operand(f, n, 0).nan); }

Fact facts_acosh(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    return within(0, INFINITY, x.nan || x.lo < 1);
}

Fact facts_sigmoid(Facts *f, const Node *n) { return within(0, 1, fact_operand(f, n, 0).nan); }

Fact facts_erfc(Facts *f, const Node *n) { return within(0, 2, fact_operand(f, n, 0).nan); }

/* erfcx, softplus */
Fact facts_positive(Facts *f, const Node *n)
{
    return within(0, INFINITY, fact_operand(f, n, 0).nan);
}

Fact facts_logerfc(Facts *f, const Node *n)
{
    return within(-INFINITY, LN_2, fact_operand(f, n, 0).nan);
}

Fact facts_below_one(Facts *f, const Node *n)
{
    return within(-INFINITY, 1, fact_operand(f, n, 0).nan);
}

Fact facts_log1mexp(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    return within(-INFINITY, x.hi <= 0 ? 0 : INFINITY, x.nan || x.hi > 0);
}

Fact facts_relu(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    Fact k = within(fmax(x.lo, 0), fmax(x.hi, 0), x.nan);
    k.whole = x.whole;
    return k;
}

Fact facts_floor(Facts *f, const Node *n) { return rounded(fact_operand(f, n, 0), floor); }

Fact facts_ceil(Facts *f, const Node *n) { return rounded(fact_operand(f, n, 0), ceil); }

Fact facts_trunc(Facts *f, const Node *n) { return rounded(fact_operand(f, n, 0), trunc); }

Fact facts_round(Facts *f, const Node *n) { return rounded(fact_operand(f, n, 0), rint); }

/* ---- sums and products ---- */

Fact facts_add(Facts *f, const Node *n)
{
    Fact k = within(0, 0, false);
    double largest = 0, size = 0;
    bool up = false, down = false, all_up = true;
    u32 unique = 0, scalars = 0;
    k.whole = true;
    for (u32 i = 0; i < n->nops; i++) {
        const Fact *x = fact_of(f, n->ops[i]);
        k.lo += x->lo, k.hi += x->hi;
        k.nan = k.nan || x->nan;
        k.whole = k.whole && x->whole;
        up = up || x->hi == INFINITY;
        down = down || x->lo == -INFINITY;
        all_up = all_up && x->lo >= 0;
        largest = fmax(largest, x->lo);
        size += fmax(fabs(x->lo), fabs(x->hi));
        unique += x->unique && n->ops[i]->type->rank > 0;
        scalars += n->ops[i]->type->rank == 0;
    }
    bool is_int = dtype_is_int(n->type->dtype);
    k.nan = k.nan || (!is_int && ((up && down) || (n->nops > 2 && size > FINITE && !all_up)));
    if (n->nops > 2 && !is_int && !(k.whole && size < WHOLE_EXACT)) {
        double off = isfinite(size) ? WIDER * size : INFINITY;
        k.lo -= off, k.hi += off;
    }
    if (all_up && !is_int) /* a rounded sum of what is not negative is not below its largest term */
        k.lo = isnan(k.lo) ? largest : fmax(k.lo, largest);
    k.unique = is_int && unique == 1 && scalars + 1 == n->nops; /* wrapping is one to one */
    return fact_wrapped(k, n);
}

static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static Fact product2(Fact a, Fact b)
{
    double p[] = {times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)};
    Fact k = within(p[0], p[0], a.nan || b.nan);
    for (int i = 1; i < 4; i++)
        k.lo = fmin(k.lo, p[i]), k.hi = fmax(k.hi, p[i]);
    k.nan = k.nan || (may_be_zero(&a) && may_be_inf(&b)) || (may_be_zero(&b) && may_be_inf(&a));
    k.whole = a.whole && b.whole;
    return k;
}

Fact facts_mul(Facts *f, const Node *n)
{
    Fact k = *fact_of(f, n->ops[0]);
    bool tame = fabs(k.lo) < TAME && fabs(k.hi) < TAME, nonnegative = k.lo >= 0,
         zero = may_be_zero(&k);
    /* No product of some of them is larger. */
    double size = fmax(1, fmax(fabs(k.lo), fabs(k.hi)));
    for (u32 i = 1; i < n->nops; i++) {
        const Fact *x = fact_of(f, n->ops[i]);
        tame = tame && fabs(x->lo) < TAME && fabs(x->hi) < TAME;
        size *= fmax(1, fmax(fabs(x->lo), fabs(x->hi)));
        nonnegative = nonnegative && x->lo >= 0;
        zero = zero || may_be_zero(x);
        k = product2(k, *x);
    }
    tame = tame && size < FINITE;
    k.unique = k.nonzero = false;
    if (n->nops == 2 && n->ops[0] == n->ops[1]) {
        Fact x = magnitude(*fact_of(f, n->ops[0]));
        k = (Fact){.lo = x.lo * x.lo, .hi = x.hi * x.hi, .nan = x.nan, .whole = x.whole};
        return fact_wrapped(k, n);
    }
    if (n->nops > 2 && !dtype_is_int(n->type->dtype)) { /* in any order */
        k.lo = nonnegative ? 0 : tame ? below(k.lo) : -INFINITY;
        k.hi = tame ? above(k.hi) : INFINITY;
        k.nan = k.nan || (!tame && zero);
    }
    return fact_wrapped(k, n);
}

Fact facts_div(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), z = fact_operand(f, n, 1);
    Fact k = within(-INFINITY, INFINITY, x.nan || z.nan);
    k.nan = k.nan || (may_be_zero(&x) && may_be_zero(&z)) || (may_be_inf(&x) && may_be_inf(&z));
    if (z.lo <= 0) /* a zero of either sign is among the divisors */
        return k;
    double p[] = {x.lo / z.lo, x.lo / z.hi, x.hi / z.lo, x.hi / z.hi};
    k.lo = INFINITY, k.hi = -INFINITY;
    for (int i = 0; i < 4; i++)
        k.lo = fmin(k.lo, isnan(p[i]) ? 0 : p[i]), k.hi = fmax(k.hi, isnan(p[i]) ? 0 : p[i]);
    return k;
}

Fact facts_sub(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), z = fact_operand(f, n, 1);
    Fact k = within(x.lo - z.hi, x.hi - z.lo, x.nan || z.nan);
    k.nan =
        k.nan || (x.hi == INFINITY && z.hi == INFINITY) || (x.lo == -INFINITY && z.lo == -INFINITY);
    if (dtype_is_int(n->type->dtype))
        k.nan = false;
    k.whole = x.whole && z.whole;
    k.unique = dtype_is_int(n->type->dtype) &&
               ((x.unique && !n->ops[1]->type->rank) || (z.unique && !n->ops[0]->type->rank));
    return fact_wrapped(k, n);
}

Fact facts_pow(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), z = fact_operand(f, n, 1);
    Fact k = fact_unknown(n->type->dtype);
    double e = z.lo;
    if (!dtype_is_float(n->type->dtype))
        return k;
    if (x.lo >= 0)
        k.nan = x.nan || z.nan;
    bool even = z.lo == z.hi && isfinite(e) && fmod(e, 2) == 0;
    if (x.lo > 0 || even || (x.lo >= 0 && z.lo >= 0))
        k.lo = 0;
    if (even)
        k.nan = x.nan;
    return k;
}

Fact facts_mod(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), z = fact_operand(f, n, 1);
    Fact k = fact_unknown(n->type->dtype);
    k.whole = x.whole && z.whole;
    if (z.lo > 0 && isfinite(z.hi)) {
        k.lo = 0, k.hi = dtype_is_int(n->type->dtype) ? z.hi - 1 : z.hi;
        k.nan = x.nan || z.nan || may_be_inf(&x);
    }
    return k;
}

Fact facts_minimum(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), z = fact_operand(f, n, 1);
    Fact k = within(fmin(x.lo, z.lo), fmin(x.hi, z.hi), x.nan || z.nan);
    k.whole = x.whole && z.whole;
    return k;
}

Fact facts_maximum(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), z = fact_operand(f, n, 1);
    Fact k = within(fmax(x.lo, z.lo), fmax(x.hi, z.hi), x.nan || z.nan);
    k.whole = x.whole && z.whole;
    return k;
}

Fact facts_floordiv(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), z = fact_operand(f, n, 1);
    Fact k = fact_unknown(n->type->dtype);
    k.whole = true;
    if (!dtype_is_int(n->type->dtype) || z.lo < 1)
        return k;
    if (x.lo >= 0)
        k.lo = 0, k.hi = x.hi;
    if (fabs(x.lo) <= EXACT)
        k.lo = floor(x.lo / (x.lo >= 0 ? z.hi : z.lo));
    if (fabs(x.hi) <= EXACT)
        k.hi = floor(x.hi / (x.hi >= 0 ? z.lo : z.hi));
    return k;
}

Fact facts_atan2(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), z = fact_operand(f, n, 1);
    return within(-PI, PI, x.nan || z.nan);
}

static const double ROUNDED_DOWN = 1 - 0x1p-20; /* more than a few units in the last place of f32 */
/* No element is nearer to 0. */
static double size_at_least(const Fact *x) { return x->lo > 0 ? x->lo : x->hi < 0 ? -x->hi : 0; }

Fact facts_hypot(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), z = fact_operand(f, n, 1);
    double least = fmax(size_at_least(&x), size_at_least(&z)) * ROUNDED_DOWN;
    Fact k = within(least, INFINITY, x.nan || z.nan);
    k.nonzero = k.nonzero || least > 0;
    return k;
}

Fact facts_bitwise_and(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), z = fact_operand(f, n, 1);
    Fact k = fact_unknown(n->type->dtype);
    if (dtype_is_int(n->type->dtype) && (x.lo >= 0 || z.lo >= 0))
        k.lo = 0, k.hi = x.lo < 0 ? z.hi : z.lo < 0 ? x.hi : fmin(x.hi, z.hi);
    return k;
}

Fact facts_right_shift(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    Fact k = fact_unknown(n->type->dtype);
    if (x.lo >= 0)
        k.lo = 0, k.hi = x.hi;
    return k;
}

/* ---- choices and casts ---- */

Fact facts_where(Facts *f, const Node *n)
{
    return fact_union(fact_operand(f, n, 1), fact_operand(f, n, 2));
}

Fact facts_cast(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    DType from = n->ops[0]->type->dtype, to = n->type->dtype;
    Fact k = x;
    k.unique = x.unique && dtype_is_int(from) && to == DT_I64;
    if (to == DT_BOOL)
        return fact_unknown(to);
    if (dtype_is_float(to))
        return k;
    double most = to == DT_I32 ? 2147483647.0 : 9223372036854775807.0;
    if (!dtype_is_float(from)) {
        bool fits = x.lo >= -most && x.hi <= most;
        return fits ? k : fact_unknown(to);
    }
    k.lo = fmin(fmax(trunc(x.lo), -most - 1), most);
    k.hi = fmin(fmax(trunc(x.hi), -most - 1), most);
    if (x.nan) /* becomes 0 */
        k.lo = fmin(k.lo, 0), k.hi = fmax(k.hi, 0);
    k.whole = true, k.nan = false;
    k.nonzero = false;
    return k;
}
