/* The elementwise kernels of one instruction set, generated from ops/elem.def.
 * Included after kernels_vec.h by kernels_base.c, kernels_avx2.c and kernels_avx512.c (see there).
 *
 * Invariant: every row yields a kernel for each dtype its columns allow, and nothing
 * else; where a column says otherwise the entry is NULL. */

/* ---- loops ---- */

#define LOOP1(TO, E) VECTOR_LOOP PLAIN_LOOP1(TO, E)
#define PLAIN_LOOP1(TO, E)        \
    for (i64 i = 0; i < n; i++) { \
        F x = xp[i];              \
        (void)x;                  \
        op[i] = (TO)(E);          \
    }                             \
    return K_OK;
#define LOOP2_(X, Z, TO, E)                 \
    VECTOR_LOOP for (i64 i = 0; i < n; i++) \
    {                                       \
        F x = X, z = Z;                     \
        op[i] = (TO)(E);                    \
    }
#define LOOP2(TO, E)                      \
    F x0 = n ? *xp : 0, z0 = n ? *zp : 0; \
    if (xs && zs) {                       \
        LOOP2_(xp[i], zp[i], TO, E)       \
    } else if (xs) {                      \
        LOOP2_(xp[i], z0, TO, E)          \
    } else if (zs) {                      \
        LOOP2_(x0, zp[i], TO, E)          \
    } else {                              \
        LOOP2_(x0, z0, TO, E)             \
    }                                     \
    return K_OK;

#define CALL_LOOP2(TO, E)                 \
    for (i64 i = 0; i < n; i++) {         \
        F x = xp[i * xs], z = zp[i * zs]; \
        op[i] = (TO)(E);                  \
    }                                     \
    return K_OK;

/* A kernel's head: F operand type, T result type, S and U the integers of F's size. */
#define HEAD1(NAME, FT, TT, ST, UT)                              \
    ISA_FN static int ISA(NAME)(i64 n, const void *xv, void *ov) \
    {                                                            \
        typedef FT F;                                            \
        typedef ST S __attribute__((unused));                    \
        typedef UT U __attribute__((unused));                    \
        const F *xp = xv;                                        \
        TT *op = ov;
#define HEAD2(NAME, FT, TT, ST, UT)                                                              \
    ISA_FN static int ISA(NAME)(i64 n, const void *xv, i64 xs, const void *zv, i64 zs, void *ov) \
    {                                                                                            \
        typedef FT F;                                                                            \
        typedef ST S __attribute__((unused));                                                    \
        typedef UT U __attribute__((unused));                                                    \
        const F *xp = xv;                                                                        \
        const F *zp = zv;                                                                        \
        TT *op = ov;

/* ---- what each kind of column makes ----
 * MAKE(F64_1_, ID, C_##COLUMN), the column being EXPR(e), calls F64_1_EXPR(ID, e). */

#define C_EXPR(...) EXPR, (__VA_ARGS__)
#define C_TEST(...) TEST, (__VA_ARGS__)
#define C_CALL(...) CALL, (__VA_ARGS__)
#define C_VEC(...) VEC, (__VA_ARGS__)
#define C_INT(...) INT, (__VA_ARGS__)
#define C_BITS(...) BITS, (__VA_ARGS__)
#define C_BOOLS(...) BOOLS, (__VA_ARGS__)
#define C_FAIL(...) FAIL, (__VA_ARGS__)
#define C_NONE NONE, ()
#define C_SAME SAME, ()
#define C_FLOATS FLOATS, ()
#define UNWRAP(...) __VA_ARGS__
#define MAKE__(PREFIX, KIND, ...) PREFIX##KIND(__VA_ARGS__)
#define MAKE_(PREFIX, ID, KIND, ARGS) MAKE__(PREFIX, KIND, ID, UNWRAP ARGS)
#define MAKE(PREFIX, ID, ...) MAKE_(PREFIX, ID, __VA_ARGS__)

#define F64_1_EXPR(ID, E)                                        \
    HEAD1(k_f64_##ID, double, double, i64, u64) LOOP1(double, E) \
    }
#define F32_1_EXPR(ID, E)                                     \
    HEAD1(k_f32_##ID, float, float, i32, u32) LOOP1(float, E) \
    }
#define F64_1_TEST(ID, E)                                \
    HEAD1(k_f64_##ID, double, u8, i64, u64) LOOP1(u8, E) \
    }
#define F32_1_TEST(ID, E)                               \
    HEAD1(k_f32_##ID, float, u8, i32, u32) LOOP1(u8, E) \
    }
#define F64_1_CALL(ID, FN)                                                 \
    HEAD1(k_f64_##ID, double, double, i64, u64) PLAIN_LOOP1(double, FN(x)) \
    }
#define F32_1_CALL(ID, FN)                                                      \
    HEAD1(k_f32_##ID, float, float, i32, u32) PLAIN_LOOP1(float, FN((double)x)) \
    }
#define F64_1_VEC(ID, FN)                                                       \
    HEAD1(k_f64_##ID, double, double, i64, u64) ISA(vec_##FN##_f64)(n, xp, op); \
    return K_OK;                                                                \
    }
#define F32_1_VEC(ID, FN)                                                     \
    HEAD1(k_f32_##ID, float, float, i32, u32) ISA(vec_##FN##_f32)(n, xp, op); \
    return K_OK;                                                              \
    }
#define F64_1_NONE(ID, E)
#define F32_1_NONE(ID, E)

#define INT_1_INT(ID, E)                              \
    HEAD1(k_i64_##ID, i64, i64, i64, u64) LOOP1(S, E) \
    }                                                 \
    HEAD1(k_i32_##ID, i32, i32, i32, u32) LOOP1(S, E) \
    }
#define INT_1_TEST(ID, E)                             \
    HEAD1(k_i64_##ID, i64, u8, i64, u64) LOOP1(u8, E) \
    }                                                 \
    HEAD1(k_i32_##ID, i32, u8, i32, u32) LOOP1(u8, E) \
    }                                                 \
    HEAD1(k_bool_##ID, u8, u8, u8, u8) LOOP1(u8, E)   \
    }
#define INT_1_BITS(ID, E)                               \
    INT_1_INT(ID, E)                                    \
    HEAD1(k_bool_##ID, u8, u8, u8, u8) LOOP1(u8, (E)&1) \
    }
#define INT_1_BOOLS(ID, E)                          \
    HEAD1(k_bool_##ID, u8, u8, u8, u8) LOOP1(u8, E) \
    }
#define INT_1_SAME(ID, E) INT_1_INT(ID, x)
#define INT_1_FLOATS(ID, E)

#define F64_2_EXPR(ID, E)                                        \
    HEAD2(k_f64_##ID, double, double, i64, u64) LOOP2(double, E) \
    }
#define F32_2_EXPR(ID, E)                                     \
    HEAD2(k_f32_##ID, float, float, i32, u32) LOOP2(float, E) \
    }
#define F64_2_TEST(ID, E)                                \
    HEAD2(k_f64_##ID, double, u8, i64, u64) LOOP2(u8, E) \
    }
#define F32_2_TEST(ID, E)                               \
    HEAD2(k_f32_##ID, float, u8, i32, u32) LOOP2(u8, E) \
    }
#define F64_2_CALL(ID, FN)                                                   \
    HEAD2(k_f64_##ID, double, double, i64, u64) CALL_LOOP2(double, FN(x, z)) \
    }
#define F32_2_CALL(ID, FN)                                                                \
    HEAD2(k_f32_##ID, float, float, i32, u32) CALL_LOOP2(float, FN((double)x, (double)z)) \
    }
#define F64_2_VEC(ID, FN)                       \
    HEAD2(k_f64_##ID, double, double, i64, u64) \
    ISA(vec_##FN##_f64)(n, xp, xs, zp, zs, op); \
    return K_OK;                                \
    }
#define F32_2_VEC(ID, FN)                       \
    HEAD2(k_f32_##ID, float, float, i32, u32)   \
    ISA(vec_##FN##_f32)(n, xp, xs, zp, zs, op); \
    return K_OK;                                \
    }
#define F64_2_NONE(ID, E)
#define F32_2_NONE(ID, E)

#define INT_2_INT(ID, E)                              \
    HEAD2(k_i64_##ID, i64, i64, i64, u64) LOOP2(S, E) \
    }                                                 \
    HEAD2(k_i32_##ID, i32, i32, i32, u32) LOOP2(S, E) \
    }
#define INT_2_TEST(ID, E)                             \
    HEAD2(k_i64_##ID, i64, u8, i64, u64) LOOP2(u8, E) \
    }                                                 \
    HEAD2(k_i32_##ID, i32, u8, i32, u32) LOOP2(u8, E) \
    }                                                 \
    HEAD2(k_bool_##ID, u8, u8, u8, u8) LOOP2(u8, E)   \
    }
#define INT_2_BITS(ID, E)                               \
    INT_2_INT(ID, E)                                    \
    HEAD2(k_bool_##ID, u8, u8, u8, u8) LOOP2(u8, (E)&1) \
    }
#define INT_2_BOOLS(ID, E)                          \
    HEAD2(k_bool_##ID, u8, u8, u8, u8) LOOP2(u8, E) \
    }
#define INT_2_FLOATS(ID, E)
#define FAIL_LOOP(FN)                                \
    for (i64 i = 0; i < n; i++) {                    \
        F v;                                         \
        int status = FN(xp[i * xs], zp[i * zs], &v); \
        if (status)                                  \
            return status;                           \
        op[i] = v;                                   \
    }                                                \
    return K_OK;
#define INT_2_FAIL(ID, FN, E)                                 \
    HEAD2(k_i64_##ID, i64, i64, i64, u64) FAIL_LOOP(FN##_i64) \
    }                                                         \
    HEAD2(k_i32_##ID, i32, i32, i32, u32) FAIL_LOOP(FN##_i32) \
    }

#define ELEM1(ID, NAME, F64, F32, INTS, D, ORACLE, LO, HI, FACTS, WORK, DOC) \
    MAKE(F64_1_, ID, C_##F64) MAKE(F32_1_, ID, C_##F32) MAKE(INT_1_, ID, C_##INTS)
#define ELEM2(ID, NAME, F64, F32, INTS, DX, DZ, ORACLE, LO, HI, FACTS, ORDER, WORK, DOC) \
    MAKE(F64_2_, ID, C_##F64) MAKE(F32_2_, ID, C_##F32) MAKE(INT_2_, ID, C_##INTS)
#include "ops/elem.def"

/* ---- on one double: the expression itself, or the kernel with n = 1 ---- */

#define ONE_1_EXPR(ID, E)                         \
    static double ISA(s_##ID)(double x)           \
    {                                             \
        typedef double F __attribute__((unused)); \
        return (F)(E);                            \
    }
#define ONE_1_CALL(ID, FN) ONE_1_EXPR(ID, FN(x))
#define ONE_1_VEC(ID, FN)                      \
    ISA_FN static double ISA(s_##ID)(double x) \
    {                                          \
        ISA(vec_##FN##_f64)(1, &x, &x);        \
        return x;                              \
    }
#define ONE_1_TEST(ID, E)
#define ONE_1_NONE(ID, E)
#define ONE_2_EXPR(ID, E)                         \
    static double ISA(s_##ID)(double x, double z) \
    {                                             \
        typedef double F __attribute__((unused)); \
        return (F)(E);                            \
    }
#define ONE_2_CALL(ID, FN) ONE_2_EXPR(ID, FN(x, z))
#define ONE_2_VEC(ID, FN)                                \
    ISA_FN static double ISA(s_##ID)(double x, double z) \
    {                                                    \
        ISA(vec_##FN##_f64)(1, &x, 1, &z, 1, &x);        \
        return x;                                        \
    }
#define ONE_2_TEST(ID, E)
#define ONE_2_NONE(ID, E)
#define ELEM1(ID, NAME, F64, ...) MAKE(ONE_1_, ID, C_##F64)
#define ELEM2(ID, NAME, F64, ...) MAKE(ONE_2_, ID, C_##F64)
#include "ops/elem.def"

/* ---- Fourier transforms ---- */

#define T double
#define FT(name) ISA(fourier_f64_##name)
#include "tensor/fourier_isa.h"
#undef T
#undef FT
#define T float
#define FT(name) ISA(fourier_f32_##name)
#include "tensor/fourier_isa.h"
#undef T
#undef FT

/* ---- the table ---- */

#define T64_EXPR(ID, E) [DT_F64] = ISA(k_f64_##ID),
#define T64_TEST(ID, E) T64_EXPR(ID, E)
#define T64_CALL(ID, E) T64_EXPR(ID, E)
#define T64_VEC(ID, E) T64_EXPR(ID, E)
#define T64_NONE(ID, E)
#define T32_EXPR(ID, E) [DT_F32] = ISA(k_f32_##ID),
#define T32_TEST(ID, E) T32_EXPR(ID, E)
#define T32_CALL(ID, E) T32_EXPR(ID, E)
#define T32_VEC(ID, E) T32_EXPR(ID, E)
#define T32_NONE(ID, E)
#define TI_INT(ID, E) [DT_I64] = ISA(k_i64_##ID), [DT_I32] = ISA(k_i32_##ID),
#define TI_TEST(ID, E) TI_INT(ID, E) TI_BOOLS(ID, E)
#define TI_BITS(ID, E) TI_INT(ID, E) TI_BOOLS(ID, E)
#define TI_BOOLS(ID, E) [DT_BOOL] = ISA(k_bool_##ID),
#define TI_SAME(ID, E) TI_INT(ID, E)
#define TI_FAIL(ID, ...) TI_INT(ID, )
#define TI_FLOATS(ID, E)
#define TS_EXPR(ID, E) [EL_##ID] = ISA(s_##ID),
#define TS_CALL(ID, E) TS_EXPR(ID, E)
#define TS_VEC(ID, E) TS_EXPR(ID, E)
#define TS_TEST(ID, E)
#define TS_NONE(ID, E)

const ElemKernels ISA(elem_kernels) = {
    .f1 =
        {
#define ELEM1(ID, NAME, F64, F32, INTS, ...) \
    [EL_##ID] = {MAKE(T64_, ID, C_##F64) MAKE(T32_, ID, C_##F32) MAKE(TI_, ID, C_##INTS)},
#include "ops/elem.def"
        },
    .f2 =
        {
#define ELEM2(ID, NAME, F64, F32, INTS, ...) \
    [EL_##ID] = {MAKE(T64_, ID, C_##F64) MAKE(T32_, ID, C_##F32) MAKE(TI_, ID, C_##INTS)},
#include "ops/elem.def"
        },
    .s1 =
        {
#define ELEM1(ID, NAME, F64, ...) MAKE(TS_, ID, C_##F64)
#include "ops/elem.def"
        },
    .s2 =
        {
#define ELEM2(ID, NAME, F64, ...) MAKE(TS_, ID, C_##F64)
#include "ops/elem.def"
        },
    .fourier = {[DT_F64] = ISA(fourier_f64_rows), [DT_F32] = ISA(fourier_f32_rows)},
};
