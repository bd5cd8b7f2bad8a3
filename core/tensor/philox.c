/* Philox4x32-10 and the distributions drawn from it.
 *
 * Invariant: as philox.h; the logarithm, sine and cosine of the normal distribution
 * are computed here from + - * / sqrt, so that no C library's rounding shows. */
#include "tensor/philox.h"

#include <math.h>

#if defined(__x86_64__) && !defined(GRADUS_PORTABLE)
#include <immintrin.h>
#endif

__extension__ typedef unsigned __int128 u128;

#if !defined(__clang__)
#pragma GCC optimize("O3", "no-trapping-math") /* loops become vectors */
#endif

/* ---- blocks and states ---- */

enum { ROUNDS = 10 };
static const u32 MULTIPLIER0 = 0xD2511F53, MULTIPLIER1 = 0xCD9E8D57;
static const u32 WEYL0 = 0x9E3779B9, WEYL1 = 0xBB67AE85; /* the golden ratio, sqrt(3) - 1 */

void philox_block(const u32 key[2], const u32 counter[4], u32 out[4])
{
    u32 k0 = key[0], k1 = key[1];
    u32 c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    for (int round = 0; round < ROUNDS; round++) {
        u64 p0 = (u64)MULTIPLIER0 * c0, p1 = (u64)MULTIPLIER1 * c2;
        c0 = (u32)(p1 >> 32) ^ c1 ^ k0;
        c1 = (u32)p1;
        c2 = (u32)(p0 >> 32) ^ c3 ^ k1;
        c3 = (u32)p0;
        k0 += WEYL0;
        k1 += WEYL1;
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

static RngState after(RngState start, i64 blocks)
{
    return rng_advance(start, blocks > 0 ? (u64)blocks : 1);
}

enum { BATCH = 16 }; /* blocks made together */

static i64 least(i64 a, i64 b) { return a < b ? a : b; }

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
        philox_block(source.key, rng_advance(source, (u64)i).counter, w);
        out[i] = (RngState){{w[0], w[1]}, {0, 0, w[2], w[3]}};
    }
}

/* ---- uniform ---- */

/* 53 bits of the lower halves of two words, as a multiple of 2^-53 in [0, 1). As the fractions of
 * 2^52 and 2^84 their parts become numbers without a conversion, exactly. */
static inline double unit53(u64 low, u64 high)
{
    const u64 bits = (high << 32 | (low & UINT32_MAX)) >> 11;
    u64 lower = (bits & UINT32_MAX) | (u64)0x433 << 52, upper = bits >> 32 | (u64)0x453 << 52;
    double l, u;
    memcpy(&l, &lower, sizeof l);
    memcpy(&u, &upper, sizeof u);
    return ((u - (0x1p84 + 0x1p52)) + l) * 0x1p-53;
}

/* ---- normal: Box and Muller, "A note on the generation of random normal deviates", 1958 ---- */

/* log(x) for normal x > 0, within 1 ULP: the method and coefficients of fdlibm's e_log.c
 * (Sun Microsystems, 1993). x = 2^k (1 + f), log(1 + f) by a series in f / (2 + f). */
static inline double plain_log(double x)
{
    const u64 fraction = ((u64)1 << 52) - 1, half_bits = (u64)1022 << 52;
    u64 bits;
    double m;
    memcpy(&bits, &x, sizeof x);
    int exponent = (int)(bits >> 52) - 1022;
    bits = (bits & fraction) | half_bits;
    memcpy(&m, &bits, sizeof m); /* in [1/2, 1) */
    bool low = m < 0.70710678118654752440;
    double k = (double)exponent - (low ? 1.0 : 0.0);
    m = low ? 2 * m : m;
    double f = m - 1, s = f / (2 + f), z = s * s, w = z * z;
    double even = w * (3.999999999940941908e-01 +
                       w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    double odd = z * (6.666666666666735130e-01 +
                      w * (2.857142874366239149e-01 +
                           w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    double half = 0.5 * f * f, r = even + odd;
    return k * 6.93147180369123816490e-01 -
           ((half - (s * (half + r) + k * 1.90821492927058770002e-10)) - f);
}

/* Cosine and sine of 2 pi u, 0 <= u < 1: u is reduced exactly to an eighth of a turn around
 * a multiple of a quarter; polynomials of fdlibm's k_cos.c and k_sin.c (Sun Microsystems, 1993). */
static inline void plain_cossin(double u, double *cosine, double *sine)
{
    int quarter = (int)(4 * u + 0.5);
    double x = (u - (double)quarter * 0.25) * 6.28318530717958647693, z = x * x;
    double s =
        x +
        x * z *
            (-1.66666666666666324348e-01 +
             z * (8.33333333332248946124e-03 +
                  z * (-1.98412698298579493134e-04 +
                       z * (2.75573137070700676789e-06 +
                            z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
    double c = 1 - (0.5 * z - z * z *
                                  (4.16666666666666019037e-02 +
                                   z * (-1.38888888888741095749e-03 +
                                        z * (2.48015872894767294178e-05 +
                                             z * (-2.75573143513906633035e-07 +
                                                  z * (2.08757232129817482790e-09 +
                                                       z * -1.13596475577881948265e-11))))));
    bool swap = quarter & 1;
    double along = swap ? s : c, across = swap ? c : s;
    *cosine = along * (double)(1 - ((quarter + 1) & 2));
    *sine = across * (double)(1 - (quarter & 2));
}

/* The two numbers of a block. */
static inline void normal_pair(double u, double v, double *x, double *y)
{
    double radius = sqrt(-2 * plain_log(1 - u));
    plain_cossin(v, x, y);
    *x *= radius;
    *y *= radius;
}

/* ---- many at once ---- */

typedef struct {
    void (*batch)(RngState start, i64 k, u64 out[4][BATCH]);
    void (*units)(RngState start, i64 k, i64 m, double *out);
    void (*normals)(RngState start, i64 k, i64 m, double *out);
    void (*lanes)(bool normal, i64 m, const RngState *from, double *out);
} PhiloxBatches;

#define PHILOX_ISA(name) philox_##name##_base
#define PHILOX_FN
#define PHILOX_W u64
#define PHILOX_LANES 1
#define PHILOX_MUL(a, b) ((u64)(u32)(a) * (u32)(b))
#include "tensor/philox_isa.h"

#if defined(__x86_64__) && !defined(GRADUS_PORTABLE)
typedef u64 W4 __attribute__((vector_size(32)));
#define PHILOX_ISA(name) philox_##name##_avx2
#define PHILOX_FN __attribute__((target("avx2")))
#define PHILOX_W W4
#define PHILOX_LANES 4
#define PHILOX_MUL(a, b) ((W4)_mm256_mul_epu32((__m256i)(a), _mm256_set1_epi64x((long long)(b))))
#include "tensor/philox_isa.h"

typedef u64 W8 __attribute__((vector_size(64)));
#define PHILOX_ISA(name) philox_##name##_avx512
#if defined(__clang__)
#define PHILOX_FN __attribute__((target("avx512f,avx512dq")))
#else
#define PHILOX_FN __attribute__((target("avx512f,avx512dq,prefer-vector-width=512")))
#endif
#define PHILOX_W W8
#define PHILOX_LANES 8
#define PHILOX_MUL(a, b) ((W8)_mm512_mul_epu32((__m512i)(a), _mm512_set1_epi64((long long)(b))))
#include "tensor/philox_isa.h"

static const PhiloxBatches *chosen(void)
{
    bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    return wide                             ? &philox_batches_avx512
           : __builtin_cpu_supports("avx2") ? &philox_batches_avx2
                                            : &philox_batches_base;
}
#else
static const PhiloxBatches *chosen(void) { return &philox_batches_base; }
#endif

/* Numbers 2 * k and up to m more of a draw, m <= 2 * BATCH, two per block. */
static void units(RngState start, i64 k, i64 m, double *out)
{
    u32 w[4];
    if (m > 2) {
        chosen()->units(start, k, m, out);
        return;
    }
    philox_block(start.key, rng_advance(start, (u64)k).counter, w);
    out[0] = unit53(w[0], w[1]);
    if (m == 2)
        out[1] = unit53(w[2], w[3]);
}

static void normals(RngState start, i64 k, i64 m, double *out)
{
    double u[2];
    if (m > 2) {
        chosen()->normals(start, k, m, out);
        return;
    }
    units(start, k, 2, u);
    normal_pair(u[0], u[1], &u[0], &u[1]);
    memcpy(out, u, (size_t)m * sizeof *out);
}

static RngState uniform_f64(RngState s, i64 n, double *out)
{
    for (i64 i = 0; i < n; i += 2 * BATCH)
        units(s, i / 2, least(n - i, 2 * BATCH), out + i);
    return after(s, (n + 1) / 2);
}

static RngState uniform_f32(RngState s, i64 n, float *out)
{
    u64 w[4][BATCH];
    for (i64 i = 0; i < n; i += 4 * BATCH) {
        i64 m = least(n - i, 4 * BATCH);
        chosen()->batch(s, i / 4, w);
        for (i64 j = 0; j < m; j++)
            out[i + j] = (float)((u32)w[j % 4][j / 4] >> 8) * 0x1p-24F;
    }
    return after(s, (n + 3) / 4);
}

RngState rng_uniform(RngState s, DType d, i64 n, void *out)
{
    return d == DT_F32 ? uniform_f32(s, n, out) : uniform_f64(s, n, out);
}

RngState rng_normal(RngState s, DType d, i64 n, void *out)
{
    float *f32 = d == DT_F32 ? out : NULL;
    double *f64 = d == DT_F32 ? NULL : out, x[2 * BATCH];
    for (i64 i = 0; i < n; i += 2 * BATCH) {
        i64 m = least(n - i, 2 * BATCH);
        normals(s, i / 2, m, f64 ? f64 + i : x);
        for (i64 j = 0; j < m && f32; j++)
            f32[i + j] = (float)x[j];
    }
    return after(s, (n + 1) / 2);
}

/* ---- lanes ---- */

void rng_lanes(bool normal, i64 n, const RngState *from, RngState *next, double *out)
{
    for (i64 i = 0; i < n && out; i += BATCH)
        chosen()->lanes(normal, least(n - i, BATCH), from + i, out + i);
    for (i64 i = 0; i < n && next; i++) /* a carry is rare */
        if (from[i].counter[0] == UINT32_MAX) {
            next[i] = rng_advance(from[i], 1);
        } else {
            next[i] = from[i];
            next[i].counter[0]++;
        }
}

/* ---- discrete ---- */

bool rng_are_chances(i64 n, const double *p)
{
    for (i64 i = 0; i < n; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return false;
    return true;
}

RngState rng_bernoulli(RngState s, i64 n, const double *p, i64 pstep, u8 *out)
{
    double u[2 * BATCH];
    for (i64 i = 0; i < n; i += 2 * BATCH) {
        i64 m = least(n - i, 2 * BATCH);
        units(s, i / 2, m, u);
        for (i64 j = 0; j < m; j++)
            out[i + j] = u[j] < p[(i + j) * pstep];
    }
    return after(s, (n + 1) / 2);
}

/* A whole number below `range` (0: 2^64) from block k of a draw: the upper part of range times
 * 128 random bits, so each value is off its share by less than range / 2^128 (Lemire, "Fast
 * random integer generation in an interval", ACM TOMACS 29, 2019, without the rejection). */
static u64 below(RngState s, i64 k, u64 range)
{
    u32 w[4];
    philox_block(s.key, rng_advance(s, (u64)k).counter, w);
    u64 low = ((u64)w[1] << 32) | w[0], high = ((u64)w[3] << 32) | w[2];
    if (range == 0)
        return high;
    u128 carry = ((u128)low * range) >> 64;
    return (u64)(((u128)high * range + carry) >> 64);
}

RngState rng_randint(RngState s, i64 low, i64 high, i64 n, i64 *out)
{
    u64 range = (u64)high - (u64)low;
    for (i64 i = 0; i < n; i++)
        out[i] = (i64)((u64)low + below(s, i, range));
    return after(s, n);
}

/* Fisher and Yates' shuffle, from the end (Knuth, TAOCP 2, 3.4.2, algorithm P). */
void rng_shuffle(RngState s, i64 n, i64 from, i64 count, i64 *out)
{
    for (i64 i = n - from; i > n - from - count; i--) {
        u64 j = below(s, n - i, (u64)i);
        i64 t = out[j];
        out[j] = out[i - 1];
        out[i - 1] = t;
    }
}

RngState rng_skip(RngState s, i64 n) { return after(s, n); }

RngState rng_permutation(RngState s, i64 n, i64 *out)
{
    for (i64 i = 0; i < n; i++)
        out[i] = i;
    rng_shuffle(s, n, 0, n, out);
    return rng_skip(s, n);
}

/* The first class at which the running sum of weights passes u * total; rounding may end at
 * the last class that has weight. */
static i64 choose(i64 classes, const double *p, double u)
{
    double total = 0, at = 0;
    i64 last = 0;
    for (i64 j = 0; j < classes; j++) {
        total += p[j];
        last = p[j] > 0 ? j : last;
    }
    for (i64 j = 0; j < last; j++) {
        at += p[j];
        if (u * total < at)
            return j;
    }
    return last;
}

bool rng_are_weights(i64 rows, i64 classes, const double *p)
{
    for (i64 i = 0; i < rows; i++, p += classes) {
        double sum = 0;
        bool fine = true;
        for (i64 j = 0; j < classes; j++) {
            fine = fine && p[j] >= 0;
            sum += p[j];
        }
        if (!fine || !(sum > 0) || !(sum < (double)INFINITY))
            return false;
    }
    return true;
}

RngState rng_categorical(RngState s, i64 rows, i64 classes, const double *p, i64 *out)
{
    for (i64 i = 0; i < rows; i++, p += classes) {
        double u;
        units(s, i, 1, &u);
        out[i] = choose(classes, p, u);
    }
    return after(s, rows);
}
