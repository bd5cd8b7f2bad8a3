# :saturate best=K, has=E, form=J and cost="OP=N".
x : f64[100]
y : f64
:saturate exp(y) * exp(2 * y) best=4
:steps form=2
:audit form=2
:audit form=3
:audit form=4
:graph form=4
:step form=4 step=1
:graph form=2 step=0
:steps
:saturate sum(exp(x) * 2) best=9
:audit form=4
:saturate log(1 + y) best=3 has="log1p(y)"
:saturate exp(y) * exp(2 * y) has="exp(y)^3"
:saturate exp(y) * exp(2 * y) has="sin(y)"
:saturate exp(y) * exp(2 * y) + y has="exp(3 * y) + y" rules=canonicalize
:saturate exp(y) * exp(2 * y) cost="exp=20" best=3
:saturate grad(exp(y) * y, y) has="exp(y) * (1 + y)"
:saturate (y, exp(y) * 1) best=2
---
iteration  e-nodes  classes  matches  best cost
1          12       7        8        10.102 ns
2          19       9        20       8.402 ns
3          20       9        33       8.402 ns
4          24       9        40       8.402 ns
5          34       9        50       8.402 ns
6          52       9        233      8.402 ns
...
18         234      9        10       8.402 ns
19         234      9        0        8.402 ns
20         234      9        0        8.402 ns
11 more iterations: all=on shows them
limit of matches: cost 16.804 ns -> 8.402 ns (time, exact)
exp(3 * y)
saturate: 3 steps, 6 -> 4 nodes, done
  20 iterations, 234 e-nodes in 9 classes, limit of matches
  1  exp-of-double-back [R]  exp(2 * y) => sqr(exp(y))    # a square
  2  pow-three-back [R]  exp(y) * sqr(exp(y)) => exp(y)^3    # two products instead of a power
  3  exp-of-multiple [R N+ O]
      # a power; `k` is finite: a constant, 3; `k` is not zero: a constant, 3; `k` is large enough:
      # a constant, 3; `k` is small enough: a constant, 3
      exp(y)^3 => exp(3 * y)
nothing to do: inline, differentiate
form  cost
1     8.402 ns   exp(3 * y)
2     10.102 ns  exp(y + y + y)
3     10.102 ns  exp(1 * 3 * y)
4     10.103 ns  exp(y + 2 * y)
saturate: 2 steps, 6 -> 3 nodes, done
  20 iterations, 234 e-nodes in 9 classes, limit of matches
  1  exp-of-sum [R N+]  exp(y) * exp(2 * y) => exp(y + 2 * y)    # sums become products
  2  term-twice-back [E R O]  y + 2 * y => y + y + y    # twice
nothing to do: inline, differentiate
step  pass      rule             classes  error    ulp
1     saturate  exp-of-sum       [R N+]   2.5e-16  2
2     saturate  term-twice-back  [E R O]  0        0
2 steps, 2 compared: all within what their classes allow; largest error 2.5e-16
step  pass      rule          classes     error    ulp
1     saturate  exp-of-sum    [R N+]      2.5e-16  2
2     saturate  factor-one    [Z R N+ O]  0        0
3     saturate  mul-one-back  [E]         0        0
4     saturate  fold          [E]         0        0
4 steps, 4 compared: all within what their classes allow; largest error 2.5e-16
step  pass      rule        classes  error    ulp
1     saturate  exp-of-sum  [R N+]   2.5e-16  2
1 step, 1 compared: all within what their classes allow; largest error 2.5e-16
y : f64
exp(y + 2 * y)
1/1  saturate, exp-of-sum [R N+]
    # sums become products
    - exp(y«) * exp(»2 * y)
    + exp(y «+» 2 * y)
y : f64
exp(y) * exp(2 * y)
saturate: 2 steps, 6 -> 3 nodes, done
  20 iterations, 234 e-nodes in 9 classes, limit of matches
  1  exp-of-sum [R N+]  exp(y) * exp(2 * y) => exp(y + 2 * y)    # sums become products
  2  term-twice-back [E R O]  y + 2 * y => y + y + y    # twice
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          8        6        9        175.703 ns
2          9        6        8        175.703 ns
3          9        6        4        175.703 ns
saturated: cost 202.003 ns -> 175.703 ns (time, exact)
2 * sum(exp(x))
saturate: 1 step, 5 -> 5 nodes, done
  3 iterations, 9 e-nodes in 6 classes, saturated
  1  sum-scale-many [R N+ O]
      # move a factor out of a sum; c is a scalar; `c` is finite: a constant, 2; `c` is positive: a
      # constant, 2
      sum(exp(x) * 2) => 2 * sum(exp(x))
nothing to do: inline, differentiate
form  cost        as a tree
1     175.703 ns  175.703 ns  2 * sum(exp(x))
2     175.703 ns  349.705 ns  sum(exp(x)) + sum(exp(x))
3     202.003 ns  202.003 ns  sum(exp(x) * 2)
4     202.003 ns  310.004 ns  sum(exp(x) + exp(x))
no other form was found
step  pass      rule             classes  error  ulp
1     saturate  term-twice-back  [E]      0      0
1 step, 1 compared: all within what their classes allow; largest error 0
iteration  e-nodes  classes  matches  best cost
1          5        4        1        9.402 ns
2          5        4        1        9.402 ns
saturated: cost 9.402 ns -> 9.402 ns (time, exact)
log(1 + y)
saturate: 0 steps, 4 -> 4 nodes, done
  2 iterations, 5 e-nodes in 4 classes, saturated
nothing to do: inline, differentiate
form  cost
1     9.402 ns   log(1 + y)
2     10.701 ns  log1p(y)
no other form was found
log1p(y): it is there, and costs 10.701 ns, the best form 9.402 ns
  1 step to it: log1p-open-back
iteration  e-nodes  classes  matches  best cost
1          12       7        8        10.102 ns
2          19       9        20       8.402 ns
3          20       9        33       8.402 ns
4          24       9        40       8.402 ns
5          34       9        50       8.402 ns
6          52       9        233      8.402 ns
...
18         234      9        10       8.402 ns
19         234      9        0        8.402 ns
20         234      9        0        8.402 ns
11 more iterations: all=on shows them
limit of matches: cost 16.804 ns -> 8.402 ns (time, exact)
exp(3 * y)
saturate: 3 steps, 6 -> 4 nodes, done
  20 iterations, 234 e-nodes in 9 classes, limit of matches
  1  exp-of-double-back [R]  exp(2 * y) => sqr(exp(y))    # a square
  2  pow-three-back [R]  exp(y) * sqr(exp(y)) => exp(y)^3    # two products instead of a power
  3  exp-of-multiple [R N+ O]
      # a power; `k` is finite: a constant, 3; `k` is not zero: a constant, 3; `k` is large enough:
      # a constant, 3; `k` is small enough: a constant, 3
      exp(y)^3 => exp(3 * y)
nothing to do: inline, differentiate
exp(y)^3: it is there, and costs 67.402 ns, the best form 8.402 ns
  2 steps to it: exp-of-double-back, pow-three-back
iteration  e-nodes  classes  matches  best cost
1          12       7        8        10.102 ns
2          19       9        20       8.402 ns
3          20       9        33       8.402 ns
4          24       9        40       8.402 ns
5          34       9        50       8.402 ns
6          52       9        233      8.402 ns
...
18         234      9        10       8.402 ns
19         234      9        0        8.402 ns
20         234      9        0        8.402 ns
11 more iterations: all=on shows them
limit of matches: cost 16.804 ns -> 8.402 ns (time, exact)
exp(3 * y)
saturate: 3 steps, 6 -> 4 nodes, done
  20 iterations, 234 e-nodes in 9 classes, limit of matches
  1  exp-of-double-back [R]  exp(2 * y) => sqr(exp(y))    # a square
  2  pow-three-back [R]  exp(y) * sqr(exp(y)) => exp(y)^3    # two products instead of a power
  3  exp-of-multiple [R N+ O]
      # a power; `k` is finite: a constant, 3; `k` is not zero: a constant, 3; `k` is large enough:
      # a constant, 3; `k` is small enough: a constant, 3
      exp(y)^3 => exp(3 * y)
nothing to do: inline, differentiate
sin(y): it was not found
  `:equal` shows inputs for which the two are different
iteration  e-nodes  classes  matches  best cost
1          7        7        0        18.505 ns
saturated: cost 18.505 ns -> 18.505 ns (time, exact)
exp(y) * exp(2 * y) + y
saturate: 0 steps, 7 -> 7 nodes, done
  1 iteration, 7 e-nodes in 7 classes, saturated
nothing to do: inline, differentiate
exp(3 * y) + y: it was not found
  it is equal by exp-exp (rules= does not name it), same-sum-of-products (rules= does not name it)
iteration  e-nodes  classes  matches  best cost
1          12       7        8        21
2          19       9        20       21
3          20       9        33       21
4          24       9        40       21
5          34       9        50       21
6          52       9        233      21
...
18         234      9        10       21
19         234      9        0        21
20         234      9        0        21
11 more iterations: all=on shows them
limit of matches: cost 42 -> 21 (operators, exact)
exp(y + y + y)
saturate: 2 steps, 6 -> 3 nodes, done
  20 iterations, 234 e-nodes in 9 classes, limit of matches
  1  exp-of-sum [R N+]  exp(y) * exp(2 * y) => exp(y + 2 * y)    # sums become products
  2  term-twice-back [E R O]  y + 2 * y => y + y + y    # twice
nothing to do: inline, differentiate
form  cost
1     21    exp(y + y + y)
2     21    exp(y)^3
3     21    exp(3 * y)
iteration  e-nodes  classes  matches  best cost
1          7        6        1        10.103 ns
2          8        6        3        10.103 ns
3          8        6        3        10.103 ns
saturated: cost 10.103 ns -> 10.103 ns (time, exact)
exp(y) * (1 + y)
differentiate: 3 steps, 6 -> 4 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 3 nodes
      grad(exp(y) * y, y) => d_y = 1 * exp(y) + (1 * y) * exp(y)
  2-3  mul-one [E]  2 times    # one times anything
      e.g. 1 * exp(y) => exp(y)
saturate: 1 step, 4 -> 5 nodes, done
  3 iterations, 8 e-nodes in 6 classes, saturated
  4  factor-one [Z R N+ O]  d_y = exp(y) + exp(y) * y => exp(y) * (1 + y)    # x is 1 * x
nothing to do: inline
exp(y) * (1 + y): it is there, and costs 10.103 ns, as little as the best form
  1 step to it: factor-one
iteration  e-nodes  classes  matches  best cost
1          5        3        1        6.701 ns
2          7        3        6        6.701 ns
3          16       5        33       6.701 ns
4          38       8        1334     6.701 ns
5          72       8        2784     6.701 ns
6          87       8        641      6.701 ns
...
17         291      8        88       6.701 ns
18         291      8        12210    6.701 ns
19         291      8        14       6.701 ns
10 more iterations: all=on shows them
limit of matches: cost 8.402 ns -> 6.701 ns (time, exact)
y
exp(y)
saturate: 1 step, 4 -> 2 nodes, done
  19 iterations, 291 e-nodes in 8 classes, limit of matches
  1  mul-one [E]  exp(y) * 1 => exp(y)    # one times anything
nothing to do: inline, differentiate
form  cost
1     6.701 ns  y, exp(y)
no other form was found
