# :equal: proved, refuted, neither
x : f64; y : f64
u : f64[n]; A : f64[n, n]; B : f64[n, n]
:equal x * 1, x
:equal (x + y)^2, x^2 + 2*x*y + y^2
:equal sin(x)^2 + cos(x)^2, 1
:equal log(x * y), log(x) + log(y)
:equal (A @ B)', A' @ B'
:equal erf(x) + lgamma(y), lgamma(y) + erf(x) + 1e-13 iterations=2
:equal grad(sum(u^2), u), 2 * u
:equal x + y, 1 * (x + y)
:equal exp(x), log(exp(exp(x)))
:equal sqr(x), x*x + 0*y
:step step=1
:equal x * y, y * x * 1 + 0 * x
:equal scan t over u { o[t] = 2 * u[t] }, -(-scan t over u { o[t] = u[t] + u[t] })
:equal cosh(x)^2 - sinh(x)^2, 1
:equal cos(2*x), 1 - 2*sin(x)^2
:equal x, u
:equal x
:equal x, (x, y)
---
equal
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 4 e-nodes in 2 classes, equal
  1  mul-one [E]  x * 1 => x    # 1 is neutral
nothing to do: inline, differentiate
equal up to rounding except where nan differs or an operation overflows or underflows: for x = 1e+200, y = -1e+200 the left side is 0.0, the right side is nan
simplify: 1 step, 9 -> 5 nodes, done
  1  simplify [R N+ O]    # the same sum of products in fewer operations; collect x
      x^2 + 2 * x * y + y^2 => (x + y)^2
specialize: 1 step, 5 -> 4 nodes, done
  2  pow-two [R]  (x + y)^2 => sqr(x + y)    # a square
saturate: 0 steps, 4 -> 4 nodes, done
  0 iterations, 4 e-nodes in 4 classes, equal
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops
equal up to rounding except where nan differs: for x = inf the left side is nan, the right side is 1.0 (by rules of class N-, which is off: unit-circle)
saturate: 1 step, 8 -> 1 nodes, done
  1 iteration, 10 e-nodes in 7 classes, equal
  1  unit-circle [R N-]  sin(x)^2 + cos(x)^2 => 1.0    # on the unit circle; hides NaN
nothing to do: inline, differentiate
equal up to rounding if x >= 0 and y >= 0; otherwise, for x = -1.0, y = -1.0 the left side is 0.0, the right side is nan
with that assumed, except where an operation overflows or underflows: for x = 1e+200, y = 1e+200 the left side is inf, the right side is 921.034
saturate: 1 step, 7 -> 5 nodes, done
  1 iteration, 7 e-nodes in 6 classes, equal
  1  log-of-product [R N+ D]
      # products become sums; `x` is not negative: x is at least 0, as it is assumed; `z` is not
      # negative: y is at least 0, as it is assumed
      log(x * y) => log(x) + log(y)
nothing to do: inline, differentiate
different: for A = [[1.0, 1.0], [1.0, 1.0]], B = [[1.0, 1.0], [1.0, 0.39]] the left side is [[2.0, 2.0], [1.39, 1.39]], the right side is [[2.0, 1.39], [2.0, 1.39]]
different: for x = 1e-09, y = 1.0 the left side is 1.12838e-09, the right side is 1.12848e-09
equal
differentiate: 1 step, 9 -> 3 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 4 nodes
      grad(sum(u^2), u) => 2 * u
saturate: 0 steps, 3 -> 3 nodes, done
  0 iterations, 3 e-nodes in 3 classes, equal
nothing to do: inline
equal
saturate: 1 step, 5 -> 3 nodes, done
  1 iteration, 9 e-nodes in 6 classes, equal
  1  mul-one [E]  1 * (x + y) => x + y    # 1 is neutral
nothing to do: inline, differentiate
equal up to rounding except where an operation overflows or underflows: for x = 7.0 the left side is 1096.63, the right side is inf
saturate: 1 step, 4 -> 2 nodes, done
  1 iteration, 4 e-nodes in 3 classes, equal
  1  log-exp [R N+]  log(exp(exp(x))) => exp(x)    # inverse pair; no overflow in exp
nothing to do: inline, differentiate
equal except where nan differs: for x = 1.0, y = inf the left side is 1.0, the right side is nan (by rules of classes Z N-, which are off: same-sum-of-products)
saturate: 1 step, 7 -> 6 nodes, done
  1 iteration, 10 e-nodes in 5 classes, equal
  1  same-sum-of-products [Z R N- O]    # the same sum of products in index form
      sqr(x) => x * x + 0 * y
nothing to do: inline, differentiate
1/1  saturate, same-sum-of-products [Z R N- O]
    # the same sum of products in index form
    - sqr(x)
    + x * x + 0 * y
equal except where nan or the sign of a zero differs: for x = inf, y = 1.0 the left side is inf, the right side is nan (by rules of classes Z N-, which are off: same-sum-of-products)
saturate: 1 step, 8 -> 7 nodes, done
  1 iteration, 9 e-nodes in 5 classes, equal
  1  same-sum-of-products [Z R N- O]    # the same sum of products in index form
      x * y => y * x * 1 + 0 * x
nothing to do: inline, differentiate
equal up to rounding
saturate: 4 steps, 13 -> 6 nodes, done
  1 iteration, 21 e-nodes in 9 classes, equal
  1  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      scan without states (%4) is gone
      - o = %4.o
      + o = 2 * u
  2  same-sum-of-products [R O]  o = 2 * u => u + u    # the same sum of products in index form
  3  map-back [R]    # a loop without states is its body applied to all rows at once; 1 trace
      new: scan without states (%7)
      - o = u + u
      + o = %7.o
  4  neg-neg [E]  -(-o) => o = %7.o    # minus minus
nothing to do: inline, differentiate
equal up to rounding except where nan differs or an operation overflows or underflows: for x = 800.0 the left side is nan, the right side is 1.0 (by rules of classes Z N-, which are off: same-sum-of-products)
saturate: 4 steps, 8 -> 1 nodes, done
  2 iterations, 42 e-nodes in 21 classes, equal
  1  sub-add-neg [E]    # subtraction is addition of the negation
      cosh(x)^2 - sinh(x)^2 => cosh(x)^2 + -sinh(x)^2
  2  square-power-back [R]  cosh(x)^2 => sqr(cosh(x))    # a square
  3  hyperbola [R]  sqr(cosh(x)) => 1 + sqr(sinh(x))    # on the unit hyperbola
  4  same-sum-of-products [Z R N- O]    # the same sum of products in index form
      (1 + sqr(sinh(x))) + -sinh(x)^2 => 1.0
nothing to do: inline, differentiate
equal up to rounding and overflow: for x = 1.7976931348623157e+308 the left side is nan, the right side is 0.999951
saturate: 5 steps, 9 -> 7 nodes, done
  3 iterations, 44 e-nodes in 16 classes, equal
  1  cosine-double [R N+ O]  cos(2 * x) => sqr(cos(x)) - sqr(sin(x))    # twice the angle
  2  sub-add-neg [E]    # subtraction is addition of the negation
      sqr(cos(x)) - sqr(sin(x)) => sqr(cos(x)) + -sqr(sin(x))
  3  1-sine-squared-back [R]  sqr(cos(x)) => 1 - sqr(sin(x))    # no cancellation near pi / 2
  4  sub-add-neg [E]    # subtraction is addition of the negation
      1 - sqr(sin(x)) => 1 + -sqr(sin(x))
  5  same-sum-of-products [R O]    # the same sum of products in index form
      (1 + -sqr(sin(x))) + -sqr(sin(x)) => 1 - 2 * sin(x)^2
nothing to do: inline, differentiate
different: for x = 0.0, u = [1.0] the left side is [0.0], the right side is [1.0]
input.gr:20:8: error: two expressions with a comma between them are compared
    :equal x
           ^
  hint: :equal sin(x)^2 + cos(x)^2, 1
input.gr:21:10: error: this is not one tensor
    :equal x, (x, y)
             ^^^^^^^
  hint: compare its parts one by one
exit 1
