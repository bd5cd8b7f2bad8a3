/* Discrete Fourier transforms of rows of complex numbers, whose real and imaginary parts are two
 * arrays.
 *
 * X[k] = sum over j of (x[j] + i y[j]) exp(-2 pi i j k / n), not divided by anything.  A length
 * whose prime factors are small is transformed by passes over the whole row, one for each factor
 * (Stockham's form of Cooley and Tukey, 1965: no bit reversal, and all inner loops run over
 * neighbours); a long one as a matrix, first its columns, then its rows, some at a time, so that
 * these stay in the cache (D. Bailey, "FFTs in external or hierarchical memory", 1990); any other
 * length by a convolution (L. Bluestein, 1970).
 *
 * Invariant: a row's result depends on that row and on n alone, to the bit: not on the other rows,
 * nor on the instruction set. */
#ifndef GRADUS_FOURIER_H
#define GRADUS_FOURIER_H

#include "base/base.h"
#include "tensor/tensor.h"

/* Enough for lengths below 2^63. */
enum { FOURIER_FACTORS = 64 };
/* Columns of a matrix, or short rows, that are transformed together. */
enum { FOURIER_LANES = 16 };
/* Rows of at least this length are transformed one by one. */
enum { FOURIER_ALONE = 256 };

/* What rows of one length have in common. In bytes of its dtype: cos(2 pi j / n), -sin(2 pi j / n).
 */
typedef struct Fourier {
    DType dtype;
    i64 n;
    int nfactors;
    i64 factors[FOURIER_FACTORS];   /* of n; none: one of the two below */
    void *cos, *sin;                /* n of each; of a matrix: as said in fourier.c */
    struct Fourier *columns, *rows; /* a matrix: n is the product of their lengths */
    struct Fourier *longer;         /* Bluestein: the convolution's length */
    void *filter_re, *filter_im;    /* the transform of exp(pi i j^2 / n), divided by that length */
} Fourier;

/* NULL: there is no memory. n > 0; f32 or f64. */
Fourier *fourier_new(DType d, i64 n);
void fourier_free(Fourier *f); /* NULL is nothing */

/* The transforms of `rows` rows of length n, one after the other. y == NULL: its elements are 0.
 * The results are in other memory than x and y. K_OK, K_MEMORY or K_INTERRUPTED. */
int fourier_rows(const Fourier *f, i64 rows, const void *x, const void *y, void *re, void *im,
                 const Interrupt *interrupt);

/* The same by one instruction set (kernels_isa.h). */
typedef int FourierRows(const Fourier *f, i64 rows, const void *x, const void *y, void *re,
                        void *im, const Interrupt *interrupt);
/* By that which the process uses; NULL: not for this dtype (kernels_elem.c). */
FourierRows *fourier_kernel(DType d);

#endif
