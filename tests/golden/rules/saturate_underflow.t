# a form that overflows, or becomes 0, says nothing of what it equals on paper
:saturate sqr(reciprocal(exp(384.0)^1)) * sqr(reciprocal(exp(384.0)^-1)) nodes=500
x : f64; y : f64; z : f64
:saturate sqr(1 / exp(384.0 + x * 0)) * sqr(exp(384.0 + x * 0)) nodes=500
# nothing better is taken that only forbidden steps lead to; what else is better is found
:saturate exp(x) + exp(z) + exp(x + z) + (sin(x) * y + sin(x) * z) nodes=500
---
iteration  e-nodes  classes  matches  best cost
1          26       12       12       12.804
2          64       15       103      12.804
3          186      23       755      0
4          490      72       3349     0
limit of nodes: cost 138.608 -> 0 (time, exact)
1.0
saturate: 5 steps, 11 -> 1 nodes, limit of nodes
  4 iterations, 490 e-nodes in 72 classes, limit of nodes
  1  square-multiply [R]    # squares multiply
      - sqr(reciprocal(exp(384.0)^1)«) * sqr(»reciprocal(exp(384.0)^-1))
      + sqr(reciprocal(exp(384.0)^1) * reciprocal(exp(384.0)^-1))
  2  reciprocal-product [R]    # inverses multiply
      - reciprocal(exp(384.0)^1«) * reciprocal(»exp(384.0)^«-»1)
      + reciprocal(exp(384.0)^«-»1 * exp(384.0)^1)
  3  pow-one [E]  exp(384.0)^-1 * exp(384.0)^1 => exp(384.0) * exp(384.0)^-1    # first power
  4  known-value [R N+ D]
      # the range of it is one number; reciprocal(exp(384.0) * …^-1) is 1, as it equals exp(384 *
      # (-1.0 + 1.0)) by reciprocal-product, mul-reciprocal, pow-one, exp-of-multiple, power-of-sum,
      # pow-minus-one
      reciprocal(exp(384.0) * exp(384.0)^-1) => 1.0
  5  fold [E]  sqr(1.0) => 1.0    # the value is known while the graph is built
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          30       16       11       16.206
2          90       32       145      14.505
3          306      58       1215     13.505
4          357      90       954      13.505
limit of nodes: cost 17.907 -> 11.804 (time, nothing better was found)
exp(768 + x * 0 - (768 + x * 0))
saturate: 12 steps, 11 -> 7 nodes, limit of nodes
  4 iterations, 357 e-nodes in 90 classes, limit of nodes
  1  mul-self-back [E]    # a square
      sqr(1 / exp(384 + x * 0)) => 1 / exp(384 + x * 0) * (1 / exp(384 + x * 0))
  2  one-over [E]  1 / exp(384 + x * 0) => reciprocal(exp(384 + x * 0))    # an inverse
  3  reciprocal-product [R]    # inverses multiply
      - reciprocal(exp(384 + x * 0)«) * reciprocal(»exp(384 + x * 0))
      + reciprocal(exp(384 + x * 0) * exp(384 + x * 0))
  4  quotient-back [R]    # a quotient is a product
      reciprocal(%11) * sqr(exp(384 + x * 0)) => sqr(exp(384 + x * 0)) / %11
  5  exp-of-double [R]  sqr(exp(384 + x * 0)) => exp(2 * (384 + x * 0))    # a square
  6  mul-self [E]  exp(384 + x * 0) * exp(384 + x * 0) => sqr(exp(384 + x * 0))    # a square
  7  exp-of-double [R]  sqr(exp(384 + x * 0)) => exp(2 * (384 + x * 0))    # a square
  8  exp-div-exp [R N+]    # one exponential instead of two
      - exp(2 * (384 + x * 0)«) / exp(»2 * (384 + x * 0))
      + exp(2 * (384 + x * 0) «-» 2 * (384 + x * 0))
  9  factor-back [R]  2 * (384 + x * 0) => 2.0 * 384.0 + 2 * (x * 0)    # a common factor
  10  flatten-mul [R]  2 * (x * 0) => 2 * x * 0    # one product instead of nested products
  11  fold-mul [R]  2 * x * 0 => x * 0    # constants of one product multiplied
  12  fold [E]  2.0 * 384.0 => 768.0    # the value is known while the graph is built
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          16       13       4        37.008
2          25       18       12       37.008
3          33       20       10       37.008
4          34       18       18       37.008
5          57       20       52       37.008
6          98       23       454      37.008
...
18         370      22       0        37.008
19         370      22       0        37.008
20         370      22       0        37.008
11 more iterations: all=yes shows them
limit of matches: cost 38.709 -> 37.008 (time, nothing better was found)
exp(x) + exp(z) + exp(x + z) + sin(x) * (y + z)
saturate: 1 step, 12 -> 11 nodes, saturated
  20 iterations, 370 e-nodes in 22 classes, limit of matches
  1  factor [R]  sin(x) * y + sin(x) * z => sin(x) * (y + z)    # a common factor
nothing to do: inline, differentiate
