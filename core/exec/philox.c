/* Philox4x32-10 and the distributions drawn from it.
 *
 * Invariant: as philox.h; the logarithm, sine and cosine of the normal distribution
 * are computed here from + - * / sqrt, so that no C library's rounding shows. */
#include "exec/philox.h"

#include <math.h>

__extension__ typedef unsigned __int128 u128;

/* ---- blocks and states ---- */

void philox_block(const u32 key[2], const u32 counter[4], u32 out[4])
{
    u32 k0 = key[0], k1 = key[1];
    u32 c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    for (int round = 0; round < 10; round++) {
        u64 p0 = (u64)0xD2511F53 * c0, p1 = (u64)0xCD9E8D57 * c2;
        c0 = (u32)(p1 >> 32) ^ c1 ^ k0;
        c1 = (u32)p1;
        c2 = (u32)(p0 >> 32) ^ c3 ^ k1;
        c3 = (u32)p0;
        k0 += 0x9E3779B9; /* the golden ratio and sqrt(3) - 1 (Weyl sequences) */
        k1 += 0xBB67AE85;
    }
    out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

RngState rng_seed(i64 seed)
{
    u64 s = (u64)seed;
    return (RngState){{(u32)s, (u32)(s >> 32)}, {0, 0, 0, 0}};
}

RngState rng_advance(RngState s, u64 blocks)
{
    for (int i = 0; i < 4 && blocks; i++) {
        u64 sum = (u64)s.counter[i] + (u32)blocks;
        s.counter[i] = (u32)sum;
        blocks = (blocks >> 32) + (sum >> 32);
    }
    return s;
}

/* The block of state s, which then steps on. */
static void next_block(RngState *s, u32 out[4])
{
    philox_block(s->key, s->counter, out);
    *s = rng_advance(*s, 1);
}

static RngState after(RngState start, i64 blocks)
{
    return rng_advance(start, blocks > 0 ? (u64)blocks : 1);
}

/* Child i is cut out of block i under a key of its own kind (the parent's with its bits
 * inverted), which no draw of the parent uses: two words become the child's key, two the
 * upper half of its counter, so the 2^64 blocks it may use start at a random place. */
void rng_split(RngState s, i64 k, RngState *out)
{
    RngState source = s;
    source.key[0] = ~s.key[0];
    source.key[1] = ~s.key[1];
    for (i64 i = 0; i < k; i++) {
        u32 w[4];
        next_block(&source, w);
        out[i] = (RngState){{w[0], w[1]}, {0, 0, w[2], w[3]}};
    }
}

/* ---- uniform ---- */

/* 53 bits of two words, as a multiple of 2^-53 in [0, 1) */
static double unit53(u32 low, u32 high)
{
    return (double)((((u64)high << 32) | low) >> 11) * 0x1p-53;
}

static RngState uniform_f64(RngState s, i64 n, double *out)
{
    RngState start = s;
    u32 w[4];
    for (i64 i = 0; i < n; i += 2) {
        next_block(&s, w);
        out[i] = unit53(w[0], w[1]);
        if (i + 1 < n)
            out[i + 1] = unit53(w[2], w[3]);
    }
    return after(start, (n + 1) / 2);
}

static RngState uniform_f32(RngState s, i64 n, float *out)
{
    RngState start = s;
    u32 w[4];
    for (i64 i = 0; i < n; i += 4) {
        next_block(&s, w);
        for (i64 j = 0; j < 4 && i + j < n; j++)
            out[i + j] = (float)(w[j] >> 8) * 0x1p-24F;
    }
    return after(start, (n + 3) / 4);
}

RngState rng_uniform(RngState s, DType d, i64 n, void *out)
{
    return d == DT_F32 ? uniform_f32(s, n, out) : uniform_f64(s, n, out);
}

/* ---- normal: Box and Muller, "A note on the generation of random normal deviates", 1958 ---- */

/* log(x) for normal x > 0, within 1 ULP: the method and coefficients of fdlibm's e_log.c
 * (Sun Microsystems, 1993). x = 2^k (1 + f), log(1 + f) by a series in f / (2 + f). */
static double plain_log(double x)
{
    int k;
    double m = frexp(x, &k); /* in [1/2, 1) */
    if (m < 0.70710678118654752440) {
        m *= 2;
        k--;
    }
    double f = m - 1, s = f / (2 + f), z = s * s, w = z * z;
    double even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    double odd = z * (6.666666666666735130e-01 +
                      w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    double half = 0.5 * f * f, r = even + odd;
    return k * 6.93147180369123816490e-01 - ((half - (s * (half + r) + k * 1.90821492927058770002e-10)) - f);
}

/* Cosine and sine of 2 pi u, 0 <= u < 1: u is reduced exactly to an eighth of a turn around
 * a multiple of a quarter; polynomials of fdlibm's k_cos.c and k_sin.c (Sun Microsystems, 1993). */
static void plain_cossin(double u, double *cosine, double *sine)
{
    double quarter = floor(4 * u + 0.5);
    double x = (u - quarter * 0.25) * 6.28318530717958647693, z = x * x;
    double s = x + x * z * (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 +
               z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 +
               z * 1.58969099521155010221e-10)))));
    double c = 1 - (0.5 * z - z * z * (4.16666666666666019037e-02 +
               z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 +
               z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 +
               z * -1.13596475577881948265e-11))))));
    switch ((int)quarter & 3) {
    case 0: *cosine = c, *sine = s; break;
    case 1: *cosine = -s, *sine = c; break;
    case 2: *cosine = -c, *sine = -s; break;
    default: *cosine = s, *sine = -c; break;
    }
}

RngState rng_normal(RngState s, DType d, i64 n, void *out)
{
    RngState start = s;
    float *f32 = d == DT_F32 ? out : NULL;
    double *f64 = d == DT_F32 ? NULL : out;
    u32 w[4];
    for (i64 i = 0; i < n; i += 2) {
        next_block(&s, w);
        double pair[2], radius = sqrt(-2 * plain_log(1 - unit53(w[0], w[1])));
        plain_cossin(unit53(w[2], w[3]), &pair[0], &pair[1]);
        for (i64 j = 0; j < 2 && i + j < n; j++) {
            if (f32)
                f32[i + j] = (float)(radius * pair[j]);
            else
                f64[i + j] = radius * pair[j];
        }
    }
    return after(start, (n + 1) / 2);
}

/* ---- discrete ---- */

RngState rng_bernoulli(RngState s, i64 n, const double *p, i64 pstep, u8 *out)
{
    RngState start = s;
    u32 w[4];
    for (i64 i = 0; i < n; i += 2) {
        next_block(&s, w);
        out[i] = unit53(w[0], w[1]) < p[i * pstep];
        if (i + 1 < n)
            out[i + 1] = unit53(w[2], w[3]) < p[(i + 1) * pstep];
    }
    return after(start, (n + 1) / 2);
}

/* A whole number below `range` (0: 2^64): the upper part of range times 128 random bits, so
 * each value is off its share by less than range / 2^128 (Lemire, "Fast random integer
 * generation in an interval", ACM TOMACS 29, 2019, without the rejection). */
static u64 below(RngState *s, u64 range)
{
    u32 w[4];
    next_block(s, w);
    u64 low = ((u64)w[1] << 32) | w[0], high = ((u64)w[3] << 32) | w[2];
    if (range == 0)
        return high;
    u128 carry = ((u128)low * range) >> 64;
    return (u64)(((u128)high * range + carry) >> 64);
}

RngState rng_randint(RngState s, i64 low, i64 high, i64 n, i64 *out)
{
    RngState start = s;
    u64 range = (u64)high - (u64)low;
    for (i64 i = 0; i < n; i++)
        out[i] = (i64)((u64)low + below(&s, range));
    return after(start, n);
}

/* Fisher and Yates' shuffle, from the end (Knuth, TAOCP 2, 3.4.2, algorithm P). */
RngState rng_permutation(RngState s, i64 n, i64 *out)
{
    RngState start = s;
    for (i64 i = 0; i < n; i++)
        out[i] = i;
    for (i64 i = n; i > 0; i--) {
        u64 j = below(&s, (u64)i);
        i64 t = out[j];
        out[j] = out[i - 1];
        out[i - 1] = t;
    }
    return after(start, n);
}

RngState rng_categorical(RngState s, i64 rows, i64 classes, const double *p, i64 *out)
{
    RngState start = s;
    for (i64 i = 0; i < rows; i++, p += classes) {
        u32 w[4];
        next_block(&s, w);
        double total = 0, at = 0, u = unit53(w[0], w[1]);
        i64 last = 0; /* the last class with weight: where rounding ends */
        for (i64 j = 0; j < classes; j++) {
            total += p[j];
            last = p[j] > 0 ? j : last;
        }
        i64 chosen = last;
        for (i64 j = 0; j < last; j++) {
            at += p[j];
            if (u * total < at) {
                chosen = j;
                break;
            }
        }
        out[i] = chosen;
    }
    return after(start, rows);
}
