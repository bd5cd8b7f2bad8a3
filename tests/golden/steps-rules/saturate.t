# equality saturation: growth, result, proof
x : f64; y : f64; z : f64
A : f64[n, n]; v : f64[n]
:saturate x * y + x * z
:saturate (A @ A) @ v
:saturate log(1 + exp(x)) * 1 cost=nodes iterations=4
:saturate x * y + x * z rules=mul-one iterations=3
:saturate x * y + x * z nodes=5
:set passes inline saturate
:audit x * y + x * z
:steps (x + y) * (x + z) - x * x
:passes x * y + x * z
:saturate x + y rules=nothing
:saturate x + y cost=weight
---
iteration  e-nodes  classes  matches  best cost
1          8        7        2        0.003402 us
2          8        7        2        0.003402 us
saturated: cost 0.005103 us -> 0.003402 us (time, exact)
x * (z + y)
saturate: 1 step, 6 -> 5 nodes, done
  2 iterations, 8 e-nodes in 7 classes, saturated
  1  factor [Z R N+ O]  x * y + x * z => x * (z + y)    # a common factor
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          6        5        2        1.732 us
2          6        5        2        1.732 us
saturated: cost 48.92 us -> 1.732 us (time, exact)
A @ (A @ v)
saturate: 1 step, 4 -> 4 nodes, done
  2 iterations, 6 e-nodes in 5 classes, saturated
  1  matmul-vector [R N+ O]  A @ A @ v => A @ (A @ v)    # the order of products
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          9        5        4        1 nodes
2          11       5        11       1 nodes
3          20       7        36       1 nodes
4          42       10       1362     1 nodes
limit of iterations: cost 4 nodes -> 1 nodes (nodes, exact)
softplus(x)
saturate: 2 steps, 6 -> 2 nodes, limit of iterations
  4 iterations, 42 e-nodes in 10 classes, limit of iterations
  1  mul-one [E]  log(1 + exp(x)) * 1 => log(1 + exp(x))    # 1 is neutral
  2  softplus-form [R N+]  log(1 + exp(x)) => softplus(x)    # by definition
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          6        6        0        0.005103 us
saturated: cost 0.005103 us -> 0.005103 us (time, exact)
x * y + x * z
saturate: 0 steps, 6 -> 6 nodes, done
  1 iteration, 6 e-nodes in 6 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          5        5        2        0.003402 us
limit of nodes: cost 0.005103 us -> 0.003402 us (time, exact)
x * (y + z)
simplify: 1 step, 6 -> 5 nodes, done
  1  simplify [R N+ O]    # the same sum of products in fewer operations; factor x
      x * y + x * z => x * (y + z)
saturate: 0 steps, 5 -> 5 nodes, limit of nodes
  1 iteration, 5 e-nodes in 5 classes, limit of nodes
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops, specialize
step  pass  rule  classes  error  ulp
0 steps, 0 compared: all within what their classes allow; largest error 0
saturate: 0 steps, 8 -> 8 nodes, done
  5 iterations, 19 e-nodes in 12 classes, saturated
nothing to do: inline
pass      steps  nodes before  after  stop
inline    0      6             6      done
saturate  0      6             6      done
saturate: 1 iteration, 6 e-nodes in 6 classes, saturated
input.gr:13:23: error: there is no rule nothing
    :saturate x + y rules=nothing
                          ^^^^^^^
  hint: :rules lists them
input.gr:14:22: error: cost= is time, flops, bytes, nodes, or what operators count
    :saturate x + y cost=weight
                         ^^^^^^
  hint: cost="exp=20 dot=5"
exit 1
