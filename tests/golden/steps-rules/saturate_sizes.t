# which product comes first depends on the sizes, inside of a loop too: those that are given, and what the others count as
A : f64[n, m]; B : f64[m, k]; C : f64[k, l]
:saturate A @ B @ C
:saturate A @ B @ C n=1000 m=3
:saturate A @ B @ C n=3 m=1000 k=3 l=1000
:saturate A @ B @ C n=1000 assume=3
:saturate A @ B @ C cost=flops n=1000 m=3
:saturate A @ B @ C j=1000
:saturate A @ B @ C n=many
:saturate A @ B @ C iteration=3
:set passes default
s0 : f64
S = scan t for 5 from s = s0 { s[t] = sum((s[t-1] * A) @ B @ C) }
:saturate S[-1] rules=matmul-associate
:saturate S[-1] rules=matmul-associate n=1000 m=3
---
iteration  e-nodes  classes  matches  best cost
1          7        6        2        96.1 us
2          7        6        2        96.1 us
saturated: cost 96.1 us -> 96.1 us (time, exact)
A @ B @ C
saturate: 0 steps, 5 -> 5 nodes, done
  2 iterations, 7 e-nodes in 6 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        2        15.94 us
2          7        6        2        15.94 us
saturated: cost 494.5 us -> 15.94 us (time, exact)
A @ (B @ C)
saturate: 1 step, 5 -> 5 nodes, done
  2 iterations, 7 e-nodes in 6 classes, saturated
  1  matmul-associate [R N+ O]  A @ B @ C => A @ (B @ C)    # the order of products
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        2        1.061 us
2          7        6        2        1.061 us
saturated: cost 1.061 us -> 1.061 us (time, exact)
A @ B @ C
saturate: 0 steps, 5 -> 5 nodes, done
  2 iterations, 7 e-nodes in 6 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        2        0.5829 us
2          7        6        2        0.5829 us
saturated: cost 1.061 us -> 0.5829 us (time, exact)
A @ (B @ C)
saturate: 1 step, 5 -> 5 nodes, done
  2 iterations, 7 e-nodes in 6 classes, saturated
  1  matmul-associate [R N+ O]  A @ B @ C => A @ (B @ C)    # the order of products
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        2        660000 operations
2          7        6        2        660000 operations
saturated: cost 2.06e+07 operations -> 660000 operations (flops, exact)
A @ (B @ C)
saturate: 1 step, 5 -> 5 nodes, done
  2 iterations, 7 e-nodes in 6 classes, saturated
  1  matmul-associate [R N+ O]  A @ B @ C => A @ (B @ C)    # the order of products
nothing to do: inline, differentiate
input.gr:8:23: error: no input has a size j
    :saturate A @ B @ C j=1000
                          ^^^^
  hint: sizes are the names in types: x : f64[n]; :saturate [EXPR] [rules=A,B] [iterations=N] [nodes=N] [cost=time|flops|bytes|nodes|"OP=N"] [best=N] [has="EXPR"] [SIZE=N...] [assume=N] [all=on] [times=on]
input.gr:9:23: error: n= takes a whole number
    :saturate A @ B @ C n=many
                          ^^^^
input.gr:10:31: error: no input has a size iteration
    :saturate A @ B @ C iteration=3
                                  ^
  hint: sizes are the names in types: x : f64[n]; :saturate [EXPR] [rules=A,B] [iterations=N] [nodes=N] [cost=time|flops|bytes|nodes|"OP=N"] [best=N] [has="EXPR"] [SIZE=N...] [assume=N] [all=on] [times=on]
iteration  e-nodes  classes  matches  best cost
1          9        9        0        497.4 us
saturated: cost 497.4 us -> 497.4 us (time, exact)
s[-1]
saturate: 0 steps, 17 -> 17 nodes, done
  1 iteration, 9 e-nodes in 9 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          9        9        0        163 us
saturated: cost 2556 us -> 163 us (time, exact)
s[-1]
saturate: 1 step, 17 -> 17 nodes, done
  1 iteration, 9 e-nodes in 9 classes, saturated
  1  inner [R N+ O]  in scan s
    1.1  matmul-associate [R N+ O]    # the order of products
        s[t-1] * A @ B @ C => s[t-1] * A @ (B @ C)
nothing to do: inline, differentiate
exit 1
