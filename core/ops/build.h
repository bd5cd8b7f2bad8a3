/* Small constructions used by the elaborator, derivatives and rules: each builds nodes
 * with node_make and returns NULL after a diagnostic. NULL operands give NULL. */
#ifndef GRADUS_BUILD_H
#define GRADUS_BUILD_H

#include "ops/ops.h"

/* NumPy's promotion of two dtypes (i64 with f32 gives f64); DT_COUNT if there is none (rng). */
DType promote(DType a, DType b);
DType dtype_joined(DType a,
                   DType b); /* side by side in one tensor: generators with generators, too */

/* An elementwise node of operands that already have one dtype: broadcasts as NumPy does where a
 * size is statically 1 (explicit `broadcast` nodes), leaves scalars alone, inserts match_shape
 * where equality of sizes cannot be proved, reports shapes that differ with both shapes and the
 * axis. Operands are cast to the operator's common dtype (promote). */
Node *build_elementwise(Store *st, OpId op, u32 n, Node *const *ops);
/* May n operands of one sum or product follow each other in one pass? They are of one dtype, and
 * the first or the second has the shape to which all others are repeated, so that no sum of the
 * first few would be smaller. */
bool build_is_chain(u32 n, Node *const *ops);
Node *build_add(Store *st, Node *a, Node *b); /* build_elementwise(OP_ADD) and so on */
Node *build_sub(Store *st, Node *a, Node *b);
Node *build_mul(Store *st, Node *a, Node *b);
Node *build_neg(Store *st, Node *a);

OpId op_turned(OpId op); /* what < is with its operands exchanged: >, and so on; others: itself */
/* The same comparison from the other side: z < x for x > z. NULL for what is none of <, <=, >, >=.
 */
Node *build_turned(Store *st, const Node *comparison);

/* x repeated to the shape `dims` (i64 scalar nodes), aligned from the right, NumPy's rules, x's
 * sizes that are statically 1 stretched. x itself if it already has those sizes. */
Node *build_broadcast_to(Store *st, Node *x, int rank, Node *const *dims);
Node *build_full(Store *st, Node *scalar, int rank, Node *const *dims);
Node *build_zeros_like(Store *st, Node *x); /* also of integers and bools; scalar: a constant */
Node *build_ones_like(Store *st, Node *x);
/* x (scalar or x's shape = like's shape) to exactly like's shape. */
Node *build_like(Store *st, Node *x, Node *like);
/* A reduction's result put back: axes (sorted, of `like`) are new again, then repeated to like's
 * shape. */
Node *build_unreduce(Store *st, Node *x, const IntList *axes, Node *like);

Node *build_sum(Store *st, Node *x, const IntList *axes); /* x itself if there are no axes */
Node *build_sum_all(Store *st, Node *x);
Node *build_transpose(Store *st, Node *x,
                      const int *perm); /* x itself if the permutation is the identity */
/* A product in a form of BLAS (gemm, gemv, ger) of these operands, without that form. */
Node *product_plain(Store *st, const Node *n, Node *const *ops);
Node *build_swap_last(Store *st, Node *x); /* x' */
Node *build_reshape(Store *st, Node *x, int rank, Node *const *dims);
/* The value of a size; `computed` is it, too, and is taken where the size cannot be said: in a
 * body, whose sizes have values only as lengths of what it reads. */
Node *build_size(Store *st, Node *computed);
Node *build_flat(Store *st, Node *x);                     /* all elements along one axis */
Node *build_product(Store *st, int n, Node *const *dims); /* of i64 scalars; 1 if there are none */
Node *build_merged(Store *st, Node *x, int first, int n); /* axes first .. first + n - 1 as one */
Node *build_expand(Store *st, Node *x, int axis);
Node *build_squeeze(Store *st, Node *x, int axis);
Node *build_index(Store *st, Node *x, int axis, Node *i);
Node *build_slice(Store *st, Node *x, int axis, Node *start, Node *len, i64 step);
const IntList *all_axes(Store *st, int rank);
bool node_is_zeros(const Node *n); /* zero, of any shape, written as a constant */
/* An `if` that gives the n closed values `yes` or `no`. What of them is computed outside: operands
 * are what is in `mentioned`, and leaves. */
Node *build_if(Store *st, Node *condition, int n, Node *const *yes, Node *const *no,
               const NodeSet *mentioned);

/* The constant that a node of constants evaluates to (ops/fold.c); NULL after a diagnostic if it
 * fails (division by zero, index out of range). Operands must be constants. */
Node *fold_node(Store *st, Node *n);
bool can_fold(const Node *n);

#endif
