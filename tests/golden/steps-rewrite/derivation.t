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
differentiate: 1 step, 9 -> 9 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 5 nodes
      grad(sum(tanh(x @ W)), W) => d_W = x' @ (1 - tanh(x @ W) * tanh(x @ W))
    1.1  d seed [E R]    # the cotangent of the result is 1
        grad(sum(tanh(x @ W)), W) => vjp(sum(tanh(x @ W)), W, 1.0)[0]
    1.2  d sum [E R]    # d sum(x) = sum(dx): x gets dy repeated along the axes
        vjp(sum(tanh(x @ W)), W, 1.0)[0] => vjp(tanh(x @ W), W, broadcast_to(1.0, (4, 2)))[0]
    1.3  d tanh [E R]    # d tanh(x) = (1 - y * y) dx
        - vjp(tanh(x @ W), W, broadcast_to(1.0, (4, 2)))[0]
        + vjp(x @ W, W, 1 - tanh(x @ W) * tanh(x @ W))[0]
    1.4  d matmul [E R]    # d (a @ b) = da @ b + a @ db: a gets dy @ b', b gets a' @ dy
        vjp(x @ W, W, %10)[0] => d_W = x' @ %10
specialize: 2 steps, 9 -> 8 nodes, done
  2  mul-self [E]  tanh(x @ W) * tanh(x @ W) => sqr(tanh(x @ W))    # a square
  3  gemm [R]    # the transposed matrix is read in place, without a copy
      d_W = x' @ (1 - sqr(tanh(x @ W))) => gemm(x, 1 - sqr(tanh(x @ W)), ta=true)
fuse: 1 step, 8 -> 11 nodes, done
  4  fuse [E]    # one pass, tile by tile; 3 operators over f64[4, 2]; 128 bytes not stored
      one kernel computes 1 - sqr(%4) from x @ W
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, lower
differentiate: 1 step, 13 -> 13 nodes, done
  1  expand-derivative [E]    # operator by operator; forward sweep over 5 nodes
      - «jvp(»sum(«tanh(»x @ «W)), W,» broadcast_to(1.0, (3, 2)))«[0]»
      + sum(x @ broadcast_to(1.0, (3, 2)) «* (1 - tanh(x @ W) * tanh(x @ W)))»
    1.1  d matmul [E R]    # d (a @ b) = da @ b + a @ db: a gets dy @ b', b gets a' @ dy
        - jvp(sum(tanh(x @ W)), W, broadcast_to(1.0, (3, 2)))[0]
        + jvp(sum(tanh(x @ W)), «x @» W, «x @» broadcast_to(1.0, (3, 2)))[0]
    1.2  d tanh [E R]    # d tanh(x) = (1 - y * y) dx
        - jvp(sum(tanh(x @ W)), x @ W, %9)[0]
        + jvp(sum(tanh(x @ W)), tanh(x @ W), %9 * (1 - tanh(x @ W) * tanh(x @ W)))[0]
    1.3  d sum [E R]    # d sum(x) = sum(dx): x gets dy repeated along the axes
        jvp(sum(tanh(x @ W)), tanh(x @ W), %12)[0] => sum(%12)
simplify: 1 step, 13 -> 13 nodes, done
  2  simplify [R N+ O]
      # the same sum of products in fewer operations; contract in a different order
      x @ broadcast_to(1.0, (3, 2)) => broadcast_to(sum(x, axis=1), (4, 2), axis=0)
specialize: 1 step, 13 -> 13 nodes, done
  3  mul-self [E]  tanh(x @ W) * tanh(x @ W) => sqr(tanh(x @ W))    # a square
fuse: 1 step, 13 -> 17 nodes, done
  4  fuse [E]
      # one pass, tile by tile; 4 operators and 1 reduction over f64[4, 2]; 256 bytes not stored
      one kernel computes sum(%15 * %11) from x @ W, broadcast_to(%14, (4, 2), axis=0)
nothing to do: inline, canonicalize, stabilize, expand, loops, lower
differentiate: 1 step, 19 -> 35 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 14 nodes
      new: scan h (%7) and scan d_h, sum_d_V (%25)
      d_V = %25.final.sum_d_V
    1.1  d seed [E R]    # the cotangent of the result is 1
        grad(sum(sqr(%7.final.h)), V) => vjp(sum(sqr(%7.final.h)), V, 1.0)[0]
    1.2  d sum [E R]    # d sum(x) = sum(dx): x gets dy repeated along the axes
        - vjp(«sum(»sqr(%7.final.h)«)», V, 1.0)[0]
        + vjp(sqr(%7.final.h), V, «broadcast_to(»1.0«, (3,)))»[0]
    1.3  d sqr [E R]    # d sqr(x) = (2 * x) dx
        new: scan h (%7)
        d_V = vjp(%7.final.h, V, 2 * %7.final.h)[0]
    1.4  d scan [E R]
        # the loop runs in the opposite direction; it carries the cotangents of h[t-1]; it
        # accumulates over the steps those of V (the pass `loops` turns sums of products into one
        # product after the loop); saved before each step: h[t-1]
        new: scan h (%7) and scan d_h, sum_d_V (%61)
        d_V = %61.final.sum_d_V
    1.5  d scan [E R]    # the body's derivative, operator by operator
        scan d_h, sum_d_V:
        - d_h[t-1] = %«57[0]»
        + d_h[t-1] = %«68 @ V»
        - sum_d_V = sum_d_V + %«57»[1]
        + sum_d_V = sum_d_V + %«68[:, None] @ h[t-»1]«[None, :]»
        … and 3 more
      1.5.1  d tanh [E R]    # d tanh(x) = (1 - y * y) dx
          - vjp(«tanh(»V @ h[t-1] + u[t]«)», (h[t-1], V), d_h[t])
          + vjp(V @ h[t-1] + u[t], (h[t-1], V), d_h[t] «* (1 - tanh(V @ h[t-1] + u[t]) * tanh(V @
                h[t-1] + u[t])))»
      1.5.2  d add [E R]    # d (x + z) = dx + dz
          vjp(V @ h[t-1] + u[t], (h[t-1], V), %76) => vjp(V @ h[t-1], (h[t-1], V), %76)
      1.5.3  d matmul [E R]    # d (a @ b) = da @ b + a @ db: a gets dy @ b', b gets a' @ dy
          - vjp(V @ h[t-1], (h[t-1], V), %76)[0]
          + %76 @ V
          - vjp(V @ h[t-1], (h[t-1], V), %76)[1]
          + %76[:, None] @ h[t-1][None, :]
    1.6  d scan [E R]
        # results of products, solves and inner loops are saved instead of being recomputed
        new: scan d_h, sum_d_V (%25) and scan h (%7)
loops: 1 step, 35 -> 28 nodes, done
  2  accumulate [R]
      # a sum of products over the steps is one product after the loop; 1 sum of products
      scan d_h, sum_d_V: state sum_d_V is gone
      trace %19 is kept now
      it no longer reads h[t-1] step by step
      - sum_d_V = sum_d_V + (d_h[t] * one_minus_sqr_h[t])[:, None] @ h[t-1][None, :]
      - d_V = %25.final.sum_d_V
      + d_V = %25.trace' @ %7.h
specialize: 2 steps, 28 -> 27 nodes, done
  3  inner [E]  in scan h
    3.1  mul-self [E]  h[t] * h[t] => sqr(h[t])    # a square
  4  gemm [R]    # the transposed matrix is read in place, without a copy
      d_V = %25.trace' @ %7.h => gemm(%25.trace, %7.h, ta=true)
fuse: 1 step, 27 -> 32 nodes, done
  5  inner [E]  in scan h
    5.1  fuse [E]    # one pass, tile by tile; 4 operators over f64[3]; 48 bytes not stored
        one kernel computes h[t], one_minus_sqr_h[t] from u[t], V @ h[t-1]
      5.1.1  with sqr [E]    # 2 operators over f64[3]; 24 bytes not stored
          one kernel computes one_minus_sqr_h[t] from h[t]
      5.1.2  with tanh [E]    # 3 operators over f64[3]; 24 bytes not stored
          one kernel computes h[t], %85 from V @ h[t-1] + u[t]
      5.1.3  with add [E]    # 4 operators over f64[3]; 48 bytes not stored
          one kernel computes %85[0], %85[1] from u[t], V @ h[t-1]
lower: 2 steps, 32 -> 47 nodes, done
  6  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan h runs as loop h, row
    6.1  counter [E]    # the step number becomes a state: 0, 1, ..., n-1
        scan h: state row is new
        + row + 1
    6.2  index u [E]    # the sequence becomes row i of a captured array
        scan h, row: it no longer reads u[t] step by step
        it reads u
        + u[t] = u[row]
    6.3  loop [E]    # a test before each step; traces are arrays with one row per step
        scan h, row runs as loop h, row
  7  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from n-1 down to 0, in place of 1 sequence
      scan d_h runs as loop d_h, row
      - %25.stopped
      + false
    7.1  counter [E]    # the step number becomes a state: n-1, n-2, ..., 0
        scan d_h: state row is new
        + row + -1
    7.2  index one_minus_sqr_h [E]    # the sequence becomes row i of a captured array
        scan d_h, row: it no longer reads one_minus_sqr_h[t] step by step
        it reads one_minus_sqr_h = %7.one_minus_sqr_h
        + one_minus_sqr_h[t] = one_minus_sqr_h[row]
    7.3  loop [E]    # a test before each step; traces are arrays with one row per step
        scan d_h, row runs as loop d_h, row
        - %25.stopped
        + false
nothing to do: inline, canonicalize, stabilize, simplify, expand
input.gr:11:34: error: no step 7 opens
    :steps grad(x[0, 0] * 2, x) open=7
                                     ^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse, simplify, simplify-whole
exit 1
