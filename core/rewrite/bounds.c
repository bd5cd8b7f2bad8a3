/* Bounds of the classes of rules. */
#include "rewrite/bounds.h"

#include <float.h>
#include <math.h>

const HazardClass hazard_classes[] = {
    {HAZARD_E, "E", "exact: the same bits for every input", "no bit, 0 ulp",
     "The result is bitwise identical for every input.", "x * 1 => x",
     "nan, infinities and both zeros included"},
    {HAZARD_Z, "Z", "may change the sign of a zero", "the sign of zeros; otherwise no bit",
     "A zero may get the opposite sign, and then 1 / x is the opposite infinity.", "x + 0 => x",
     "for -0.0 the left side gives 0.0, the right side -0.0"},
    {HAZARD_R, "R", "may change rounding",
     "1e-9 (f32: 1e-4) of the result, or of every input; signs of zeros",
     "Both sides are mathematically equal but round differently.", "log(1 + x) => log1p(x)",
     "for 1e-20 the left side gives 0.0, the right side 1e-20"},
    {HAZARD_NPLUS, "N+", "removes a nan or infinity that the source would have given",
     "nan and infinity of the source; otherwise as R",
     "A nan or infinity that arises only from intermediate results is replaced with the "
     "mathematical value.",
     "log(exp(x)) => x", "for 1000 the left side gives inf, the right side 1000"},
    {HAZARD_NMINUS, "N-", "may hide a nan or infinity",
     "nan and infinity of the source; otherwise as R",
     "A nan or infinity that is the true result may become a number, which hides the problem.",
     "x - x => zeros_like(x)", "for nan the left side gives nan, the right side 0.0"},
    {HAZARD_D, "D", "needs a proven fact", "no bit",
     "It is exact under a condition on the operands, and fires only where that condition is "
     "proved.",
     "abs(x) => x if nonnegative(x) and no_minus_zero(x)",
     "it fires at abs(exp(a)), not at abs(a)"},
    {HAZARD_S, "S", "may hide an error", "a value instead of an error; otherwise no bit",
     "An error that the source would have raised may disappear.", "n:int // n => ones_like(n)",
     "for 0 the left side is an error, the right side 1"},
    {HAZARD_C, "C", "changes cost only", "no bit",
     "The result is bitwise identical; only time or memory changes.", "x * x => sqr(x)",
     "one operand is read instead of two"},
    {HAZARD_O, "O", "may overflow or underflow where the source did not",
     "nan, infinity and zero of the result; otherwise as R",
     "An intermediate result may exceed the range of its dtype. If that happens during an "
     "evaluation, the result is discarded and computed again without such steps.",
     "x * (y * z) => x * y * z",
     "for 1e200, 1e200, 1e-300 the left side gives 1e100, the right side inf"},
};
const size_t hazard_class_count = COUNT_OF(hazard_classes);

/* Of the largest element: what is smaller may be what is left of larger numbers that cancelled, so
 * its error is told relative to this. */
static const double SCALE = 1e-3;

double rounding_bound(DType d) { return d == DT_F32 ? 1e-4 : 1e-9; }
/* Of the largest input, 1 at least: 512 units of its last place. */
static double rounding_floor(DType d) { return 512 * (d == DT_F32 ? FLT_EPSILON : DBL_EPSILON); }

static double ulp_distance(DType d, double a, double b)
{
    i64 x, y;
    if (d == DT_F32) {
        float fa = (float)a, fb = (float)b;
        i32 xa, xb;
        memcpy(&xa, &fa, 4);
        memcpy(&xb, &fb, 4);
        x = xa < 0 ? (i64)INT32_MIN - xa : xa;
        y = xb < 0 ? (i64)INT32_MIN - xb : xb;
        return (double)(x > y ? x - y : y - x);
    }
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x = x < 0 ? INT64_MIN - x : x;
    y = y < 0 ? INT64_MIN - y : y;
    return (double)(x > y ? (u64)x - (u64)y : (u64)y - (u64)x);
}

static bool one_shape(const Tensor *a, const Tensor *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           !memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape);
}

static void add_integer(Deviation *d, const Tensor *a, const Tensor *b, i64 i)
{
    i64 x = tensor_i64_at(a, i), y = tensor_i64_at(b, i);
    if (x == y)
        return;
    double u = (double)(x > y ? (u64)x - (u64)y : (u64)y - (u64)x);
    d->ulp = fmax(d->ulp, u);
    d->absolute = fmax(d->absolute, u);
    d->error = fmax(d->error, fmin(1, u / fmax(fabs((double)x), fabs((double)y))));
}

void deviation_add(Deviation *d, const Tensor *a, const Tensor *b, const Tensor *moved,
                   double inputs)
{
    if (!one_shape(a, b)) {
        d->shape = true;
        return;
    }
    if (a->dtype == DT_RNG) {
        d->rounding = d->rounding || !tensor_same_bits(a, b);
        return;
    }
    if (moved && !one_shape(b, moved))
        moved = NULL;
    bool real = dtype_is_float(a->dtype);
    double scale = tensor_largest(a) * SCALE, bound = rounding_bound(a->dtype);
    for (i64 i = 0; i < a->count; i++) {
        double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
        double near = moved ? tensor_f64_at(moved, i) : y;
        if (isfinite(x) != isfinite(y) && isfinite(near) == isfinite(x))
            continue; /* a pole: inputs that differ by rounding give the one and the other */
        d->made = d->made || (isfinite(x) && !isfinite(y));
        d->unmade = d->unmade || (!isfinite(x) && isfinite(y));
        d->overflow = d->overflow || (!isfinite(x) && !isfinite(y) && isnan(x) != isnan(y));
        d->zero = d->zero || (real && x == 0 && y == 0 && signbit(x) != signbit(y)) ||
                  (isinf(x) && x == -y);
        if (!isfinite(x) || !isfinite(y))
            continue;
        if (!real)
            add_integer(d, a, b, i);
        if (x == y)
            continue;
        double off = fabs(x - y), size = fmax(fmax(fabs(x), fabs(y)), scale);
        double may = fmax(bound * size, real ? rounding_floor(a->dtype) * fmax(1, inputs) : 0);
        d->rounding = d->rounding || !(off <= may + fabs(near - y) || !isfinite(near));
        if (!real)
            continue;
        d->error = fmax(d->error, off / size);
        d->absolute = fmax(d->absolute, off);
        d->ulp = fmax(d->ulp, ulp_distance(a->dtype, x, y));
    }
}

const char *deviation_breaks(const Deviation *d, u32 classes)
{
    bool over = classes & HAZARD_O, nan = over || classes & (HAZARD_NPLUS | HAZARD_NMINUS);
    bool rounds = nan || classes & HAZARD_R;
    return d->failed                                     ? "a value became an error"
           : d->passed && !(classes & HAZARD_S)          ? "an error became a value"
           : d->shape                                    ? "another shape"
           : d->made && !over                            ? "a number became nan or infinity"
           : d->unmade && !nan                           ? "nan or infinity became another value"
           : d->overflow && !rounds                      ? "nan became infinity, or infinity nan"
           : d->ulp > 0 && !rounds                       ? "not the same bits"
           : d->rounding && over && d->left              ? NULL
           : d->rounding && rounds                       ? "beyond rounding"
           : d->rounding                                 ? "not the same bits"
           : d->zero && !rounds && !(classes & HAZARD_Z) ? "the sign of a zero"
                                                         : NULL;
}
