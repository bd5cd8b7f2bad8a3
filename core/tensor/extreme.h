/* The smaller and the larger of two floats: for kernels, and text of native code and exported C.
 *
 * Invariant: NaN (with any bits) if either is, -0 is below 0, and no branches: both comparisons
 * pick the same number, or the two zeros, or (as none holds with NaN) one operand each, whose bits
 * then decide.
 */
#ifndef GRADUS_EXTREME_H
#define GRADUS_EXTREME_H

#include "base/base.h"

/* ---- text ---- */

#define DEFINE_EXTREMES(NAME, T, U)                                    \
    static inline T minimum_##NAME(T x, T z)                           \
    {                                                                  \
        union {                                                        \
            T number;                                                  \
            U bits;                                                    \
        } a = {x < z ? x : z}, b = {z < x ? z : x};                    \
        a.bits |= b.bits;                                              \
        return a.number;                                               \
    }                                                                  \
    static inline T maximum_##NAME(T x, T z)                           \
    {                                                                  \
        union {                                                        \
            T number;                                                  \
            U bits;                                                    \
        } a = {x > z ? x : z}, b = {z > x ? z : x};                    \
        a.bits = (a.bits & b.bits) | ((a.bits | b.bits) & (U)-1 >> 1); \
        return a.number;                                               \
    }
DEFINE_EXTREMES(f32, float, u32)
DEFINE_EXTREMES(f64, double, u64)

#endif
