/* Scalar functions behind the rows CALL and FAIL of ops/elem.def.
 *
 * Invariant: pure functions; no errno, no signgam, no rounding mode. */
#ifndef GRADUS_KERNELS_MATH_H
#define GRADUS_KERNELS_MATH_H

#include "tensor/fourier.h"
#include "tensor/kernels.h"

double math_sinpi(double x); /* sin(pi x) */
double math_cospi(double x); /* cos(pi x) */
double math_erfinv(double x);
double math_erfcx(double x);            /* exp(x * x) * erfc(x) */
double math_logerfc(double x);          /* log(erfc(x)) */
double math_ierfcx(double n, double x); /* exp(x * x) times the n-th repeated integral of erfc */
double math_lgamma(double x);
double math_digamma(double x);
double math_polygamma(double n, double x);
double math_floordiv(double x, double z); /* as NumPy's // */
double math_mod(double x, double z);      /* as NumPy's % */

/* Each stores the result and returns a KStatus. */
int int_floordiv_i64(i64 x, i64 z, i64 *out);
int int_floordiv_i32(i32 x, i32 z, i32 *out);
int int_mod_i64(i64 x, i64 z, i64 *out);
int int_mod_i32(i32 x, i32 z, i32 *out);
int int_pow_i64(i64 x, i64 z, i64 *out);
int int_pow_i32(i32 x, i32 z, i32 *out);
int int_shl_i64(i64 x, i64 z, i64 *out);
int int_shl_i32(i32 x, i32 z, i32 *out);
int int_shr_i64(i64 x, i64 z, i64 *out);
int int_shr_i32(i32 x, i32 z, i32 *out);

/* One instruction set's kernels; NULL where an operator is not defined for a dtype. */
typedef struct {
    ElemFn1 f1[EL_COUNT][DT_COUNT];
    ElemFn2 f2[EL_COUNT][DT_COUNT];
    ScalarFn1 s1[EL_COUNT];
    ScalarFn2 s2[EL_COUNT];
    FourierRows *fourier[DT_COUNT];
} ElemKernels;
extern const ElemKernels elem_kernels_base;
/* Those for AVX2 and AVX-512 if they were built and this processor has it, else NULL. */
const ElemKernels *elem_kernels_256(void);
const ElemKernels *elem_kernels_512(void);
/* The k-th instruction set, the widest first; NULL: as there. False: there are no more. */
bool elem_kernels_at(size_t k, const ElemKernels **out);

/* The C library has vector functions: x86-64 glibc from 2.35 on (libmvec). -DGRADUS_PORTABLE does
 * without. */
#if !defined(GRADUS_PORTABLE) && defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define GRADUS_LIBMVEC 1
#endif
#endif

#endif
