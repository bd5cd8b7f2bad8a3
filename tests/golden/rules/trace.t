# traces: of a product, a sum, a transpose; what only looks like one
A : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]; B : f64[3, 2] = [[1, 0], [2, 1], [0, 3]]; S : f64[n, n]
(trace(A @ B), trace(B @ A), sum(A * B'))
:steps trace(A @ B)
:equal trace(A @ B), trace(B @ A)
:equal trace(S @ S'), sum(S^2)
:equal trace(S) + trace(S'), 2 * trace(S)
:steps sum(where([[true, false], [false, true]], A @ B, 0.0))
# not square; other diagonals, the first row, along one axis, another value beside
:whynot trace-product sum(where(expand_dims(arange(2), 1) == arange(2) + 1, A @ B, 0.0))
:whynot trace-product sum(where([[true, true], [false, false]], A @ B, 0.0))
:whynot trace-product sum(where(expand_dims(arange(2), 1) == arange(2), A @ B, 0.0), axis=0)
:whynot trace-product sum(where(expand_dims(arange(2), 1) == arange(2), A @ B, 1.0))
:whynot trace-product sum(where(expand_dims(arange(2), 1) == expand_dims(arange(2), 1), A @ B, 0.0))
:whynot trace-product sum(where(expand_dims(arange(2), 1) == arange(4), A @ zeros((3, 4)), 0.0))
---
[0] : f64 = 28.0
[1] : f64 = 28.0
[2] : f64 = 28.0
canonicalize: 2 steps, 12 -> 5 nodes, saturated
  1  broadcast-expand [E]    # new axes have their length at once
      - broadcast_to(«expand_dims(»arange(2), «axis=1),» (2, 2))
      + broadcast_to(arange(2), (2, 2)«, axis=0»)
  2  trace-product [R]
      # the trace of a product needs its diagonal only; p is true on the diagonal alone
      - sum(«where(broadcast_to(arange(2), (2, 2), axis=0) == broadcast_to(arange(2), (2, 2)),» A «@»
            B«, 0)»)
      + sum(A «*» B«'»)
fuse: 1 step, 5 -> 9 nodes, saturated
  3  fuse [E]
      # one pass over the elements, a tile at a time; 1 operator and 1 reduction over f64[2, 3]; 48
      # bytes need not be stored
      one pass computes sum(A * %11) from A, B'
nothing to do: inline, stabilize, differentiate, expand, loops, specialize, lower
equal
saturate: 3 steps, 21 -> 12 nodes, saturated
  2 iterations, 29 e-nodes in 24 classes, equal
  1  trace-product [R]
      # the trace of a product needs its diagonal only; p is true on the diagonal alone
      - sum(«where(broadcast_to(expand_dims(arange(2), axis=1), (2, 2)) == broadcast_to(arange(2),
            (2, 2)),» A «@» B«, 0)»)
      + sum(A «*» B«'»)
  2  sum-transposed-back [R]    # the sum over both axes does not mind which is first
      sum(A * B') => sum(B * A')
  3  trace-product-back [R]
      # the trace of a product needs its diagonal only; p is true on the diagonal alone
      - sum(B «*» A«'»)
      + sum(«where(broadcast_to(expand_dims(arange(3), axis=1), (3, 3)) == broadcast_to(arange(3),
            (3, 3)),» B «@» A«, 0))»
nothing to do: inline, differentiate
equal
saturate: 4 steps, 15 -> 4 nodes, saturated
  2 iterations, 22 e-nodes in 15 classes, equal
  1  trace-product [R]
      # the trace of a product needs its diagonal only; p is true on the diagonal alone
      - sum(«where(broadcast_to(expand_dims(arange(n), axis=1), (n, n)) == broadcast_to(arange(n),
            (n, n)),» S «@» S'«, 0)»)
      + sum(S «*» S'«'»)
  2  transpose-transpose [E]  S'' => S    # one order of axes instead of two
  3  square-product-back [R]  S * S => sqr(S)    # a square
  4  square-power [R]  sqr(S) => S^2    # a square
nothing to do: inline, differentiate
equal
saturate: 2 steps, 16 -> 12 nodes, saturated
  1 iteration, 21 e-nodes in 16 classes, equal
  1  trace-transpose [R]    # the trace of the transpose; p is true on the diagonal alone
      sum(where(%6, S', 0)) => sum(where(%6, S, 0))
  2  term-twice [R]  %9 + %9 => 2 * %9    # twice
nothing to do: inline, differentiate
canonicalize: 1 step, 7 -> 5 nodes, saturated
  1  trace-product [R]
      # the trace of a product needs its diagonal only; p is true on the diagonal alone
      sum(where([[true, false], [false, true]], A @ B, 0)) => sum(A * B')
fuse: 1 step, 5 -> 9 nodes, saturated
  2  fuse [E]
      # one pass over the elements, a tile at a time; 1 operator and 1 reduction over f64[2, 3]; 48
      # bytes need not be stored
      one pass computes sum(A * %7) from A, B'
nothing to do: inline, stabilize, differentiate, expand, loops, specialize, lower
trace-product does not fire
  at %11, sum(where(%3 == %5, A @ B, 0)): the condition diagonal(p) does not hold, or cannot be proved, for p = `broadcast_to(…, (2, 2)) == broadcast_to(…, (2, 2))`
  at %11, sum(where(%3 == %5, A @ B, 0)) (after step 1): the condition diagonal(p) does not hold, or cannot be proved, for p = `broadcast_to(…, (2, 2), axis=0) == broadcast_to(…, (2, 2))`
  at %14, sum(where(broadcast == broadcast 2, A B, 0)) (after step 2): `A B` is param, not matmul; the pattern has a @ b
trace-product does not fire
  at %6, sum(where([[true, true], [false, false]], A @ B, 0)): the condition diagonal(p) does not hold, or cannot be proved, for p = `[[true, true], [false, false]]`
  at %8, sum(where(const, A B, 0)) (after step 1): `A B` is param, not matmul; the pattern has a @ b
trace-product does not fire
  at %10, sum(where(%3 == %4, A @ B, 0), axis=0): the condition every_axis(p, A) does not hold, or cannot be proved, for p = `broadcast_to(…, (2, 2)) == broadcast_to(…, (2, 2))`
  at %10, sum(where(%3 == %4, A @ B, 0), axis=0) (after step 1): the condition every_axis(p, A) does not hold, or cannot be proved, for p = `broadcast_to(…, (2, 2), axis=0) == broadcast_to(…, (2, 2))`
  at %13, sum(where(broadcast == broadcast 2, A B, 0), axis=0) (after step 2): `A B` is param, not matmul; the pattern has a @ b
trace-product does not fire
  at %10, sum(where(%3 == %4, A @ B, 1)): `1.0` is another number; the pattern has 0
  at %13, sum(where(broadcast == broadcast 2, A B, 1)) (after step 2): `A B` is param, not matmul; the pattern has a @ b
trace-product does not fire
  at %9, sum(where(broadcast_to(%3, (2, 2)), A @ B, 0)): the condition diagonal(p) does not hold, or cannot be proved, for p = `broadcast_to(… == …, (2, 2))`
  at %9, sum(where(broadcast_to(%10, (2, 2)), A @ B, 0)) (after step 1): the condition diagonal(p) does not hold, or cannot be proved, for p = `broadcast_to(broadcast_to(true, (2, 1)), (2, 2))`
  at %12, sum(where(const, A B, 0)) (after step 2): `A B` is param, not matmul; the pattern has a @ b
trace-product does not fire
  at %11, sum(where(%3 == %5, A @ %8, 0)): the condition diagonal(p) does not hold, or cannot be proved, for p = `broadcast_to(…, (2, 4)) == broadcast_to(…, (2, 4))`
  at %11, sum(where(%3 == %5, A @ %8, 0)) (after step 1): the condition diagonal(p) does not hold, or cannot be proved, for p = `broadcast_to(…, (2, 4), axis=0) == broadcast_to(…, (2, 4))`
  at %14, sum(where(broadcast == broadcast 2, matmul A, 0)) (after step 2): `matmul A` is param, not matmul; the pattern has a @ b
