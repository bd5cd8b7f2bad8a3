/* Array functions for transcendental operators, written once for every instruction
 * set. This file is included by kernels_base.c, kernels_avx2.c and kernels_avx512.c, which define
 *   ISA(name)  the name with the set's suffix      ISA_FN  the functions' attribute
 *   VD, LANES_D, LOAD_D, STORE_D, SPLAT_D, FIRST_D, MVEC1_D(f), MVEC2_D(f)   doubles
 *   VF, LANES_F, LOAD_F, STORE_F, SPLAT_F, FIRST_F, MVEC1_F(f), MVEC2_F(f)   floats
 *   SQRT_D SQRT_F and, where there are instructions for it, ROUND_D(v, how) ...
 *
 * Invariant: out[i] depends on x[i] only. The last, incomplete vector is padded with
 * copies of its own last element, so the same function computes every element. */

enum { CHUNK = 256 }; /* elements that a composite function works on at a time */

/* The loop's iterations do not depend on each other, even where out is x. Clang warns where it
 * cannot use the promise, which is so without optimisation and under sanitizers. */
#if !defined(__clang__)
#define VECTOR_LOOP _Pragma("GCC ivdep")
#elif !defined(__OPTIMIZE__) || __has_feature(address_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer)
#define VECTOR_LOOP
#else
#define VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#endif

typedef VD ISA(MapD1)(VD);
typedef VD ISA(MapD2)(VD, VD);
typedef VF ISA(MapF1)(VF);
typedef VF ISA(MapF2)(VF, VF);

/* The four maps: f over whole vectors, then over the padded rest; D is _D or _F. */
#define DEFINE_MAP1(NAME, T, V, FN, D)                                                            \
    ISA_FN static inline __attribute__((always_inline)) void ISA(NAME)(i64 n, const T *x, T *out, \
                                                                       FN *f)                     \
    {                                                                                             \
        if (n == 1) {                                                                             \
            *out = FIRST##D(f(SPLAT##D(*x)));                                                     \
            return;                                                                               \
        }                                                                                         \
        i64 i = 0;                                                                                \
        for (; i + LANES##D <= n; i += LANES##D)                                                  \
            STORE##D(out + i, f(LOAD##D(x + i)));                                                 \
        if (i < n) {                                                                              \
            T t[LANES##D];                                                                        \
            for (i64 j = 0; j < LANES##D; j++)                                                    \
                t[j] = x[i + j < n ? i + j : n - 1];                                              \
            STORE##D(t, f(LOAD##D(t)));                                                           \
            memcpy(out + i, t, (size_t)(n - i) * sizeof *t);                                      \
        }                                                                                         \
    }
#define DEFINE_MAP2(NAME, T, V, FN, D)                                                        \
    ISA_FN static inline __attribute__((always_inline)) void ISA(NAME)(                       \
        i64 n, const T *x, i64 xs, const T *z, i64 zs, T *out, FN *f)                         \
    {                                                                                         \
        if (n == 1) {                                                                         \
            *out = FIRST##D(f(SPLAT##D(*x), SPLAT##D(*z)));                                   \
            return;                                                                           \
        }                                                                                     \
        i64 i = 0;                                                                            \
        for (; i + LANES##D <= n; i += LANES##D) {                                            \
            V a = xs ? LOAD##D(x + i) : SPLAT##D(*x), b = zs ? LOAD##D(z + i) : SPLAT##D(*z); \
            STORE##D(out + i, f(a, b));                                                       \
        }                                                                                     \
        if (i < n) {                                                                          \
            T a[LANES##D], b[LANES##D];                                                       \
            for (i64 j = 0; j < LANES##D; j++) {                                              \
                i64 k = i + j < n ? i + j : n - 1;                                            \
                a[j] = x[k * xs];                                                             \
                b[j] = z[k * zs];                                                             \
            }                                                                                 \
            STORE##D(a, f(LOAD##D(a), LOAD##D(b)));                                           \
            memcpy(out + i, a, (size_t)(n - i) * sizeof *a);                                  \
        }                                                                                     \
    }
DEFINE_MAP1(map1_f64, double, VD, ISA(MapD1), _D)
DEFINE_MAP1(map1_f32, float, VF, ISA(MapF1), _F)
DEFINE_MAP2(map2_f64, double, VD, ISA(MapD2), _D)
DEFINE_MAP2(map2_f32, float, VF, ISA(MapF2), _F)

/* ---- straight from the C library's vector functions ----
 * They raise flags for numbers that are right (exp of what is far below 0 is 0), and for lanes that
 * are computed again, so what they raise is forgotten, but for an overflow that left an infinity. A
 * few small numbers raise none worth the time that this takes: the flags are there when all
 * arithmetic before has ended. */

enum { SMALL_ENOUGH = 8, FEW_ENOUGH = 256 };
#define DEFINE_ALL_SMALL(NAME, T)                                        \
    ISA_FN static inline bool ISA(NAME)(i64 n, const T *x)               \
    {                                                                    \
        int large = 0;                                                   \
        for (i64 i = 0; i < n; i++)                                      \
            large |= !(x[i] <= SMALL_ENOUGH) | !(x[i] >= -SMALL_ENOUGH); \
        return !large;                                                   \
    }
DEFINE_ALL_SMALL(all_small_f64, double)
DEFINE_ALL_SMALL(all_small_f32, float)

#define DEFINE_NOTE_INFINITE(NAME, T)                                         \
    static void ISA(NAME)(Flags was, i64 n, const T *out)                     \
    {                                                                         \
        bool some = flags_overflowed(flags_save()) && !flags_overflowed(was); \
        flags_restore(was);                                                   \
        for (i64 i = 0; i < n && some; i++)                                   \
            if (isinf(out[i])) {                                              \
                flags_raise_overflow();                                       \
                return;                                                       \
            }                                                                 \
    }
DEFINE_NOTE_INFINITE(note_infinite_f64, double)
DEFINE_NOTE_INFINITE(note_infinite_f32, float)

/* exp of what is so far below 0 that it is 0: masked scores, for which the library leaves its
 * vectors and computes one by one. */
#define BELOW_EXP_F64 (-746.0)
#define BELOW_EXP_F32 (-104.0F)
#define DEFINE_EXP(NAME, MAP, T, MVEC, BELOW)                                     \
    ISA_FN static void ISA(NAME)(i64 n, const T *x, T *out)                       \
    {                                                                             \
        T t[CHUNK];                                                               \
        int any = 0;                                                              \
        for (i64 i = 0; i < n; i++)                                               \
            any |= x[i] < BELOW;                                                  \
        if (!any) {                                                               \
            ISA(MAP)(n, x, out, MVEC);                                            \
            return;                                                               \
        }                                                                         \
        for (i64 i = 0; i < n; i++)                                               \
            t[i] = x[i] < BELOW ? 0 : x[i];                                       \
        ISA(MAP)(n, t, t, MVEC);                                                  \
        VECTOR_LOOP for (i64 i = 0; i < n; i++) out[i] = x[i] < BELOW ? 0 : t[i]; \
    }
ISA_FN VD MVEC1_D(exp)(VD);
ISA_FN VF MVEC1_F(exp)(VF);
DEFINE_EXP(some_exp_f64, map1_f64, double, MVEC1_D(exp), BELOW_EXP_F64)
DEFINE_EXP(some_exp_f32, map1_f32, float, MVEC1_F(exp), BELOW_EXP_F32)

/* CALL computes n elements of x into out; what it says of overflow is made true. */
#define DEFINE_VEC1_OF(NAME, D, T, CALL)                    \
    ISA_FN static void ISA(NAME)(i64 n, const T *x, T *out) \
    {                                                       \
        if (n <= FEW_ENOUGH && ISA(all_small_##D)(n, x)) {  \
            CALL;                                           \
            return;                                         \
        }                                                   \
        Flags was = flags_save();                           \
        CALL;                                               \
        ISA(note_infinite_##D)(was, n, out);                \
    }
#define BY_CHUNKS(F)                   \
    for (i64 i = 0; i < n; i += CHUNK) \
    ISA(F)(n - i < CHUNK ? n - i : CHUNK, x + i, out + i)
DEFINE_VEC1_OF(vec_exp_f64, f64, double, BY_CHUNKS(some_exp_f64))
DEFINE_VEC1_OF(vec_exp_f32, f32, float, BY_CHUNKS(some_exp_f32))

#define DEFINE_VEC1(f)                                                               \
    ISA_FN VD MVEC1_D(f)(VD);                                                        \
    ISA_FN VF MVEC1_F(f)(VF);                                                        \
    DEFINE_VEC1_OF(vec_##f##_f64, f64, double, ISA(map1_f64)(n, x, out, MVEC1_D(f))) \
    DEFINE_VEC1_OF(vec_##f##_f32, f32, float, ISA(map1_f32)(n, x, out, MVEC1_F(f)))
DEFINE_VEC1(exp2)
DEFINE_VEC1(expm1)
DEFINE_VEC1(log)
DEFINE_VEC1(log2)
DEFINE_VEC1(log1p)
DEFINE_VEC1(sin)
DEFINE_VEC1(cos)
DEFINE_VEC1(tan)
DEFINE_VEC1(asin)
DEFINE_VEC1(acos)
DEFINE_VEC1(atan)
DEFINE_VEC1(sinh)
DEFINE_VEC1(cosh)
DEFINE_VEC1(tanh)
DEFINE_VEC1(asinh)
DEFINE_VEC1(acosh)
DEFINE_VEC1(atanh)
DEFINE_VEC1(erf)
DEFINE_VEC1(erfc)

#define DEFINE_VEC2_F64(f)                                                                         \
    ISA_FN VD MVEC2_D(f)(VD, VD);                                                                  \
    ISA_FN static void ISA(vec_##f##_f64)(i64 n, const double *x, i64 xs, const double *z, i64 zs, \
                                          double *out)                                             \
    {                                                                                              \
        ISA(map2_f64)(n, x, xs, z, zs, out, MVEC2_D(f));                                           \
    }
#define DEFINE_VEC2_F32(f)                                                                       \
    ISA_FN VF MVEC2_F(f)(VF, VF);                                                                \
    ISA_FN static void ISA(vec_##f##_f32)(i64 n, const float *x, i64 xs, const float *z, i64 zs, \
                                          float *out)                                            \
    {                                                                                            \
        ISA(map2_f32)(n, x, xs, z, zs, out, MVEC2_F(f));                                         \
    }
DEFINE_VEC2_F32(pow)
DEFINE_VEC2_F64(atan2)
DEFINE_VEC2_F32(atan2)
DEFINE_VEC2_F64(hypot)
DEFINE_VEC2_F32(hypot)

/* ---- one instruction each (all exact or correctly rounded) ---- */

#define DEFINE_LANE1(f, T, V, SUFFIX, MAP, EXPR)                       \
    ISA_FN static inline V ISA(lane_##f##SUFFIX)(V v) { return EXPR; } \
    ISA_FN static void ISA(vec_##f##SUFFIX)(i64 n, const T *x, T *out) \
    {                                                                  \
        ISA(MAP)(n, x, out, ISA(lane_##f##SUFFIX));                    \
    }
DEFINE_LANE1(sqrt, double, VD, _f64, map1_f64, SQRT_D(v))
DEFINE_LANE1(sqrt, float, VF, _f32, map1_f32, SQRT_F(v))
#ifdef ROUND_D
#define DEFINE_ROUND(f, HOW)                                     \
    DEFINE_LANE1(f, double, VD, _f64, map1_f64, ROUND_D(v, HOW)) \
    DEFINE_LANE1(f, float, VF, _f32, map1_f32, ROUND_F(v, HOW))
DEFINE_ROUND(floor, _MM_FROUND_TO_NEG_INF)
DEFINE_ROUND(ceil, _MM_FROUND_TO_POS_INF)
DEFINE_ROUND(trunc, _MM_FROUND_TO_ZERO)
DEFINE_ROUND(round, _MM_FROUND_TO_NEAREST_INT)
#else
#define DEFINE_ROUND(f, libm)                                           \
    static void ISA(vec_##f##_f64)(i64 n, const double *x, double *out) \
    {                                                                   \
        for (i64 i = 0; i < n; i++)                                     \
            out[i] = libm(x[i]);                                        \
    }                                                                   \
    static void ISA(vec_##f##_f32)(i64 n, const float *x, float *out)   \
    {                                                                   \
        for (i64 i = 0; i < n; i++)                                     \
            out[i] = (float)libm((double)x[i]);                         \
    }
DEFINE_ROUND(floor, floor)
DEFINE_ROUND(ceil, ceil)
DEFINE_ROUND(trunc, trunc)
DEFINE_ROUND(round, rint)
#endif

/* ---- composites: a chunk at a time through the functions above ---- */

/* Runs BODY for chunks of m elements at x, out with scratch e; for T double and float. */
#define DEFINE_COMPOSITE1(f, T, SUFFIX, BODY)                          \
    ISA_FN static void ISA(vec_##f##SUFFIX)(i64 n, const T *x, T *out) \
    {                                                                  \
        T e[CHUNK];                                                    \
        for (i64 m; n > 0; n -= m, x += m, out += m) {                 \
            m = n < CHUNK ? n : CHUNK;                                 \
            BODY                                                       \
        }                                                              \
    }
#define EACH(STATEMENT) \
    VECTOR_LOOP for (i64 i = 0; i < m; i++) { STATEMENT; }

#define RSQRT(T, S)            \
    ISA(vec_sqrt##S)(m, x, e); \
    EACH(out[i] = 1 / e[i])
DEFINE_COMPOSITE1(rsqrt, double, _f64, RSQRT(double, _f64))
DEFINE_COMPOSITE1(rsqrt, float, _f32, RSQRT(float, _f32))

#define ISA_INLINE ISA_FN static inline __attribute__((always_inline))
#define DEFINE_PARTS(f, T, S, BEFORE, g, h, AFTER)                                             \
    ISA_INLINE T ISA(before_##f##S)(T x)                                                       \
    {                                                                                          \
        typedef T F;                                                                           \
        return BEFORE;                                                                         \
    }                                                                                          \
    ISA_INLINE T ISA(after_##f##S)(T x, T z) { return AFTER; }                                 \
    DEFINE_COMPOSITE1(f, T, S, EACH(e[i] = ISA(before_##f##S)(x[i])) ISA(vec_##g##S)(m, e, e); \
                      ISA(vec_##h##S)(m, e, e); EACH(out[i] = ISA(after_##f##S)(x[i], e[i])))
#define COMPOSITE(f, BEFORE, G, g, H, h, AFTER)        \
    DEFINE_PARTS(f, double, _f64, BEFORE, g, h, AFTER) \
    DEFINE_PARTS(f, float, _f32, BEFORE, g, h, AFTER)
ISA_INLINE void ISA(vec_same_f64)(i64 n, const double *x, double *out)
{
    (void)n, (void)x, (void)out;
}
ISA_INLINE void ISA(vec_same_f32)(i64 n, const float *x, float *out)
{
    (void)n, (void)x, (void)out;
}
#include "tensor/composites.def"

/* Maechler, "Accurately computing log(1 - exp(-|a|))", 2012: the better form on each side of
 * -log 2. */
#define LOG1MEXP(T, S)                                       \
    T p[CHUNK], q[CHUNK];                                    \
    ISA(vec_expm1##S)(m, x, p);                              \
    EACH(p[i] = 0 - p[i])                                    \
    ISA(vec_log##S)(m, p, p);                                \
    ISA(vec_exp##S)(m, x, q);                                \
    EACH(q[i] = -q[i])                                       \
    ISA(vec_log1p##S)(m, q, q);                              \
    EACH(e[i] = x[i] > (T)-0.6931471805599453 ? p[i] : q[i]) \
    memcpy(out, e, (size_t)m * sizeof *e);
DEFINE_COMPOSITE1(log1mexp, double, _f64, LOG1MEXP(double, _f64))
DEFINE_COMPOSITE1(log1mexp, float, _f32, LOG1MEXP(float, _f32))

#define DEFINE_COMPOSITE2(f, T, SUFFIX, BODY)                                                      \
    ISA_FN static void ISA(vec_##f##SUFFIX)(i64 n, const T *x, i64 xs, const T *z, i64 zs, T *out) \
    {                                                                                              \
        T e[CHUNK];                                                                                \
        for (i64 m; n > 0; n -= m, x += m * xs, z += m * zs, out += m) {                           \
            m = n < CHUNK ? n : CHUNK;                                                             \
            BODY                                                                                   \
        }                                                                                          \
    }
#define LOGADDEXP(T, S)                                      \
    EACH(T d = x[i * xs] - z[i * zs]; e[i] = d < 0 ? d : -d) \
    ISA(vec_exp##S)(m, e, e);                                \
    ISA(vec_log1p##S)(m, e, e);                              \
    EACH(T a = x[i * xs]; T b = z[i * zs];                   \
         out[i] = a == b ? a + (T)0.6931471805599453 : (a > b ? a : b) + e[i])
DEFINE_COMPOSITE2(logaddexp, double, _f64, LOGADDEXP(double, _f64))
DEFINE_COMPOSITE2(logaddexp, float, _f32, LOGADDEXP(float, _f32))

#define XLOGY(T, S)           \
    EACH(e[i] = z[i * zs])    \
    ISA(vec_log##S)(m, e, e); \
    EACH(T a = x[i * xs]; T b = z[i * zs]; out[i] = a == 0 && b == b ? 0 : a * e[i])
DEFINE_COMPOSITE2(xlogy, double, _f64, XLOGY(double, _f64))
DEFINE_COMPOSITE2(xlogy, float, _f32, XLOGY(float, _f32))
