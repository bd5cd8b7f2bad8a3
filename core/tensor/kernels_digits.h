/* Sorting many elements.
 *
 * Invariant: the results are those of kernel_sort and kernel_argsort, to the bit. */
#ifndef GRADUS_KERNELS_DIGITS_H
#define GRADUS_KERNELS_DIGITS_H

#include "tensor/kernels.h"

/* As kernel_sort and kernel_argsort; axis > 0. */
int digits_sort(DType d, i64 outer, i64 axis, i64 inner, const void *x, void *out,
                const Interrupt *interrupt);
int digits_argsort(DType d, i64 outer, i64 axis, i64 inner, const void *x, i64 *out,
                   const Interrupt *interrupt);

#endif
