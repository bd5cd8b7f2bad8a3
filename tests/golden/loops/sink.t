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
inline: 0 steps, 23 -> 23 nodes, saturated
canonicalize: 0 steps, 23 -> 23 nodes, saturated
stabilize: 0 steps, 23 -> 23 nodes, saturated
differentiate: 0 steps, 23 -> 23 nodes, saturated
expand: 0 steps, 23 -> 23 nodes, saturated
loops: 2 steps, 23 -> 21 nodes, saturated
  1  sequence-dot [R]
      # a product with each row of a sequence is one product before the loop; one product for all
      # steps
      %13 => %13
      %13 = scan(T, from=broadcast_to(0.0, (2,)), over=(x @ W, x), using=(V, W))
  2  sink [R]
      # what no step needs is computed for all rows at once, after the loop; 2 traces from 0 new ones
      %13.trace[1] => %13.trace @ W'
      %13.trace[2] => exp(x)
      %13.final => %13.final
      %13.trace[0] => %13.trace
      %13.steps => %13.steps
      %13.stopped => %13.stopped
      %13 = scan(T, from=broadcast_to(0.0, (2,)), over=x @ W, using=V)
specialize: 1 step, 21 -> 20 nodes, saturated
  3  gemm [R]    # a transposed matrix is read as it lies, not copied
      %13.trace @ W' => gemm(%13.trace, W, tb=true)
fuse: 1 step, 20 -> 24 nodes, saturated
  4  inner [E]  %13 => %13    # rewrites inside the graph it owns; open it to see them
    4.1  fuse [E]
        # one pass over the elements, a tile at a time; 3 operators over f64[2]; 32 bytes need not be
        # stored
        tanh(h[t-1] @ V + x W[t] * 0.1) => %28
        %28 = fused(h[t-1] @ V, x W[t])
lower: 1 step, 24 -> 32 nodes, saturated
  5  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %13.trace => %13.trace
      %13 = loop(rows=T, go=0 < T, from=(broadcast_to(0.0, (2,)), 0), using=(V, x @ W, T))
h[0] : f64[2, 2] =
[[0.9757431300314515, 0.992631520201128],
 [0.9999497050309811, 0.9999917314300955]]
h[1] : f64[2, 3] =
[[ 2.9610061704337074,  6.897755470898867,  10.834504771364026],
 [ 2.999933167891172,   6.999816040813325,  10.999698913735479]]
h[2] : f64[2, 3] =
[[  2.7182818284590455,   7.38905609893065,    20.085536923187668],
 [ 54.59815003314424,   148.4131591025766,    403.4287934927351]]
inline: 0 steps, 27 -> 27 nodes, saturated
canonicalize: 0 steps, 27 -> 27 nodes, saturated
stabilize: 0 steps, 27 -> 27 nodes, saturated
differentiate: 0 steps, 27 -> 27 nodes, saturated
expand: 0 steps, 27 -> 27 nodes, saturated
loops: 1 step, 27 -> 29 nodes, saturated
  1  sink [R]
      # what no step needs is computed for all rows at once, after the loop; 2 traces from 0 new ones
      %15.trace[1] => %15.trace @ W'
      %15.trace[2] => exp(x[:%15.steps])
      %15.final => %15.final
      %15.trace[0] => %15.trace
      %15.steps => %15.steps
      %15.stopped => %15.stopped
      %15 = scan(T, from=broadcast_to(0.0, (2,)), over=x, using=(V, W))
specialize: 2 steps, 29 -> 27 nodes, saturated
  2  gemm [R]    # a transposed matrix is read as it lies, not copied
      %15.trace @ W' => gemm(%15.trace, W, tb=true)
  3  inner [R]  %15 => %15    # rewrites inside the graph it owns; open it to see them
    3.1  product-add [R]
        # the product is added up where the sum goes, without an array of its own
        h[t-1] @ V + x[t] @ W * 0.1 => gemv(W, x[t], h[t-1] @ V, 0.1, 1.0, ta=true)
fuse: 0 steps, 27 -> 27 nodes, saturated
lower: 1 step, 27 -> 36 nodes, saturated
  4  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %15 => %15
      %15 = loop(rows=T, go=0 < T, from=(broadcast_to(0.0, (2,)), 0), using=(W, x, V, T))
g[0] : f64[1, 2] = [[0.9757431300314515, 0.992631520201128]]
g[1] : f64[1, 3] = [[ 2.9610061704337074,  6.897755470898867,  10.834504771364026]]
g[2] : f64[1, 3] = [[ 2.7182818284590455,  7.38905609893065,   20.085536923187668]]
inline: 0 steps, 13 -> 13 nodes, saturated
canonicalize: 0 steps, 13 -> 13 nodes, saturated
stabilize: 0 steps, 13 -> 13 nodes, saturated
differentiate: 0 steps, 13 -> 13 nodes, saturated
expand: 0 steps, 13 -> 13 nodes, saturated
loops: 0 steps, 13 -> 13 nodes, saturated
specialize: 0 steps, 13 -> 13 nodes, saturated
fuse: 0 steps, 13 -> 13 nodes, saturated
lower: 1 step, 13 -> 21 nodes, saturated
  1  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %7 => %7
      %7 = loop(rows=T, go=0 < T, from=(0.0, 0), using=(x, T))
