/* The elementwise kernels for x86-64 processors with AVX2: four doubles or eight floats
 * at a time, transcendental functions from glibc's libmvec.
 *
 * Invariant: chosen once per process by elem_fn1 and its like; + - * / sqrt and
 * comparisons give the same bits as kernels_base.c. No FMA is used here.
 *
 * Clang passes 256-bit vectors on the stack unless the whole file is compiled for AVX
 * (whatever a function's target attribute says), which is not how libmvec takes them.
 * So under clang these kernels exist only with -mavx2. */
#include "base/flags.h"
#include "tensor/extreme.h"
#include "tensor/kernels_math.h"

#include <math.h>

#if defined(GRADUS_LIBMVEC) && (!defined(__clang__) || defined(__AVX2__))
#include <immintrin.h>

#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#define ISA(name) name##_avx2
#define ISA_FN __attribute__((target("avx2")))

#define VD __m256d
#define LANES_D 4
#define LOAD_D _mm256_loadu_pd
#define STORE_D _mm256_storeu_pd
#define SPLAT_D _mm256_set1_pd
#define FIRST_D _mm256_cvtsd_f64
#define MVEC1_D(f) _ZGVdN4v_##f
#define MVEC2_D(f) _ZGVdN4vv_##f
#define SQRT_D _mm256_sqrt_pd
#define ROUND_D(v, how) _mm256_round_pd(v, (how) | _MM_FROUND_NO_EXC)

#define VF __m256
#define LANES_F 8
#define LOAD_F _mm256_loadu_ps
#define STORE_F _mm256_storeu_ps
#define SPLAT_F _mm256_set1_ps
#define FIRST_F _mm256_cvtss_f32
#define MVEC1_F(fn) _ZGVdN8v_##fn##f
#define MVEC2_F(fn) _ZGVdN8vv_##fn##f
#define SQRT_F _mm256_sqrt_ps
#define ROUND_F(v, how) _mm256_round_ps(v, (how) | _MM_FROUND_NO_EXC)

#include "tensor/kernels_vec.h"

#include "tensor/kernels_isa.h"

const ElemKernels *elem_kernels_256(void)
{
    return __builtin_cpu_supports("avx2") ? &elem_kernels_avx2 : NULL;
}

#else

const ElemKernels *elem_kernels_256(void) { return NULL; }

#endif
