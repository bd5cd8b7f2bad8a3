# nothing is taken out that only forbidden steps lead to; what else is better is found
x : f64; y : f64; z : f64
:saturate exp(x) + exp(z) + exp(x + z) + (sin(x) * y + sin(x) * z) nodes=500
---
iteration  e-nodes  classes  matches  best cost
1          16       13       4        0.03701 us
2          25       18       12       0.03701 us
3          29       18       10       0.03701 us
4          39       19       22       0.03701 us
5          52       19       73       0.03701 us
6          86       22       356      0.03701 us
...
18         350      22       0        0.03701 us
19         350      22       0        0.03701 us
20         350      22       0        0.03701 us
11 more iterations: all=on shows them
limit of matches: cost 0.03871 us -> 0.03701 us (time, exact)
exp(x) + exp(z) + exp(x + z) + sin(x) * (y + z)
saturate: 1 step, 12 -> 11 nodes, done
  20 iterations, 350 e-nodes in 22 classes, limit of matches
  1  factor [Z R N+ O]  sin(x) * y + sin(x) * z => sin(x) * (y + z)    # a common factor
nothing to do: inline, differentiate
