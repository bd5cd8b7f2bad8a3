/* How operators are read into forms, one function each (read.def). */
#ifndef GRADUS_FORM_READERS_H
#define GRADUS_FORM_READERS_H

#include "algebra/parts.h"

/* n's form, x being those of its operands. NULL: it has none in this case. */
typedef const Form *FormReader(Algebra *a, const Node *n, const Form *const *x);
#define LAW(ID, NAME) FormReader form_law_##NAME;
#include "algebra/laws.def"
#undef LAW
#define READ(ID, NAME, RUN) FormReader form_read_##NAME;
#include "algebra/read.def"
#undef READ

/* All names of x as they are, which the caller changes. */
static inline void indices_same(FormIndex *to)
{
    for (int i = 0; i < FORM_BOUND; i++)
        to[i] = index_name(i);
}
/* The sum of x over these axes, of these sizes; the other axes move up. */
const Form *form_sum_axes(Algebra *a, const Form *x, int rank, u64 axes, Size *const *dims);
/* The same of a choice. */
const Form *form_sum_choice(Algebra *a, const Form *x, int rank, u64 axes, Size *const *dims);
/* A position from the beginning of an axis; NULL: it may count from the end. */
const Form *form_position(Algebra *a, Node *at, Size *size);
/* The larger one, or the smaller. */
const Form *form_extreme(Algebra *a, const Form *x, const Form *y, bool larger);
/* x as numbers of that dtype, where that is exact; NULL otherwise. */
const Form *form_cast(Algebra *a, const Form *x, DType d);
/* 1 where x, a comparison, is true, in case it is that of the places along two axes; else NULL. */
const Form *form_of_equal_places(Algebra *a, const Form *x, DType d);

#endif
