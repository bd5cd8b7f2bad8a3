# equality saturation: growth, result, proof
x : f64; y : f64; z : f64
A : f64[n, n]; v : f64[n]
:saturate x * y + x * z
:saturate (A @ A) @ v
:saturate log(1 + exp(x)) * 1 cost=nodes
:saturate x * y + x * z rules=mul-one iterations=3
:saturate x * y + x * z nodes=5
:audit x * y + x * z
:set passes inline saturate
:steps sin(x)^2 + cos(x)^2 + y - y
:passes x * y + x * z
:saturate x + y rules=nothing
:saturate x + y cost=weight
---
iteration  e-nodes  classes  matches  best cost
1          8        7        2        45.003
2          8        7        2        45.003
saturated: cost 67.503 -> 45.003 (time, exact)
x * (z + y)
saturate: 1 step, 6 -> 5 nodes, saturated
  2 iterations, 8 e-nodes in 7 classes, saturated
  1  factor [R]  x * y + x * z => x * (z + y)    # a common factor
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          6        5        2        20240
2          6        5        2        20240
saturated: cost 525140 -> 20240 (time, exact)
A @ (A @ v)
saturate: 1 step, 4 -> 4 nodes, saturated
  2 iterations, 6 e-nodes in 5 classes, saturated
  1  matmul-vector [R]  A @ A @ v => A @ (A @ v)    # which product comes first
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          10       6        3        2.001
2          12       5        15       1.001
3          20       7        37       1.001
4          33       8        502      1.001
5          57       9        2859     1.001
6          77       9        292      1.001
7          87       8        425      1.001
8          108      8        334      1.001
9          145      8        1383     1.001
10         171      8        686      1.001
11         179      8        476      1.001
12         179      8        0        1.001
13         179      8        0        1.001
14         179      8        0        1.001
15         179      8        0        1.001
16         179      8        0        1.001
17         179      8        0        1.001
18         179      8        0        1.001
19         179      8        0        1.001
20         179      8        0        1.001
21         179      8        0        1.001
22         179      8        0        1.001
23         179      8        0        1.001
24         179      8        0        1.001
25         189      8        2966     1.001
26         191      8        212      1.001
27         191      8        52       1.001
28         191      8        0        1.001
29         191      8        0        1.001
30         191      8        0        1.001
limit of iterations: cost 4.002 -> 2.001 (nodes, nothing better was found)
log1p(exp(x))
saturate: 2 steps, 6 -> 3 nodes, saturated
  30 iterations, 191 e-nodes in 8 classes, limit of iterations
  1  mul-one [E]  log(1 + exp(x)) * 1 => log(1 + exp(x))    # one times anything
  2  log1p-open-back [R]  log(1 + exp(x)) => log1p(exp(x))    # as its name says
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          6        6        0        67.503
saturated: cost 67.503 -> 67.503 (time, exact)
x * y + x * z
saturate: 0 steps, 6 -> 6 nodes, saturated
  1 iteration, 6 e-nodes in 6 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          6        6        2        67.503
limit of nodes: cost 67.503 -> 67.503 (time, exact)
x * y + x * z
saturate: 0 steps, 6 -> 6 nodes, saturated
  1 iteration, 6 e-nodes in 6 classes, limit of nodes
nothing to do: inline, differentiate
step  pass  rule  classes  error  ulp
0 steps, 0 compared: all within what their classes allow; largest error 0
saturate: 21 steps, 9 -> 8 nodes, saturated
  30 iterations, 1150 e-nodes in 41 classes, limit of iterations
  1  sub-add-neg [E]    # minus is plus minus
      sin(x)^2 + cos(x)^2 + y - y => (sin(x)^2 + cos(x)^2 + y) + -y
  2  flatten-add [R]    # one sum instead of nested sums
      (sin(x)^2 + cos(x)^2 + y) + -y => sin(x)^2 + cos(x)^2 + y + -y
  3  mul-minus-one-back [E]  -y => -1 * y    # minus one times anything
  4  factor-one [R]    # x is 1 * x
      sin(x)^2 + cos(x)^2 + y + -1 * y => sin(x)^2 + cos(x)^2 + (1.0 + -1.0) * y
  5  square-power-back [R]  sin(x)^2 => sqr(sin(x))    # a square
  6  sine-squared [R]  sqr(sin(x)) => 1 - sqr(cos(x))    # on the unit circle
  7  sub-add-neg [E R]    # minus is plus minus
      - 1 «-» sqr(cos(x)) + cos(x)^2 + (1.0 + -1.0) * y
      + 1 «+ -»sqr(cos(x)) + cos(x)^2 + (1.0 + -1.0) * y
  8  mul-minus-one-back [E]  -sqr(cos(x)) => -1 * sqr(cos(x))    # minus one times anything
  9  square-power [R]  sqr(cos(x)) => cos(x)^2    # a square
  10  factor-one [R]    # x is 1 * x
      - 1 + «-1 * cos(x)^2 +» cos(x)^2 + (1.0 + -1.0) * y
      + 1 + «(1.0 + -1.0) *» cos(x)^2 + (1.0 + -1.0) * y
  11  fold [E]  1.0 + -1.0 => 0.0    # the value is known while the graph is built
  12  factor [R]  1 + 0 * cos(x)^2 + 0 * y => 1 + 0 * (cos(x)^2 + y)    # a common factor
  13  fold-back [E]  0.0 => 1.0 + -1.0    # the value is known while the graph is built
  14  factor-one-back [R]    # x is 1 * x
      (1.0 + -1.0) * (cos(x)^2 + y) => (cos(x)^2 + y) + (cos(x)^2 + y) * -1
  15  square-power-back [R]  cos(x)^2 => sqr(cos(x))    # a square
  16  neg-mul-one-back [E]    # minus is times minus one
      -1 * (sqr(cos(x)) + y) => -(sqr(cos(x)) + y)
  17  mul-one-back [E]    # one times anything
      -(sqr(cos(x)) + y) + (sqr(cos(x)) + y) => -(sqr(cos(x)) + y) + 1 * (sqr(cos(x)) + y)
  18  square-power [R]  1 * (sqr(cos(x)) + y) => (cos(x)^2 + y) * 1    # a square
  19  sub-add-neg-back [E]    # minus is plus minus
      -(sqr(cos(x)) + y) + (cos(x)^2 + y) * 1 => (cos(x)^2 + y) * 1 - (sqr(cos(x)) + y)
  20  square-power-back [R]  cos(x)^2 => sqr(cos(x))    # a square
  21  mul-one [E]  1 * (sqr(cos(x)) + y) => sqr(cos(x)) + y    # one times anything
nothing to do: inline
pass      steps  nodes before  after  stop
inline    0      6             6      saturated
saturate  1      6             5      saturated
saturate: 2 iterations, 8 e-nodes in 7 classes, saturated
input.gr:13:23: error: there is no rule nothing
    :saturate x + y rules=nothing
                          ^^^^^^^
  hint: :rules lists them
input.gr:14:22: error: cost= is one of time, flops, bytes, nodes
    :saturate x + y cost=weight
                         ^^^^^^
exit 1
