# which product comes first depends on the sizes: those that are given, and what the others count as
A : f64[n, m]; B : f64[m, k]; C : f64[k, l]
:saturate A @ B @ C
:saturate A @ B @ C n=1000 m=3
:saturate A @ B @ C n=3 m=1000 k=3 l=1000
:saturate A @ B @ C n=1000 assume=3
:saturate A @ B @ C cost=flops n=1000 m=3
:saturate A @ B @ C j=1000
:saturate A @ B @ C n=many
:saturate A @ B @ C iteration=3
---
iteration  e-nodes  classes  matches  best cost
1          7        6        2        630040
2          7        6        2        630040
saturated: cost 630040 -> 630040 (time, exact)
A @ B @ C
saturate: 0 steps, 5 -> 5 nodes, saturated
  2 iterations, 7 e-nodes in 6 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        2        155990
2          7        6        2        155990
saturated: cost 3.24669e+06 -> 155990 (time, exact)
A @ (B @ C)
saturate: 1 step, 5 -> 5 nodes, saturated
  2 iterations, 7 e-nodes in 6 classes, saturated
  1  matmul-associate [R]  A @ B @ C => A @ (B @ C)    # which product comes first
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        2        11449
2          7        6        2        11449
saturated: cost 11449 -> 11449 (time, exact)
A @ B @ C
saturate: 0 steps, 5 -> 5 nodes, saturated
  2 iterations, 7 e-nodes in 6 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        2        5766.1
2          7        6        2        5766.1
saturated: cost 11449 -> 5766.1 (time, exact)
A @ (B @ C)
saturate: 1 step, 5 -> 5 nodes, saturated
  2 iterations, 7 e-nodes in 6 classes, saturated
  1  matmul-associate [R]  A @ B @ C => A @ (B @ C)    # which product comes first
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        2        660000
2          7        6        2        660000
saturated: cost 2.06e+07 -> 660000 (flops, exact)
A @ (B @ C)
saturate: 1 step, 5 -> 5 nodes, saturated
  2 iterations, 7 e-nodes in 6 classes, saturated
  1  matmul-associate [R]  A @ B @ C => A @ (B @ C)    # which product comes first
nothing to do: inline, differentiate
input.gr:8:23: error: no input has a size j
    :saturate A @ B @ C j=1000
                          ^^^^
  hint: sizes are the names in types: x : f64[n]; keys of :saturate are rules iterations nodes cost assume all
input.gr:9:23: error: n= takes a whole number
    :saturate A @ B @ C n=many
                          ^^^^
input.gr:10:31: error: no input has a size iteration
    :saturate A @ B @ C iteration=3
                                  ^
  hint: sizes are the names in types: x : f64[n]; keys of :saturate are rules iterations nodes cost assume all
exit 1
