# What no step needs is computed after the loop: products become one, traces that cost nothing go.
x : f64[T, 3] = [[1, 2, 3], [4, 5, 6]]
W : f64[3, 2] = [[1, 2], [3, 4], [5, 6]] 
V : f64[2, 2] = [[0.1, 0.2], [0.3, -0.4]]
h = scan t over x from h = zeros(2) { h[t] = tanh(h[t-1] @ V + x[t] @ W * 0.1); y[t] = W @ h[t]; z[t] = exp(x[t]) }
:steps h
h
# under until, rows are those of the steps that were taken
g = scan t over x from h = zeros(2) { h[t] = tanh(h[t-1] @ V + x[t] @ W * 0.1); y[t] = W @ h[t]; z[t] = exp(x[t]); until h[t, 0] > 0.5 }
:steps g
g
# an elementwise output is no longer than what it is computed from: it stays
:steps scan t over x from h = 0.0 { h[t] = tanh(h[t-1] + sum(x[t])); y[t] = 2 * h[t-1] }
---
loops: 2 steps, 23 -> 21 nodes, done
  1  sequence-dot [R]
      # a product with each row of a sequence is one product before the loop; one product for all
      # steps
      scan h: at each step it reads x_W[t], a row of x @ W
      - h[t] = tanh(h[t-1] @ V + «x»[t] «@ W» * 0.1)
      + h[t] = tanh(h[t-1] @ V + «x_W»[t] * 0.1)
  2  sink [R]
      # a value that no later step needs is computed for all rows at once, after the loop; 2 traces
      # from 0 new ones
      scan h: traces y, z are no longer kept
      it no longer reads x[t] step by step
      it no longer reads W
      - y[t] = W @ h[t]
      - z[t] = exp(x[t])
      - y = %13.y
      + y = %13.h @ W'
      - z = %13.z
      + z = exp(x)
specialize: 1 step, 21 -> 20 nodes, done
  3  gemm [R]    # the transposed matrix is read in place, without a copy
      y = h @ W' => gemm(h, W, tb=true)
fuse: 1 step, 20 -> 24 nodes, done
  4  inner [E]  in scan h
    4.1  fuse [E]    # one pass, tile by tile; 3 operators over f64[2]; 32 bytes not stored
        one kernel computes h[t] from h[t-1] @ V, x_W[t]
lower: 1 step, 24 -> 32 nodes, done
  5  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan h runs as loop h, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand
h.h : f64[2, 2] =
[[0.975743, 0.992632],
 [0.99995,  0.999992]]
h.y : f64[2, 3] =
[[ 2.96101,  6.89776, 10.8345],
 [ 2.99993,  6.99982, 10.9997]]
h.z : f64[2, 3] =
[[  2.71828,   7.38906,  20.0855],
 [ 54.5982,  148.413,   403.429]]
loops: 1 step, 27 -> 29 nodes, done
  1  sink [R]
      # a value that no later step needs is computed for all rows at once, after the loop; 2 traces
      # from 0 new ones
      scan h: traces y, z are no longer kept
      - y[t] = W @ h[t]
      - z[t] = exp(x[t])
      - y = %15.y
      + y = %15.h @ W'
      - z = %15.z
      + z = exp(x[:%15.steps])
      … and 3 more
specialize: 2 steps, 29 -> 27 nodes, done
  2  gemm [R]    # the transposed matrix is read in place, without a copy
      y = h @ W' => gemm(h, W, tb=true)
  3  inner [R]  in scan h
    3.1  product-add [R]    # the product is accumulated into the sum, without a temporary
        h[t-1] @ V + x[t] @ W * 0.1 => gemv(V, h[t-1], x[t] @ W, 1.0, 0.1, ta=true)
lower: 1 step, 27 -> 36 nodes, done
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan h runs as loop h, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, fuse
g.h : f64[1, 2] = [[0.975743, 0.992632]]
g.y : f64[1, 3] = [[ 2.96101,  6.89776, 10.8345]]
g.z : f64[1, 3] = [[ 2.71828,  7.38906, 20.0855]]
lower: 1 step, 13 -> 21 nodes, done
  1  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan h runs as loop h, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize,
fuse
