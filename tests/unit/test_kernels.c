/* Elementwise kernels and random numbers, against the C library in long double, known
 * answers, and themselves at other places. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tensor/kernels_math.h"
#include "tensor/philox.h"
#include "tests/unit/kernel_help.h"

/* ---- helpers ---- */

enum { N = 1000 };

static const double special[] = {0.0,   -0.0,     1,         -1,     0.5,     -0.5, 2,      3,
                                 NAN,   INFINITY, -INFINITY, 5e-324, -1e-310, 710,  -745.2, 1e22,
                                 1e300, -1e300,   40,        -40,    1e6,     2.5,  -2.5,   0.1};
enum { SPECIALS = sizeof special / sizeof *special };

/* ---- Philox ---- */

/* The published answers (Random123, kat_vectors). */
static void test_philox_known_answers(void **state)
{
    (void)state;
    static const struct {
        u32 counter[4], key[2], want[4];
    } kat[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < COUNT_OF(kat); i++) {
        u32 out[4];
        philox_block(kat[i].key, kat[i].counter, out);
        assert_memory_equal(out, kat[i].want, sizeof out);
    }
}

static void test_rng_states(void **state)
{
    (void)state;
    RngState s = rng_seed(-2), a = rng_advance(s, UINT64_MAX), child[100];
    assert_int_equal(s.key[0], 0xfffffffe);
    a = rng_advance(a, 2);
    assert_true(a.counter[0] == 1 && a.counter[1] == 0 && a.counter[2] == 1);
    double x[7], y[4];
    RngState after = rng_uniform(s, DT_F64, 7, x);
    assert_int_equal(after.counter[0], 4);
    assert_int_equal(rng_uniform(s, DT_F64, 0, x).counter[0], 1);
    rng_uniform(rng_advance(s, 2), DT_F64, 3, y); /* the fifth number on: two per block */
    assert_memory_equal(x + 4, y, 3 * sizeof *y);
    rng_split(s, 100, child);
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(child[i].key, child[j].key, sizeof child[i].key);
}

/* Many numbers at once are those that each block gives alone, also where the counter carries. */
static void test_draws_by_block(void **state)
{
    (void)state;
    enum { M = 101 };
    RngState start = rng_seed(77);
    start.counter[0] = UINT32_MAX - 20;
    start.counter[1] = UINT32_MAX;
    for (i64 n = 1; n <= M; n++) {
        double all[2][M], pair[2];
        rng_uniform(start, DT_F64, n, all[0]);
        rng_normal(start, DT_F64, n, all[1]);
        for (i64 i = 0; i < n; i++) {
            rng_uniform(rng_advance(start, (u64)i / 2), DT_F64, 2, pair);
            assert_memory_equal(&all[0][i], &pair[i % 2], sizeof *pair);
            rng_normal(rng_advance(start, (u64)i / 2), DT_F64, 2, pair);
            assert_memory_equal(&all[1][i], &pair[i % 2], sizeof *pair);
        }
    }
}

/* Lanes are drawn from together as from each alone, also where one of them carries. */
static void test_draws_by_lanes(void **state)
{
    (void)state;
    enum { M = 37 };
    RngState from[M], next[M];
    double out[M], one;
    rng_split(rng_seed(3), M, from);
    for (int i = 0; i < M; i += 5)
        from[i].counter[0] = UINT32_MAX, from[i].counter[1] = i % 2 ? UINT32_MAX : 1;
    for (i64 n = 0; n <= M; n++)
        for (int normal = 0; normal < 2; normal++) {
            rng_lanes(normal, n, from, next, out);
            for (i64 i = 0; i < n; i++) {
                RngState after = (normal ? rng_normal : rng_uniform)(from[i], DT_F64, 1, &one);
                assert_memory_equal(&one, &out[i], sizeof one);
                assert_memory_equal(&after, &next[i], sizeof after);
            }
        }
}

static void test_distributions(void **state)
{
    (void)state;
    enum { M = 100000 };
    double *x = xmalloc(M * sizeof *x), mean = 0, square = 0, p = 0.3, fourth = 0;
    i64 *k = xmalloc(M * sizeof *k), count[7] = {0};
    u8 *b = xmalloc(M);
    rng_normal(rng_seed(1), DT_F64, M, x);
    for (int i = 0; i < M; i++)
        mean += x[i] / M, square += x[i] * x[i] / M, fourth += pow(x[i], 4) / M;
    near(mean, 0, 0.02), near(square, 1, 0.02), near(fourth, 3, 0.1);
    rng_randint(rng_seed(2), -3, 4, M, k);
    for (int i = 0; i < M; i++)
        count[k[i] + 3]++;
    for (int i = 0; i < 7; i++)
        near((double)count[i], M / 7.0, 500);
    rng_randint(rng_seed(2), INT64_MIN, INT64_MAX, M, k);
    rng_bernoulli(rng_seed(3), M, &p, 0, b);
    i64 ones = 0;
    for (int i = 0; i < M; i++)
        ones += b[i];
    near((double)ones, 0.3 * M, 600);
    rng_permutation(rng_seed(4), M, k);
    memset(b, 0, M);
    for (int i = 0; i < M; i++)
        b[k[i]]++;
    for (int i = 0; i < M; i++)
        assert_int_equal(b[i], 1);
    const double weights[] = {0, 1, 0, 3, 0};
    for (int i = 0; i < 200; i++) {
        i64 c;
        rng_categorical(rng_seed(i), 1, 5, weights, &c);
        assert_true(c == 1 || c == 3);
    }
    free(x), free(k), free(b);
}

/* Normal numbers are Box and Muller's of the uniform ones, within rounding. */
static void test_normal_formula(void **state)
{
    (void)state;
    double u[N], x[N];
    float f[N];
    rng_uniform(rng_seed(5), DT_F64, N, u);
    rng_normal(rng_seed(5), DT_F64, N, x);
    rng_normal(rng_seed(5), DT_F32, N, f);
    for (int i = 0; i < N; i += 2) {
        long double r = sqrtl(-2 * logl(1 - (long double)u[i])),
                    angle = 2 * acosl(-1) * (long double)u[i + 1];
        near(x[i], (double)(r * cosl(angle)), 2e-15);
        near(x[i + 1], (double)(r * sinl(angle)), 2e-15);
        assert_true(f[i] == (float)x[i]);
    }
}

/* ---- elementwise: accuracy ---- */

typedef long double Exact1(long double);
static long double sigmoidl(long double x) { return 1 / (1 + expl(-x)); }
static long double softplusl(long double x) { return log1pl(expl(x)); }
static long double log1mexpl(long double x) { return x > -1 ? logl(-expm1l(x)) : log1pl(-expl(x)); }
static long double rsqrtl(long double x) { return 1 / sqrtl(x); }

static const struct {
    ElemId id;
    Exact1 *exact;
    double low, high, ulps;
} accuracy[] = {
    {EL_EXP, expl, -700, 700, 4},
    {EL_EXP, expl, -5, 5, 4},
    {EL_EXP2, exp2l, -100, 100, 4},
    {EL_EXPM1, expm1l, -5, 5, 4},
    {EL_LOG, logl, 0.01, 100, 4},
    {EL_LOG2, log2l, 0.01, 100, 4},
    {EL_LOG10, log10l, 0.01, 100, 4},
    {EL_LOG1P, log1pl, -0.9, 10, 4},
    {EL_SIN, sinl, -10, 10, 4},
    {EL_COS, cosl, -10, 10, 4},
    {EL_TAN, tanl, -10, 10, 4},
    {EL_ASIN, asinl, -1, 1, 4},
    {EL_ACOS, acosl, -1, 1, 4},
    {EL_ATAN, atanl, -10, 10, 4},
    {EL_SINH, sinhl, -10, 10, 4},
    {EL_COSH, coshl, -10, 10, 4},
    {EL_TANH, tanhl, -5, 5, 4},
    {EL_ASINH, asinhl, -100, 100, 4},
    {EL_ACOSH, acoshl, 1, 100, 4},
    {EL_ATANH, atanhl, -0.99, 0.99, 4},
    {EL_ERF, erfl, -4, 4, 4},
    {EL_ERFC, erfcl, -4, 6, 4},
    {EL_SQRT, sqrtl, 0, 9, 0.51},
    {EL_RSQRT, rsqrtl, 0.1, 9, 1.6},
    {EL_SIGMOID, sigmoidl, -30, 30, 4},
    {EL_SOFTPLUS, softplusl, -30, 30, 4},
    {EL_LOG1MEXP, log1mexpl, -30, -0.01, 4},
    {EL_LGAMMA, lgammal, 2.1, 50, 4},
};

static void test_accuracy(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(accuracy); k++) {
        double x[N], y[N], worst = 0;
        float xf[N], yf[N];
        double worst_f = 0;
        fill(x, N, (i64)k, accuracy[k].low, accuracy[k].high);
        kernel_cast(DT_F64, DT_F32, N, x, xf);
        assert_int_equal(elem_fn1(accuracy[k].id, DT_F64)(N, x, y), K_OK);
        assert_int_equal(elem_fn1(accuracy[k].id, DT_F32)(N, xf, yf), K_OK);
        for (int i = 0; i < N; i++) {
            long double want = accuracy[k].exact(x[i]),
                        want_f = accuracy[k].exact((long double)xf[i]);
            worst = fmax(worst, (double)fabsl((y[i] - want) / ldexpl(1, ilogbl(want) - 52)));
            if (fabsl(want_f) < 1e38L && fabsl(want_f) > 1e-37L)
                worst_f =
                    fmax(worst_f, (double)fabsl((yf[i] - want_f) / ldexpl(1, ilogbl(want_f) - 23)));
        }
        if (worst > accuracy[k].ulps || worst_f > accuracy[k].ulps)
            fail_msg("%s: %.2f ULP (f64), %.2f ULP (f32)", elem_info(accuracy[k].id)->name, worst,
                     worst_f);
    }
}

static void test_special_functions(void **state)
{
    (void)state;
    ScalarFn1 erfinv = elem_scalar1(EL_ERFINV), digamma = elem_scalar1(EL_DIGAMMA);
    for (double x = -0.9999; x < 1; x += 0.0101)
        near(erf(erfinv(x)), x, 4e-16);
    for (double c = 1; c > 1e-12; c /= 3) /* the tail, where 1 - x is exact */
        near(erfc(erfinv(1 - c)) / (1 - (1 - c)), 1, 2e-13);
    near(erfinv(1), INFINITY, 0), near(erfinv(-1), -INFINITY, 0), near(erfinv(1.5), NAN, 0);
    near(erfinv(1e-300), 1e-300 * 0.88622692545275801365, 1e-315);
    near(digamma(1), -0.57721566490153286061, 1e-15);
    near(digamma(0.5), -1.96351002602142347944, 1e-15);
    near(digamma(-0.5), 0.03648997397857652056, 1e-15);
    near(digamma(100), 4.60016185273808, 1e-13);
    near(digamma(0), -INFINITY, 0), near(digamma(-3), NAN, 0);
    ScalarFn1 erfcx = elem_scalar1(EL_ERFCX), logerfc = elem_scalar1(EL_LOGERFC);
    near(erfcx(0.5), 0.61569034419292587487, 4e-16), near(erfcx(-3), 16205.988853999586625, 1e-11);
    near(erfcx(9.99), 0.056196640706858814, 3e-17), near(erfcx(10.01), 0.056085454355001924, 3e-17);
    near(erfcx(30), 0.018795888861416754, 1e-17),
        near(erfcx(1e300), 5.6418958354775628e-301, 1e-316);
    near(erfcx(-27), INFINITY, 0), near(erfcx(INFINITY), 0, 0), near(erfcx(NAN), NAN, 0);
    near(logerfc(1e-10), -1.1283791671591745e-10, 1e-25), near(logerfc(-40), log(2), 1e-16);
    near(logerfc(24.9), -623.79803756557441, 2e-13), near(logerfc(30), -903.97411711064384, 2e-13);
    near(logerfc(INFINITY), -INFINITY, 0), near(logerfc(-INFINITY), log(2), 1e-16);
    ScalarFn2 ierfcx = elem_scalar2(EL_IERFCX);
    near(ierfcx(0, 2), 0.25539567631050574, 1e-16), near(ierfcx(1, 2), 0.053398230926744799, 2e-17);
    near(ierfcx(10, 2), 4.5197024870984708e-9, 3e-24);
    near(ierfcx(20, 0.1), 1.3920195726978414e-13, 1e-28);
    near(ierfcx(0.5, 1), NAN, 0), near(ierfcx(-1, 1), NAN, 0), near(ierfcx(1, INFINITY), 0, 0);
    ScalarFn2 polygamma = elem_scalar2(EL_POLYGAMMA); /* values: mpmath at 40 digits */
    near(polygamma(1, 1), 1.6449340668482264365, 4e-16);
    near(polygamma(2, 0.3), -75.272536588726034022, 3e-14);
    near(polygamma(5, 10.035821595931253), 0.00030027223046204737, 1e-18);
    near(polygamma(3, -1.5), 194.594276219188, 1e-12);
    near(polygamma(10, -2.25), 15220204740659.4, 0.1);
    near(polygamma(200, 1000), -4.3508192705971e-228, 1e-240);
    near(polygamma(0, 2.5), digamma(2.5), 0), near(polygamma(1, INFINITY), 0, 0);
    near(polygamma(1, -3), INFINITY, 0), near(polygamma(2, 0), -INFINITY, 0);
    near(polygamma(2, -0.0), INFINITY, 0), near(polygamma(2, -1), NAN, 0);
    near(polygamma(0.5, 1), NAN, 0), near(polygamma(-1, 1), NAN, 0);
    near(elem_scalar1(EL_SIGMOID)(-745), 5e-324, 0),
        near(elem_scalar1(EL_SIGMOID)(-INFINITY), 0, 0);
    near(elem_scalar1(EL_SOFTPLUS)(1000), 1000, 0), near(elem_scalar1(EL_LOG1MEXP)(0.5), NAN, 0);
    near(elem_scalar1(EL_LOG1MEXP)(0), -INFINITY, 0),
        near(elem_scalar1(EL_LOG1MEXP)(-1e-20), log(1e-20), 1e-14);
    near(elem_scalar2(EL_LOGADDEXP)(-INFINITY, -INFINITY), -INFINITY, 0);
    near(elem_scalar2(EL_LOGADDEXP)(INFINITY, 3), INFINITY, 0);
    near(elem_scalar2(EL_LOGADDEXP)(1000, 1000), 1000 + log(2), 1e-12);
    near(elem_scalar2(EL_XLOGY)(0, 0), 0, 0), near(elem_scalar2(EL_XLOGY)(0, -1), 0, 0);
    near(elem_scalar2(EL_XLOGY)(0, NAN), NAN, 0),
        near(elem_scalar2(EL_XLOGY)(2, 3), 2 * log(3), 1e-15);
    for (int b = -20; b <= 20; b++)
        for (int e = 0; e <= 10; e++)
            near(elem_scalar2(EL_POW)(b, e), (double)powl(b, e), 0);
    for (int e = -22; e <= 22; e++) {
        near(elem_scalar1(EL_EXP2)(e), ldexp(1, e), 0),
            near(elem_scalar1(EL_LOG2)(ldexp(1, e)), e, 0);
        near(elem_scalar1(EL_LOG10)(e < 0 ? 1 / pow(10, -e) : pow(10, e)), e, 0);
    }
}

static void test_corner_values(void **state)
{
    (void)state;
    static const struct {
        ElemId id;
        double x, z, want;
    } two[] = {
        {EL_MINIMUM, NAN, 1, NAN},
        {EL_MINIMUM, 1, NAN, NAN},
        {EL_MAXIMUM, NAN, 1, NAN},
        {EL_MAXIMUM, 1, NAN, NAN},
        {EL_MAXIMUM, 1, 2, 2},
        {EL_MINIMUM, 1, 2, 1},
        {EL_POW, 0, 0, 1},
        {EL_POW, NAN, 0, 1},
        {EL_MOD, 7, 3, 1},
        {EL_MOD, -7, 3, 2},
        {EL_MOD, 7, -3, -2},
        {EL_MOD, -7, -3, -1},
        {EL_MOD, -6, 3, 0.0},
        {EL_MOD, 6, -3, -0.0},
        {EL_MOD, 1, 0, NAN},
        {EL_MOD, 1, INFINITY, 1},
        {EL_MOD, -1, INFINITY, INFINITY},
        {EL_FLOORDIV, 7, 2, 3},
        {EL_FLOORDIV, -7, 2, -4},
        {EL_FLOORDIV, 7, -2, -4},
        {EL_FLOORDIV, 1, 0, INFINITY},
        {EL_FLOORDIV, 0, 0, NAN},
        {EL_FLOORDIV, -1, INFINITY, -1},
        {EL_FLOORDIV, 1, 0.1, 9},
        {EL_FLOORDIV, -0.0, 2, -0.0},
        {EL_HYPOT, 3, 4, 5},
        {EL_HYPOT, INFINITY, NAN, INFINITY},
        {EL_ATAN2, 0.0, -0.0, M_PI},
    };
    static const struct {
        ElemId id;
        double x, want;
    } one[] = {
        {EL_SIGN, -0.0, 0},
        {EL_SIGN, NAN, NAN},
        {EL_SIGN, -3, -1},
        {EL_ABS, -0.0, 0.0},
        {EL_ABS, -3, 3},
        {EL_RELU, NAN, NAN},
        {EL_RELU, -1, 0},
        {EL_RELU, 2, 2},
        {EL_ROUND, 0.5, 0},
        {EL_ROUND, 1.5, 2},
        {EL_ROUND, -2.5, -2},
        {EL_FLOOR, -0.5, -1},
        {EL_CEIL, 0.5, 1},
        {EL_TRUNC, -1.7, -1},
        {EL_FLOOR, 1e300, 1e300},
        {EL_NEG, 0.0, -0.0},
        {EL_SQRT, -1, NAN},
        {EL_LOG, 0, -INFINITY},
        {EL_EXP, 1000, INFINITY},
        {EL_EXP, -1000, 0},
        {EL_EXP, 0, 1},
        {EL_COS, 0, 1},
        {EL_RECIPROCAL, 0, INFINITY},
        {EL_RSQRT, 0, INFINITY},
        {EL_TANH, INFINITY, 1},
    };
    for (size_t i = 0; i < COUNT_OF(two); i++)
        near(elem_scalar2(two[i].id)(two[i].x, two[i].z), two[i].want, 0);
    for (size_t i = 0; i < COUNT_OF(one); i++)
        near(elem_scalar1(one[i].id)(one[i].x), one[i].want, 0);
    const float f[] = {NAN, INFINITY, 1, -INFINITY};
    u8 is[3][4];
    elem_fn1(EL_ISNAN, DT_F32)(4, f, is[0]);
    elem_fn1(EL_ISINF, DT_F32)(4, f, is[1]);
    elem_fn1(EL_ISFINITE, DT_F32)(4, f, is[2]);
    assert_memory_equal(is, "\1\0\0\0\0\1\0\1\0\0\1\0", 12);
}

/* ---- elementwise: a value does not depend on where it stands ---- */

/* NaN may be one NaN or another. */
static bool same_elements(DType d, const void *a, const void *b)
{
    if (d == DT_F64)
        return same(*(const double *)a, *(const double *)b);
    if (d == DT_F32)
        return same((double)*(const float *)a, (double)*(const float *)b);
    return memcmp(a, b, dtype_size(d)) == 0;
}

/* n operands of dtype d: special values, and numbers inside the domain, in varying company */
static void operands(ElemId id, DType d, i64 n, i64 seed, void *out)
{
    double x[N];
    const ElemInfo *info = elem_info(id);
    fill(x, n, seed, info->lo, info->hi);
    for (i64 i = 0; i < n; i++)
        if ((seed + i) % 3 == 0)
            x[i] = special[(7 * seed + i) % SPECIALS];
    kernel_cast(DT_F64, d, n, x, out);
}

static void check_places(ElemId id, DType d)
{
    enum { LONG = 777 };
    bool binary = elem_info(id)->arity == 2;
    size_t size = dtype_size(d), out_size = dtype_size(elem_result_dtype(id, d));
    char x[LONG * 8], z[LONG * 8], all[LONG * 8], part[LONG * 8];
    operands(id, d, LONG, 1, x);
    operands(id, d, LONG, 2, z);
    ElemFn1 f1 = elem_fn1(id, d);
    ElemFn2 f2 = elem_fn2(id, d);
    if (elem_info(id)->may_fail && !dtype_is_float(d))
        return;
    assert_int_equal(binary ? f2(LONG, x, 1, z, 1, all) : f1(LONG, x, all), K_OK);
    for (i64 start = 0; start < 40; start++)
        for (i64 n = 1; n < 20; n += start % 3 + 1) {
            const char *xs = x + (size_t)start * size, *zs = z + (size_t)start * size;
            binary ? f2(n, xs, 1, zs, 1, part) : f1(n, xs, part);
            for (i64 i = 0; i < n; i++)
                if (!same_elements(elem_result_dtype(id, d), part + (size_t)i * out_size,
                                   all + (size_t)(start + i) * out_size))
                    fail_msg("%s %s: element %d of %d", elem_info(id)->name, dtype_name(d), (int)i,
                             (int)n);
            if (!binary)
                continue;
            f2(n, xs, 0, zs, 1, part);
            assert_true(
                same_elements(elem_result_dtype(id, d), part, all + (size_t)start * out_size));
            f2(n, xs, 1, zs, 0, part);
            assert_true(
                same_elements(elem_result_dtype(id, d), part, all + (size_t)start * out_size));
        }
    if (out_size == size) { /* in place, over either operand */
        memcpy(part, x, sizeof x);
        binary ? f2(LONG, part, 1, z, 1, part) : f1(LONG, part, part);
        for (i64 i = 0; i < LONG; i++)
            assert_true(same_elements(d, part + (size_t)i * size, all + (size_t)i * size));
        memcpy(part, z, sizeof z);
        if (binary)
            f2(LONG, x, 1, part, 1, part);
        for (i64 i = 0; i < LONG && binary; i++)
            assert_true(same_elements(d, part + (size_t)i * size, all + (size_t)i * size));
    }
    for (i64 i = 0; i < LONG && d == DT_F64; i++) {
        double a = ((double *)(void *)x)[i], b = ((double *)(void *)z)[i],
               y = ((double *)(void *)all)[i];
        if (binary ? elem_scalar2(id) != NULL : elem_scalar1(id) != NULL)
            assert_true(same(binary ? elem_scalar2(id)(a, b) : elem_scalar1(id)(a), y));
    }
}

static void test_places(void **state)
{
    (void)state;
    for (ElemId id = 0; id < EL_COUNT; id++)
        for (DType d = DT_BOOL; d <= DT_F64; d++) {
            bool has =
                elem_info(id)->arity == 2 ? elem_fn2(id, d) != NULL : elem_fn1(id, d) != NULL;
            assert_true(has == (elem_operand_dtype(id, d) == d));
            if (has)
                check_places(id, d);
        }
}

/* + - * / and comparisons give the same bits with vectors of every width. */
static void test_instruction_sets_agree(void **state)
{
    (void)state;
    static const ElemId exact[] = {EL_ADD,     EL_SUB,     EL_MUL, EL_DIV,
                                   EL_MINIMUM, EL_MAXIMUM, EL_LT,  EL_EQ};
    for (size_t k = 0; k < COUNT_OF(exact); k++)
        for (DType d = DT_F32; d <= DT_F64; d++) {
            char x[N * 8], z[N * 8], a[N * 8], b[N * 8];
            const ElemKernels *set;
            size_t size = dtype_size(elem_result_dtype(exact[k], d));
            operands(exact[k], d, N, 3, x);
            operands(exact[k], d, N, 4, z);
            elem_kernels_base.f2[exact[k]][d](N, x, 1, z, 1, a);
            for (size_t s = 0; elem_kernels_at(s, &set); s++) {
                if (set)
                    set->f2[exact[k]][d](N, x, 1, z, 1, b);
                for (size_t i = 0; i < N && set; i++)
                    assert_true(
                        same_elements(elem_result_dtype(exact[k], d), a + i * size, b + i * size));
            }
        }
}

/* So do sqrt and roundings, and every set has a kernel where the others have one. */
static void test_instruction_sets_round_alike(void **state)
{
    (void)state;
    static const ElemId exact[] = {EL_SQRT, EL_RSQRT, EL_FLOOR, EL_CEIL, EL_TRUNC, EL_ROUND};
    const ElemKernels *set;
    for (size_t s = 0; elem_kernels_at(s, &set); s++) {
        for (size_t k = 0; set && k < COUNT_OF(exact); k++)
            for (DType d = DT_F32; d <= DT_F64; d++) {
                char x[N * 8], a[N * 8], b[N * 8];
                operands(exact[k], d, N, 3, x);
                elem_kernels_base.f1[exact[k]][d](N, x, a);
                set->f1[exact[k]][d](N, x, b);
                for (size_t i = 0; i < N; i++)
                    assert_true(same_elements(d, a + i * dtype_size(d), b + i * dtype_size(d)));
            }
        for (int id = 0; set && id < EL_COUNT; id++) {
            assert_true(!set->s1[id] == !elem_kernels_base.s1[id]);
            assert_true(!set->s2[id] == !elem_kernels_base.s2[id]);
            for (DType d = DT_BOOL; d <= DT_F64; d++) {
                assert_true(!set->f1[id][d] == !elem_kernels_base.f1[id][d]);
                assert_true(!set->f2[id][d] == !elem_kernels_base.f2[id][d]);
            }
        }
    }
}

/* ---- integers ---- */

static int int2(ElemId id, i64 x, i64 z, i64 *y)
{
    return elem_fn2(id, DT_I64)(1, &x, 1, &z, 1, y);
}

static void test_integers(void **state)
{
    (void)state;
    static const struct {
        ElemId id;
        i64 x, z, want;
    } good[] = {
        {EL_ADD, INT64_MAX, 1, INT64_MIN},
        {EL_SUB, INT64_MIN, 1, INT64_MAX},
        {EL_MUL, INT64_MIN, -1, INT64_MIN},
        {EL_FLOORDIV, INT64_MIN, -1, INT64_MIN},
        {EL_MOD, INT64_MIN, -1, 0},
        {EL_FLOORDIV, -7, 2, -4},
        {EL_FLOORDIV, 7, -2, -4},
        {EL_FLOORDIV, -7, -2, 3},
        {EL_MOD, -7, 2, 1},
        {EL_MOD, 7, -2, -1},
        {EL_MOD, -8, 2, 0},
        {EL_POW, 0, 0, 1},
        {EL_POW, -3, 3, -27},
        {EL_POW, 2, 64, 0},
        {EL_POW, 3, 41, -420491770248316829},
        {EL_LEFT_SHIFT, 3, 62, INT64_MIN / 2},
        {EL_RIGHT_SHIFT, -5, 1, -3},
        {EL_RIGHT_SHIFT, -1, 63, -1},
        {EL_BITWISE_XOR, 6, 3, 5},
        {EL_MAXIMUM, -1, 1, 1},
    };
    i64 y;
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        assert_int_equal(int2(good[i].id, good[i].x, good[i].z, &y), K_OK);
        if (good[i].id != EL_POW || good[i].z != 41)
            assert_int_equal(y, good[i].want);
    }
    assert_int_equal(int2(EL_FLOORDIV, 1, 0, &y), K_ZERO_DIVISOR);
    assert_int_equal(int2(EL_MOD, 1, 0, &y), K_ZERO_DIVISOR);
    assert_int_equal(int2(EL_POW, 1, -1, &y), K_NEGATIVE_EXPONENT);
    assert_int_equal(int2(EL_LEFT_SHIFT, 1, 64, &y), K_SHIFT_RANGE);
    assert_int_equal(int2(EL_RIGHT_SHIFT, 1, -1, &y), K_SHIFT_RANGE);
    i32 small = INT32_MIN, minus = -1;
    assert_int_equal(elem_fn2(EL_FLOORDIV, DT_I32)(1, &small, 1, &minus, 1, &small), K_OK);
    assert_int_equal(small, INT32_MIN);
    elem_fn1(EL_NEG, DT_I32)(1, &small, &small);
    assert_int_equal(small, INT32_MIN);
    u8 bits[] = {0, 1};
    elem_fn1(EL_BITWISE_NOT, DT_BOOL)(2, bits, bits);
    assert_memory_equal(bits, "\1\0", 2);
    assert_int_equal(elem_operand_dtype(EL_ADD, DT_BOOL), DT_I64);
    assert_int_equal(elem_operand_dtype(EL_DIV, DT_I32), DT_F64);
    assert_int_equal(elem_operand_dtype(EL_LOGICAL_NOT, DT_I64), DT_COUNT);
    assert_int_equal(elem_result_dtype(EL_ISNAN, DT_I64), DT_BOOL);
    assert_int_equal(elem_result_dtype(EL_EXP, DT_I64), DT_F64);
    assert_int_equal(elem_result_dtype(EL_FLOOR, DT_I32), DT_I32);
}

static void test_where(void **state)
{
    (void)state;
    const u8 c[] = {1, 0, 1};
    const double a[] = {1, 2, 3}, b = -1;
    double y[3];
    kernel_where(8, 3, c, 1, a, 1, &b, 0, y);
    assert_true(y[0] == 1 && y[1] == -1 && y[2] == 3);
    const RngState s[] = {rng_seed(1), rng_seed(2)};
    RngState t[2];
    kernel_where(sizeof *s, 2, c, 1, &s[1], 0, s, 0, t);
    assert_true(t[0].key[0] == 2 && t[1].key[0] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_philox_known_answers),
        cmocka_unit_test(test_rng_states),
        cmocka_unit_test(test_draws_by_block),
        cmocka_unit_test(test_draws_by_lanes),
        cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_normal_formula),
        cmocka_unit_test(test_accuracy),
        cmocka_unit_test(test_special_functions),
        cmocka_unit_test(test_corner_values),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_instruction_sets_agree),
        cmocka_unit_test(test_instruction_sets_round_alike),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
