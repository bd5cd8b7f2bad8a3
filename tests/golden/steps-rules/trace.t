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
canonicalize: 1 step, 4 -> 5 nodes, done
  1  trace-of-product [R N+ O]    # the trace of a product needs only its diagonal
      trace(A @ B) => sum(A * B')
fuse: 1 step, 5 -> 9 nodes, done
  2  fuse [E]
      # one pass, tile by tile; 1 operator and 1 reduction over f64[2, 3]; 48 bytes not stored
      one kernel computes sum(A * %5) from A, B'
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, lower
equal up to rounding
saturate: 1 step, 6 -> 4 nodes, done
  1 iteration, 29 e-nodes in 24 classes, equal
  1  same-sum-of-products [R O]    # the same sum of products in index form
      trace(A @ B) => trace(B @ A)
nothing to do: inline, differentiate
equal up to rounding
saturate: 1 step, 7 -> 4 nodes, done
  1 iteration, 20 e-nodes in 14 classes, equal
  1  same-sum-of-products [R O]    # the same sum of products in index form
      trace(S @ S') => sum(S^2)
nothing to do: inline, differentiate
equal up to rounding
saturate: 2 steps, 7 -> 4 nodes, done
  1 iteration, 18 e-nodes in 14 classes, equal
  1  trace-of-transpose [R]  trace(S') => trace(S)    # a transpose keeps the diagonal
  2  term-twice [E]  trace(S) + trace(S) => 2 * trace(S)    # twice
nothing to do: inline, differentiate
canonicalize: 1 step, 7 -> 5 nodes, done
  1  trace-product [R N+ O]
      # the trace of a product needs only its diagonal; p is true only on the diagonal
      sum(where([[true, false], [false, true]], A @ B, 0)) => sum(A * B')
fuse: 1 step, 5 -> 9 nodes, done
  2  fuse [E]
      # one pass, tile by tile; 1 operator and 1 reduction over f64[2, 3]; 48 bytes not stored
      one kernel computes sum(A * %7) from A, B'
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, lower
trace-product does not fire
  at %11, sum(where(%2 == %4, A @ B, 0)): the condition diagonal(p) does not hold, or cannot be proved, for p = `arange(2)[:, None] == arange(2) + 1`
  `:help trace-product`: what it matches, and when
trace-product does not fire
  at %6, sum(where([[true, true], [false, false]], A @ B, 0)): the condition diagonal(p) does not hold, or cannot be proved, for p = `[[true, true], [false, false]]`
  `:help trace-product`: what it matches, and when
trace-product does not fire
  at %10, sum(where(%2 == %1, A @ B, 0), axis=0): the condition every_axis(p, A) does not hold, or cannot be proved, for p = `arange(2)[:, None] == arange(2)`
  `:help trace-product`: what it matches, and when
trace-product does not fire
  at %10, sum(where(%2 == %1, A @ B, 1)): 6 of 7: `1.0` is a different number; the pattern has 0
  `:help trace-product`: what it matches, and when
trace-product does not fire
  at %9, sum(where(%2 == %2, A @ B, 0)): the condition diagonal(p) does not hold, or cannot be proved, for p = `broadcast_to(…[:, None] == …[:, None], (2, 2))`
  `:help trace-product`: what it matches, and when
trace-product does not fire
  at %11, sum(where(%2 == %4, A @ %8, 0)): the condition diagonal(p) does not hold, or cannot be proved, for p = `arange(2)[:, None] == arange(4)`
  `:help trace-product`: what it matches, and when
