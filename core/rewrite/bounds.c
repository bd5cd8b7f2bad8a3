/* Bounds of the classes of rules. */
#include "rewrite/bounds.h"

#include <float.h>
#include <math.h>

const HazardClass hazard_classes[] = {
    {HAZARD_E, "E", "exact: the same bits for every input", "no bit, 0 ulp",
     "The value stays the same to the last bit, whatever the inputs are.", "x * 1 => x",
     "nan, infinities and both zeros included"},
    {HAZARD_Z, "Z", "may change the sign of a zero", "the sign of zeros; else no bit",
     "A zero may come out with the other sign, and 1 / x then as the other infinity.", "x + 0 => x",
     "of -0.0 the left side makes 0.0, the right side -0.0"},
    {HAZARD_R, "R", "may change rounding",
     "1e-9 (f32: 1e-4) of the result, or of every input; signs of zeros",
     "Both sides are one number on paper, and round differently.", "log(1 + x) => log1p(x)",
     "of 1e-20 the left side makes 0.0, the right side 1e-20"},
    {HAZARD_NPLUS, "N+", "removes a nan or infinity that the source would have given",
     "nan and infinity of the source; else as R",
     "A nan or infinity that only the way of computing made gives way to the number on paper.",
     "log(exp(x)) => x", "of 1000 the left side makes inf, the right side 1000"},
    {HAZARD_NMINUS, "N-", "may hide a nan or infinity", "nan and infinity of the source; else as R",
     "A nan or infinity that is the value may become a number, so that what went wrong is not "
     "seen.",
     "x - x => zeros_like(x)", "of nan the left side makes nan, the right side 0.0"},
    {HAZARD_D, "D", "needs a proven fact", "no bit",
     "It is exact where something is known of the operands, and fires only where that is proved.",
     "abs(x) => x if nonnegative(x) and no_minus_zero(x)",
     "it fires at abs(exp(a)), not at abs(a)"},
    {HAZARD_S, "S", "may hide an error", "a value where an error was; else no bit",
     "An error that the source would have stopped with may not come.", "n:int // n => ones_like(n)",
     "of 0 the left side is an error, the right side 1"},
    {HAZARD_C, "C", "changes cost only", "no bit",
     "The value stays the same to the last bit; only time or memory changes.", "x * x => sqr(x)",
     "one operand is read instead of two"},
    {HAZARD_O, "O", "may overflow or underflow where the source did not",
     "nan, infinity and zero of the result; else as R",
     "A part of the result may leave the range of its dtype. If that happens in a run, its value "
     "is "
     "not shown: it is computed again without such steps.",
     "x * (y * z) => x * y * z",
     "of 1e200, 1e200, 1e-300 the left side makes 1e100, the right side inf"},
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

static double largest(const Tensor *t)
{
    double most = 0;
    for (i64 i = 0; i < t->count; i++) {
        double v = fabs(tensor_f64_at(t, i));
        most = isfinite(v) && v > most ? v : most;
    }
    return most;
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
    double scale = largest(a) * SCALE, bound = rounding_bound(a->dtype);
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
