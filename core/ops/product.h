/* A matrix product as calls of BLAS: its sizes once, its values as often as needed.
 *
 * Invariant: which kernel computes it depends on the sizes alone, so whoever runs it gets the same
 * bits. */
#ifndef GRADUS_PRODUCT_H
#define GRADUS_PRODUCT_H

#include "tensor/tensor.h"

typedef struct {
    i64 batch, m, k, n;
    i64 astep, bstep; /* elements from one batch to the next; 0: one for all */
    i64 alead, blead; /* from one row, as it is stored, to the next */
    bool ta, tb;
    int rank;
    i64 shape[MAX_RANK]; /* of the result */
} Product;

/* Of operands with these shapes (their data is not read): op(a) @ op(b), where op swaps the last
 * two axes of an operand if told to; false: the inner sizes differ. */
bool product_of(const Tensor *a, const Tensor *b, bool ta, bool tb, Product *p);
bool product_is_small(const Product *p, double alpha, double beta); /* as blas_is_small */
/* Is an outer product that nothing is added to computed without BLAS? */
enum { SHORT_OUTER = 1 << 16 }; /* elements, at most */
bool outer_is_short(i64 m, i64 n, DType d);
/* c = alpha * product + beta * c; with beta 0 c is not read. d is no bool. */
void product_run(DType d, const Product *p, double alpha, const void *left, const void *right,
                 double beta, void *to);

#endif
