# Guards are tried at both of their ends, and loops up to 70 steps; what overflows must say so. A rule
# whose guard cannot be tried is refused.
:rule a [D Z]: abs(x) => -x if at_most(x, 0.5)
:rule a [E]: tanh(x) => x if at_least(x, -0.3) and at_most(x, 0.3)
:rule a [E]: exp(x) => x + 1 if at_least(x, -0.3) and at_most(x, 0.3)
:rule a [E]: floor(x) => zeros_like(x) if at_least(x, -0.5) and at_most(x, 0.5)
:rule a [R]: maximum(x, y) => (x + y + abs(x - y)) / 2
:rule a [D]: x:int // 8 => zeros_like(x) if at_least(x, 0) and at_most(x, 8)
:rule a [D]: x:int // 8 => zeros_like(x) if at_least(x, 0) and at_most(x, 7)
:rule b [D Z]: floor(x - z) => zeros_like(x - z) if at_least(x - z, 0) and at_most(x - z, 1) and no_nan(x - z)
:rule b [R]: tan(x) => sin(2 * x) / (2 * sqr(cos(x)))
:rule b [R]: x ^ 3 => x * x * x
:rule b [R]: sinh(x) => (exp(x) - exp(-x)) / 2
:rule c [E]: (scan t for n from s = a:int { s[t] = s[t-1] * 2 }).final => left_shift(a, n)
:rule c [D]: abs(x) => x if at_least(x, 2) and at_most(x, 1)
:rule c [D Z]: abs(x) => x if nonnegative(x) or (at_least(x, 2) and at_most(x, 1))
:rule c [D]: sqr(exp(x)) => exp(2 * x) if at_most(exp(x), -1)
---
input.gr:3:7: error: not accepted: for x = 0.49999999999999994 the left side is 0.49999999999999994, the right side -0.49999999999999994
    :rule a [D Z]: abs(x) => -x if at_most(x, 0.5)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:4:7: error: not accepted: for x = -0.29999999999999993 the left side is -0.2913126124515908, the right side -0.29999999999999993
    :rule a [E]: tanh(x) => x if at_least(x, -0.3) and at_most(x, 0.3)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:5:7: error: not accepted: for x = -0.29999999999999993 the left side is 0.740818220681718, the right side 0.7000000000000001
    :rule a [E]: exp(x) => x + 1 if at_least(x, -0.3) and at_most(x, 0.3)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:6:7: error: not accepted: for x = [-0.49999999999999994, -0.0, 0.49999999999999994] the left side is -1.0, the right side 0.0
    :rule a [E]: floor(x) => zeros_like(x) if at_least(x, -0.5) and at_most(x, 0.5)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:7:7: error: not accepted: for x = -inf, y = inf the left side is inf, the right side nan
    :rule a [R]: maximum(x, y) => (x + y + abs(x - y)) / 2
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:8:7: error: not accepted: for x = 8 the left side is 1, the right side 0
    :rule a [D]: x:int // 8 => zeros_like(x) if at_least(x, 0) and at_most(x, 8)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
a [D]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:10:7: error: not accepted: for x = [1.0, 1.0, 1.0], z = [-0.0e+000, 1.0e-300, -0.0e+000] the left side is 1.0, the right side 0.0
    :rule b [D Z]: floor(x - z) => zeros_like(x - z) if at_least(x - z, 0) and at_most(x - z, 1) and no_…
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [Z R D]
input.gr:11:7: error: not accepted: for x = 1.5e+308 the left side is 1.1732228510618692, the right side nan
    :rule b [R]: tan(x) => sin(2 * x) / (2 * sqr(cos(x)))
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R O]
b [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:13:7: error: not accepted: for x = 710.0 the left side is 1.1169973830808557e+308, the right side inf
    :rule b [R]: sinh(x) => (exp(x) - exp(-x)) / 2
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R O]
input.gr:14:7: error: not accepted: for a = [[3, -10, 6], [9, 6, -2], [6, 5, 8]], n = 64 only the right side fails (shift by a negative number or by all bits); the left side is [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    :rule c [E]: (scan t for n from s = a:int { s[t] = s[t-1] * 2 }).final => left_shift(a, n)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:15:7: error: it cannot be tried, as it does not fire on its own left side: the condition at_least(x, 2) does not hold, or cannot be proved, for x = `v0`
    :rule c [D]: abs(x) => x if at_least(x, 2) and at_most(x, 1)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: trial=off at the end of the line accepts it untried
input.gr:16:7: error: not accepted, as it cannot be tried well enough: no value at the edge of `at_most(x, 1)` was found to try it on
    :rule c [D Z]: abs(x) => x if nonnegative(x) or (at_least(x, 2) and at_most(x, 1))
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: trial=off at the end of the line accepts it untried
input.gr:17:7: error: not accepted, as it cannot be tried well enough: no value at the edge of `at_most(exp(x), -1)` was found to try it on
    :rule c [D]: sqr(exp(x)) => exp(2 * x) if at_most(exp(x), -1)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: trial=off at the end of the line accepts it untried
exit 1
