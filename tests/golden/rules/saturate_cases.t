# equality saturation: cases of the literature, and what stops it
x : f64; y : f64; v : f64[n]; w : f64[n]
A : f64[n, n]; B : f64[n, n]; C : f64[n, n]
:equal 2 ^ x * 2 ^ y, 2 ^ (x + y)
:equal (x - y) / 2 - (y - x) / 2, x - y
:equal grad(x * sin(x) + cos(x), x), x * cos(x)
:saturate -(x / y) * 2
:saturate ((A @ B) @ C) @ v assume=1000
:saturate (x + y) * (x + 2 * y) * (x + 3 * y) * (x + 4 * y) * (x + 5 * y) nodes=100
:saturate (x + 1) * (x + 2) iterations=14
:saturate (x + 1) * (x + 2) iterations=12 all=yes
---
equal
saturate: 1 step, 8 -> 5 nodes, saturated
  1 iteration, 8 e-nodes in 7 classes, equal
  1  power-of-sum [R N+ D]  2^x * 2^y => 2^(x + y)    # one base; `x` is positive: a constant, 2
nothing to do: inline, differentiate
equal
saturate: 8 steps, 8 -> 3 nodes, saturated
  4 iterations, 234 e-nodes in 61 classes, equal
  1  sub-add-neg [E]    # minus is plus minus
      (x - y) / 2 - (y - x) / 2 => (x - y) / 2 + -((y - x) / 2)
  2  neg-sub-back [Z]    # turn a difference around; the sign of a zero changes
      (x - y) / 2 => -(y - x) / 2
  3  quotient-neg-back [E]  -(y - x) / 2 => -((y - x) / 2)    # the sign of the first
  4  neg-add-back [Z R]    # the sign of each term
      -((y - x) / 2) + -((y - x) / 2) => -((y - x) / 2 + (y - x) / 2)
  5  common-denominator [R N+]    # one denominator
      (y - x) / 2 + (y - x) / 2 => (y - x + (y - x)) / 2
  6  term-twice [R]  y - x + (y - x) => 2 * (y - x)    # twice
  7  cancel-quotient [R N-]  2 * (y - x) / 2 => y - x    # nothing is left; hides 0 / 0
  8  neg-sub [Z]  -(y - x) => x - y    # turn a difference around; the sign of a zero changes
nothing to do: inline, differentiate
equal
differentiate: 9 steps, 10 -> 3 nodes, saturated
  1  expand-derivative [E]    # operator by operator; reverse sweep over 5 nodes
      - «grad(x» * sin(x) + cos(x)«,» x)
      + «dx = (1» * sin(x) + «(1 * x) *» cos(x)«) + -1.0 * sin(»x)
      - value_and_grad(x * sin(x) + cos(x), x)[0]
      + x * sin(x) + cos(x)
  2  fold [E]    # the value is known while the graph is built
  3  mul-minus-one [E]  -1 * sin(x) => -sin(x)    # minus one times anything
  4-5  mul-one [E]  2 times    # one times anything
      e.g. 1 * x => x
  6  flatten-add [R]    # one sum instead of nested sums
      dx = (sin(x) + x * cos(x)) + -sin(x) => sin(x) + x * cos(x) + -sin(x)
  7  add-neg [E R]    # plus minus is minus
      dx = sin(x) + x * cos(x) + -sin(x) => sin(x) - sin(x) + x * cos(x)
  8  sub-self [N-]  sin(x) - sin(x) => 0.0    # hides inf - inf and NaN
  9  add-zero [Z]  dx = 0 + x * cos(x) => x * cos(x)    # zero plus anything; -0 + 0 is +0
saturate: 0 steps, 3 -> 3 nodes, saturated
  0 iterations, 3 e-nodes in 3 classes, equal
nothing to do: inline
iteration  e-nodes  classes  matches  best cost
1          18       10       5        6.102
2          42       18       38       4.402
3          71       17       82       4.402
4          139      21       345      4.402
5          240      18       1488     4.402
6          457      19       2555     4.402
...
16         1564     18       13940    4.402
17         1564     18       17141    4.402
18         1564     18       0        4.402
9 more iterations: all=yes shows them
limit of matches: cost 6.103 -> 4.402 (time, exact)
x / y * -2
saturate: 2 steps, 6 -> 5 nodes, saturated
  18 iterations, 1564 e-nodes in 18 classes, limit of matches
  1  mul-minus-one-back [E R]  -(x / y) * 2 => -1 * (x / y) * 2    # minus one times anything
  2  fold-mul [R]  -1 * (x / y) * 2 => x / y * -2    # constants of one product multiplied
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          11       9        4        4.81619e+07
2          15       11       8        242790
3          14       10       8        242790
4          14       10       0        242790
saturated: cost 9.6081e+07 -> 242790 (time, exact)
A @ (B @ (C @ v))
saturate: 2 steps, 7 -> 7 nodes, saturated
  4 iterations, 14 e-nodes in 10 classes, saturated
  1-2  matmul-vector [R]  2 times    # which product comes first
      e.g. A @ B @ C @ v => A @ B @ (C @ v)
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          99       61       41       22.109
2          100      61       654      22.109
limit of nodes: cost 22.11 -> 22.109 (time, exact)
(x + y) * (x + y + y) * (x + 3 * y) * (x + 4 * y) * (x + 5 * y)
saturate: 1 step, 16 -> 14 nodes, limit of nodes
  2 iterations, 100 e-nodes in 61 classes, limit of nodes
  1  term-twice-back [R]  x + 2 * y => x + y + y    # twice
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          14       10       5        5.103
2          34       14       18       5.103
3          75       16       111      5.103
4          154      19       982      5.103
5          351      43       4320     5.103
6          557      28       1950     5.103
...
12         729      25       998      5.103
13         729      25       0        5.103
14         982      25       6936     5.103
5 more iterations: all=yes shows them
limit of iterations: cost 5.103 -> 5.103 (time, exact)
(x + 1) * (x + 2)
saturate: 0 steps, 6 -> 6 nodes, limit of iterations
  14 iterations, 982 e-nodes in 25 classes, limit of iterations
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          14       10       5        5.103
2          34       14       18       5.103
3          75       16       111      5.103
4          154      19       982      5.103
5          351      43       4320     5.103
6          557      28       1950     5.103
7          661      25       746      5.103
8          713      25       633      5.103
9          726      25       124      5.103
10         729      25       0        5.103
11         729      25       258      5.103
12         729      25       998      5.103
limit of iterations: cost 5.103 -> 5.103 (time, exact)
(x + 1) * (x + 2)
saturate: 0 steps, 6 -> 6 nodes, limit of iterations
  12 iterations, 729 e-nodes in 25 classes, limit of iterations
nothing to do: inline, differentiate
