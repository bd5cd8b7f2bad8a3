/* Derivatives of orders 1 to 3 of every operator at its singular points: zeros of products, ties,
 * ends of domains, far tails, infinities.
 *
 * The rows are functions of one number s; each is taken through reverse over reverse, forward over
 * reverse, reverse over forward, forward over forward and vmap, with and without the pass
 * stabilize. A differentiable operator without a row fails the test. Numbers with 17 digits were
 * computed once with mpmath 1.2.1 at 120 digits and more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "effort.h"
#include "ops/elem.h"
#include "ops/functions.h"
#include "repl/documents/check.h"

typedef struct {
    OpId op;
    const char *f, *at; /* a function of s, and where */
    const char *d[3];   /* its derivatives; NULL: not compared with a number */
} Row;

static const Row rows[] = {
    /* ---- elementwise, one operand ---- */
    {OP_NEG, "-s", "0", {"-1", "0", "0"}},
    {OP_ABS, "abs(s)", "0", {"0", "0", "0"}}, /* decided */
    {OP_ABS, "abs(s) * s", "0", {"0", "0", "0"}},
    {OP_ONE_MINUS_SQR, "one_minus_sqr(s)", "1", {"-2", "-2", "0"}},
    {OP_SQR, "sqr(s)", "0", {"0", "2", "0"}},
    {OP_RECIPROCAL, "reciprocal(s)", "0", {"-inf", "inf", "-inf"}},
    {OP_RECIPROCAL, "reciprocal(s)", "1e100", {"-1e-200", "2e-300", "0"}},
    {OP_RECIPROCAL, "reciprocal(s)", "inf", {"0", "0", "0"}},
    {OP_SQRT, "sqrt(s)", "0", {"inf", "-inf", "inf"}},
    {OP_SQRT, "sqrt(s)", "1e-200", {"5e99", "-2.5e299", "inf"}},
    {OP_SQRT, "sqrt(s)", "1e100", {"5e-51", "-2.5e-151", "3.75e-251"}},
    {OP_SQRT, "sqrt(s)", "inf", {"0", "0", "0"}},
    {OP_RSQRT, "rsqrt(s)", "0", {"-inf", "inf", "-inf"}},
    {OP_RSQRT, "rsqrt(s)", "1e50", {"-5e-76", "7.5e-126", "-1.875e-175"}},
    {OP_RSQRT, "rsqrt(s)", "inf", {"0", "0", "0"}},
    {OP_EXP, "exp(s)", "-800", {"0", "0", "0"}},
    {OP_EXP, "exp(s)", "-inf", {"0", "0", "0"}},
    {OP_EXP, "exp(s)", "800", {"inf", "inf", "inf"}},
    {OP_EXP2, "exp2(s)", "-2000", {"0", "0", "0"}},
    {OP_EXP2,
     "exp2(s)",
     "0",
     {"0.69314718055994531", "0.48045301391820142", "0.33302465198892948"}},
    {OP_EXPM1,
     "expm1(s)",
     "-40",
     {"4.248354255291589e-18", "4.248354255291589e-18", "4.248354255291589e-18"}},
    {OP_EXPM1, "expm1(s)", "-inf", {"0", "0", "0"}},
    {OP_LOG, "log(s)", "0", {"inf", "-inf", "inf"}},
    {OP_LOG, "log(s)", "1e100", {"1e-100", "-1e-200", "2e-300"}},
    {OP_LOG, "log(s)", "inf", {"0", "0", "0"}},
    {OP_LOG2, "log2(s)", "0", {"inf", "-inf", "inf"}},
    {OP_LOG10, "log10(s)", "0", {"inf", "-inf", "inf"}},
    {OP_LOG1P, "log1p(s)", "-1", {"inf", "-inf", "inf"}},
    {OP_LOG1P, "log1p(s)", "1e100", {"1e-100", "-1e-200", "2e-300"}},
    {OP_SIN, "sin(s)", "0", {"1", "0", "-1"}},
    {OP_COS, "cos(s)", "0", {"0", "-1", "0"}},
    {OP_SINPI, "sinpi(s)", "1e15", {"3.1415926535897931", "0", "-31.006276680299816"}},
    {OP_COSPI, "cospi(s)", "1e15", {"0", "-9.869604401089358", "0"}},
    {OP_TAN, "tan(s)", "0", {"1", "0", "2"}},
    {OP_ASIN, "asin(s)", "1", {"inf", "inf", "inf"}},
    {OP_ASIN, "asin(s)", "-1", {"inf", "-inf", "inf"}},
    {OP_ASIN, "asin(s)", "1e-9", {"1", "1e-9", "1"}},
    {OP_ACOS, "acos(s)", "1", {"-inf", "-inf", "-inf"}},
    {OP_ACOS, "acos(s)", "-1", {"-inf", "inf", "-inf"}},
    {OP_ATAN, "atan(s)", "0", {"1", "0", "-2"}},
    {OP_ATAN,
     "atan(s)",
     "1e3",
     {"9.99999000001e-7", "-1.999996000006e-9", "5.9999800000419999e-12"}},
    {OP_ATAN, "atan(s)", "1e100", {"1e-200", "-2e-300", "0"}},
    {OP_ATAN, "atan(s)", "1e200", {"0", "0", "0"}},
    {OP_ATAN, "atan(s)", "-inf", {"0", "0", "0"}},
    {OP_SINH, "sinh(s)", "-800", {"inf", "-inf", "inf"}},
    {OP_COSH, "cosh(s)", "0", {"0", "1", "0"}},
    {OP_TANH, "tanh(s)", "400", {"0", "0", "0"}},
    {OP_TANH, "tanh(s)", "inf", {"0", "0", "0"}},
    {OP_ASINH, "asinh(s)", "1e100", {"1e-100", "-1e-200", "2e-300"}},
    {OP_ASINH, "asinh(s)", "-1e200", {"1e-200", "0", "0"}},
    {OP_ASINH, "asinh(s)", "inf", {"0", "0", "0"}},
    {OP_ACOSH, "acosh(s)", "1", {"inf", "-inf", "inf"}},
    {OP_ACOSH, "acosh(s)", "1e100", {"1e-100", "-1e-200", "2e-300"}},
    {OP_ACOSH, "acosh(s)", "1e200", {"1e-200", "0", "0"}},
    {OP_ATANH, "atanh(s)", "1", {"inf", "inf", "inf"}},
    {OP_ATANH, "atanh(s)", "-1", {"inf", "-inf", "inf"}},
    {OP_ATANH, "atanh(s)", "1e-9", {"1", "2e-9", "2"}},
    {OP_SIGMOID,
     "sigmoid(s)",
     "40",
     {"4.248354255291589e-18", "-4.248354255291589e-18", "4.248354255291589e-18"}},
    {OP_SIGMOID, "sigmoid(s)", "-800", {"0", "0", "0"}},
    {OP_SIGMOID, "sigmoid(s)", "inf", {"0", "0", "0"}},
    {OP_SOFTPLUS, "softplus(s)", "40", {"1", "4.248354255291589e-18", "-4.248354255291589e-18"}},
    {OP_SOFTPLUS, "softplus(s)", "-800", {"0", "0", "0"}},
    {OP_SOFTPLUS, "softplus(s)", "-inf", {"0", "0", "0"}},
    {OP_RELU, "relu(s)", "0", {"0", "0", "0"}}, /* decided */
    {OP_RELU, "relu(s) * s", "0", {"0", "0", "0"}},
    {OP_LOG1MEXP, "log1mexp(s)", "-800", {"0", "0", "0"}},
    {OP_LOG1MEXP,
     "log1mexp(s)",
     "-40",
     {"-4.248354255291589e-18", "-4.248354255291589e-18", "-4.248354255291589e-18"}},
    {OP_LOG1MEXP,
     "log1mexp(s)",
     "-1e-10",
     {"-9.9999999994999996e+9", "-9.9999999999999993e+19", "-1.9999999999999998e+30"}},
    {OP_LOG1MEXP, "log1mexp(s)", "0", {"-inf", "-inf", "-inf"}},
    {OP_LOG1MEXP, "log1mexp(s)", "-inf", {"0", "0", "0"}},
    {OP_LOG1MEXP, "log(1 - exp(s))", "-800", {"0", "0", "0"}},
    {OP_ERF, "erf(s)", "0", {"1.1283791670955126", "0", "-2.2567583341910251"}},
    {OP_ERF, "erf(s)", "40", {"0", "0", "0"}},
    {OP_ERF, "erf(s)", "-inf", {"0", "0", "0"}},
    {OP_ERFC, "erfc(s)", "0", {"-1.1283791670955126", "0", "2.2567583341910251"}},
    {OP_ERFC, "erfc(s)", "1e200", {"0", "0", "0"}},
    {OP_ERFC, "erfc(s)", "inf", {"0", "0", "0"}},
    {OP_ERFCX,
     "erfcx(s)",
     "-26",
     {"-3.9820169643750955e+295", "2.0721803664613478e+297", "-1.0791265973456509e+299"}},
    {OP_ERFCX, "erfcx(s)", "0", {"-1.1283791670955126", "2", "-4.5135166683820503"}},
    {OP_ERFCX,
     "erfcx(s)",
     "0.25",
     {"-0.7432058932300142", "1.1690901488469864", "-2.3882784984965636"}},
    {OP_ERFCX,
     "erfcx(s)",
     "100",
     {"-5.6410497625993185e-5", "1.1280407802288336e-6", "-3.3834458206016956e-8"}},
    {OP_ERFCX,
     "exp(s * s) * erfc(s)",
     "30",
     {"-6.2583541050748407e-4", "4.1653092384458876e-5", "-4.1560989624037205e-6"}},
    {OP_LOGERFC, "logerfc(s)", "-28.5", {"0", "0", "0"}},
    {OP_LOGERFC,
     "logerfc(s)",
     "-5",
     {"-7.835433265514691e-12", "-7.8354332655208304e-11", "-7.6787246002228154e-10"}},
    {OP_LOGERFC,
     "logerfc(s)",
     "0",
     {"-1.1283791670955126", "-1.2732395447351627", "-0.61663561981163984"}},
    {OP_LOGERFC,
     "logerfc(s)",
     "3",
     {"-6.3037536890032344", "-1.9147884376024802", "-0.044471350773398234"}},
    {OP_LOGERFC, "log(erfc(s))", "30", {"-60.033296398756228", "-1.9988925755438381", NULL}},
    {OP_LOGERFC,
     "log(1 - erf(s))",
     "3",
     {"-6.3037536890032344", "-1.9147884376024802", "-0.044471350773398234"}},
    {OP_LOGERFC, "logerfc(s)", "1e200", {"-2e200", "-2", "0"}},
    {OP_LOGERFC, "logerfc(s)", "-inf", {"0", "0", "0"}},
    {OP_LOGERFC, "logerfc(s)", "inf", {"-inf", "-2", "0"}},
    {OP_ERFINV, "erfinv(s)", "1", {"inf", "inf", "inf"}},
    {OP_ERFINV, "erfinv(s)", "-1", {"inf", "-inf", "inf"}},
    {OP_ERFINV, "erfinv(s)", "0", {"0.88622692545275801", "0", "1.3920819992079269"}},
    {OP_LGAMMA, "lgamma(s)", "0", {"-inf", "inf", "-inf"}},
    {OP_LGAMMA,
     "lgamma(s)",
     "1e10",
     {"23.025850929890457", "1.00000000005e-10", "-1.0000000001e-20"}},
    {OP_DIGAMMA, "digamma(s)", "0", {"inf", "-inf", "inf"}},
    {OP_POLYGAMMA, "polygamma(1, s)", "0", {"-inf", "inf", "-inf"}},
    {OP_IERFCX,
     "ierfcx(0, s)",
     "3",
     {"-0.054372260007172871", "0.031768742319742673", "-0.02687658611023545"}},
    /* ---- elementwise, several operands ---- */
    {OP_ADD, "s + 2 * s", "0", {"3", "0", "0"}},
    {OP_SUB, "2 - s", "0", {"-1", "0", "0"}},
    {OP_MUL, "s * s * s", "0", {"0", "0", "6"}},
    {OP_DIV, "1 / s", "0", {"-inf", "inf", "-inf"}},
    {OP_DIV, "s / 2", "0", {"0.5", "0", "0"}},
    {OP_MOD, "s % 1", "2", {"1", "0", "0"}},
    {OP_MOD, "5 % s", "2", {"-2", "0", "0"}},
    {OP_POW, "s ^ 0.0", "0", {"0", "0", "0"}}, /* decided */
    {OP_POW, "s ^ 0.0", "nan", {"0", "0", "0"}},
    {OP_POW, "s ^ 1.0", "0", {"1", "0", "0"}},
    {OP_POW, "s ^ 2.0", "0", {"0", "2", "0"}},
    {OP_POW, "s ^ 3.0", "0", {"0", "0", "6"}},
    {OP_POW, "s ^ 0.5", "0", {"inf", "-inf", "inf"}},
    {OP_POW, "s ^ 1.5", "0", {"0", "inf", "-inf"}},
    {OP_POW, "s ^ 2.5", "0", {"0", "0", "inf"}},
    {OP_POW, "s ^ -1.0", "0", {"-inf", "inf", "-inf"}},
    {OP_POW, "s ^ 2.0", "-3", {"-6", "2", "0"}},
    {OP_POW, "0.0 ^ s", "0", {"0", "0", "0"}}, /* decided */
    {OP_POW, "0.0 ^ s", "2", {"0", "0", "0"}},
    {OP_POW, "2.0 ^ s", "0", {"0.69314718055994531", "0.48045301391820142", "0.33302465198892948"}},
    {OP_POW, "s ^ s", "0", {"0", "0", "0"}}, /* the exponent is a constant there: s^0 */
    {OP_POW, "s ^ (s + 1)", "0", {"1", "0", "0"}},
    {OP_POW, "s ^ (s + 2)", "0", {"0", "2", "0"}},
    {OP_MINIMUM, "minimum(s, 0)", "0", {"0.5", "0", "0"}},
    {OP_MINIMUM, "minimum(s, s * s)", "0", {"0.5", "1", "0"}},
    {OP_MAXIMUM, "maximum(s, -s)", "0", {"0", "0", "0"}},
    {OP_MAXIMUM, "maximum(s, 0) * s", "0", {"0", "1", "0"}},
    {OP_MAXIMUM, "clip(s, 0, 1)", "1", {"0.5", "0", "0"}},
    {OP_ATAN2, "atan2(s, 1e-200)", "1e-200", {"5e199", "-inf", NULL}},
    {OP_ATAN2, "atan2(s, 1e200)", "1e200", {"5e-201", "0", "0"}},
    {OP_ATAN2, "atan2(s, 0)", "2", {"0", "0", "0"}},
    {OP_ATAN2, "atan2(s, 1)", "0", {"1", "0", "-2"}},
    {OP_ATAN2, "atan2(s, s)", "0", {"nan", "nan", NULL}}, /* none exists, nor a choice */
    {OP_LOGADDEXP, "logaddexp(s, 0)", "800", {"1", "0", "0"}},
    {OP_LOGADDEXP, "logaddexp(s, 0)", "-800", {"0", "0", "0"}},
    {OP_LOGADDEXP, "logaddexp(s, inf)", "inf", {"0.5", "0", "0"}}, /* decided */
    {OP_LOGADDEXP, "logaddexp(s, -inf)", "-inf", {"0.5", "0", "0"}},
    {OP_LOGADDEXP, "logaddexp(s, 2 * s)", "-inf", {"1.5", "0", "0"}},
    {OP_LOGADDEXP, "logaddexp(s, 1)", "inf", {"1", "0", "0"}},
    {OP_XLOGY, "xlogy(s, 2)", "0", {"0.69314718055994531", "0", "0"}},
    {OP_XLOGY, "xlogy(0, s)", "0", {"0", "0", "0"}},
    {OP_XLOGY, "xlogy(2, s)", "0", {"inf", "-inf", "inf"}},
    {OP_XLOGY, "xlogy(s, s)", "0", {"-inf", "0", "0"}}, /* the second s is a constant there */
    {OP_HYPOT, "hypot(s, 0)", "0", {"0", "0", "0"}},    /* decided */
    {OP_HYPOT, "hypot(3 * s, 4 * s)", "0", {"0", "0", "0"}},
    {OP_HYPOT, "hypot(s, 0)", "-2", {"-1", "0", "0"}},
    {OP_HYPOT, "hypot(s, 3)", "0", {"0", "0.33333333333333333", "0"}},
    {OP_HYPOT, "hypot(3 * s, 4 * s)", "1e200", {"5", NULL, NULL}},
    {OP_HYPOT, "hypot(3 * s, 4 * s)", "1e-200", {"5", NULL, NULL}},
    {OP_WHERE, "where(s > 0, sqrt(s), s * s)", "0", {"0", "2", "0"}},
    {OP_WHERE, "where(s == 0, 1.0, sin(s) / s)", "0", {"0", "0", "0"}},
    {OP_WHERE, "where(s > 0, s * exp(1 / s), 3 * s)", "0", {"3", "0", "0"}},
    {OP_WHERE, "sum(where([s, 1] > 0, log([s, 1]), [s * s, 0]))", "0", {"0", "2", "0"}},
    {OP_WHERE, "where(s > 0, prod([s * inf, 2]), s)", "0", {"1", "0", "0"}},
    {OP_WHERE, "where(s > 0, sum(cumprod([1 / s, 2])), s)", "0", {"1", "0", "0"}},
    {OP_WHERE, "where(s > 0, sum(solve([[2.0]], [1 / s])), s)", "0", {"1", "0", "0"}},
    {OP_WHERE, "where(s > 0, sum([[1 / s]] @ [[s]]), s)", "0", {"1", "0", "0"}},
    {OP_WHERE,
     "where(s > 0, (scan t for 2 from x = 1 / s { x[t] = x[t-1] * x[t-1] }).final, s)",
     "0",
     {"1", "0", "0"}},
    {OP_WHERE, "where(s > 9, sum(sin([1 / (0 * s), s])), s)", "-0.4", {"1", "0", "0"}},
    {OP_WHERE, "where(s > 9, sum([1 / (0 * s), s] ^ 2.0), s)", "-0.4", {"1", "0", "0"}},
    {OP_WHERE, "where(s > 9, sum(([1 / (0 * s), s] * s)[1:] ^ 2.0), s)", "-0.4", {"1", "0", "0"}},
    {OP_WHERE,
     "where(s > 9, sum(where([s, 1] > 0, [1 / (0 * s), s] ^ 2.0, [s, s])), s)",
     "-0.4",
     {"1", "0", "0"}},
    {OP_CAST, "f64(f32(s))", "0", {"1", "0", "0"}},
    /* ---- reductions and what runs along an axis ---- */
    {OP_SUM, "sum([s, s * s])", "0", {"1", "2", "0"}},
    {OP_PROD, "prod([s, 2, 3])", "0", {"6", "0", "0"}},
    {OP_PROD, "prod([s, s, 2])", "0", {"0", "4", "0"}},
    {OP_PROD, "prod([s, s, s])", "0", {"0", "0", "6"}},
    {OP_PROD, "prod([s, 0, 2])", "0", {"0", "0", "0"}},
    {OP_PROD, "sum(prod([[s, s], [s, 2]], axis=0, keepdims=true))", "0", {"2", "2", "0"}},
    {OP_PROD, "prod([[s, s], [s, 2]])", "0", {"0", "0", "12"}},
    {OP_CUMPROD, "sum(cumprod([s, s, s]))", "0", {"1", "2", "6"}},
    {OP_CUMPROD, "sum(cumprod([2, s, 0, s]))", "0", {"2", "0", "0"}},
    {OP_CUMPROD, "sum(cumprod([[s, s], [s, 2]], axis=1))", "0", {"4", "2", "0"}},
    {OP_CUMPROD, "sum(flip(cumprod(flip([s, 2, s, s]))))", "0", {"1", "6", "12"}},
    {OP_CUMPROD, "(scan t for 3 from p = 1.0 { p[t] = p[t-1] * s }).final", "0", {"0", "0", "6"}},
    {OP_CUMPROD, "sum(vmap(cumprod)([[s, s], [s, 2]]))", "0", {"4", "2", "0"}},
    {OP_RECURRENCE, "sum(grad(v -> cumprod(v)[2])([s, s, s]))", "0", {"0", "6", "0"}},
    {OP_RECURRENCE, "sum(grad(v -> sum(cumprod(v)))([s, 2, 3 * s]))", "0", {"9", "6", "0"}},
    {OP_CUMSUM, "sum(cumsum([s, s * s]))", "0", {"2", "2", "0"}},
    {OP_CUMMAX, "sum(cummax([s, 0]))", "0", {"2", "0", "0"}}, /* the first of equals */
    {OP_CUMMAX, "sum(cummax([0, s, s * s]))", "1", {"2", "0", "0"}},
    {OP_MAX, "max([s, 0])", "0", {"0.5", "0", "0"}},
    {OP_MAX, "max([s * s, s, 0])", "0", {"0.33333333333333333", "0.66666666666666667", "0"}},
    {OP_MIN, "min([s, -s, 1])", "0", {"0", "0", "0"}},
    {OP_MIN, "sum(min([[s, s * s], [0, 1]], axis=0))", "0", {"0.5", "2", "0"}},
    {OP_PTP, "ptp([s, 0, s * s])", "0", {"0", "0", "0"}},
    {OP_PTP, "ptp([s, 0])", "0", {"0", "0", "0"}},
    {OP_PTP, "ptp([s, s * s, -1])", "1", {"1.5", "1", "0"}},
    {OP_PTP, "ptp([s])", "0", {"0", "0", "0"}},
    {OP_PTP, "ptp([s, 0])", "inf", {"1", "0", "0"}},
    {OP_PEAK, "sum(softmax([s, 2 * s])) * s", "0", {"1", "0", "0"}},
    {OP_SORT, "sum(sort([s, 0]) * [1, 2])", "0", {"1", "0", "0"}}, /* stable */
    {OP_SORT, "sum(sort([s * s, s]) * [1, 2])", "1", {"4", "2", "0"}},
    /* ---- composites ---- */
    {OP_SOFTMAX, "softmax([s, 0])[0]", "-800", {"0", "0", "0"}},
    {OP_SOFTMAX, "softmax([s, 0])[0]", "800", {"0", "0", "0"}},
    {OP_SOFTMAX, "softmax([s, 0])[0]", "-inf", {"0", "0", "0"}},
    {OP_SOFTMAX, "softmax([s, -inf])[0]", "0", {"0", "0", "0"}},
    {OP_SOFTMAX, "softmax([s, 0])[1]", "inf", {"nan", "nan", "nan"}},
    {OP_LOG_SOFTMAX, "log_softmax([s, 0])[0]", "-800", {"1", "0", "0"}},
    {OP_LOG_SOFTMAX, "log_softmax([s, 0])[0]", "800", {"0", "0", "0"}},
    {OP_LOG_SOFTMAX, "log_softmax([s, -inf])[0]", "3", {"0", "0", "0"}},
    {OP_LOGSUMEXP, "logsumexp([s, 0])", "-800", {"0", "0", "0"}},
    {OP_LOGSUMEXP, "logsumexp([s, -inf])", "800", {"1", "0", "0"}},
    {OP_LOGSUMEXP, "logsumexp([s, 0])", "-inf", {"0", "0", "0"}},
    {OP_LOGSUMEXP, "logsumexp([s, -inf])", "-inf", {"0", "0", "0"}}, /* decided */
    {OP_LOGSUMEXP, "log(sum(exp([s, 2 * s])))", "800", {"2", "0", "0"}},
    {OP_MEAN, "mean([s * s, s])", "0", {"0.5", "1", "0"}},
    {OP_VAR, "var([s, 0])", "0", {"0", "0.5", "0"}},
    {OP_VAR, "var([s, s])", "1", {"0", "0", "0"}},
    {OP_STD, "std([s, 0])", "0", {"0", "0", "0"}}, /* decided: as abs */
    {OP_STD, "std([s, s, s])", "3", {"0", "0", "0"}},
    {OP_STD, "std([s, 0])", "1e-100", {"0.5", "0", NULL}},
    {OP_NORM, "norm([s, 0])", "0", {"0", "0", "0"}}, /* decided: as abs */
    {OP_NORM, "norm([s, 2 * s])", "0", {"0", "0", "0"}},
    {OP_NORM, "norm([s, 3])", "0", {"0", "0.33333333333333333", "0"}},
    {OP_TRACE, "trace([[s, 5], [7, s * s]])", "0", {"1", "2", "0"}},
    {OP_TRACE, "trace([[1, s], [s, 2]])", "inf", {"0", "0", "0"}},
    {OP_DIAG, "sum(diag([s, s * s], 1) @ [1, 2, 3])", "0", {"2", "6", "0"}},
    {OP_ROLL, "sum(roll([s, s * s], 1) * [1, 2])", "0", {"2", "2", "0"}},
    {OP_PAD, "sum(pad([s, s * s], 1, constant_values=s))", "0", {"3", "2", "0"}},
    {OP_CONV2D, "sum(conv2d([[s, s * s]], [[s]]))", "0", {"0", "2", "6"}},
    {OP_MAX_POOL, "sum(max_pool([[s, -s, s * s]], (1, 2), stride=1))", "0", {"-0.5", "1", "0"}},
    {OP_REPEAT, "sum(repeat([s, s * s], 2))", "0", {"2", "4", "0"}},
    {OP_LINSPACE, "sum(linspace(s, s * s, 3))", "0", {"1.5", "3", "0"}},
    {OP_DIAG, "sum(diag([[s, 5], [7, s * s]]))", "0", {"1", "2", "0"}},
    /* ---- linear algebra ---- */
    {OP_MATMUL, "[[s, 0], [1, s]] @ [s, 0] @ [1, 1]", "0", {"1", "2", "0"}},
    {OP_GEMM, "sum(gemm([[s, 0], [1, s]], [[s, 1]], tb=true))", "0", {"2", "2", "0"}},
    {OP_GEMV, "sum(gemv([[s, 0], [1, s]], [s, 0], ta=true))", "0", {"0", "2", "0"}},
    {OP_GER, "sum(ger([s, 1], [s, 0]))", "0", {"1", "2", "0"}},
    {OP_CHOLESKY, "cholesky([[s, 0], [0, 1]])[0, 0]", "1e-40", {"5e19", "-2.5e59", "3.75e99"}},
    {OP_SOLVE, "solve([[s, 0], [0, 1]], [1, 1])[0]", "1e-40", {"-1e80", "2e120", "-6e160"}},
    {OP_SOLVE_TRIANGULAR,
     "solve_triangular([[s, 1], [7, 1]], [1, 0])[0]",
     "1e-40",
     {"-1e80", "2e120", "-6e160"}},
    {OP_INV, "inv([[s, 0], [0, 1]])[0, 0]", "1e-40", {"-1e80", "2e120", "-6e160"}},
    {OP_DET, "det([[s, 1], [0, s]])", "1e-10", {"2e-10", "2", NULL}},
    {OP_SLOGDET, "slogdet([[s, 1], [0, s]])[1]", "1e-5", {"2e5", "-2e10", "4e15"}},
    {OP_DFT, "dft([s, 0], [s * s, 1])[1][1]", "0", {"0", "2", "0"}},
    {OP_QR, "qr([[s, 1], [1, 0]])[1][0, 0]", "0", {"0", "1", "0"}},
    {OP_SVD, "svd([[s, 0], [0, 5]])[1][1]", "3", {"1", "0", "0"}},
    {OP_SVD, "sum(svd([[s, 0], [0, 5]])[1])", "5", {"1", "nan", "nan"}},
    {OP_EIGH, "eigh([[s, 1], [1, s]])[0][0]", "0", {"1", "0", "0"}},
    {OP_EIGH, "sum(eigh([[s, 0], [0, 5]])[0])", "5", {"1", "nan", "nan"}},
    {OP_PINV, "pinv([[s, 0], [0, 1]])[0, 0]", "0.5", {"-4", "16", "-96"}},
    {OP_PINV, "pinv([[s, 0], [0, 1]])[0, 0]", "0", {"0", "0", "0"}},
    /* ---- shapes, indices, structure: linear, and so without singular points ---- */
    {OP_CHECK, "(scan t for 2 { y[t] = s * s })[i64(s)]", "0", {"0", "2", "0"}},
    {OP_MATCH_SHAPE, "sum(match_shape([s, s * s], [1, 2]))", "0", {"1", "2", "0"}},
    {OP_STOP_GRADIENT, "stop_gradient(s) * s", "3", {"3", "0", "0"}},
    {OP_RESHAPE, "sum(reshape([[s, s * s]], 2))", "0", {"1", "2", "0"}},
    {OP_TRANSPOSE, "sum([[s, s * s], [1, 2]]' @ [1, 0])", "0", {"1", "2", "0"}},
    {OP_BROADCAST, "sum(broadcast_to(s * s, 3))", "0", {"0", "6", "0"}},
    {OP_EXPAND_DIMS, "sum(expand_dims([s, s * s], 0))", "0", {"1", "2", "0"}},
    {OP_SQUEEZE, "sum(squeeze([[s, s * s]], 0))", "0", {"1", "2", "0"}},
    {OP_CONCAT, "sum(concat(([s, 1], [s * s])))", "0", {"1", "2", "0"}},
    {OP_FLIP, "sum(flip([s, s * s]) * [1, 2])", "0", {"2", "2", "0"}},
    {OP_TRIANGLE, "sum(tril([[s, 5], [s * s, 1]]))", "0", {"1", "2", "0"}},
    {OP_INDEX, "[s, s * s][1]", "0", {"0", "2", "0"}},
    {OP_SLICE, "sum([s, s * s, s][1:])", "0", {"1", "2", "0"}},
    {OP_GATHER, "sum([s, s * s][[1, 1]])", "0", {"0", "4", "0"}},
    {OP_SET_INDEX, "sum([s, 1, 2] with [1] = s * s)", "0", {"1", "2", "0"}},
    {OP_SET_SLICE, "sum([s, 1, 2] with [1:] += s * s)", "0", {"1", "4", "0"}},
    {OP_SCATTER, "sum([s, 1, 2] with [[1, 1]] += s * s)", "0", {"1", "4", "0"}},
    /* ---- control ---- */
    {OP_SCAN, "(scan t for 3 from x = 1.0 { x[t] = x[t-1] * s + s }).final", "0", {"1", "2", "12"}},
    {OP_SCAN, "(scan t for 2 from x = s { x[t] = sqrt(x[t-1]) }).final", "0", {"inf", NULL, NULL}},
    {OP_IFELSE, "if s > 0 then sqrt(s) else s * s", "0", {"0", "2", "0"}},
    {OP_CALL, "g(s)", "0", {"0", "2", "0"}},
    {OP_FUSED, "g(s)", "0", {"0", "2", "0"}}, /* these are made after derivatives */
    {OP_LOOP, "(scan t for 3 from x = 1.0 { x[t] = x[t-1] * s }).final", "0", {"0", "0", "6"}},
};

static bool has_derivative(OpId op)
{
    if (op_table[op].vjp == vjp_none)
        return false;
    if (!op_is_elem_row(op))
        return true;
    const ElemInfo *info = elem_info(elem_of(op));
    return (*info->dx && strcmp(info->dx, "zero")) ||
           (info->arity == 2 && *info->dz && strcmp(info->dz, "zero"));
}

static void test_every_operator_has_a_row(void **state)
{
    (void)state;
    int missing = 0;
    for (int op = 0; op < OP_COUNT; op++) {
        bool found = !has_derivative((OpId)op);
        for (size_t i = 0; i < COUNT_OF(rows) && !found; i++)
            found = rows[i].op == (OpId)op;
        if (!found)
            print_error("%s has a derivative, but no row says what it is at its singular points\n",
                        op_table[op].name);
        missing += !found;
    }
    assert_int_equal(missing, 0);
}

/* Ways to each order, all with the same value. */
static const char *const ways[3][6] = {
    {"grad(f)(p)", "jvp(f)(p, one)", "vjp(f)(p, one)"},
    {"grad(grad(f))(p)", "jvp(grad(f))(p, one)", "grad(v -> jvp(f)(v, one))(p)",
     "jvp(v -> jvp(f)(v, one))(p, one)", "vmap(grad(grad(f)))([p, p])[1]"},
    {"grad(grad(grad(f)))(p)", "jvp(grad(grad(f)))(p, one)", "grad(v -> jvp(grad(f))(v, one))(p)",
     "grad(grad(v -> jvp(f)(v, one)))(p)", "jvp(v -> jvp(v -> jvp(f)(v, one))(v, one))(p, one)"},
};

typedef struct {
    const char *set, *dtype, *near;
} Mode;

static const Mode plain = {"", "f64",
                           "a == b or isnan(a) and isnan(b) or abs(a - b) <= 1e-9 * abs(b)"};
/* Without stabilize a function may lose digits or overflow, but nothing finite may be wrong. */
static const Mode unstable = {":set pass stabilize off\n", "f64",
                              "not isfinite(a) or abs(a - b) <= 1e-6 * abs(b) + 1e-12"};
static const Mode single = {"", "f32",
                            "a == b or isnan(a) and isnan(b) or abs(a - b) <= 2e-4 * abs(b)"};

/* Is it a number that f32 has, and far from its ends? */
static bool fits(const char *number, const Mode *mode)
{
    double x = fabs(strtod(number, NULL));
    return strcmp(mode->dtype, "f32") || x == 0 || !isfinite(x) || (x > 1e-35 && x < 1e35);
}

static void program_of(const Row *row, const Mode *mode, Text *out)
{
    text_printf(out, "%sg(x) = x * x\nnear(a, b) = %s\n", mode->set, mode->near);
    text_printf(out, "one : %s = 1\np : %s = %s\nf(s) = %s\n", mode->dtype, mode->dtype, row->at,
                row->f);
    for (int order = 0; order < 3; order++)
        for (int k = 0; k < 6 && ways[order][k] && row->d[order]; k++)
            if (fits(row->d[order], mode))
                text_printf(out, "near(%s, %s)  # => true\n", ways[order][k], row->d[order]);
}

/* `turn` so that with less effort each mode takes other rows. */
static void check_rows(const Mode *mode, u32 turn)
{
    int bad = 0, all = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Text program = {0};
        int passed = 0, failed = 0;
        if (!effort_takes((u32)i + turn) || !fits(rows[i].at, mode))
            continue;
        program_of(&rows[i], mode, &program);
        check_text(rows[i].f, text_str(&program), &passed, &failed);
        if (failed)
            print_error("%s at %s\n", rows[i].f, rows[i].at);
        bad += failed > 0;
        all += passed;
        text_free(&program);
    }
    assert_int_equal(bad, 0);
    assert_true(all > (int)effort_cases(1000));
}

static void test_singular_points(void **state)
{
    (void)state;
    check_rows(&plain, 0);
}

static void test_without_stabilize(void **state)
{
    (void)state;
    check_rows(&unstable, 1);
}

static void test_single_precision(void **state)
{
    (void)state;
    check_rows(&single, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operator_has_a_row),
        cmocka_unit_test(test_singular_points),
        cmocka_unit_test(test_without_stabilize),
        cmocka_unit_test(test_single_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
