/* Random typed expressions over a few inputs, a third of them under grad: the shapes that rules
 * look for, loops, branches. */
#ifndef GRADUS_PROGRAM_GEN_H
#define GRADUS_PROGRAM_GEN_H

#include "base/base.h"

extern const char *const program_header; /* the inputs, with values */
void program_gen(Text *out, unsigned seed);

#endif
