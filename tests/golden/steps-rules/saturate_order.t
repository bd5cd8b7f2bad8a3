# the order of rewrites does not matter: a position before what is computed, or after it
x : f64[n]; y : f64[n]; A : f64[n, n]; B : f64[n, n]
:saturate (exp(x) * exp(y))[1] assume=1000
:saturate exp(x)[1] * exp(y)[1]
:saturate ((A + B) @ B)[0] assume=50
:set passes saturate canonicalize specialize
:graph (exp(x) * exp(y))[1] pass=specialize
:set passes canonicalize saturate specialize
:graph (exp(x) * exp(y))[1] pass=specialize
:set passes specialize canonicalize saturate
:graph (exp(x) * exp(y))[1] pass=saturate
:audit (exp(x) * exp(y))[1]
---
iteration  e-nodes  classes  matches  best cost
1          16       12       6        0.01851 us
2          19       13       13       0.0118 us
3          19       13       7        0.0118 us
saturated: cost 2.236 us -> 0.0118 us (time, exact)
exp(x[1] + y[1])
saturate: 3 steps, 7 -> 7 nodes, done
  3 iterations, 19 e-nodes in 13 classes, saturated
  1  index-of-mul [E]    # indexing commutes with elementwise operators
      (exp(x) * exp(y))[1] => exp(x)[1] * exp(y)[1]
  2  stable-view [R]    # an index or reshape between the two halves of a stable form moves out
      exp(x)[1] * exp(y)[1] => exp(x[1]) * exp(y[1])
  3  exp-of-sum [R N+]  exp(x[1]) * exp(y[1]) => exp(x[1] + y[1])    # sums become products
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          14       11       4        0.01851 us
2          18       13       12       0.0118 us
3          19       13       7        0.0118 us
4          19       13       3        0.0118 us
saturated: cost 0.2971 us -> 0.0118 us (time, exact)
exp(x[1] + y[1])
saturate: 2 steps, 8 -> 7 nodes, done
  4 iterations, 19 e-nodes in 13 classes, saturated
  1  stable-view [R]    # an index or reshape between the two halves of a stable form moves out
      exp(x)[1] * exp(y)[1] => exp(x[1]) * exp(y[1])
  2  exp-of-sum [R N+]  exp(x[1]) * exp(y[1]) => exp(x[1] + y[1])    # sums become products
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          11       9        3        0.958 us
2          17       13       6        0.42 us
3          19       13       8        0.42 us
4          19       13       2        0.42 us
saturated: cost 6.75 us -> 0.42 us (time, exact)
(A[0] + B[0]) @ B
saturate: 2 steps, 6 -> 7 nodes, done
  4 iterations, 19 e-nodes in 13 classes, saturated
  1  index-of-matmul [R N+ O]  ((A + B) @ B)[0] => (A + B)[0] @ B    # one row of a product
  2  index-of-add [E]  (A + B)[0] => A[0] + B[0]    # indexing commutes with elementwise operators
nothing to do: inline, differentiate
x : f64[n]
y : f64[n]
exp(x[1] + y[1])
x : f64[n]
y : f64[n]
exp(x[1] + y[1])
x : f64[n]
y : f64[n]
exp(x[1] + y[1])
step  pass          rule               classes  error    ulp
1     canonicalize  exp-exp            [R N+]   1.2e-16  1
2     canonicalize  index-elementwise  [E]      0        0
2 steps, 2 compared: all within what their classes allow; largest error 1.2e-16
