# A power of a sum that is too long to be multiplied out stays one factor, and that is told where it may matter
a : f64; b : f64; c : f64; d : f64
:equal (a + b + c + d)^21, (a + b + c + d)^20 * (a + c + b + d)
:equal (a + b + c + d)^21, (a^2 + 2 * a * (b + c + d) + (b + c + d)^2)^10 * (a + b + c + d) iterations=2
:saturate (a + b + c + d)^21 + (a + c) * (a + d) iterations=2 nodes=60
---
equal up to rounding
saturate: 4 steps, 11 -> 7 nodes, done
  1 iteration, 12 e-nodes in 10 classes, equal
  1  reorder [R O]    # the same operands in a different order
      (a + b + c + d)^20 => (a + c + b + d)^20
  2  power-next [R]
      # one factor more; `k` is a whole number: a constant, 20; `k` is large enough: a constant, 20
      (a + c + b + d)^20 * (a + c + b + d) => (a + c + b + d)^(20.0 + 1.0)
  3  fold [E]  20.0 + 1.0 => 21.0    # the value is known while the graph is built
  4  reorder [R O]  a + c + b + d => a + b + c + d    # the same operands in a different order
nothing to do: inline, differentiate
unknown: neither proved nor refuted after 2 iterations, 53 e-nodes (limit of iterations); the sum-of-products form stops at 128 terms of a power; for a = 0.0, b = 1.0, c = 1.0, d = inf the left side is inf, the right side is nan
iteration  e-nodes  classes  matches  best cost
1          18       15       4        0.07261 us
2          28       19       14       0.07261 us
limit of iterations: cost 0.07261 us -> 0.07261 us (time, exact)
(a + b + c + d)^21 + (a + c) * (a + d)
saturate: 0 steps, 11 -> 11 nodes, limit of iterations
  2 iterations, 28 e-nodes in 19 classes, limit of iterations; the sum-of-products form stops at 128 terms of a power
nothing to do: inline, differentiate
