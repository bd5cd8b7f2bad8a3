# What a derivative leaves behind: a power whose exponent is a number, sums that begin with nothing.
x : f64[T, 2] = [[1, 2], [3, 4]]
W : f64[2, 2] = [[0.5, -0.25], [0.125, 1]]
U : f64[2, 2] = [[0.75, 0], [-0.5, 0.25]]
k : i64 = 2
S = scan t for k over x from h = zeros(2) { h[t] = tanh(x[t] @ W + h[t-1] @ W); until sum(h[t]) > 5 }
gW = grad(sum(S.h ^ 3), W)
# The loop may fail, and so may what is asked of its states: that is asked of the rest as well.
:whynot and-false where(3.0 == 0.0 and not abs(S.h) > 0, 0.0, 3 * S.h ^ 2)
:whynot where-never where(3.0 == 0.0 and not abs(S.h) > 0, 0.0, 3 * S.h ^ 2)
:graph gW pass=loops
gW
:audit gW
R = scan t over x from h = zeros(2) { h[t] = tanh(x[t] @ W + h[t-1] @ U) }
# A loop that cannot fail: its steps cannot, and there is a row for each.
:whynot and-false where(3.0 == 0.0 and not abs(R.h) > 0, 0.0, 3 * R.h ^ 2)
:audit grad(sum(R.h ^ 3), [W, U])
V = scan t over x from v = zeros((2, 2)) { v[t] = v[t-1] + expand_dims(x[t], 0)' @ expand_dims(x[t], 0) }
:steps V.final
:steps x @ W + zeros((size(x, 0), 2))
---
and-false does not fire
  at %17, false and not %14 > 0 (after step 2): c may fail, and the right side does without it
  at %35, row + 1 < k and not false (after step 7): 2 of 3: `row + 1 < k and not false` has no other matching operand; the pattern has false
  `:help and-false`: what it matches, and when
where-never fires, step 3: where(false and not %15, 0, 3 * %13^2) => 3 * %12.trace^2
x : f64[T, 2]
W : f64[2, 2]
k : i64
t1 = broadcast_to(0.0, (2,))
S = scan t over x for k from h = t1 {
  h[t] = tanh(x[t] @ W + h[t-1] @ W)
  h_2[t-1] = h[t-1]
  until false
}
S_2 = scan t over given_h = 3 * S.h^2, one_minus_sqr_h = 1 - S.h * S.h, x,
    h[t-1] = S.h_2 for S.steps from carry_h = t1, sum_d_W = broadcast_to(0.0, (2, 2)) keep () {
  t2 = (carry_h[t] + given_h[t]) * one_minus_sqr_h[t]
  carry_h[t-1] = W @ t2
  t3 = t2[None, :]
  sum_d_W[t] = sum_d_W[t+1] + h[t-1][:, None] @ t3 + x[t][:, None] @ t3
}
S_2.final.sum_d_W
gW : f64[2, 2] =
[[1.0672,   0.31794],
 [1.9297,   0.627113]]
step   pass           rule               classes   error  ulp
1.1.1  canonicalize   gt-never           [R N+ D]  0      0
1.1    canonicalize   inner              [R N+ D]  0      0
1      canonicalize   inner              [R N+ D]  0      0
2      differentiate  expand-derivative  [E]       0      0
3.1    differentiate  flatten-add        [R O]     0      0
3      differentiate  inner              [R O]     0      0
4      loops          sink               [R]       0      0
5      specialize     mul-self           [E]       0      0
6      specialize     pow-two            [R]       0      0
7.1    specialize     ger                [E]       0      0
7.2    specialize     ger                [E]       0      0
7      specialize     inner              [E]       0      0
8.1    specialize     product-add        [R]       0      0
8      specialize     inner              [R]       0      0
9.1    specialize     product-add        [R]       0      0
9      specialize     inner              [R]       0      0
10     fuse           fuse               [E]       0      0
11.1   fuse           fuse               [E]       0      0
11     fuse           inner              [E]       0      0
12     lower          lower-scan         [E]       0      0
13     lower          lower-scan         [E]       0      0
21 steps, 21 compared: all within what their classes allow; largest error 0
and-false fires, step 2: false and not %13 > 0 => broadcast_to(false, (T, 2))
step  pass           rule               classes  error  ulp
1     differentiate  expand-derivative  [E]      0      0
2     loops          sequence-dot       [R]      0      0
3     loops          sink               [R]      0      0
4     loops          accumulate         [R]      0      0
5     specialize     pow-two            [R]      0      0
6     specialize     mul-self           [E]      0      0
7     specialize     gemm               [R]      0      0
8     specialize     gemm               [R]      0      0
9.1   fuse           fuse               [E]      0      0
9     fuse           inner              [E]      0      0
10    fuse           fuse               [E]      0      0
11.1  fuse           fuse               [E]      0      0
11    fuse           inner              [E]      0      0
12    lower          lower-scan         [E]      0      0
13    lower          lower-scan         [E]      0      0
15 steps, 15 compared: all within what their classes allow; largest error 0
loops: 3 steps, 13 -> 3 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan v: trace v is no longer kept
  2  reduce [R O]    # states that only accumulate sequence rows are reductions; 1 state
      scan v (%8) is gone
      - %8.final.v
      + sum(x[:, None, :]' @ x[:, None, :], axis=0)
      - %8.steps
      + T
      … and 1 more
  3  simplify [R N+ O]
      # the same sum of products in fewer operations; contract in a different order
      sum(x[:, None, :]' @ x[:, None, :], axis=0) => x' @ x
specialize: 1 step, 3 -> 2 nodes, done
  4  gemm [R]    # the transposed matrix is read in place, without a copy
      x' @ x => gemm(x, x, ta=true)
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, fuse, lower
canonicalize: 2 steps, 8 -> 3 nodes, done
  1  broadcast-into [E]    # elementwise operators take scalars as they are
      x @ W + broadcast_to(0.0, (T, 2)) => x @ W + 0
  2  add-zero-known [D]    # 0 is neutral for a value that is never -0; `x` is never -0
      x @ W + 0 => x @ W
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
