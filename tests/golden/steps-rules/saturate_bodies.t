# equality saturation: the e-graph of a body knows what its owner does
u : f64; s0 : f64; v : f64[5]; p : bool
c = exp(u)
w = exp(v)
k = 2.0 * 4.0
:saturate scan t for 5 from s = s0 { s[t] = sin(s[t-1]) * sqr(sqrt(c)) }
:saturate scan t for 5 from s = s0 { s[t] = sin(s[t-1]) * sqr(sqrt(u)) }
:saturate scan t for 5 from s = 1.0 { s[t] = sqr(sqrt(s[t-1])) * 0.5 + sqr(v[t]) }
:saturate scan t for 5 from s = 1.0 { s[t] = sqr(sqrt(s[t-1])) * 0.5 + v[t] }
:saturate scan t for 5 from s = s0 { s[t] = s[t-1] * sin(f64(minimum(t, 4))) }
:saturate scan t for 5 from s = s0 { s[t] = sin(s[t-1] ^ (k / 4.0)) }
:saturate if p then log(c * w) else sqr(sqrt(w))
:equal scan t for 5 from s = s0 { s[t] = sin(s[t-1]) * abs(c) }, scan t for 5 from s = s0 { s[t] = sin(s[t-1]) * c }
:equal scan t for 5 from s = 1.0 { s[t] = tanh(abs(s[t-1]) + 1) }, scan t for 5 from s = 1.0 { s[t] = tanh(s[t-1] + 1) }
# one body, two owners: what the one knows is nothing to the other
f = x -> scan t for 5 from s = s0 { s[t] = sin(s[t-1]) * sqr(sqrt(x)) }
:saturate f(c) - f(u) rules=canonicalize,saturate
:set passes inline saturate
:audit f(c) + f(u)
---
iteration  e-nodes  classes  matches  best cost
1          6        6        0        0.4737 us
saturated: cost 0.5057 us -> 0.4737 us (time, exact)
scan(5, from=s0, using=c).trace
saturate: 1 step, 12 -> 10 nodes, done
  1 iteration, 6 e-nodes in 6 classes, saturated
  1  inner [Z R D]  in scan s
    1.1  sqr-sqrt-zero [Z R D]
        # a root squared; of -0 it is 0; `x` is not negative: c is at least 0, as outside the loop
        # it is exp(u)
        sqr(sqrt(c)) => c
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          19       11       0        0.4802 us
2          30       14       0        0.4734 us
3          31       14       6        0.4734 us
4          33       15       4        0.4734 us
5          33       15       1        0.4734 us
saturated: cost 0.499 us -> 0.4734 us (time, exact)
scan(5, from=s0, using=sqr(sqrt(u))).trace
saturate: 4 steps, 11 -> 11 nodes, done
  5 iterations, 33 e-nodes in 15 classes, saturated
  1  inner [E R O]  in scan s
    1.1  mul-self-back [E R O]    # a square
        s[t] = sin(s[t-1]) * sqr(sqrt(u)) => sin(s[t-1]) * sqrt(u) * sqrt(u)
  2  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; the loop runs at least
      # once
      scan s: it no longer reads u
      it reads sqrt_u = sqrt(u)
      - s[t] = sin(s[t-1]) * «%4 * %4»
      + s[t] = sin(s[t-1]) * «sqrt_u * sqrt_u»
      - %4 = sqrt(u)
  3  hoist-terms [R O]
      # loop-invariant terms are combined into one, computed before the loop; 1 sum or product
      scan s: it no longer reads sqrt_u
      it reads sqr_sqrt_u = sqrt(u) * sqrt(u)
      - «s[t]» = sin(s[t-1]) * «sqrt_u * sqrt_u»
      + «%6» = sin(s[t-1]) * «sqr_sqrt_u»
  4  square-product-back [E]  sqrt(u) * sqrt(u) => sqr(sqrt(u))    # a square
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          14       10       0        0.5755 us
2          14       10       0        0.5755 us
saturated: cost 0.6665 us -> 0.5755 us (time, exact)
scan(5, from=1.0, over=v).trace
saturate: 2 steps, 16 -> 11 nodes, done
  2 iterations, 14 e-nodes in 10 classes, saturated
  1  inner [Z R D]  in scan s
    1.1  sqr-sqrt-zero [Z R D]
        # a root squared; of -0 it is 0; `x` is not negative: s[t-1] is at least 0, as its initial
        # value is 1.0, and each step keeps that
        sqr(sqrt(s[t-1])) => s[t-1]
  2  index-rows [E]    # indexing by the step number reads a sequence; rows from 0 on
      scan s: it no longer reads t step by step
      it no longer reads v
      at each step it reads v[t]
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          14       10       0        0.599 us
2          14       10       0        0.599 us
saturated: cost 0.658 us -> 0.599 us (time, exact)
scan(5, from=1.0, over=v).trace
saturate: 2 steps, 15 -> 11 nodes, done
  2 iterations, 14 e-nodes in 10 classes, saturated
  1  inner [E R O]  in scan s
    1.1  mul-self-back [E R O]    # a square
        sqr(sqrt(s[t-1])) * 0.5 => sqrt(s[t-1]) * sqrt(s[t-1]) * 0.5
  2  index-rows [E]    # indexing by the step number reads a sequence; rows from 0 on
      scan s: it no longer reads t step by step
      it no longer reads v
      at each step it reads v[t]
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          20       16       0        0.651 us
2          22       14       2        0.3238 us
3          25       15       6        0.3238 us
4          26       15       9        0.3238 us
5          26       15       2        0.3238 us
saturated: cost 0.6795 us -> 0.3238 us (time, exact)
cumprod(concat((expand_dims(s0, axis=0), sin(f64(arange(5)))), axis=0))[1:]
saturate: 3 steps, 12 -> 10 nodes, done
  5 iterations, 26 e-nodes in 15 classes, saturated
  1  inner [D]  in scan s
    1.1  minimum-known [D]
        # the ranges imply which is smaller; `x` is never above the other: t is within [0, 4], as it
        # is a row of arange(5); `z` is never NaN: a constant, 4
        minimum(t, 4) => t
  2  running-form [R O]
      # the rows of a running sum, product or extreme are computed at once; a running product
      scan s: state s is gone
      trace s is no longer kept
      trace s is kept now
      it no longer reads t step by step
      at each step it reads s[t], a row of cumprod(concat((%9, %11), axis=0))[1:]
      - s[t] = s[t-1] * sin(f64(t))
  3  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      scan without states (%7) is gone
      - s = %7.s
      + s = cumprod(concat((expand_dims(s0, axis=0), sin(f64(arange(5)))), axis=0))[1:]
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          17       11       1        0.467 us
2          17       11       2        0.467 us
saturated: cost 0.7772 us -> 0.467 us (time, exact)
scan(5, from=s0).trace
saturate: 2 steps, 13 -> 7 nodes, done
  2 iterations, 17 e-nodes in 11 classes, saturated
  1  inner [E R D]  in scan s
    1.1  known-value [D]
        # its range is a single number; k is 8, as outside the loop it is 2.0 * 4.0
        k => 8.0
    1.2  fold [E]  8.0 / 4.0 => 2.0    # the value is known while the graph is built
    1.3  square-power-back [R]  s[t-1]^2 => sqr(s[t-1])    # a square
  2  unused-inputs [E]
      # sequences and captures that the body does not read are removed; 2 of 3 inputs stay
      scan s: it no longer reads k
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          6        6        0        0.129 us
saturated: cost 0.1654 us -> 0.129 us (time, exact)
if p then log(w) + u else w
differentiate: 1 step, 14 -> 14 nodes, done
  1  sink-branch [E]
      # a value that only one branch uses is computed inside that branch; 1 operator that nothing
      # else uses
      if p then log(exp(u) * exp(v)) else sqr(sqrt(exp(v))), which is printed as before
saturate: 2 steps, 14 -> 11 nodes, done
  1 iteration, 6 e-nodes in 6 classes, saturated
  2  inner [R N+ D]  in the then branch of if
    2.1  log-of-product [R N+ D]
        # products become sums; `x` is not negative: w is at least 0, as outside the loop it is
        # exp(v); `z` is not negative: exp(u) is at least 0
        log(c * w) => log(w) + log(c)
    2.2  log-exp [R N+]  log(exp(u)) => u    # inverse pair; no overflow in exp
  3  inner [Z R D]  in the else branch of if
    3.1  sqr-sqrt-zero [Z R D]
        # a root squared; of -0 it is 0; `x` is not negative: w is at least 0, as outside the loop
        # it is exp(v)
        sqr(sqrt(w)) => w
nothing to do: inline
equal
saturate: 2 steps, 17 -> 10 nodes, done
  2 iterations, 32 e-nodes in 23 classes, equal
  1  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; the loop runs at least
      # once
      scan s: state s is gone
      state s is new
      trace s is no longer kept
      trace s is kept now
      it no longer reads c
      it reads abs_c = abs(exp(u))
      - s[t] = sin(s[t-1]) * «abs(»c«)»
      + s[t] = sin(s[t-1]) * c
  2  abs-known [D]
      # it is not negative; `x` is not negative: exp(u) is at least 0; `x` is never -0
      abs(c) => c = exp(u)
nothing to do: inline, differentiate
equal
saturate: 7 steps, 15 -> 8 nodes, done
  2 iterations, 36 e-nodes in 21 classes, equal
  1  write-out [E]    # the steps of a loop, one after another; 5 steps
      scan s (%4) is gone
      - s = %4.s
      + s = concat((expand_dims(s[0], axis=0), expand_dims(s[1], axis=0), expand_dims(s[2],
            axis=0), expand_dims(s[3], axis=0), expand_dims(s[4], axis=0)), axis=0)
  2  fold [E]  abs(1.0) => 1.0    # the value is known while the graph is built
  3  abs-known [D]
      # it is not negative; `x` is not negative: tanh(1.0 + 1.0) is within [0, 1]; `x` is never -0
      abs(s[0]) => s[0] = tanh(1.0 + 1.0)
  4  abs-known [D]
      # it is not negative; `x` is not negative: tanh(tanh(1.0 + 1.0) + 1) is within [0, 1]; `x` is
      # never -0
      abs(s[1]) => s[1] = tanh(s[0] + 1)
  5-6  abs-known [D]  2 times
      # it is not negative; `x` is not negative: tanh(tanh(tanh(…) + 1) + 1) is within [0, 1]; `x`
      # is never -0
      e.g. abs(s[2]) => s[2] = tanh(s[1] + 1)
  7  write-out-back [E]    # the steps of a loop, one after another; 5 steps
      new: scan s (%8)
      - s = concat((expand_dims(s[0], axis=0), expand_dims(s[1], axis=0), expand_dims(s[2],
            axis=0), expand_dims(s[3], axis=0), expand_dims(s[4], axis=0)), axis=0)
      + s = %8.s
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          11       10       1        1.024 us
2          13       11       3        1.024 us
3          13       11       1        1.024 us
saturated: cost 1.056 us -> 1.024 us (time, exact)
s - s
saturate: 2 steps, 21 -> 18 nodes, done
  3 iterations, 13 e-nodes in 11 classes, saturated
  1  inner [Z R D]  in scan s
    1.1  sqr-sqrt-zero [Z R D]
        # a root squared; of -0 it is 0; `x` is not negative: c is at least 0, as outside the loop
        # it is exp(u)
        sqr(sqrt(c)) => c
  2  inner [E R O]  in scan s
    2.1  square-product [E]  sqr(sqrt(c)) => sqrt(c) * sqrt(c)    # a square
    2.2  flatten-mul [R O]    # nested products become one product
        s[t] = sin(s[t-1]) * (sqrt(c) * sqrt(c)) => sin(s[t-1]) * sqrt(c) * sqrt(c)
nothing to do: inline, differentiate
step  pass      rule                  classes  error  ulp
1     saturate  stable-row            [R]      0      0
2.1   saturate  sqrt-exp              [R N+]   0      0
2     saturate  inner                 [R N+]   0      0
3     saturate  hoist                 [E]      0      0
4     saturate  hoist                 [E]      0      0
5     saturate  merge-loops           [E]      0      0
6     saturate  exp-of-double         [R]      2e-16  1
7     saturate  same-sum-of-products  [R O]    0      0
8 steps, 8 compared: all within what their classes allow; largest error 2e-16
