# nothing is taken out that only forbidden steps lead to; what else is better is found
x : f64; y : f64; z : f64
:saturate exp(x) + exp(z) + exp(x + z) + (sin(x) * y + sin(x) * z) nodes=500
---
iteration  e-nodes  classes  matches  best cost
1          16       13       4        37.008 ns
2          25       18       12       37.008 ns
3          29       18       10       37.008 ns
4          39       19       22       37.008 ns
5          52       19       73       37.008 ns
6          86       22       356      37.008 ns
...
18         350      22       0        37.008 ns
19         350      22       0        37.008 ns
20         350      22       0        37.008 ns
11 more iterations: all=on shows them
limit of matches: cost 38.709 ns -> 37.008 ns (time, nothing better was found)
exp(x) + exp(z) + exp(x + z) + sin(x) * (y + z)
saturate: 1 step, 12 -> 11 nodes, done
  20 iterations, 350 e-nodes in 22 classes, limit of matches
  1  factor [Z R N+ O]  sin(x) * y + sin(x) * z => sin(x) * (y + z)    # a common factor
nothing to do: inline, differentiate
