/* Sums and products of quotients as one quotient. */
#ifndef GRADUS_SIMPLIFY_FRACTION_H
#define GRADUS_SIMPLIFY_FRACTION_H

#include "passes/simplify_regions.h"

/* n over one denominator, and the classes of the step; NULL: it has none, or cannot be written. */
Node *simplify_fraction(Regions *r, Node *n, u32 *classes);
/* Is it worth it? Only if something is gone: sums of quotients are what people write, too. */
bool simplify_fraction_pays(const BackCost *now, const BackCost *was);

#endif
