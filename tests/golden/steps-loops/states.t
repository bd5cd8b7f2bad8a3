# Duplicate, constant and counting states; running sums and products.
x : f64[T] = [1, 2, 3, 4]
c : f64 = 2
a = scan t over x from p = c, q = c, r = 1.0 { p[t] = 0.5 * q[t-1] + x[t]; q[t] = 0.5 * p[t-1] + x[t]; r[t] = tanh(r[t-1] * p[t-1] - q[t-1]) }
:steps a.final
a.final
# the same start, other steps: two states
:steps (scan t over x from p = c, q = c { p[t] = tanh(q[t-1]) + x[t]; q[t] = tanh(p[t-1]) - x[t] }).final
b = scan t over x from k = 3, z = 0.0, s = 1.0 { k[t] = 2 * k[t-1] - 3; z[t] = z[t-1] * x[t]; s[t] = tanh(s[t-1]) + x[t] * f64(k[t]) + z[t] }
:steps b.s
b.s
# counters
w : f64[7] = [1, 2, 3, 4, 5, 6, 7]
k : i64 = 4
d = scan t for k from i = 0, h = 0.0 { i[t] = i[t-1] + 1; h[t] = tanh(h[t-1]) + w[i[t]] * w[t] }
:steps d.h
d.h
d.final.i
f = scan t for k from i = 10, h = 0.0 { i[t] = i[t+1] - 3; h[t] = tanh(h[t+1]) + f64(i[t+1]) }
f.h
f.i
# running sums and products, either way, end without a loop
:steps scan t over x from s = c { s[t] = s[t-1] + sqr(x[t]) }
scan t over x from s = c { s[t] = s[t-1] + sqr(x[t]) }
scan t over x from s = c { s[t] = s[t+1] * x[t] }
(scan t over x from s = c { s[t] = s[t+1] * x[t] }).final
y = [1e200, 1e200, 1e200]
scan t over y from s = 0.0 { s[t] = s[t-1] * y[t] }
# under until, later rows might not be needed: the state stays
:steps scan t over x from s = c { s[t] = s[t-1] + sqr(x[t]); until s[t] > 3 }
---
loops: 2 steps, 20 -> 16 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 3 traces
      scan p, q, r: traces p, q, r are no longer kept
  2  duplicate-state [E]
      # states with equal initial values and equal updates are merged; 1 state
      scan p, q, r: state q is gone
      - «p»[t] = 0.5 * «q»[t-1] + x[t]
      + «q»[t] = 0.5 * «p»[t-1] + x[t]
      - r[t] = tanh(r[t-1] * p[t-1] - «q»[t-1])
      + r[t] = tanh(r[t-1] * p[t-1] - «p»[t-1])
      - %11.final.q
      + %11.final.p
lower: 1 step, 16 -> 24 nodes, done
  3  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan p, r runs as loop p, r, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse
.p : f64 = 6.25
.q : f64 = 6.25
.r : f64 = -0.9999999695358605
loops: 1 step, 13 -> 13 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 2 traces
      scan p, q: traces p, q are no longer kept
lower: 1 step, 13 -> 21 nodes, done
  2  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan p, q runs as loop p, q, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse
loops: 3 steps, 20 -> 14 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 2 traces
      scan k, z, s: traces k, z are no longer kept
  2  constant-state [E]
      # a state that never leaves its initial constant is that constant; 1 state
      scan k, z, s: state k is gone
      - k[t] = 2 * «k[t-1]» - 3
      + k[t] = 2 * «3» - 3
      - %10.final.k
      + 3
  3  inner [E]  in scan z, s
    3.1-3  fold [E]  3 times    # the value is known while the graph is built
        e.g. 2 * 3 => 6
lower: 2 steps, 14 -> 23 nodes, done
  4  inner [E]  in scan z, s
    4.1  order-sum [E]    # term by term, in evaluation order
        s[t] = tanh(s[t-1]) + x[t] * 3 + z[t] => (tanh(s[t-1]) + x[t] * 3) + z[t]
  5  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan z, s runs as loop z, s, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse
f64[4] = [3.76159, 6.99892, 10.0, 13.0]
loops: 8 steps, 18 -> 17 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan i, h: trace i is no longer kept
  2  induction [E]    # a counter becomes a sequence of numbers instead of a state; a running sum
      scan i, h: state i is gone
      at each step it reads i[t-1], a row of broadcast_to(0, (check(%16, k),)) + arange(%17) *
          broadcast_to(1, (%17,))
      - %10.final.i
      + 0 + check(k >= 0, k) * 1
  3  broadcast-into [E]    # elementwise operators take scalars as they are
      - arange(check(k >= 0, k)) * broadcast_to(1, (check(k >= 0, k),))
      + arange(check(k >= 0, k)) * 1
  4  mul-one [E]  arange(check(k >= 0, k)) * 1 => arange(check(k >= 0, k))    # 1 is neutral
  5  broadcast-into [E]    # elementwise operators take scalars as they are
      - broadcast_to(0, (check(k >= 0, k),)) + arange(check(k >= 0, k))
      + 0 + arange(check(k >= 0, k))
  6  add-zero-int [E]  0 + arange(check(k >= 0, k)) => arange(check(k >= 0, k))    # 0 is neutral
  7  index-rows [E]    # indexing by the step number reads a sequence; rows from 1 on
      scan h: it no longer reads i[t-1] step by step
      at each step it reads slice_w[t], a row of w[1:1 + check(k >= 0, k)]
      - h[t] = tanh(h[t-1]) + «w[i»[t]«]» * w[t]
      + h[t] = tanh(h[t-1]) + «slice_w»[t] * w[t]
      - i[t] = i[t-1] + 1
  8  index-rows [E]    # indexing by the step number reads a sequence; rows from 0 on
      scan h: it no longer reads t step by step
      it no longer reads w
      at each step it reads slice_w_2[t], a row of w[:check(k >= 0, k)]
      - h[t] = tanh(h[t-1]) + slice_w[t] * «w»[t]
      + h[t] = tanh(h[t-1]) + slice_w[t] * «slice_w_2»[t]
lower: 1 step, 17 -> 25 nodes, done
  9  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 2 sequences
      scan h runs as loop h, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse
f64[4] = [2.0, 6.96403, 13.0, 21.0]
i64 = 4
f64[4] = [1.99991, 5.0, 8.0, 10.0]
i64[4] = [-2, 1, 4, 7]
loops: 3 steps, 9 -> 5 nodes, done
  1  running [R O]
      # the rows of a running sum, product or extreme are computed at once; a running sum
      scan s: state s is gone
      trace s is no longer kept
      trace s is kept now
      it no longer reads x[t] step by step
      at each step it reads s[t], a row of broadcast_to(c, (T,)) + cumsum(sqr(x))
      - s[t] = s[t-1] + sqr(x[t])
      - %6.final.s
      + concat((expand_dims(c, axis=0), broadcast_to(c, (T,)) + cumsum(sqr(x))), axis=0)[T]
  2  broadcast-into [E]    # elementwise operators take scalars as they are
      broadcast_to(c, (T,)) + cumsum(sqr(x)) => c + cumsum(sqr(x))
  3  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      scan without states (%6) is gone
      - s = %6.s
      + s = c + cumsum(sqr(x))
      - %6.steps
      + T
      … and 1 more
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse,
lower
f64[4] = [3.0, 7.0, 16.0, 32.0]
f64[4] = [48.0, 48.0, 24.0, 8.0]
f64 = 48.0
f64[3] = [0.0, 0.0, 0.0]
lower: 1 step, 11 -> 21 nodes, done
  1  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s runs as loop s, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize,
fuse
