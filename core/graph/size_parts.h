/* What size.c and size_order.c share. */
#ifndef GRADUS_SIZE_PARTS_H
#define GRADUS_SIZE_PARTS_H

#include "graph/store.h"

typedef VEC(SizeTerm) SizeTerms;

bool size_terms_equal(const SizeTerm *a, const SizeTerm *b); /* but for the coefficient */
/* The size of these terms, in order and added up; they are freed. */
Size *size_intern(Store *st, i64 constant, SizeTerms *terms);
/* a + b term by term. */
Size *size_plain_sum(Store *st, Size *a, Size *b);
/* n - min(n, k) is max(0, n - k): where something goes, the choice comes last. */
Size *size_cancelled(Store *st, Size *s);
/* The atom of that kind, which is not looked at. */
Size *size_binary(Store *st, AtomKind kind, Size *a, Size *b);

#endif
