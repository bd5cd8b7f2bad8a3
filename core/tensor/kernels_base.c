/* The elementwise kernels for any processor. On x86-64 with glibc the transcendental
 * functions are libmvec's for SSE2; elsewhere the scalar ones of the C library.
 *
 * Invariant: as kernels_avx2.c. */
#include "base/flags.h"
#include "tensor/extreme.h"
#include "tensor/kernels_math.h"

#include <math.h>

#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#define ISA(name) name##_base
#define ISA_FN

#ifdef GRADUS_LIBMVEC
#include <emmintrin.h>

#define VD __m128d
#define LANES_D 2
#define LOAD_D _mm_loadu_pd
#define STORE_D _mm_storeu_pd
#define SPLAT_D _mm_set1_pd
#define FIRST_D _mm_cvtsd_f64
#define MVEC1_D(f) _ZGVbN2v_##f
#define MVEC2_D(f) _ZGVbN2vv_##f
#define SQRT_D _mm_sqrt_pd

#define VF __m128
#define LANES_F 4
#define LOAD_F _mm_loadu_ps
#define STORE_F _mm_storeu_ps
#define SPLAT_F _mm_set1_ps
#define FIRST_F _mm_cvtss_f32
#define MVEC1_F(fn) _ZGVbN4v_##fn##f
#define MVEC2_F(fn) _ZGVbN4vv_##fn##f
#define SQRT_F _mm_sqrt_ps

#else

#define VD double
#define LANES_D 1
#define LOAD_D(p) (*(p))
#define STORE_D(p, v) (*(p) = (v))
#define SPLAT_D(x) (x)
#define FIRST_D(v) (v)
#define MVEC1_D(f) f
#define MVEC2_D(f) f
#define SQRT_D sqrt

#define VF float
#define LANES_F 1
#define LOAD_F(p) (*(p))
#define STORE_F(p, v) (*(p) = (v))
#define SPLAT_F(x) (x)
#define FIRST_F(v) (v)
#define MVEC1_F(fn) fn##f
#define MVEC2_F(fn) fn##f
#define SQRT_F sqrtf
#endif

#include "tensor/kernels_vec.h"

#include "tensor/kernels_isa.h"
