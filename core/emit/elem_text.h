/* Elementwise operators as C: the text of ops/elem.def itself.
 *
 * Invariant: the text computes, without contraction, the bits of the kernel that the same column
 * became. */
#ifndef GRADUS_ELEM_TEXT_H
#define GRADUS_ELEM_TEXT_H

#include "tensor/kernels.h"

/* "double", "i64", ...: the type of a scalar in written C; bools are u8. Never NULL. */
const char *c_type(DType d);

/* An expression over x (and z) for operands of dtype d, F, S and U being their C types; NULL: it is
 * a call of a function. `size` bytes of `buffer` may be used. */
const char *elem_text(ElemId id, DType d, char *buffer, size_t size);
/* Of an operator on integers that may report an error: over x and the positive z with which it does
 * not, as elem_is_sure says. NULL: none. */
const char *elem_sure_text(ElemId id, i64 z);
/* The C function of doubles that is the kernel on floats; NULL: it is an expression or a loop. */
const char *elem_function(ElemId id);

/* Of a function that is a call of others and expressions around it (tensor/composites.def): over x;
 * what is called on its value, EL_COUNT for nothing; over x and z, what the calls gave. NULL: none.
 */
typedef struct {
    const char *name, *before, *after;
    ElemId call[2];
} ElemComposite;
const ElemComposite *elem_composite(ElemId id, DType d);

/* Puts the expression with x and z replaced, F, S and U by the types of d. */
void elem_put(Text *out, const char *text, DType d, const char *x, const char *z);

/* x, of dtype `from`, as `to`; floats become integers by functions of cast_helpers(). */
void cast_put(Text *out, DType from, DType to, const char *x);
const char *cast_helpers(void);
/* The functions that minimum and maximum of floats call. */
void put_extremes(Text *out);

/* A finite number with all its bits; false: it is none, nothing was put. */
bool literal_put(Text *out, DType d, const void *value);

#endif
