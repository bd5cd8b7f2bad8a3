# a value is never wrong by a step of class O: computed again without it, once; then :steps has none
y : f64 = 1e-160
y * (1e300 * y)
y * (1e300 * y)
:steps y * (1e300 * y)
# stores see the right value only, in `repeat` too
shared W : f64[2] = [1e-160, 2.0]
repeat 2 { W := W * (1e300 * W) * 1e-10 }
W
shared M : f64[3] = [0.0, 1e-160, 1.0]
repeat 2 { M := M with [1] = M[1] * (1e300 * M[1]) }
M
# an error that such a step led to is none
m : f64 = 1e200
[10, 20, 30][i64(m * (m * 1e-300) * 1e-100)]
# no such step where something is decided by the value
:whynot flatten-mul where(m * (3 * m) > 1, 1.0, 2.0)
L = scan t for 100 from s = m { s[t] = s[t-1] * (1e-300 * s[t-1]); until s[t] < 1e150 }
L.steps
:whynot flatten-mul L.final
:whynot sum-scale argmax([m, sum(2 * W)])
# what underflows as it should, exp of a masked score, keeps its program
x : f64[3] = [1.0, 2.0, 3.0]
p = softmax(x + [0.0, -1e9, -800.0]) * (0.5 * (0.3 * x))
p
:steps p pass=canonicalize
# exports are written without, unless asked for
:export m * (2 * m) without.py
:export m * (2 * m) with.py allow=O
:help O
# shows: without.py
# shows: with.py
---
input.gr:3:1: note: a step of class O made a number underflow: the value was computed again without flatten-mul (y * (1e+300 * y) => y * 1e+300 * y)
    y * (1e300 * y)
    ^^^^^^^^^^^^^^^
f64 = 1.0000000000000001e-20
f64 = 1.0000000000000001e-20
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize,
fuse, lower
W : f64[2] = [1.0e+230, inf]
M : f64[3] = [0.0e+000, 1.0e+260, 1.0e+000]
i64 = 20
flatten-mul does not fire
  at %2, 3 * m: no operand is the same operator
  at %3, m * (3 * m): a condition or a comparison reads this value, so steps of class O are not allowed
  `:help flatten-mul`: what it matches, and when
i64 = 1
flatten-mul does not fire
  at %2, 1e-300 * s[t-1]: no operand is the same operator
  at %3, s[t-1] * (1e-300 * s[t-1]): a condition or a comparison reads this value, so steps of class O are not allowed
  `:help flatten-mul`: what it matches, and when
sum-scale does not fire
  at %5, sum(2 * W): a condition or a comparison reads this value, so steps of class O are not allowed
  `:help sum-scale`: what it matches, and when
p : f64[3] = [0.15, 0.0, 0.0]
canonicalize: 3 steps, 9 -> 6 nodes, done
  1  flatten-mul [R O]  0.5 * (0.3 * x) => 0.5 * 0.3 * x    # nested products become one product
  2  fold-mul [R O]  0.5 * 0.3 * x => x * 0.15    # constant factors are multiplied
  3  flatten-mul [R O]  p = %4 * (x * 0.15) => %4 * x * 0.15    # nested products become one product
O, a class of rules: may overflow or underflow where the source did not
An intermediate result may exceed the range of its dtype. If that happens during an evaluation, the result is discarded and computed again without such steps.
  example     x * (y * z) => x * y * z
              for 1e200, 1e200, 1e-300 the left side gives 1e100, the right side inf
  the audit   allows: nan, infinity and zero of the result; otherwise as R
==> without.py
# Written by gradus :export, with NumPy.
import numpy as np


def without(m):
    """m * (2 * m)

    m: f64
    """
    m = np.asarray(m, dtype=np.float64)[()]
    with np.errstate(all="ignore"):
        return m * (2.0 * m)
==> with.py
# Written by gradus :export, with NumPy.
import numpy as np


def with_1(m):
    """m * (2 * m)

    m: f64
    """
    m = np.asarray(m, dtype=np.float64)[()]
    with np.errstate(all="ignore"):
        return m * 2.0 * m
