/* What a step of `simplify` did: in words, and in parts. */
#ifndef GRADUS_SIMPLIFY_H
#define GRADUS_SIMPLIFY_H

#include "algebra/back.h"

/* "collect x", "cancel x", "factor A", "contract in another order". */
void simplify_note(Store *st, Node *was, Node *now, const Sources *from, Text *out);

/* Products of sums in it, as far as sums, products and quotients go, multiplied out; NULL: it is no
 * sum then, or there are too many terms. */
Node *simplify_distributed(Store *st, Node *n);
/* Is there such a product at all? */
bool simplify_distributes(Node *n);

#endif
