/* The elementwise kernels for x86-64 processors with AVX-512 (F, DQ, BW, VL): eight doubles or
 * sixteen floats at a time, transcendental functions from glibc's libmvec.
 *
 * Invariant: as kernels_avx2.c, clang's vectors in parameters as well. */
#include "base/flags.h"
#include "tensor/extreme.h"
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

/* The halves one by one, by AVX2's function, where that is the faster one both in arrays and alone
 * (measured on Zen 4). A number alone is in all lanes: one half is enough. */
#define HALVES_D(f)                                                                   \
    ISA_FN __m256d _ZGVdN4v_##f(__m256d);                                             \
    ISA_FN static inline __m512d halves_##f(__m512d v)                                \
    {                                                                                 \
        __m256d low = _mm512_castpd512_pd256(v), high = _mm512_extractf64x4_pd(v, 1); \
        __m256i a = _mm256_castpd_si256(low), b = _mm256_castpd_si256(high);          \
        __m256d y = _ZGVdN4v_##f(low);                                                \
        __m256d z = _mm256_cmpeq_epi64_mask(a, b) == 0xf ? y : _ZGVdN4v_##f(high);    \
        return _mm512_insertf64x4(_mm512_castpd256_pd512(y), z, 1);                   \
    }
#define HALVES_F(fn)                                                                   \
    ISA_FN __m256 _ZGVdN8v_##fn##f(__m256);                                            \
    ISA_FN static inline __m512 halves_##fn##f(__m512 v)                               \
    {                                                                                  \
        __m256 low = _mm512_castps512_ps256(v), high = _mm512_extractf32x8_ps(v, 1);   \
        __m256i a = _mm256_castps_si256(low), b = _mm256_castps_si256(high);           \
        __m256 y = _ZGVdN8v_##fn##f(low);                                              \
        __m256 z = _mm256_cmpeq_epi32_mask(a, b) == 0xff ? y : _ZGVdN8v_##fn##f(high); \
        return _mm512_insertf32x8(_mm512_castps256_ps512(y), z, 1);                    \
    }
HALVES_D(sinh)
HALVES_D(erf)
HALVES_F(erf)
HALVES_F(erfc)
#define _ZGVeN8v_sinh halves_sinh
#define _ZGVeN8v_erf halves_erf
#define _ZGVeN16v_erff halves_erff
#define _ZGVeN16v_erfcf halves_erfcf

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
