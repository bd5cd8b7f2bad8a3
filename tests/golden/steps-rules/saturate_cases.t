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
:saturate (x + 1) * (x + 2) iterations=12 all=on
---
equal up to rounding and overflow: for x = 1e+200, y = -1e+200 the left side is nan, the right side is 1.0
saturate: 1 step, 8 -> 5 nodes, done
  1 iteration, 8 e-nodes in 7 classes, equal
  1  pow-times-pow [R N+ O]    # one power instead of two; `c` is positive: a constant, 2
      2^x * 2^y => 2^(x + y)
nothing to do: inline, differentiate
equal up to rounding (by rules of class Z, which is off: same-sum-of-products; no input was found for which that matters)
saturate: 1 step, 8 -> 3 nodes, done
  1 iteration, 17 e-nodes in 10 classes, equal
  1  same-sum-of-products [Z R N+ O]    # the same sum of products in index form
      (x - y) / 2 - (y - x) / 2 => x - y
nothing to do: inline, differentiate
equal except where the sign of a zero differs: for x = -0.0 the left side is 0.0, the right side is -0.0 (by rules of classes Z N-, which are off: sub-self, add-zero)
differentiate: 8 steps, 10 -> 3 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 5 nodes
      grad(x * sin(x) + cos(x), x) => d_x = (1 * sin(x) + (1 * x) * cos(x)) + -1 * sin(x)
  2-3  mul-one [E]  2 times    # 1 is neutral
      e.g. 1 * x => x
  4  mul-minus-one [E]  -1 * sin(x) => -sin(x)    # multiplication by -1 negates
  5  flatten-add [R O]    # nested sums become one sum
      d_x = (sin(x) + x * cos(x)) + -sin(x) => sin(x) + x * cos(x) + -sin(x)
  6  add-neg [E R O]    # adding a negation subtracts
      d_x = sin(x) + x * cos(x) + -sin(x) => sin(x) - sin(x) + x * cos(x)
  7  sub-self [N-]  sin(x) - sin(x) => 0.0    # hides inf - inf and NaN
  8  add-zero [Z]  d_x = 0 + x * cos(x) => x * cos(x)    # 0 is neutral; -0 + 0 is +0
saturate: 0 steps, 3 -> 3 nodes, done
  0 iterations, 3 e-nodes in 3 classes, equal
nothing to do: inline
iteration  e-nodes  classes  matches  best cost
1          20       11       5        0.004402 us
2          40       16       41       0.004402 us
3          72       17       90       0.004402 us
4          131      17       359      0.004402 us
5          240      18       1476     0.004402 us
6          456      18       2574     0.004402 us
...
16         1564     18       13940    0.004402 us
17         1564     18       17152    0.004402 us
18         1564     18       0        0.004402 us
9 more iterations: all=on shows them
limit of matches: cost 0.006103 us -> 0.004402 us (time, exact)
-2 * (x / y)
saturate: 2 steps, 6 -> 5 nodes, done
  18 iterations, 1564 e-nodes in 18 classes, limit of matches
  1  mul-minus-one-back [E R O]  -(x / y) * 2 => -1 * (x / y) * 2    # multiplication by -1 negates
  2  fold-mul [R O]  -1 * (x / y) * 2 => -2 * (x / y)    # constant factors are multiplied
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          11       9        4        4.816e+04 us
2          14       10       8        242.8 us
3          14       10       8        242.8 us
saturated: cost 9.608e+04 us -> 242.8 us (time, exact)
A @ (B @ (C @ v))
saturate: 2 steps, 7 -> 7 nodes, done
  3 iterations, 14 e-nodes in 10 classes, saturated
  1-2  matmul-vector [R N+ O]  2 times    # the order of products
      e.g. A @ B @ C @ v => A @ B @ (C @ v)
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          89       51       41       0.02211 us
2          101      52       474      0.02211 us
limit of nodes: cost 0.02211 us -> 0.02211 us (time, exact)
(x + y) * (x + y + y) * (x + 3 * y) * (x + 4 * y) * (x + 5 * y)
saturate: 1 step, 16 -> 14 nodes, limit of nodes
  2 iterations, 101 e-nodes in 52 classes, limit of nodes
  1  term-twice-back [E R O]  x + 2 * y => x + y + y    # twice
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          13       9        5        0.005103 us
2          31       13       18       0.005103 us
3          81       15       122      0.005103 us
4          174      19       1156     0.005103 us
5          359      25       4198     0.005103 us
6          505      25       577      0.005103 us
...
12         635      25       902      0.005103 us
13         897      25       6540     0.005103 us
14         1080     25       4273     0.005103 us
5 more iterations: all=on shows them
limit of iterations: cost 0.005103 us -> 0.005103 us (time, exact)
(x + 1) * (x + 2)
saturate: 0 steps, 6 -> 6 nodes, limit of iterations
  14 iterations, 1080 e-nodes in 25 classes, limit of iterations
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          13       9        5        0.005103 us
2          31       13       18       0.005103 us
3          81       15       122      0.005103 us
4          174      19       1156     0.005103 us
5          359      25       4198     0.005103 us
6          505      25       577      0.005103 us
7          592      25       836      0.005103 us
8          628      25       591      0.005103 us
9          635      25       12       0.005103 us
10         635      25       0        0.005103 us
11         635      25       148      0.005103 us
12         635      25       902      0.005103 us
limit of iterations: cost 0.005103 us -> 0.005103 us (time, exact)
(x + 1) * (x + 2)
saturate: 0 steps, 6 -> 6 nodes, limit of iterations
  12 iterations, 635 e-nodes in 25 classes, limit of iterations
nothing to do: inline, differentiate
