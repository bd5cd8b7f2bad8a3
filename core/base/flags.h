/* What IEEE arithmetic notes of a thread: that a result overflowed, underflowed, or is no number.
 *
 * Invariant: flags only ever get set by arithmetic; who clears them reads them. */
#ifndef GRADUS_FLAGS_H
#define GRADUS_FLAGS_H

#include "base/base.h"

enum { FLAG_OVERFLOW = 1, FLAG_UNDERFLOW = 2, FLAG_INVALID = 4 };

#ifdef __SSE2__
#include <immintrin.h>

enum { MXCSR_INVALID = 1, MXCSR_OVERFLOW = 8, MXCSR_UNDERFLOW = 16 };

typedef u32 Flags; /* all that is noted and how to round, as the processor has it */
static inline Flags flags_save(void) { return _mm_getcsr(); }
/* Whatever was raised since is forgotten. Writing takes longer than looking. */
static inline void flags_restore(Flags f)
{
    if (_mm_getcsr() != f)
        _mm_setcsr(f);
}
static inline void flags_clear(void)
{
    _mm_setcsr(_mm_getcsr() & ~(u32)(MXCSR_INVALID | MXCSR_OVERFLOW | MXCSR_UNDERFLOW));
}
static inline u32 flags_raised(void)
{
    u32 f = _mm_getcsr();
    return (f & MXCSR_OVERFLOW ? FLAG_OVERFLOW : 0u) | (f & MXCSR_UNDERFLOW ? FLAG_UNDERFLOW : 0u) |
           (f & MXCSR_INVALID ? FLAG_INVALID : 0u);
}
static inline void flags_raise_overflow(void) { _mm_setcsr(_mm_getcsr() | MXCSR_OVERFLOW); }
/* As flags_raised had it elsewhere. */
static inline void flags_raise(u32 raised)
{
    u32 f = _mm_getcsr(), more = (raised & FLAG_OVERFLOW ? MXCSR_OVERFLOW : 0u) |
                                 (raised & FLAG_UNDERFLOW ? MXCSR_UNDERFLOW : 0u) |
                                 (raised & FLAG_INVALID ? MXCSR_INVALID : 0u);
    if (more & ~f)
        _mm_setcsr(f | more);
}
static inline bool flags_overflowed(Flags f) { return f & MXCSR_OVERFLOW; }
#else
#include <fenv.h>

typedef fexcept_t Flags;
static inline Flags flags_save(void)
{
    Flags f;
    fegetexceptflag(&f, FE_ALL_EXCEPT);
    return f;
}
static inline void flags_restore(Flags f) { fesetexceptflag(&f, FE_ALL_EXCEPT); }
static inline void flags_clear(void) { feclearexcept(FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW); }
static inline u32 flags_raised(void)
{
    return (fetestexcept(FE_OVERFLOW) ? FLAG_OVERFLOW : 0u) |
           (fetestexcept(FE_UNDERFLOW) ? FLAG_UNDERFLOW : 0u) |
           (fetestexcept(FE_INVALID) ? FLAG_INVALID : 0u);
}
static inline void flags_raise_overflow(void) { feraiseexcept(FE_OVERFLOW); }
static inline void flags_raise(u32 raised)
{
    if (raised)
        feraiseexcept((raised & FLAG_OVERFLOW ? FE_OVERFLOW : 0) |
                      (raised & FLAG_UNDERFLOW ? FE_UNDERFLOW : 0) |
                      (raised & FLAG_INVALID ? FE_INVALID : 0));
}
static inline bool flags_overflowed(Flags f)
{
    (void)f;
    return fetestexcept(FE_OVERFLOW) != 0;
}
#endif

#endif
