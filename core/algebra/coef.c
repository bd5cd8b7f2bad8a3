/* Coefficients: rationals of 64 bits, and whole numbers modulo a power of 2. */
#include "algebra/parts.h"

#include <math.h>

enum {
    MOST_DEN = 1024, /* of a number that is read as a quotient: 1/3, 0.1; larger ones by chance */
    BINARY_BITS = 20 /* else it has to be whole after so many doublings */
};
static const double MOST_NUM = 0x1p40; /* so that products of two fit */

i64 whole_gcd(i64 a, i64 b)
{
    while (b) {
        i64 t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}

FormCoef coef_whole(DType d, i64 x)
{
    return (FormCoef){d == DT_I32 ? (i64)(i32)(u32)(u64)x : x, 1};
}

static bool same_number(DType d, double x, double y)
{
    return d == DT_F32 ? (float)x == (float)y : x == y;
}

/* Continued fractions give the best quotients with small denominators. */
static bool as_quotient(DType d, double x, FormCoef *out)
{
    double rest = x;
    i64 p0 = 1, q0 = 0, p1, q1 = 1;
    p1 = (i64)floor(rest);
    for (int i = 0; i < BINARY_BITS; i++) {
        if (same_number(d, (double)p1 / (double)q1, x)) {
            *out = (FormCoef){p1, q1};
            return true;
        }
        rest = rest - floor(rest);
        if (rest == 0)
            return false;
        rest = 1 / rest;
        if (rest > MOST_DEN)
            return false;
        i64 k = (i64)floor(rest), p2 = k * p1 + p0, q2 = k * q1 + q0;
        if (q2 > MOST_DEN || fabs((double)p2) > MOST_NUM)
            return false;
        p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    }
    return false;
}

bool coef_of_number(DType d, double x, FormCoef *out)
{
    if (!isfinite(x) || fabs(x) > MOST_NUM)
        return false;
    double scaled = ldexp(x, BINARY_BITS);
    if (as_quotient(d, x, out))
        return true;
    if (scaled != floor(scaled) || fabs(scaled) > MOST_NUM)
        return false;
    i64 den = (i64)1 << BINARY_BITS, num = (i64)scaled, g = whole_gcd(num, den);
    *out = (FormCoef){num / g, den / g};
    return true;
}

bool coef_add(DType d, FormCoef a, FormCoef b, FormCoef *out)
{
    if (!dtype_is_float(d)) {
        *out = coef_whole(d, (i64)((u64)a.num + (u64)b.num));
        return true;
    }
    i64 x, y, num, den, g = whole_gcd(a.den, b.den);
    if (__builtin_mul_overflow(a.num, b.den / g, &x) ||
        __builtin_mul_overflow(b.num, a.den / g, &y) || __builtin_add_overflow(x, y, &num) ||
        __builtin_mul_overflow(a.den, b.den / g, &den) || num == INT64_MIN)
        return false;
    g = whole_gcd(num, den);
    *out = (FormCoef){num / g, den / g};
    return true;
}

bool coef_mul(DType d, FormCoef a, FormCoef b, FormCoef *out)
{
    if (!dtype_is_float(d)) {
        *out = coef_whole(d, (i64)((u64)a.num * (u64)b.num));
        return true;
    }
    i64 g = whole_gcd(a.num, b.den), h = whole_gcd(b.num, a.den), num, den;
    if (__builtin_mul_overflow(a.num / g, b.num / h, &num) ||
        __builtin_mul_overflow(a.den / h, b.den / g, &den) || num == INT64_MIN)
        return false;
    *out = (FormCoef){num, den};
    return true;
}

bool coef_power(DType d, FormCoef a, int p, FormCoef *out)
{
    FormCoef r = {1, 1};
    if (p < 0) {
        if (!a.num || !dtype_is_float(d))
            return false;
        a = (FormCoef){a.num < 0 ? -a.den : a.den, a.num < 0 ? -a.num : a.num};
        p = -p;
    }
    for (; p > 0; p--)
        if (!coef_mul(d, r, a, &r))
            return false;
    *out = r;
    return true;
}
