/* The elementwise kernels for x86-64 processors with AVX-512 (F, DQ, BW, VL): eight doubles or
 * sixteen floats at a time, transcendental functions from glibc's libmvec.
 *
 * Invariant: as kernels_avx2.c, clang's vectors in parameters as well. */
#include "tensor/kernels_math.h"

#include <math.h>

#if defined(GRADUS_LIBMVEC) && (!defined(__clang__) || defined(__AVX512F__))
#include <immintrin.h>

#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#define ISA(name) name##_avx512
#define AVX512 "avx512f,avx512dq,avx512bw,avx512vl"
#if defined(__clang__)
#define ISA_FN __attribute__((target(AVX512)))
#else
#define ISA_FN __attribute__((target(AVX512 ",prefer-vector-width=512")))
#endif

#define VD __m512d
#define LANES_D 8
#define LOAD_D _mm512_loadu_pd
#define STORE_D _mm512_storeu_pd
#define SPLAT_D _mm512_set1_pd
#define FIRST_D _mm512_cvtsd_f64
#define MVEC1_D(f) _ZGVeN8v_##f
#define MVEC2_D(f) _ZGVeN8vv_##f
#define SQRT_D _mm512_sqrt_pd
#define ROUND_D(v, how) _mm512_roundscale_pd(v, (how) | _MM_FROUND_NO_EXC)

#define VF __m512
#define LANES_F 16
#define LOAD_F _mm512_loadu_ps
#define STORE_F _mm512_storeu_ps
#define SPLAT_F _mm512_set1_ps
#define FIRST_F _mm512_cvtss_f32
#define MVEC1_F(fn) _ZGVeN16v_##fn##f
#define MVEC2_F(fn) _ZGVeN16vv_##fn##f
#define SQRT_F _mm512_sqrt_ps
#define ROUND_F(v, how) _mm512_roundscale_ps(v, (how) | _MM_FROUND_NO_EXC)

#include "tensor/kernels_vec.h"

#include "tensor/kernels_isa.h"

const ElemKernels *elem_kernels_512(void)
{
    bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return has ? &elem_kernels_avx512 : NULL;
}

#else

const ElemKernels *elem_kernels_512(void) { return NULL; }

#endif
