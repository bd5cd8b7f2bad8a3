/* What a step of `simplify` did, in words. */
#ifndef GRADUS_SIMPLIFY_H
#define GRADUS_SIMPLIFY_H

#include "algebra/back.h"

/* "like terms", "cancel x", "factor A", "contract in another order". */
void simplify_note(Store *st, Node *was, Node *now, const Sources *from, Text *out);

#endif
