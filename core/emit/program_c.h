/* A planned program as C, for the native tier.
 *
 * Invariant: the same program gives the same text, with no address in it. */
#ifndef GRADUS_PROGRAM_C_H
#define GRADUS_PROGRAM_C_H

#include "exec/native.h"

/* A NativeWriter: the loops of the program, a function each, and its fused groups. */
void program_write_c(const Program *p, NativeText *out);

#endif
