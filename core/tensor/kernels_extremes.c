/* The smallest and largest elements of rows, and where the first of them is, along either axis.
 *
 * Invariant: NaN wins, the first one of a row if its place is asked for; of equal elements the
 * first; of zeros -0 is below 0, though for places they are equal. */
#include "tensor/kernels_fold.h"

#include <math.h>

#if !defined(__clang__)
#pragma GCC optimize("O3", "no-trapping-math") /* loops with comparisons become vectors */
#endif

enum { WIDEST = 2048 /* columns at once: their extremes and places stay in the second cache */ };

typedef int8_t i8;

typedef struct {
    void (*rows[2][DT_COUNT])(i64 outer, i64 n, const void *x, void *out); /* min, max */
    void (*places[2][DT_COUNT])(i64 outer, i64 axis, i64 inner, const void *x, i64 *out);
} Extremes;

/* `v` with the sign that it has among n elements, if it is zero: `kept` if an element is that. */
#define DEFINE_ZERO(NAME, T, U, KEPT)            \
    static inline T NAME(i64 n, const T *x, T v) \
    {                                            \
        const T kept = KEPT;                     \
        U kept_bits, bits, found = 0;            \
        if (v != 0)                              \
            return v;                            \
        memcpy(&kept_bits, &kept, sizeof kept);  \
        for (i64 i = 0; i < n; i++) {            \
            memcpy(&bits, x + i, sizeof bits);   \
            found |= bits == kept_bits;          \
        }                                        \
        return found ? kept : -kept;             \
    }
DEFINE_ZERO(LOW_ZERO_F32, float, u32, -0.0F)
DEFINE_ZERO(LOW_ZERO_F64, double, u64, -0.0)
DEFINE_ZERO(HIGH_ZERO_F32, float, u32, 0.0F)
DEFINE_ZERO(HIGH_ZERO_F64, double, u64, 0.0)
#define AS_FOUND(n, x, v) (v)

#define ISA(name) name##_base
#define ISA_FN
#include "tensor/kernels_extremes_isa.h"

#if defined(__x86_64__) && !defined(GRADUS_PORTABLE)
#define ISA(name) name##_avx2
#define ISA_FN __attribute__((target("avx2")))
#include "tensor/kernels_extremes_isa.h"

static const Extremes *chosen(void)
{
    return __builtin_cpu_supports("avx2") ? &extremes_avx2 : &extremes_base;
}
#else
static const Extremes *chosen(void) { return &extremes_base; }
#endif

void reduce_extremes(bool max, DType d, i64 outer, i64 n, const void *x, void *out)
{
    chosen()->rows[max][d](outer, n, x, out);
}

void reduce_places(bool max, DType d, i64 outer, i64 axis, i64 inner, const void *x, i64 *out)
{
    chosen()->places[max][d](outer, axis, inner, x, out);
}
