/* The corner cases on which the language has decided, one named test each: a row is a program whose
 * comments say what its statements give, checked as `gradus test` does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"
#include "repl/documents/check.h"

typedef struct {
    const char *name;
    const char *program;
} Corner;

static Corner corners[] = {
    {"zero steps: final states are the initial ones, traces have no rows",
     "n : i64 = 0\n"
     "S = scan t for n from x = [1.0, 2.0] { x[t] = 2 * x[t-1]; o[t] = sum(x[t]) }\n"
     "S.final.x  # => [1.0, 2.0]\n"
     "(S.steps, S.stopped)  # => (0, false)\n"
     "(shape(S.x), shape(S.o))  # => ([0, 2], [0])\n"},
    {"negative steps: a run-time error",
     "k : i64 = -1\n"
     "scan t for k from x = 0 { x[t] = x[t-1] + 1 }  # => error check\n"
     "scan t for k { x[t] = t }  # => error\n"
     "x : f64 = 1\n"
     "grad((scan t for k from s = x { s[t] = s[t-1] * 2 }).final, x)  # => error check\n"
     "scan t for -1 { x[t] = t }  # => error\n"},
    {"trace[-1] after zero steps: an index error, also where it is rewritten",
     "k : i64 = 0\n"
     "x : f64 = 2\n"
     "T = scan t for k from s = x { s[t] = s[t-1] * x }\n"
     "T[-1]  # => error index\n"
     "T.final  # => 2.0\n"
     "grad(T[-1], x)  # => error\n"
     "k := 3\n"
     "T[-1]  # => 16.0\n"
     "grad(T[-1], x)  # => 32.0\n"},
    {"sequences of unequal length: the shortest decides",
     "a = [1, 2, 3]; b = [10, 20]\n"
     "scan t over a, b { s[t] = a[t] + b[t] }  # => [11, 22]\n"
     "scan t over a, b zip strict { s[t] = a[t] + b[t] }  # => error shape-mismatch\n"
     "scan t over a for 4 { s[t] = a[t] }  # => error shape-mismatch\n"
     "u : f64[p] = [1, 2, 3]; v : f64[q] = [1, 2]; m : i64 = 4\n"
     "scan t over u, v { s[t] = u[t] * v[t] }  # => [1.0, 4.0]\n"
     "scan t over u, v zip strict { s[t] = u[t] * v[t] }  # => error check\n"
     "scan t over u for m { s[t] = u[t] }  # => error check\n"},
    {"state that changes its dtype or shape: an error when the graph is built",
     "j : i32 = 1\n"
     "scan t for 3 from s = j { s[t] = s[t-1] * 0.5 }  # => error type-mismatch\n"
     "scan t for 3 from s = 0.0 { s[t] = s[t-1] + [1, 2] }  # => error shape-mismatch\n"},
    {"until: tested after the step, whose values are kept",
     "S = scan t for 8 from s = 1 { s[t] = 2 * s[t-1]; until s[t] > 5 }\n"
     "S  # => [2, 4, 8]\n"
     "(S.steps, S.stopped)  # => (3, true)\n"
     "R = scan t for 2 from s = 1 { s[t] = 2 * s[t-1]; until s[t] > 5 }\n"
     "(R.steps, R.stopped)  # => (2, false)\n"
     "scan t for 3 from s = 10 { s[t] = s[t-1] + 1; until true }  # => [11]\n"},
    {"until and gradient: over the executed steps, zero beyond, none for the condition",
     "u : f64[4] = [1, 2, 3, 4]; limit : f64 = 5\n"
     "S = scan t over u from s = 1.0 { s[t] = s[t-1] * u[t]; until s[t] > limit }\n"
     "grad(S.final, u)  # => [6.0, 3.0, 2.0, 0.0]\n"
     "grad(sum(S), u)  # => [9.0, 4.0, 2.0, 0.0]\n"
     "grad(S.final, limit, unconnected=zero)  # => 0.0\n"},
    {"until under vmap: a stopped lane is frozen",
     "f(x) = { S = scan t for 6 from s = x { s[t] = 2 * s[t-1]; until s[t] > 10 }\n"
     "         (S.final, S.steps, S) }\n"
     "last, steps, trace = vmap(f)([1.0, 3, 9])\n"
     "last  # => [16.0, 12.0, 18.0]\n"
     "steps  # => [4, 2, 1]\n"
     "trace  # => [[2.0, 4.0, 8.0, 16.0], [6.0, 12.0, 0.0, 0.0], [18.0, 0.0, 0.0, 0.0]]\n"},
    {"if under vmap: a lane runs its own branch only",
     "d : i64[3] = [2, 0, 5]\n"
     "vmap(k -> if k == 0 then -1 else 10 // k)(d)  # => [5, -1, 2]\n"
     "vmap(k -> 10 // k)(d)  # => error\n"},
    {"hoisting: nothing fails that a loop without steps would not have computed",
     "n : i64 = 0; z : i64 = 0; x : f64[m] = zeros(0); v : i64[2] = [0, 0]\n"
     "(scan t for n from s = 7 { s[t] = s[t-1] + 1 // z }).final  # => 7\n"
     "(scan t for n from s = 7 { s[t] = s[t-1] * (1 // z) }).final  # => 7\n"
     "(scan t for n from s = 7 { s[t] = s[t-1] + v[z + 9] }).final  # => 7\n"
     "scan t for n { s[t] = t // z }  # => []\n"
     "sum(scan t for n { s[t] = 1 // z })  # => 0\n"
     "(scan t for n from q = 1 { q[t] = 1 // z }).final  # => 1\n"
     "(scan t over x from q = 1 { q[t] = q[t-1] + 1 // z }).final  # => 1\n"
     "(scan t for n from q = 0.0 { q[t] = max(x) * q[t-1] }).final  # => 0.0\n"
     "(scan t for n from q = 0.0 { q[t] = q[t-1] + solve([[0.0]], [1.0])[0] }).final  # => 0.0\n"
     "n := 2\n"
     "(scan t for n from s = 7 { s[t] = s[t-1] + 1 // z }).final  # => error zero-divisor\n"},
    {"integers: wrap, zero divisor, negative exponent, 0^0",
     "big : i64 = 9223372036854775807; low : i32 = -2147483648; z : i64 = 0\n"
     "big + 1  # => -9223372036854775808\n"
     "big * big  # => 1\n"
     "sum([big, 1])  # => -9223372036854775808\n"
     "(-low, abs(low), low // i32(-1), low % i32(-1))\n"
     "# => (-2147483648, -2147483648, -2147483648, 0)\n"
     "1 // z  # => error zero-divisor\n"
     "1 % z  # => error zero-divisor\n"
     "1 // 0  # => error\n"
     "2 ^ -1  # => error\n"
     "2 ^ (z - 1)  # => error negative-exponent\n"
     "left_shift(1, z + 64)  # => error shift-range\n"
     "(z ^ z, 0.0 ^ 0)  # => (1, 1.0)\n"},
    {"nan: through min and max, sorts last, first for argmax; signed zero is kept",
     "w : f64[4] = [2, nan, -inf, nan]; m : f64 = -0.0\n"
     "(min(w), max(w), argmin(w), argmax(w))  # => (nan, nan, 1, 1)\n"
     "(maximum(1.0, nan), minimum(nan, 1.0))  # => (nan, nan)\n"
     "sort(w)  # => [-inf, 2.0, nan, nan]\n"
     "argsort(w)  # => [2, 0, 1, 3]\n"
     "(1 / m, 1 / (m * 1), 1 / (m + m), 1 / sqrt(m), 1 / -(-m))  # => (-inf, -inf, -inf, -inf, "
     "-inf)\n"
     "(1 / (0 + m), 1 / (0 - m), 1 / (m - m), 1 / abs(m))  # => (inf, inf, inf, inf)\n"},
    {"ties: the gradient of max and maximum is shared; relu' and abs' at 0 are 0",
     "t : f64[3] = [3, 1, 3]; zero : f64 = 0\n"
     "grad(max(t), t)  # => [0.5, 0.0, 0.5]\n"
     "grad(min(-t), t)  # => [-0.5, 0.0, -0.5]\n"
     "grad(sum(maximum(t, 3)), t)  # => [0.5, 0.0, 0.5]\n"
     "grad(sum(minimum(t, t * 1)), t)  # => [1.0, 1.0, 1.0]\n"
     "(grad(relu(zero), zero), grad(abs(zero), zero))  # => (0.0, 0.0)\n"},
    {"pow: d/dx is 0 where y is 0, d/dy is 0 where x is 0 and y >= 0",
     "b : f64 = 0; y : f64 = 0\n"
     "grad(b ^ y, [b, y])  # => (0.0, 0.0)\n"
     "y := 2\n"
     "grad(b ^ y, [b, y])  # => (0.0, 0.0)\n"
     "b := nan; y := 0\n"
     "grad(b ^ y, b)  # => 0.0\n"},
    {"float to int: truncates, saturates, nan gives 0",
     "i64([2.9, -2.9, inf, -1e300, nan])\n"
     "# => [2, -2, 9223372036854775807, -9223372036854775808, 0]\n"
     "i32([3e9, -3e9, nan, -0.5])  # => i32[4] = [2147483647, -2147483648, 0, 0]\n"
     "bool([nan, 0.0, -0.0])  # => [true, false, false]\n"},
    {"empty reductions", "e0 : f64[0] = zeros(0)\n"
                         "(sum(e0), prod(e0), any(e0), all(e0))  # => (0.0, 1.0, false, true)\n"
                         "(logsumexp(e0), mean(e0))  # => (-inf, nan)\n"
                         "min(e0)  # => error empty\n"
                         "max(e0)  # => error empty\n"
                         "argmin(e0)  # => error empty\n"
                         "argmax(e0)  # => error empty\n"
                         "max(zeros((0, 3)), axis=0)  # => error empty\n"
                         "max(zeros((0, 3)), axis=1)  # => []\n"},
    {"scatter with duplicates: adds in index order, the last one wins",
     "zeros(3) with [[1, 1, 1]] += [1e16, 1.0, -1e16]  # => [0.0, 0.0, 0.0]\n"
     "zeros(3) with [[1, 1, 1]] += [1e16, -1e16, 1.0]  # => [0.0, 1.0, 0.0]\n"
     "zeros(3) with [[1, 1, 0]] = [1, 2, 3]  # => [3.0, 2.0, 0.0]\n"},
    {"reduction order: the same bits on every run and however the sum is reached",
     "x, _ = uniform(rng(1), 100000)\n"
     "sum(x)  # => 49889.66424292834\n"
     "sum(x) == sum(x * 1) and sum(x) == sum(reshape(x, (1, 100000)), axis=1)[0]  # => true\n"
     "sum(flip(flip(x))) == sum(x)  # => true\n"},
    {"gradient of where and if: nothing leaks from the branch not taken",
     "v : f64[3] = [0, 4, -1]; q : f64 = 0\n"
     "grad(sum(where(v > 0, sqrt(v), 0)), v)  # => [0.0, 0.25, 0.0]\n"
     "hessian(sum(where(v > 0, log(v), v)), v)\n"
     "# => [[0.0, 0.0, 0.0], [0.0, -0.0625, 0.0], [0.0, 0.0, 0.0]]\n"
     "grad(sum(where(v > 0, v * inf, v)), v)  # => [1.0, inf, 1.0]\n"
     "grad(if q > 0 then log(q) else 3 * q, q)  # => 3.0\n"
     "grad(grad(if q > 0 then sqrt(q) else q * q, q), q)  # => 2.0\n"
     "jvp(sum(where(v > 0, sqrt(v), 0)), v, [1, 1, 1])  # => 0.25\n"},
    {"random: the same seed gives the same numbers (used twice: golden eval/random)",
     "uniform(rng(1), 3)[0]  # => [0.8946847163350924, 0.7112680765766943, 0.8741119351871307]\n"
     "a, r = uniform(rng(1), 2)\n"
     "a  # => [0.8946847163350924, 0.7112680765766943]\n"},
    {"checks and errors: only where their value is used",
     "z : i64 = 0\n"
     "(1 // z, 5)[1]  # => 5\n"
     "(scan t for 2 { a[t] = t; c[t] = 1 // z }).a  # => [0, 1]\n"
     "if z > 0 then 1 // z else 5  # => 5\n"
     "where(z > 0, 1 // z, 5)  # => error zero-divisor\n"},
};

static void row_holds(void **state)
{
    const Corner *c = *state;
    int passed = 0, failed = 0;
    check_text(c->name, c->program, &passed, &failed);
    assert_int_equal(failed, 0);
    assert_true(passed > 1);
}

int main(void)
{
    struct CMUnitTest tests[COUNT_OF(corners)];
    for (size_t i = 0; i < COUNT_OF(corners); i++)
        tests[i] = (struct CMUnitTest){corners[i].name, row_holds, NULL, NULL, &corners[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
