# a derivative one rule at a time
x : f64[4, 3]
W : f64[3, 2]
:steps grad(sum(tanh(x @ W)), W) open=1
:steps jvp(sum(tanh(x @ W)), W, ones((3, 2))) open=1
u : f64[5, 3]
h0 : f64[3]
V : f64[3, 3]
S = scan t over u from h = h0 { h[t] = tanh(V @ h[t-1] + u[t]) }
:steps grad(sum(sqr(S.final)), V) open=all
:steps grad(x[0, 0] * 2, x) open=7
---
inline: 0 steps, 9 -> 9 nodes, saturated
canonicalize: 0 steps, 9 -> 9 nodes, saturated
stabilize: 0 steps, 9 -> 9 nodes, saturated
differentiate: 3 steps, 9 -> 9 nodes, saturated
  1  expand-derivative [E]    # operator by operator; reverse sweep over 5 nodes
      grad(sum(tanh(%3)), W) => x' @ (broadcast_to(1.0, (4, 2)) * (1 - %10))
      value_and_grad(sum(tanh(%3)), W)[0] => sum(tanh(x @ W))
    1.1  d seed [E]    # the cotangent of the result is 1
        grad(sum(tanh(%3)), W) => vjp(sum(tanh(%3)), W, 1.0)[0]
        value_and_grad(sum(tanh(%3)), W)[0] => sum(tanh(x @ W))
    1.2  d sum [E]    # d sum(x) = sum(dx): x gets dy repeated along the axes
        vjp(sum(tanh(%3)), W, 1.0)[0] => vjp(tanh(x @ W), W, broadcast_to(1.0, (4, 2)))[0]
    1.3  d tanh [E]    # d tanh(x) = (1 - y * y) dx
        vjp(tanh(x @ W), W, broadcast_to(1.0, (4, 2)))[0] => vjp(x @ W, W, broadcast_to(1.0, (4, 2)) * (1 - %10))[0]
    1.4  d matmul [E]    # d (a @ b) = da @ b + a @ db: a gets dy @ b', b gets a' @ dy
        vjp(x @ W, W, broadcast_to(1.0, (4, 2)) * (1 - %10))[0] => x' @ (broadcast_to(1.0, (4, 2)) * (1 - %10))
  2  broadcast-into [E]    # elementwise operators take scalars as they are
      broadcast_to(1.0, (4, 2)) * (1 - %4 * %4) => 1 * (1 - %4 * %4)
  3  mul-one [E]  1 * (1 - %4 * %4) => 1 - tanh(%3) * tanh(%3)    # one times anything
expand: 0 steps, 9 -> 9 nodes, saturated
loops: 0 steps, 9 -> 9 nodes, saturated
specialize: 2 steps, 9 -> 8 nodes, saturated
  4  mul-self [E]  tanh(x @ W) * tanh(x @ W) => sqr(tanh(x @ W))    # a square
  5  gemm [R]    # a transposed matrix is read as it lies, not copied
      x' @ (1 - sqr(%4)) => gemm(x, 1 - sqr(%4), ta=true)
fuse: 1 step, 8 -> 11 nodes, saturated
  6  fuse [E]
      # one pass over the elements, a tile at a time; 3 operators over f64[4, 2]; 128 bytes need not
      # be stored
      1 - sqr(tanh(%3)) => %19
      %19 = fused(x @ W)
lower: 0 steps, 11 -> 11 nodes, saturated
inline: 0 steps, 13 -> 13 nodes, saturated
canonicalize: 0 steps, 13 -> 13 nodes, saturated
stabilize: 0 steps, 13 -> 13 nodes, saturated
differentiate: 1 step, 13 -> 13 nodes, saturated
  1  expand-derivative [E]    # operator by operator; forward sweep over 5 nodes
      jvp(sum(tanh(%4)), W, broadcast_to(1.0, (3, 2)))[0] => sum(x @ %3 * (1 - %10))
      jvp(sum(tanh(%4)), W, broadcast_to(1.0, (3, 2)))[1] => sum(tanh(x @ W))
    1.1  d matmul [E]    # d (a @ b) = da @ b + a @ db: a gets dy @ b', b gets a' @ dy
        jvp(sum(tanh(%4)), W, broadcast_to(1.0, (3, 2)))[0] => jvp(sum(tanh(%4)), x @ W, x @ broadcast_to(1.0, (3, 2)))[0]
        jvp(sum(tanh(%4)), W, broadcast_to(1.0, (3, 2)))[1] => jvp(sum(tanh(%4)), x @ W, x @ broadcast_to(1.0, (3, 2)))[1]
    1.2  d tanh [E]    # d tanh(x) = (1 - y * y) dx
        jvp(sum(tanh(%4)), x @ W, x @ broadcast_to(1.0, (3, 2)))[0] => jvp(sum(tanh(%4)), tanh(x @ W), x @ %3 * (1 - %10))[0]
        jvp(sum(tanh(%4)), x @ W, x @ broadcast_to(1.0, (3, 2)))[1] => jvp(sum(tanh(%4)), tanh(x @ W), x @ %3 * (1 - %10))[1]
    1.3  d sum [E]    # d sum(x) = sum(dx): x gets dy repeated along the axes
        jvp(sum(tanh(%4)), tanh(x @ W), x @ %3 * (1 - %10))[0] => sum(x @ %3 * (1 - %10))
        jvp(sum(tanh(%4)), tanh(x @ W), x @ %3 * (1 - %10))[1] => sum(tanh(x @ W))
expand: 0 steps, 13 -> 13 nodes, saturated
loops: 0 steps, 13 -> 13 nodes, saturated
specialize: 1 step, 13 -> 13 nodes, saturated
  2  mul-self [E]  tanh(x @ W) * tanh(x @ W) => sqr(tanh(x @ W))    # a square
fuse: 1 step, 13 -> 18 nodes, saturated
  3  fuse [E]
      # one pass over the elements, a tile at a time; 4 operators and 1 reduction over f64[4, 2]; 256
      # bytes need not be stored
      sum(x @ %3 * (1 - %14)) => %20
      %20 = fused(x @ W, x @ broadcast_to(1.0, (3, 2)))
lower: 0 steps, 18 -> 18 nodes, saturated
inline: 0 steps, 19 -> 19 nodes, saturated
canonicalize: 0 steps, 19 -> 19 nodes, saturated
stabilize: 0 steps, 19 -> 19 nodes, saturated
differentiate: 4 steps, 19 -> 42 nodes, saturated
  1  expand-derivative [E]    # operator by operator; reverse sweep over 14 nodes
      grad(sum(sqr(%8)), V) => %31.final[1]
      value_and_grad(sum(sqr(%8)), V)[0] => sum(sqr(%7.final))
      %7 = scan(5, from=h0, over=u, using=V)
      %22 = scan(5, from=h0, over=u, using=V)
      %31 = scan(5, from=((2 * %8) * broadcast_to(1.0, (3,)), broadcast_to(0.0, (3, 3))), over=(%22.trace[2], %22.trace[1]), using=V, reverse=true)
    1.1  d seed [E]    # the cotangent of the result is 1
        grad(sum(sqr(%8)), V) => vjp(sum(sqr(%8)), V, 1.0)[0]
        value_and_grad(sum(sqr(%8)), V)[0] => sum(sqr(%7.final))
        %7 = scan(5, from=h0, over=u, using=V)
    1.2  d sum [E]    # d sum(x) = sum(dx): x gets dy repeated along the axes
        vjp(sum(sqr(%8)), V, 1.0)[0] => vjp(sqr(%59.final), V, broadcast_to(1.0, (3,)))[0]
    1.3  d sqr [E]    # d sqr(x) = (2 * x) dx
        vjp(sqr(%59.final), V, broadcast_to(1.0, (3,)))[0] => vjp(%59.final, V, (2 * %8) * broadcast_to(1.0, (3,)))[0]
        %7 = scan(5, from=h0, over=u, using=V)
    1.4  d scan [E]
        # the loop runs the other way; it carries the cotangents of h[t-1]; it adds up over the steps
        # those of V (sums of products become one product after the loop, in pass loops); kept before
        # each step: h[t-1]
        vjp(%59.final, V, (2 * %8) * broadcast_to(1.0, (3,)))[0] => %60.final[1]
        %61 = scan(5, from=h0, over=u, using=V)
        %60 = scan(5, from=((2 * %8) * broadcast_to(1.0, (3,)), broadcast_to(0.0, (3, 3))), over=(%61.trace[1], u), using=V, reverse=true)
    1.5  d scan [E]  %62 => %63    # the body's derivative, operator by operator
      1.5.1  d tanh [E]    # d tanh(x) = (1 - y * y) dx
          vjp(tanh(%64 + u[t]), (h[t-1], V), d h[t])[0] => vjp(V @ h[t-1] + u[t], (h[t-1], V), d h[t] * (1 - %65))[0]
          vjp(tanh(%64 + u[t]), (h[t-1], V), d h[t])[1] => vjp(V @ h[t-1] + u[t], (h[t-1], V), d h[t] * (1 - %65))[1]
          vjp(tanh(%64 + u[t]), (h[t-1], V), d h[t])[2] => tanh(V @ h[t-1] + u[t])
      1.5.2  d add [E]    # d (x + z) = dx + dz
          vjp(V @ h[t-1] + u[t], (h[t-1], V), d h[t] * (1 - %65))[0] => vjp(V @ h[t-1], (h[t-1], V), d h[t] * (1 - %65))[0]
          vjp(V @ h[t-1] + u[t], (h[t-1], V), d h[t] * (1 - %65))[1] => vjp(V @ h[t-1], (h[t-1], V), d h[t] * (1 - %65))[1]
      1.5.3  d matmul [E]    # d (a @ b) = da @ b + a @ db: a gets dy @ b', b gets a' @ dy
          vjp(V @ h[t-1], (h[t-1], V), d h[t] * (1 - %65))[0] => d h[t] * (1 - %65) @ V
          vjp(V @ h[t-1], (h[t-1], V), d h[t] * (1 - %65))[1] => expand_dims(d h[t] * %66, axis=1) @ expand_dims(h[t-1], axis=0)
    1.6  d scan [E]    # results of products, solves and inner loops are kept, not computed again
        %67.final[1] => %31.final[1]
        %22 = scan(5, from=h0, over=u, using=V)
        %31 = scan(5, from=((2 * %8) * broadcast_to(1.0, (3,)), broadcast_to(0.0, (3, 3))), over=(%22.trace[2], %22.trace[1]), using=V, reverse=true)
  2  broadcast-into [E]    # elementwise operators take scalars as they are
      (2 * %7.final) * broadcast_to(1.0, (3,)) => (2 * %7.final) * 1
  3  flatten-mul [R]    # one product instead of nested products
      (2 * %7.final) * 1 => 2 * %7.final * 1
  4  fold-mul [R]  2 * %7.final * 1 => 2 * %7.final    # constants of one product multiplied
expand: 0 steps, 42 -> 42 nodes, saturated
loops: 4 steps, 42 -> 30 nodes, saturated
  5  same-loop [E]
      # two loops that step alike run as one; same operands and next states; their outputs are kept
      # together
      %7 => %22
      %22 = scan(5, from=h0, over=u, using=V)
  6  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %22 => %22
      %22 = scan(5, from=h0, over=u, using=V)
  7  accumulate [R]
      # products that a state adds up are one product after the loop; 1 sum of products
      %31.final[0] => %31.final
      %31.steps => %31.steps
      %31.stopped => %31.stopped
      %31.final[1] => broadcast_to(0.0, (3, 3)) + %32' @ %22.trace[0]
      %31 = scan(5, from=2 * %22.final, over=%22.trace[1], using=V, reverse=true)
  8  broadcast-into [E]    # elementwise operators take scalars as they are
      broadcast_to(0.0, (3, 3)) + %32' @ %22.trace[0] => 0 + %32' @ %22.trace[0]
specialize: 2 steps, 30 -> 29 nodes, saturated
  9  inner [E]  %22 => %22    # rewrites inside the graph it owns; open it to see them
    9.1  mul-self [E]  tanh(%17 + u[t]) * tanh(%17 + u[t]) => sqr(tanh(%17 + u[t]))    # a square
  10  gemm [R]    # a transposed matrix is read as it lies, not copied
      %31.trace' @ %22.trace[0] => gemm(%31.trace, %22.trace[0], ta=true)
fuse: 1 step, 29 -> 34 nodes, saturated
  11  inner [E]  %22 => %22    # rewrites inside the graph it owns; open it to see them
    11.1  fuse [E]
        # one pass over the elements, a tile at a time; 4 operators over f64[3]; 48 bytes need not be
        # stored
        tanh(V @ h[t-1] + u[t]) => %48[0]
        1 - sqr(tanh(%18)) => %48[1]
        %48 = fused(u[t], V @ h[t-1])
lower: 2 steps, 34 -> 49 nodes, saturated
  12  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %22 => %22
      %22 = loop(rows=5, go=true, from=(h0, 0), using=(u, V))
  13  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from n-1 down to 0, in place of 1 sequence
      %31.final => %31.final[0]
      %31.trace => %31.trace
      %31.steps => %31.steps
      %31.stopped => false
      %31 = loop(rows=5, go=true, from=(2 * %22.final[0], 4), using=(%22.trace[1], V), down=true)
input.gr:11:34: error: no step 7 expands a derivative
    :steps grad(x[0, 0] * 2, x) open=7
                                     ^
  hint: :steps EXPR lists them: expand-derivative opens
exit 1
