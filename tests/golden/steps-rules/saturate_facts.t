# equality saturation: what one form of a value knows serves all of them
x : f64; y : f64; v : f64[n]
:saturate abs(x * x + 2 * x * y + y * y)
:equal sqr(sqrt(x * x + 2 * x * y + y * y)), (x + y)^2
:equal abs(x * x + x * y + y * y), (x + y)^2
:equal log(exp(x) * (1 + y * y)), x + log(1 + y * y)
:set passes inline saturate
:audit sqr(sqrt(v * v + 2 * v * y + y * y))
---
iteration  e-nodes  classes  matches  best cost
1          14       10       9        0.0119 us
2          29       15       23       0.01021 us
3          39       18       43       0.01021 us
4          46       18       53       0.01021 us
5          47       18       18       0.005103 us
6          48       17       11       0.003402 us
7          49       17       3        0.003402 us
8          49       17       1        0.003402 us
saturated: cost 0.0119 us -> 0.003402 us (time, exact)
sqr(x + y)
saturate: 8 steps, 8 -> 4 nodes, done
  8 iterations, 49 e-nodes in 17 classes, saturated
  1  abs-known-zero [Z R N+ D O]
      # it is not negative; -0 is preserved; `x` is not negative: x * x + 2 * x * y + y * y is at
      # least 0, as it equals (x + y) * (x + y) by factor, flatten-add, factor-back, term-twice-back
      abs(x * x + 2 * x * y + y * y) => x * x + 2 * x * y + y * y
  2  term-twice-back [E R O]  2 * x * y => (y + y) * x    # twice
  3  factor-back [Z R N+ O]  (y + y) * x => y * x + y * x    # a common factor; the other way
  4  flatten-add [R O]    # nested sums become one sum
      x * x + (y * x + y * x) + y * y => x * x + y * x + y * x + y * y
  5-7  factor [Z R N+ O]  3 times    # a common factor
      e.g. x * x + y * x + y * x + y * y => x * x + y * (x + y) + y * x
  8  square-product-back [E]  (x + y) * (x + y) => sqr(x + y)    # a square
nothing to do: inline, differentiate
equal up to rounding except where nan differs or an operation overflows or underflows: for x = 1e+200, y = -1e+200 the left side is nan, the right side is 0.0
simplify: 1 step, 11 -> 7 nodes, done
  1  simplify [R N+ O]    # the same sum of products in fewer operations; collect x
      x * x + 2 * x * y + y * y => (x + y)^2
expand: 1 step, 7 -> 5 nodes, done
  2  sqr-sqrt [R D]
      # a root squared; `x` is not negative: (x + y)^2 is at least 0; `x` is never -0
      sqr(sqrt((x + y)^2)) => (x + y)^2
specialize: 1 step, 5 -> 4 nodes, done
  3  pow-two [R]  (x + y)^2 => sqr(x + y)    # a square
saturate: 0 steps, 4 -> 4 nodes, done
  0 iterations, 4 e-nodes in 4 classes, equal
nothing to do: inline, canonicalize, stabilize, differentiate, loops
different: for x = 1.0, y = 1.0 the left side is 3.0, the right side is 4.0
equal up to rounding except where an operation overflows or underflows: for x = 800.0, y = 1.0 the left side is inf, the right side is 800.693
saturate: 1 step, 10 -> 7 nodes, done
  1 iteration, 19 e-nodes in 12 classes, equal
  1  log-exp-times [R N+]
      # no overflow in exp; `z` is positive: 1 + y * y is at least 1, as y * y is at least 0
      log(exp(x) * (1 + y * y)) => x + log(1 + y * y)
nothing to do: inline, differentiate
step  pass      rule                 classes  error  ulp
1     saturate  square-product-back  [E]      0      0
2     saturate  term-twice-back      [E R O]  0      0
2 steps, 2 compared: all within what their classes allow; largest error 0
