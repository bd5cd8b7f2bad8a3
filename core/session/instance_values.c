/* Hard values: what a rule is most likely to be wrong on. */
#include "session/instance_values.h"

#include <float.h>
#include <math.h>

i64 instance_length(const Size *s)
{
    i64 k;
    if (size_is_const(s, &k))
        return k;
    SizeAtom *a = size_as_atom(s);
    return a && a->kind == ATOM_NAME && !strcmp(a->name, "n") ? INSTANCE_N : INSTANCE_M;
}

/* ---- numbers of the rule ---- */

static void add(NumberPool *p, double x)
{
    for (int i = 0; i < p->n; i++)
        if (p->at[i] == x)
            return;
    if (p->n < POOL_NUMBERS && isfinite(x))
        p->at[p->n++] = x;
}

static void add_from_pattern(NumberPool *p, const Pattern *x)
{
    if (x->kind == PAT_NUMBER && !x->is_bool)
        add(p, x->number);
    for (int i = 0; i < x->n; i++)
        add_from_pattern(p, x->args[i]);
}

static void add_from_expr(NumberPool *p, const Expr *x)
{
    if (!x)
        return;
    if (x->kind == E_INT || x->kind == E_FLOAT)
        add(p, strtod(x->text, NULL));
    for (int i = 0; i < x->nitems; i++)
        add_from_expr(p, x->items[i]);
    for (int i = 0; i < x->nargs; i++)
        add_from_expr(p, x->args[i].value);
}

void number_pool(const Rule *r, NumberPool *out)
{
    *out = (NumberPool){.n = 0};
    add_from_pattern(out, r->pattern);
    add_from_expr(out, r->replacement);
    add_from_expr(out, r->guard);
    int n = out->own = out->n;
    for (int i = 0; i < n; i++)
        add(out, -out->at[i]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) { /* a + c1 == c2, c1 * a == c2, ... */
            double x = out->at[i], y = out->at[k];
            add(out, i != k ? x - y : 2 * x);
            add(out, i != k ? x + y : x / 2);
            add(out, i != k ? x / y : 1 / x);
            add(out, x * y);
        }
    for (int i = 0; i < n; i++) { /* f(a) == c */
        double x = out->at[i];
        add(out, sqrt(fabs(x))), add(out, cbrt(x)), add(out, x * x);
        add(out, log(x)), add(out, exp(x)), add(out, log1p(x)), add(out, expm1(x));
        add(out, exp2(x)), add(out, log2(x)), add(out, asin(x)), add(out, acos(x));
        add(out, tan(x)), add(out, atanh(x));
    }
    if (!n)
        add(out, 1), out->own = 1;
}

/* ---- rolling ---- */

static u64 next(u64 *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return hash_mix(*state, 7);
}

static double unit(u64 bits) { return (double)(bits >> 11) / 9007199254740992.0; }

static double pool_number(const NumberPool *p, u64 bits)
{
    int n = bits & 64 ? p->n : p->own;
    return p->at[(bits >> 8) % (u64)(n ? n : 1)];
}

/* ---- floats ---- */

static double near_pool(const NumberPool *p, DType d, u64 bits)
{
    double x = pool_number(p, bits);
    switch (bits & 7) {
    case 0: return number_after(x, d);
    case 1: return number_before(x, d);
    case 2: return x + 1;
    case 3: return x - 1;
    default: return x;
    }
}

static double extreme(DType d, u64 bits)
{
    static const double f64s[] = {DBL_MAX, DBL_MAX / 2, 1e200,   1.4e154, 1e150,       DBL_MIN,
                                  5e-324,  1e-310,      1e-200,  1e-160,  DBL_EPSILON, 709.7,
                                  710.0,   750.0,       1e16,    9e15,    1.0,         1e-17,
                                  1e308,   1.5e308,     1.5e-323};
    static const double f32s[] = {FLT_MAX, FLT_MAX / 2, 1e25,  1.9e19,      1e18, FLT_MIN, 1.4e-45,
                                  1e-40,   1e-25,       1e-20, FLT_EPSILON, 88.7, 89.0,    105.0,
                                  1.7e7,   1.6e7,       1.0,   1e-8,        2e38, 3e38,    4.2e-45};
    double x = (d == DT_F32 ? f32s : f64s)[(bits >> 8) % COUNT_OF(f64s)];
    return bits & 1 ? -x : x;
}

static double hard(DType d, u64 bits)
{
    static const double all[] = {0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 1e-300, 0.5, 800.0, -800.0};
    double x = all[(bits >> 40) % COUNT_OF(all)];
    return d == DT_F32 && fabs(x) > 1e30 ? copysign(1e30, x) : x;
}

static double special(u64 bits)
{
    double u = unit(bits);
    return u < 0.2 ? NAN : u > 0.6 ? 6 * u - 3 : u < 0.4 ? INFINITY : -INFINITY;
}

/* With few digits: they may have to be read. */
static double few_digits(double x) { return rint(1000 * x) / 1000; }

/* Of any size, as likely large as small. */
static double scaled(DType d, u64 bits)
{
    double most = d == DT_F32 ? 37 : 306;
    double x = pow(10, most * (2 * unit(hash_mix(bits, 29)) - 1));
    return (bits & 1 ? -1 : 1) * (1 + (double)(bits >> 60)) * x;
}

static double number(const NumberPool *p, DType d, int round, double base, u64 turn, u64 bits)
{
    double u = unit(bits);
    switch (round) {
    case 1: return hard(d, bits);
    case ROUND_SPECIAL: return special(bits);
    case 3: return u < 0.2 ? -0.0 : u < 0.4 ? 0.0 : few_digits(0.2 * u - 0.14);
    case 4: return few_digits(16 * u - 8);
    case 5: return floor(7 * u) - (bits & 1 ? 3 : 3.5);
    case 6: return near_pool(p, d, bits);
    case 9: return p->at[turn % (u64)p->n];
    case 7: return extreme(d, bits);
    case 8: return bits & 3 ? base : base + pool_number(p, bits);
    case 10: return bits & 1 ? near_pool(p, d, bits) : extreme(d, bits);
    case 11: return bits & 1 ? hard(d, bits) : extreme(d, bits >> 3);
    case 12: return scaled(d, bits);
    case 13: return extreme(d, hash_mix((u64)(i64)(1000 * base), 53)) * (0.5 + u / 2);
    default: return few_digits(6 * u - 3);
    }
}

/* ---- within a range ---- */

static double uniform(const Range *r, DType d, u64 bits)
{
    double u = unit(hash_mix(bits, 31)), far = pow(10, 10 * u - 5);
    double x = isfinite(r->lo) && isfinite(r->hi) ? r->lo * (1 - u) + r->hi * u
               : isfinite(r->lo)                  ? r->lo + far
               : isfinite(r->hi)                  ? r->hi - far
                                                  : 6 * u - 3;
    return d == DT_F32 ? (double)(float)x : x;
}

/* An end of the range, what is next to it, what is between. */
static double at_edge(const Range *r, DType d, bool beyond, u64 bits)
{
    switch (bits >> 3 & 7) {
    case 0: return r->lo;
    case 1: return r->hi;
    case 2: return isfinite(r->lo) ? number_after(r->lo, d) : r->lo;
    case 3: return isfinite(r->hi) ? number_before(r->hi, d) : r->hi;
    case 4: return beyond && isfinite(r->lo) ? number_before(r->lo, d) : r->lo / 2 + r->hi / 2;
    case 5: return beyond && isfinite(r->hi) ? number_after(r->hi, d) : bits & 64 ? 0.0 : -0.0;
    default: return uniform(r, d, bits);
    }
}

static double into(const Range *r, DType d, double x, u64 bits)
{
    x = d == DT_F32 ? (double)(float)x : x;
    if (isnan(x) && !r->no_nan)
        return x;
    if (!(x >= r->lo && x <= r->hi))
        x = bits & 8 && !isnan(x) ? fmin(fmax(x, r->lo), r->hi) : uniform(r, d, bits);
    if (r->whole && isfinite(x))
        x = rint(x);
    x = x < r->lo ? r->lo : x > r->hi ? r->hi : x;
    if (r->nonzero && x == 0)
        x = r->hi > 0 ? fmin(r->whole ? 1 : number_after(0, d), r->hi)
                      : fmax(r->whole ? -1 : number_before(0, d), r->lo);
    return x;
}

static double ranged_number(const RangedLeaf *leaf, DType d, double x, u64 bits)
{
    const Range *r = &leaf->range;
    u64 more = hash_mix(bits, 37);
    x = more & 1 ? at_edge(r, d, !leaf->assumed, more) : x;
    return leaf->assumed ? into(r, d, x, more >> 8) : x;
}

/* ---- integers ---- */

static i64 saturated(double x)
{
    return x >= 9.2e18 ? INT64_MAX : x <= -9.2e18 ? INT64_MIN : (i64)x;
}

static i64 near_by(i64 x, i64 off) { return (i64)((u64)x + (u64)off); } /* wraps */

/* Ends of the type, and where a multiple of the rule's numbers wraps. */
static i64 integer_end(const NumberPool *p, DType d, u64 bits)
{
    i64 most = d == DT_I32 ? INT32_MAX : INT64_MAX, least = -most - 1;
    i64 c = saturated(pool_number(p, bits)), off = (i64)(bits >> 20 & 3) - 1;
    i64 by = c ? c : 2;
    i64 ends[] = {least,
                  least + 1,
                  most,
                  most - 1,
                  most / 2 + 1,
                  least / 2 - 1,
                  most / 3 + 1,
                  1 << 16,
                  46341,
                  3037000500 % most,
                  near_by(most / by, off),
                  near_by((least + 1) / by, off)};
    return ends[(bits >> 32) % COUNT_OF(ends)];
}

/* Of any number of bits; two of them and a little more, which rounds twice in a float. */
static i64 wide_integer(DType d, u64 bits)
{
    u32 most = d == DT_I32 ? 31 : 63, high = (u32)(bits >> 8) % most;
    u64 low = high > 24 ? (u64)1 << (high - 24 - (bits >> 16 & 1)) : 0;
    u64 near = ((u64)1 << high) + low + (bits >> 20 & 3) - 1;
    u64 x = !(bits & 1) ? near : high ? hash_mix(bits, 47) >> (64 - high) : 0;
    return bits & 2 ? -(i64)x : (i64)x;
}

static i64 integer(const NumberPool *p, DType d, int round, double base, u64 bits)
{
    double u = unit(bits);
    i64 off = (i64)(bits >> 3 & 3) - 1;
    switch (round) {
    case 6:
    case 9: return near_by(saturated(pool_number(p, bits)), bits & 1 ? 0 : off);
    case 7:
    case 10: return integer_end(p, d, bits);
    case 8: return near_by(saturated(base), bits & 1 ? 0 : off);
    case 11:
    case 12: return wide_integer(d, bits);
    default:
        return round & 1 ? (i64)floor(5 * u) - 2 /* a position too */
                         : (i64)floor(20 * u) - 10;
    }
}

static i64 ranged_integer(const RangedLeaf *leaf, DType d, i64 x, u64 bits)
{
    const Range *r = &leaf->range;
    u64 more = hash_mix(bits, 41);
    if (more & 1)
        x = saturated(at_edge(r, d, !leaf->assumed, more));
    if (!leaf->assumed)
        return x;
    if ((double)x < r->lo || (double)x > r->hi)
        x = saturated(trunc(more & 8 ? r->lo + unit(hash_mix(more, 3)) * fmin(r->hi - r->lo, 20)
                                     : fmin(fmax((double)x, r->lo), r->hi)));
    return r->nonzero && x == 0 ? (r->hi > 0 ? 1 : -1) : x;
}

/* One element. */
typedef struct {
    const RangedLeaf *ranged; /* or NULL */
    const NumberPool *pool;
    DType dtype;
    int round;
    double base;
} Choice;

static double choose_number(const Choice *c, u64 turn, u64 bits)
{
    double x = number(c->pool, c->dtype, c->round, c->base, turn, bits);
    return c->ranged ? ranged_number(c->ranged, c->dtype, x, bits) : x;
}

static i64 choose_integer(const Choice *c, u64 bits)
{
    if (c->dtype == DT_BOOL)
        return unit(bits) < 0.5;
    i64 x = integer(c->pool, c->dtype, c->round, c->base, bits);
    return c->ranged ? ranged_integer(c->ranged, c->dtype, x, bits) : x;
}

Tensor *instance_value(Heap *h, const Node *leaf, const RangedLeaf *ranged, const NumberPool *pool,
                       int round, u64 *state)
{
    i64 shape[MAX_RANK];
    DType d = leaf->type->dtype;
    bool real = dtype_is_float(d);
    for (int i = 0; i < leaf->type->rank; i++)
        shape[i] = instance_length(leaf->type->dims[i]);
    Tensor *x = tensor_new(h, real ? DT_F64 : DT_I64, leaf->type->rank, shape);
    double base = few_digits(6 * unit(hash_mix((u64)round, 17)) - 3); /* of all leaves */
    Choice c = {ranged, pool, d, round % VALUE_ROUNDS, base};
    u64 turn = next(state) >> 32; /* one number of the pool after the other */
    for (i64 i = 0; x && i < x->count; i++) {
        u64 bits = next(state);
        if (real)
            ((double *)x->data)[i] = choose_number(&c, turn + (u64)i, bits);
        else
            ((i64 *)x->data)[i] = choose_integer(&c, bits);
    }
    Tensor *r = x ? tensor_cast(h, x, d) : NULL;
    tensor_unref(x);
    return r;
}
