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

static double step(double x, DType d, bool up)
{
    return d == DT_F32 ? (double)nextafterf((float)x, up ? INFINITY : -INFINITY)
                       : nextafter(x, up ? INFINITY : -INFINITY);
}

static double near_pool(const NumberPool *p, DType d, u64 bits)
{
    double x = pool_number(p, bits);
    switch (bits & 7) {
    case 0: return step(x, d, true);
    case 1: return step(x, d, false);
    case 2: return x + 1;
    case 3: return x - 1;
    default: return x;
    }
}

static double extreme(DType d, u64 bits)
{
    static const double f64s[] = {DBL_MAX, DBL_MAX / 2, 1e200,  1.4e154, 1e150,       DBL_MIN,
                                  5e-324,  1e-310,      1e-200, 1e-160,  DBL_EPSILON, 709.7,
                                  710.0,   750.0,       1e16,   9e15,    1.0,         1e-17};
    static const double f32s[] = {FLT_MAX, FLT_MAX / 2, 1e25,  1.9e19, 1e18,        FLT_MIN,
                                  1.4e-45, 1e-40,       1e-25, 1e-20,  FLT_EPSILON, 88.7,
                                  89.0,    105.0,       1.7e7, 1.6e7,  1.0,         1e-8};
    double x = (d == DT_F32 ? f32s : f64s)[(bits >> 8) % COUNT_OF(f64s)];
    return bits & 1 ? -x : x;
}

static double hard(DType d, u64 bits, bool tame)
{
    static const double all[] = {0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 1e-300, 0.5, 800.0, -800.0};
    double x = all[(bits >> 40) % (tame ? 4 : COUNT_OF(all))];
    return d == DT_F32 && fabs(x) > 1e30 ? copysign(1e30, x) : x;
}

static double special(u64 bits, bool tame)
{
    double u = unit(bits);
    return u < 0.2 ? NAN : u > 0.6 || tame ? 6 * u - 3 : u < 0.4 ? INFINITY : -INFINITY;
}

/* With few digits: they may have to be read. */
static double few_digits(double x) { return rint(1000 * x) / 1000; }

static double number(const NumberPool *p, DType d, int round, bool tame, double base, u64 turn,
                     u64 bits)
{
    double u = unit(bits);
    switch (round) {
    case 1: return hard(d, bits, tame);
    case ROUND_SPECIAL: return special(bits, tame);
    case 3: return u < 0.2 ? -0.0 : u < 0.4 ? 0.0 : few_digits(0.2 * u - 0.14);
    case 4: return few_digits(16 * u - 8);
    case 5: return floor(7 * u) - 3;
    case 6: return near_pool(p, d, bits);
    case 9: return p->at[turn % (u64)p->n];
    case 7: return tame ? few_digits(6 * u - 3) : extreme(d, bits);
    case 8: return bits & 3 ? base : base + pool_number(p, bits);
    case 10: return bits & 1 ? near_pool(p, d, bits) : tame ? u : extreme(d, bits);
    case 11: return bits & 1 ? hard(d, bits, tame) : tame ? u : extreme(d, bits >> 3);
    default: return few_digits(6 * u - 3);
    }
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
    default:
        return round & 1 ? (i64)floor(5 * u) - 2 /* a position too */
                         : (i64)floor(20 * u) - 10;
    }
}

Tensor *instance_value(Heap *h, const Node *leaf, const NumberPool *pool, int round, bool tame,
                       u64 *state)
{
    i64 shape[MAX_RANK];
    DType d = leaf->type->dtype;
    bool real = dtype_is_float(d);
    for (int i = 0; i < leaf->type->rank; i++)
        shape[i] = instance_length(leaf->type->dims[i]);
    Tensor *x = tensor_new(h, real ? DT_F64 : DT_I64, leaf->type->rank, shape);
    double base = few_digits(6 * unit(hash_mix((u64)round, 17)) - 3); /* of all leaves */
    round %= VALUE_ROUNDS;
    u64 turn = next(state) >> 32; /* one number of the pool after the other */
    for (i64 i = 0; x && i < x->count; i++) {
        u64 bits = next(state);
        if (real)
            ((double *)x->data)[i] = number(pool, d, round, tame, base, turn + (u64)i, bits);
        else
            ((i64 *)x->data)[i] =
                d == DT_BOOL ? unit(bits) < 0.5 : integer(pool, d, round, base, bits);
    }
    Tensor *r = x ? tensor_cast(h, x, d) : NULL;
    tensor_unref(x);
    return r;
}
