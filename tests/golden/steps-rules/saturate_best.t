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
1          12       7        8        0.0101 us
2          19       9        21       0.008402 us
3          20       9        34       0.008402 us
4          24       9        42       0.008402 us
5          36       9        54       0.008402 us
6          55       9        291      0.008402 us
...
17         234      9        0        0.008402 us
18         234      9        0        0.008402 us
19         234      9        0        0.008402 us
10 more iterations: all=on shows them
limit of matches: cost 0.0168 us -> 0.008402 us (time, exact)
exp(3 * y)
saturate: 3 steps, 6 -> 4 nodes, done
  19 iterations, 234 e-nodes in 9 classes, limit of matches
  1  exp-of-double-back [R]  exp(2 * y) => sqr(exp(y))    # a square
  2  pow-three-back [R]  exp(y) * sqr(exp(y)) => exp(y)^3    # two products instead of a power
  3  exp-of-multiple [R N+ O]
      # a power; `k` is finite: a constant, 3; `k` is not zero: a constant, 3; `k` is large enough:
      # a constant, 3; `k` is small enough: a constant, 3
      exp(y)^3 => exp(3 * y)
nothing to do: inline, differentiate
form  cost
1     0.008402 us  exp(3 * y)
2     0.0101 us    exp(y + y + y)
3     0.0101 us    exp(1 * 3 * y)
4     0.0101 us    exp(y + 2 * y)
saturate: 2 steps, 6 -> 3 nodes, done
  19 iterations, 234 e-nodes in 9 classes, limit of matches
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
  19 iterations, 234 e-nodes in 9 classes, limit of matches
  1  exp-of-sum [R N+]  exp(y) * exp(2 * y) => exp(y + 2 * y)    # sums become products
  2  term-twice-back [E R O]  y + 2 * y => y + y + y    # twice
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          8        6        9        0.1757 us
2          9        6        8        0.1757 us
3          9        6        4        0.1757 us
saturated: cost 0.202 us -> 0.1757 us (time, exact)
2 * sum(exp(x))
saturate: 1 step, 5 -> 5 nodes, done
  3 iterations, 9 e-nodes in 6 classes, saturated
  1  sum-scale-many [R N+ O]
      # move a factor out of a sum; c is a scalar; `c` is finite: a constant, 2; `c` is positive: a
      # constant, 2
      sum(exp(x) * 2) => 2 * sum(exp(x))
nothing to do: inline, differentiate
form  cost       as a tree
1     0.1757 us  0.1757 us  2 * sum(exp(x))
2     0.1757 us  0.3497 us  sum(exp(x)) + sum(exp(x))
3     0.202 us   0.202 us   sum(exp(x) * 2)
4     0.202 us   0.31 us    sum(exp(x) + exp(x))
no other form was found
step  pass      rule             classes  error  ulp
1     saturate  term-twice-back  [E]      0      0
1 step, 1 compared: all within what their classes allow; largest error 0
iteration  e-nodes  classes  matches  best cost
1          5        4        1        0.009402 us
2          5        4        1        0.009402 us
saturated: cost 0.009402 us -> 0.009402 us (time, exact)
log(1 + y)
saturate: 0 steps, 4 -> 4 nodes, done
  2 iterations, 5 e-nodes in 4 classes, saturated
nothing to do: inline, differentiate
form  cost
1     0.009402 us  log(1 + y)
2     0.0107 us    log1p(y)
no other form was found
log1p(y): it is there, and costs 0.0107 us, the best form 0.009402 us
  1 step to it: log1p-open-back
iteration  e-nodes  classes  matches  best cost
1          12       7        8        0.0101 us
2          19       9        21       0.008402 us
3          20       9        34       0.008402 us
4          24       9        42       0.008402 us
5          36       9        54       0.008402 us
6          55       9        291      0.008402 us
...
17         234      9        0        0.008402 us
18         234      9        0        0.008402 us
19         234      9        0        0.008402 us
10 more iterations: all=on shows them
limit of matches: cost 0.0168 us -> 0.008402 us (time, exact)
exp(3 * y)
saturate: 3 steps, 6 -> 4 nodes, done
  19 iterations, 234 e-nodes in 9 classes, limit of matches
  1  exp-of-double-back [R]  exp(2 * y) => sqr(exp(y))    # a square
  2  pow-three-back [R]  exp(y) * sqr(exp(y)) => exp(y)^3    # two products instead of a power
  3  exp-of-multiple [R N+ O]
      # a power; `k` is finite: a constant, 3; `k` is not zero: a constant, 3; `k` is large enough:
      # a constant, 3; `k` is small enough: a constant, 3
      exp(y)^3 => exp(3 * y)
nothing to do: inline, differentiate
exp(y)^3: it is there, and costs 0.0674 us, the best form 0.008402 us
  2 steps to it: exp-of-double-back, pow-three-back
iteration  e-nodes  classes  matches  best cost
1          12       7        8        0.0101 us
2          19       9        21       0.008402 us
3          20       9        34       0.008402 us
4          24       9        42       0.008402 us
5          36       9        54       0.008402 us
6          55       9        291      0.008402 us
...
17         234      9        0        0.008402 us
18         234      9        0        0.008402 us
19         234      9        0        0.008402 us
10 more iterations: all=on shows them
limit of matches: cost 0.0168 us -> 0.008402 us (time, exact)
exp(3 * y)
saturate: 3 steps, 6 -> 4 nodes, done
  19 iterations, 234 e-nodes in 9 classes, limit of matches
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
1          9        8        2        0.0118 us
2          9        8        0        0.0118 us
saturated: cost 0.01851 us -> 0.0118 us (time, exact)
exp(y + 2 * y) + y
saturate: 1 step, 7 -> 6 nodes, done
  2 iterations, 9 e-nodes in 8 classes, saturated
  1  exp-exp [R N+]  exp(y) * exp(2 * y) => exp(y + 2 * y)    # one exponential instead of two
nothing to do: inline, differentiate
exp(3 * y) + y: it was not found
  it is equal by exp-of-sum (rules= does not name it), same-sum-of-products (rules= does not name it)
iteration  e-nodes  classes  matches  best cost
1          12       7        8        21
2          19       9        21       21
3          20       9        34       21
4          24       9        42       21
5          36       9        54       21
6          55       9        291      21
...
17         234      9        0        21
18         234      9        0        21
19         234      9        0        21
10 more iterations: all=on shows them
limit of matches: cost 42 -> 21 (operators, exact)
exp(y + y + y)
saturate: 2 steps, 6 -> 3 nodes, done
  19 iterations, 234 e-nodes in 9 classes, limit of matches
  1  exp-of-sum [R N+]  exp(y) * exp(2 * y) => exp(y + 2 * y)    # sums become products
  2  term-twice-back [E R O]  y + 2 * y => y + y + y    # twice
nothing to do: inline, differentiate
form  cost
1     21    exp(y + y + y)
2     21    exp(y)^3
3     21    exp(3 * y)
iteration  e-nodes  classes  matches  best cost
1          7        6        1        0.0101 us
2          8        6        3        0.0101 us
3          8        6        3        0.0101 us
saturated: cost 0.0101 us -> 0.0101 us (time, exact)
exp(y) * (1 + y)
differentiate: 3 steps, 6 -> 4 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 3 nodes
      grad(exp(y) * y, y) => d_y = 1 * exp(y) + (1 * y) * exp(y)
  2-3  mul-one [E]  2 times    # 1 is neutral
      e.g. 1 * exp(y) => exp(y)
saturate: 1 step, 4 -> 5 nodes, done
  3 iterations, 8 e-nodes in 6 classes, saturated
  4  factor-one [Z R N+ O]  d_y = exp(y) + exp(y) * y => exp(y) * (1 + y)    # x is 1 * x
nothing to do: inline
exp(y) * (1 + y): it is there, and costs 0.0101 us, as little as the best form
  1 step to it: factor-one
iteration  e-nodes  classes  matches  best cost
1          5        3        1        0.006701 us
2          7        3        6        0.006701 us
3          16       5        33       0.006701 us
4          38       8        1340     0.006701 us
5          72       8        2814     0.006701 us
6          87       8        683      0.006701 us
...
17         291      8        110      0.006701 us
18         291      8        12222    0.006701 us
19         291      8        54       0.006701 us
10 more iterations: all=on shows them
limit of matches: cost 0.008402 us -> 0.006701 us (time, exact)
y
exp(y)
saturate: 1 step, 4 -> 2 nodes, done
  19 iterations, 291 e-nodes in 8 classes, limit of matches
  1  mul-one [E]  exp(y) * 1 => exp(y)    # 1 is neutral
nothing to do: inline, differentiate
form  cost
1     0.006701 us  y, exp(y)
no other form was found
