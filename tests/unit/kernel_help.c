#include "tests/unit/kernel_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tensor/philox.h"

bool same(double a, double b) { return a == b ? signbit(a) == signbit(b) : a != a && b != b; }

void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance) && !same(got, want))
        fail_msg("got %.17g, want %.17g", got, want);
}

void fill(double *x, i64 n, i64 seed, double low, double high)
{
    rng_uniform(rng_seed(seed), DT_F64, n, x);
    for (i64 i = 0; i < n; i++)
        x[i] = low + (high - low) * x[i];
}
