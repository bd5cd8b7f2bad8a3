/* A value in a few characters: for cells of tables, drawings and pages. */
#ifndef GRADUS_BRIEF_H
#define GRADUS_BRIEF_H

#include "tensor/tensor.h"

enum { BRIEF_DIGITS = 6, BRIEF_ENTRIES = 3, MOST_DIGITS = 17 };

/* At most `entries` along each axis (all, if only one more would be left out of several), numbers
 * with at most `digits` significant digits: "[[1, 2.5], [3, 4]]", "[0, 1, 2, …]". */
void brief_put(Text *out, const Tensor *t, int digits, int entries);

#endif
