# What costs least once it runs: elementwise operators and the reductions of what they give are one sweep.
x : f64[n]; y : f64[n]; A : f64[n, n]
# two sums would be two sweeps
:saturate sum(x + y)
:saturate sum(sqr(x - y))
:saturate sum(x) + sum(y)
# another sweep lies between: nothing is joined
:saturate sum(A @ (x + y))
# bytes that go through memory, too; operations are as many as ever
:saturate sum(x + y) cost=bytes
:saturate sum(x + y) cost=flops
# where equality saturation finds much more than the passes, :steps says so
:set pass specialize off
:steps log(exp(x) * exp(y))
:steps log(exp(x) * exp(y)) pass=canonicalize
:steps sum(x + y)
---
iteration  e-nodes  classes  matches  best cost
1          7        6        4        0.094 us
2          7        6        6        0.094 us
saturated: cost 0.094 us -> 0.094 us (time, exact)
sum(x + y)
saturate: 0 steps, 4 -> 4 nodes, done
  2 iterations, 7 e-nodes in 6 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          10       7        5        0.122 us
2          17       10       16       0.122 us
3          45       20       22       0.122 us
4          110      28       159      0.122 us
5          281      45       867      0.122 us
6          578      51       6516     0.122 us
...
28         4229     68       164      0.122 us
29         4239     68       164      0.122 us
30         4249     68       164      0.122 us
21 more iterations: all=on shows them
limit of iterations: cost 0.122 us -> 0.122 us (time, nothing better was found)
sum(sqr(x - y))
saturate: 0 steps, 5 -> 5 nodes, limit of iterations
  30 iterations, 4249 e-nodes in 68 classes, limit of iterations
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        6        0.1337 us
2          7        6        4        0.1337 us
saturated: cost 0.1337 us -> 0.094 us (time, exact)
sum(x + y)
saturate: 1 step, 5 -> 4 nodes, done
  2 iterations, 7 e-nodes in 6 classes, saturated
  1  sum-of-sum [R N+ O]  sum(x) + sum(y) => sum(x + y)    # one sum
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          9        8        4        1.006 us
2          12       10       4        1.006 us
3          12       10       6        1.006 us
saturated: cost 1.006 us -> 1.006 us (time, exact)
sum(A @ (x + y))
saturate: 0 steps, 6 -> 6 nodes, done
  3 iterations, 12 e-nodes in 10 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        4        1608 bytes
2          7        6        6        1608 bytes
saturated: cost 1608 bytes -> 1608 bytes (bytes, exact)
sum(x + y)
saturate: 0 steps, 4 -> 4 nodes, done
  2 iterations, 7 e-nodes in 6 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          7        6        4        200.002 operations
2          7        6        6        200.002 operations
saturated: cost 200.002 operations -> 200.002 operations (flops, exact)
sum(x + y)
saturate: 0 steps, 4 -> 4 nodes, done
  2 iterations, 7 e-nodes in 6 classes, saturated
nothing to do: inline, differentiate
canonicalize: 2 steps, 6 -> 3 nodes, done
  1  exp-exp [R N+]  exp(x) * exp(y) => exp(x + y)    # one exponential instead of two
  2  log-exp [R N+]  log(exp(x + y)) => x + y    # inverse pair; no overflow in exp
specialize: 0 steps, 3 -> 3 nodes, off
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, fuse, lower
canonicalize: 2 steps, 6 -> 3 nodes, done
  1  exp-exp [R N+]  exp(x) * exp(y) => exp(x + y)    # one exponential instead of two
  2  log-exp [R N+]  log(exp(x + y)) => x + y    # inverse pair; no overflow in exp
specialize: 0 steps, 4 -> 4 nodes, off
fuse: 1 step, 4 -> 8 nodes, done
  1  fuse [E]
      # one pass, tile by tile; 1 operator and 1 reduction over f64[n]; 8 bytes per element not
      # stored
      one kernel computes sum(x + y) from x, y
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, lower
