/* Programs in the native tier against the virtual machine. */
#ifndef GRADUS_BOTH_TIERS_H
#define GRADUS_BOTH_TIERS_H

#include "scan_run.h"

/* Runs the program in both and fails the test if a bit of the result differs; of a NaN, only that
 * it is one. Adds to `compared` whether native code ran. */
void compare_tiers(const char *program, const char *result, u64 seed, u32 *compared);
/* Runs the tests with a cache of their own; left out where there is no C compiler. */
int run_both_tiers(int (*tests)(void));

#endif
