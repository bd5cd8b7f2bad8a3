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
1          14       10       6        11.905
2          29       15       20       10.205
3          39       18       40       10.205
4          46       18       53       10.205
5          47       18       18       5.103
6          48       18       6        5.103
7          49       17       3        3.402
8          49       17       2        3.402
saturated: cost 11.905 -> 3.402 (time, exact)
sqr(x + y)
saturate: 7 steps, 8 -> 4 nodes, saturated
  8 iterations, 49 e-nodes in 17 classes, saturated
  1  term-twice-back [R]  2 * x * y => (x + x) * y    # twice
  2  factor-back [R]    # a common factor
      x * x + (x + x) * y + y * y => x * x + y * x + y * x + y * y
  3-5  factor [R]  3 times    # a common factor
      e.g. x * x + y * x + y * x + y * y => x * x + y * (x + y) + y * x
  6  square-product-back [R]  (x + y) * (x + y) => sqr(x + y)    # a square
  7  abs-sqr [E]  abs(sqr(x + y)) => sqr(x + y)    # a square is not negative
nothing to do: inline, differentiate
equal
saturate: 8 steps, 11 -> 5 nodes, saturated
  5 iterations, 56 e-nodes in 19 classes, equal
  1  sqr-sqrt [R N+ D]
      # a root squared; `x` is not negative: x * x + 2 * x * y + y * y is at least 0, as it equals
      # (x + y)^2 by pow-two, square-product, factor-back, factor, flatten-add, term-twice-back
      sqr(sqrt(x * x + 2 * x * y + y * y)) => x * x + 2 * x * y + y * y
  2  term-twice-back [R]  2 * x * y => (x + x) * y    # twice
  3  factor-back [R]    # a common factor
      x * x + (x + x) * y + y * y => x * x + y * x + y * x + y * y
  4-6  factor [R]  3 times    # a common factor
      e.g. x * x + y * x + y * x + y * y => x * x + y * (x + y) + y * x
  7  mul-self [E]  (x + y) * (x + y) => sqr(x + y)    # a square
  8  square-power [R]  sqr(x + y) => (x + y)^2    # a square
nothing to do: inline, differentiate
different: for x = -1.27022, y = -1.47487 the left side is 5.66209, the right side is 7.53549
equal
saturate: 2 steps, 10 -> 7 nodes, saturated
  2 iterations, 22 e-nodes in 11 classes, equal
  1  log-of-product [R N+ D]
      # products become sums; `x` is not negative: exp(x) is at least 0; `z` is not negative: 1 + y
      # * y is at least 1, as y * y is at least 0
      log(exp(x) * (1 + y * y)) => log(1 + y * y) + log(exp(x))
  2  log-exp [R N+]  log(exp(x)) => x    # inverse pair; no overflow in exp
nothing to do: inline, differentiate
step  pass      rule                 classes   error    ulp
1     saturate  sqr-sqrt             [R N+ D]  1.3e-16  1
2     saturate  flatten-add          [R]       0        0
3     saturate  term-twice-back      [R]       0        0
4     saturate  factor-back          [R]       2.4e-16  2
5     saturate  factor               [R]       1.3e-15  8
6     saturate  factor               [R]       6.7e-16  4
7     saturate  factor               [R]       1.2e-16  1
8     saturate  square-product-back  [R]       0        0
8 steps, 8 compared: all within what their classes allow; largest error 1.3e-15
