/* Scalar functions that the C library lacks or that NumPy defines its own way.
 *
 * Invariant: as kernels_math.h. Sources are named at each function. */
#include "tensor/kernels_math.h"

#include <math.h>

/* ---- special functions ---- */

static const double math_pi = 3.14159265358979323846; /* C11 has no name for it */

/* The zeros and their signs as IEEE 754-2019, 9.2.1 has them. All is exact up to the product with
 * pi: the remainder, and the distance from the nearest half. */
double math_sinpi(double x)
{
    double r = remainder(x, 2), a = fabs(r), d = a > 0.5 ? 1 - a : a;
    double y = d <= 0.25 ? sin(math_pi * d) : cos(math_pi * (0.5 - d));
    return copysign(y, y == 0 ? x : r);
}

double math_cospi(double x)
{
    double a = fabs(remainder(x, 2));
    if (a > 0.25 && a < 0.75)
        return sin(math_pi * (0.5 - a));
    return a <= 0.25 ? cos(math_pi * a) : -cos(math_pi * (1 - a));
}

/* Horner's scheme, highest power first. */
static double poly(const double *c, int n, double x)
{
    double y = c[0];
    for (int i = 1; i < n; i++)
        y = y * x + c[i];
    return y;
}

/* Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied
 * Statistics 37 (1988), PPND16: relative error about 1e-16. Here q = p - 1/2 and the tail
 * min(p, 1 - p) are exact because they come from x = 2 p - 1 directly. */
static double normal_quantile(double q, double tail)
{
    static const double a[] = {2509.0809287301226727, 33430.575583588128105, 67265.770927008700853,
                               45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
                               133.14166789178437745, 3.387132872796366608};
    static const double b[] = {
        5226.495278852545925,  28729.085735721942674, 39307.89580009271061,  21213.794301586595867,
        5394.1960214247511077, 687.1870074920579083,  42.313330701600911252, 1.0};
    static const double c[] = {7.7454501427834140764e-4, .0227238449892691845833,
                               .24178072517745061177,    1.27045825245236838258,
                               3.64784832476320460504,   5.7694972214606914055,
                               4.6303378461565452959,    1.42343711074968357734};
    static const double d[] = {1.05075007164441684324e-9, 5.475938084995344946e-4,
                               .0151986665636164571966,   .14810397642748007459,
                               .68976733498510000455,     1.6763848301838038494,
                               2.05319162663775882187,    1.0};
    static const double e[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5,
                               .0012426609473880784386,   .026532189526576123093,
                               .29656057182850489123,     1.7848265399172913358,
                               5.4637849111641143699,     6.6579046435011037772};
    static const double f[] = {2.04426310338993978564e-15, 1.4215117583164458887e-7,
                               1.8463183175100546818e-5,   7.868691311456132591e-4,
                               .0148753612908506148525,    .13692988092273580531,
                               .59983220655588793769,      1.0};
    if (fabs(q) <= 0.425) {
        double r = 0.180625 - q * q;
        return q * poly(a, 8, r) / poly(b, 8, r);
    }
    double r = sqrt(-log(tail));
    double z =
        r <= 5 ? poly(c, 8, r - 1.6) / poly(d, 8, r - 1.6) : poly(e, 8, r - 5) / poly(f, 8, r - 5);
    return q < 0 ? -z : z;
}

double math_erfinv(double x)
{
    if (!(fabs(x) < 1)) /* the ends, beyond them, NaN */
        return fabs(x) == 1 ? x * (double)INFINITY : (double)NAN;
    return normal_quantile(x / 2, (1 - fabs(x)) / 2) * 0.70710678118654752440;
}

/* exp(x * x); what x * x rounds away is put back. */
static double exp_sqr(double x)
{
    double square = x * x, e = exp(square);
    return isinf(e) ? e : e + e * fma(x, x, -square);
}

/* From 10 on the asymptotic series (NIST DLMF 7.12.1), whose terms fall below 1e-17; within 4 ulp
 * everywhere. */
double math_erfcx(double x)
{
    if (x < 0)
        return x < -27 ? (double)INFINITY : 2 * exp_sqr(x) - math_erfcx(-x);
    if (!(x >= 10))
        return exp_sqr(x) * erfc(x);
    double r = 0.5 / x / x, term = 1, sum = 1;
    for (int k = 1; k < 13; k++) {
        term *= -(2 * k - 1) * r;
        sum += term;
    }
    return 0.56418958354775628695 / x * sum;
}

double math_logerfc(double x)
{
    if (x < 0.5)
        return log1p(-erf(x));
    return x < 25 ? log(erfc(x)) : log(math_erfcx(x)) - x * x;
}

/* e[n] = exp(x^2) i^n erfc(x) (NIST DLMF 7.18): e[-1] = 2 / sqrt(pi), e[0] = erfcx(x) and
 * 2 n e[n] = e[n-2] - 2 x e[n-1]. Upwards that is stable for x <= 0, and good enough for few steps
 * near 0; else the ratios q[k] = e[k] / e[k-1] = 1 / (2 x + 2 (k + 1) q[k+1]) are found downwards
 * from where the start no longer matters (Gautschi, "Recursive computation of the repeated
 * integrals of the error function", Math. Comp. 15, 1961). */
double math_ierfcx(double n, double x)
{
    if (!(n >= 0 && n <= 1e6) || n != floor(n) || x != x)
        return (double)NAN;
    double before = 1.12837916709551257390, e = math_erfcx(x);
    if (x <= 0 || 2 * x * sqrt(2 * n) < 0.5) {
        for (double k = 1; k <= n && !isinf(e); k++) {
            double next = (before - 2 * x * e) / (2 * k);
            before = e, e = next;
        }
        return e;
    }
    double far = 20 / x + sqrt(2 * n), k = ceil(0.5 * far * far) + n + 10;
    double q = 1 / (x + sqrt(x * x + 2 * k)), product = e;
    for (; k > n; k--)
        q = 1 / (2 * x + 2 * k * q);
    for (; k > 0; k--) {
        product *= q;
        q = 1 / (2 * x + 2 * k * q);
    }
    return product;
}

double math_lgamma(double x)
{
    int sign; /* lgamma itself would write the global signgam */
    return lgamma_r(x, &sign);
}

/* Recurrence up to 10, then the asymptotic series; Bernardo, "Algorithm AS 103", Applied
 * Statistics 25 (1976), with more terms (Abramowitz and Stegun 6.3.18); reflection 6.3.7 below 0.
 */
double math_digamma(double x)
{
    static const double series[] = {-3617.0 / 8160, 1.0 / 12,  -691.0 / 32760, 1.0 / 132,
                                    -1.0 / 240,     1.0 / 252, -1.0 / 120,     1.0 / 12};
    if (x == 0)
        return signbit(x) ? (double)INFINITY : -(double)INFINITY;
    if (x < 0) {
        double part = x - round(x); /* exact, however small x is */
        return part == 0 ? (double)NAN : math_digamma(1 - x) - math_pi / tan(math_pi * part);
    }
    double shift = 0;
    for (; x < 10; x += 1)
        shift += 1 / x;
    double r = 1 / (x * x);
    return log(x) - 0.5 / x - r * poly(series, 8, r) - shift;
}

/* The Hurwitz zeta function, sum over k >= 0 of (q + k)^-s, times unit^s, for whole s >= 2 and q >
 * 0: terms up to q + k >= 10 + s, then Euler and Maclaurin's formula (NIST DLMF 25.11.5). */
static double zeta(double s, double q, double unit)
{
    /* (2j)! / B_2j */
    static const double c[] = {12,          -720,
                               30240,       -1209600,
                               47900160,    -1307674368000.0 / 691,
                               74724249600, -10670622842880000.0 / 3617};
    double sum = 0, a = q, last = pow(a / unit, -s);
    for (; a < 10 + s && last > sum * 1e-17; last = pow(a / unit, -s)) {
        sum += last;
        a += 1;
    }
    if (last <= sum * 1e-17)
        return sum;
    double tail = last * a / (s - 1) + 0.5 * last, factor = last * s / a;
    for (int j = 0; j < 8; j++) {
        tail += factor / c[j];
        factor *= (s + 2 * j + 1) * (s + 2 * j + 2) / (a * a);
    }
    return sum + tail;
}

/* The n-th derivative of digamma: (-1)^(n+1) n! zeta(n + 1, x) (DLMF 5.15.1). Below 0, where the
 * terms change sign, the sum from x = r - m up to r, 0 < r < 1, is one of zeta(s, 1 - r) and
 * zeta(s, 1 - x). NaN where n is no whole number from 0 to 2^53, inf at the poles. */
double math_polygamma(double n, double x)
{
    if (!(n >= 0 && n < 0x1p53) || n != floor(n) || x != x)
        return (double)NAN;
    if (n == 0)
        return math_digamma(x);
    double s = n + 1, r = x - floor(x), odd = fmod(n, 2);
    if (x <= 0 && r == 0) /* the sides differ for even n: at 0 the sign says which */
        return odd != 0 ? (double)INFINITY : x == 0 ? copysign((double)INFINITY, -x) : (double)NAN;
    if (isinf(x))
        return x > 0 ? (odd != 0 ? 0.0 : -0.0) : (double)NAN;
    if (x < 0 && x > -0.5) /* one step up: near 0 the term that it adds is all, and r would round */
        return math_polygamma(n, 1 + x) + (odd != 0 ? 1 : -1) * tgamma(s) / pow(x, s);
    if (x >
        1e10 * s) { /* (n - 1)! / x^n (1 + n / 2 x): the first terms, in steps that stay in range */
        double first = n == 1 ? 1 / x : exp(math_lgamma(n) - n * log(x));
        first += first * (n / (2 * x));
        return odd != 0 ? first : -first;
    }
    double z = x > 0
                   ? zeta(s, x, 1)
                   : zeta(s, r, 1) + (odd != 0 ? 1 : -1) * (zeta(s, 1 - r, 1) - zeta(s, 1 - x, 1));
    double y = tgamma(s) * z;
    if (x > 0 &&
        (n > 170 || !(z > 1e-290 && z < 1e290))) /* beyond the range of doubles on the way */
        y = exp(math_lgamma(s) - s * log(x) + log(zeta(s, x, x)));
    return odd != 0 ? y : -y;
}

/* ---- division as NumPy does it (npy_divmod, numpy/core/src/npymath) ---- */

double math_mod(double x, double z)
{
    double m = fmod(x, z);
    if (z == 0)
        return m;
    if (m == 0)
        return copysign(0, z);
    return (z < 0) != (m < 0) ? m + z : m;
}

double math_floordiv(double x, double z)
{
    if (z == 0)
        return x / z;
    double m = fmod(x, z);
    double q = (x - m) / z;
    if (m != 0 && (z < 0) != (m < 0))
        q -= 1;
    if (q == 0)
        return copysign(0, x / z);
    double f = floor(q);
    return q - f > 0.5 ? f + 1 : f;
}

/* ---- integers: two's complement, wrapping ---- */

#define DEFINE_INTEGERS(S, U, BITS, MIN)                               \
    int int_floordiv_##S(S x, S z, S *out)                             \
    {                                                                  \
        if (z == 0 || (z == -1 && x == MIN)) {                         \
            *out = z == 0 ? 0 : x;                                     \
            return z == 0 ? K_ZERO_DIVISOR : K_OK;                     \
        }                                                              \
        *out = x / z - (x % z != 0 && (x < 0) != (z < 0));             \
        return K_OK;                                                   \
    }                                                                  \
    int int_mod_##S(S x, S z, S *out)                                  \
    {                                                                  \
        *out = 0;                                                      \
        if (z == 0)                                                    \
            return K_ZERO_DIVISOR;                                     \
        if (z != -1)                                                   \
            *out = x % z + (x % z != 0 && (x < 0) != (z < 0) ? z : 0); \
        return K_OK;                                                   \
    }                                                                  \
    int int_pow_##S(S x, S z, S *out)                                  \
    {                                                                  \
        *out = 0;                                                      \
        if (z < 0)                                                     \
            return K_NEGATIVE_EXPONENT;                                \
        U result = 1, square = (U)x;                                   \
        for (U e = (U)z; e; e >>= 1, square *= square)                 \
            if (e & 1)                                                 \
                result *= square;                                      \
        *out = (S)result;                                              \
        return K_OK;                                                   \
    }                                                                  \
    int int_shl_##S(S x, S z, S *out)                                  \
    {                                                                  \
        bool fits = z >= 0 && z < BITS;                                \
        *out = fits ? (S)((U)x << z) : 0;                              \
        return fits ? K_OK : K_SHIFT_RANGE;                            \
    }                                                                  \
    int int_shr_##S(S x, S z, S *out)                                  \
    {                                                                  \
        bool fits = z >= 0 && z < BITS;                                \
        *out = !fits ? 0 : x < 0 ? (S) ~(~(U)x >> z) : (S)((U)x >> z); \
        return fits ? K_OK : K_SHIFT_RANGE;                            \
    }
DEFINE_INTEGERS(i64, u64, 64, INT64_MIN)
DEFINE_INTEGERS(i32, u32, 32, INT32_MIN)
