/* Numbers for the tests of kernels: given, and compared. */
#ifndef GRADUS_TESTS_KERNEL_HELP_H
#define GRADUS_TESTS_KERNEL_HELP_H

#include "base/base.h"

/* Equal, with the sign of zero, or both NaN. */
bool same(double a, double b);
/* Fails the test unless they are the same or not further apart than that. */
void near(double got, double want, double tolerance);
/* n numbers in [low, high), the same in every run. */
void fill(double *x, i64 n, i64 seed, double low, double high);

#endif
