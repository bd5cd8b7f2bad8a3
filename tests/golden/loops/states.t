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
inline: 0 steps, 20 -> 20 nodes, saturated
canonicalize: 0 steps, 20 -> 20 nodes, saturated
stabilize: 0 steps, 20 -> 20 nodes, saturated
differentiate: 0 steps, 20 -> 20 nodes, saturated
expand: 0 steps, 20 -> 20 nodes, saturated
loops: 2 steps, 20 -> 16 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 3 traces
      %11 => %11
      %11 = scan(T, from=(c, c, 1.0), over=x)
  2  duplicate-state [E]    # states that start alike and step alike are one; 1 state
      %11 => %11
      %11 = scan(T, from=(c, 1.0), over=x)
specialize: 0 steps, 16 -> 16 nodes, saturated
fuse: 0 steps, 16 -> 16 nodes, saturated
lower: 1 step, 16 -> 24 nodes, saturated
  3  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %11 => %11
      %11 = loop(rows=T, go=0 < T, from=(c, 1.0, 0), using=(x, T))
[0] : f64 = 6.25
[1] : f64 = 6.25
[2] : f64 = -0.9999999695358605
inline: 0 steps, 13 -> 13 nodes, saturated
canonicalize: 0 steps, 13 -> 13 nodes, saturated
stabilize: 0 steps, 13 -> 13 nodes, saturated
differentiate: 0 steps, 13 -> 13 nodes, saturated
expand: 0 steps, 13 -> 13 nodes, saturated
loops: 1 step, 13 -> 13 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 2 traces
      %8 => %8
      %8 = scan(T, from=(c, c), over=x)
specialize: 0 steps, 13 -> 13 nodes, saturated
fuse: 0 steps, 13 -> 13 nodes, saturated
lower: 1 step, 13 -> 21 nodes, saturated
  2  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %8 => %8
      %8 = loop(rows=T, go=0 < T, from=(c, c, 0), using=(x, T))
inline: 0 steps, 20 -> 20 nodes, saturated
canonicalize: 0 steps, 20 -> 20 nodes, saturated
stabilize: 0 steps, 20 -> 20 nodes, saturated
differentiate: 0 steps, 20 -> 20 nodes, saturated
expand: 0 steps, 20 -> 20 nodes, saturated
loops: 3 steps, 20 -> 14 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 2 traces
      %10 => %10
      %10 = scan(T, from=(3, 0.0, 1.0), over=x)
  2  constant-state [E]
      # a state that never leaves its initial constant is that constant; 1 state
      %10.final[1] => %10.final[0]
      %10.final[2] => %10.final[1]
      %10.trace => %10.trace
      %10.steps => %10.steps
      %10.stopped => %10.stopped
      %10.final[0] => 3
      %10 = scan(T, from=(0.0, 1.0), over=x)
  3  inner [E]  %10 => %10    # rewrites inside the graph it owns; open it to see them
    3.1  fold [E]  2 * 3 => 6    # the value is known while the graph is built
    3.2  fold [E]  6 - 3 => 3    # the value is known while the graph is built
    3.3  fold [E]  f64(3) => 3.0    # the value is known while the graph is built
specialize: 0 steps, 14 -> 14 nodes, saturated
fuse: 0 steps, 14 -> 14 nodes, saturated
lower: 2 steps, 14 -> 23 nodes, saturated
  4  inner [E]  %10 => %10    # rewrites inside the graph it owns; open it to see them
    4.1  order-sum [E]    # term by term, in the order that runs
        tanh(s[t-1]) + x[t] * 3 + x[t] * z[t-1] => (tanh(s[t-1]) + x[t] * 3) + x[t] * z[t-1]
  5  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %10.trace => %10.trace
      %10 = loop(rows=T, go=0 < T, from=(0.0, 1.0, 0), using=(x, T))
f64[4] =
[ 3.761594155955765,  6.998919770102253,  9.999998333347097,
 12.99999999587768]
inline: 0 steps, 18 -> 18 nodes, saturated
canonicalize: 0 steps, 18 -> 18 nodes, saturated
stabilize: 0 steps, 18 -> 18 nodes, saturated
differentiate: 0 steps, 18 -> 18 nodes, saturated
expand: 0 steps, 18 -> 18 nodes, saturated
loops: 8 steps, 18 -> 17 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %10 => %10
      %10 = scan(k, from=(0, 0.0), over=arange(k), using=w)
  2  induction [E]    # a counter is a sequence of numbers, not a state; a state that adds
      %10.final[1] => %10.final
      %10.trace => %10.trace
      %10.steps => %10.steps
      %10.stopped => %10.stopped
      %10.final[0] => 0 + check(%16, k, message="a loop cannot run a negative number of times") * 1
      %10 = scan(k, from=0.0, over=(broadcast_to(0, (%17,)) + %19 * %20, arange(k)), using=w)
  3  broadcast-into [E]    # elementwise operators take scalars as they are
      arange(check(%16, k, message="a loop cannot run a negative number of times")) * broadcast_to(1, (check(%16, k, message="a loop cannot run a negative number of times"),)) => arange(check(%16, k, message="a loop cannot run a negative number of times")) * 1
  4  mul-one [E]    # one times anything
      arange(check(%16, k, message="a loop cannot run a negative number of times")) * 1 => arange(check(k >= 0, k, message="a loop cannot run a negative number of times"))
  5  broadcast-into [E]    # elementwise operators take scalars as they are
      broadcast_to(0, (check(%16, k, message="a loop cannot run a negative number of times"),)) + arange(check(%16, k, message="a loop cannot run a negative number of times")) => 0 + arange(check(%16, k, message="a loop cannot run a negative number of times"))
  6  add-zero-int [E]    # zero plus anything
      0 + arange(check(%16, k, message="a loop cannot run a negative number of times")) => arange(check(k >= 0, k, message="a loop cannot run a negative number of times"))
  7  index-rows [E]    # reading at the step's own number is reading a sequence; rows from 1 on
      %10 => %10
      %10 = scan(k, from=0.0, over=(arange(k), w[1:1 + check(%16, k, message="a loop cannot run a negative number of times")]), using=w)
  8  index-rows [E]    # reading at the step's own number is reading a sequence; rows from 0 on
      %10 => %10
      %10 = scan(k, from=0.0, over=(w[1:1 + check(%16, k, message="a loop cannot run a negative number of times")], w[:check(%16, k, message="a loop cannot run a negative number of times")]))
specialize: 0 steps, 17 -> 17 nodes, saturated
fuse: 0 steps, 17 -> 17 nodes, saturated
lower: 1 step, 17 -> 25 nodes, saturated
  9  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 2 sequences
      %10.trace => %10.trace
      %10 = loop(rows=k, go=0 < k, from=(0.0, 0), using=(w[:check(%16, k, message="a loop cannot run a negative number of times")], w[1:1 + check(%16, k, message="a loop cannot run a negative number of times")], k))
f64[4] = [2.0, 6.9640275800758165, 12.999998212886613, 20.999999999989782]
i64 = 4
f64[4] = [1.999909204221726, 4.999999774929674, 7.999999995877693, 10.0]
i64[4] = [-2, 1, 4, 7]
inline: 0 steps, 9 -> 9 nodes, saturated
canonicalize: 0 steps, 9 -> 9 nodes, saturated
stabilize: 0 steps, 9 -> 9 nodes, saturated
differentiate: 0 steps, 9 -> 9 nodes, saturated
expand: 0 steps, 9 -> 9 nodes, saturated
loops: 2 steps, 9 -> 10 nodes, saturated
  1  running [R]    # the rows of a running sum or product are computed at once; a state that adds
      %6.trace => %6.trace
      %6.steps => %6.steps
      %6.stopped => %6.stopped
      %6.final => cumsum(concat((%8, %9), axis=0))[T]
      %6 = scan(T, over=(cumsum(%10)[:T], x))
  2  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      %6.trace => cumsum(%10)[:T] + sqr(x)
      %6.steps => T
      %6.stopped => false
specialize: 0 steps, 10 -> 10 nodes, saturated
fuse: 0 steps, 10 -> 10 nodes, saturated
lower: 0 steps, 10 -> 10 nodes, saturated
f64[4] = [3.0, 7.0, 16.0, 32.0]
f64[4] = [48.0, 48.0, 24.0, 8.0]
f64 = 48.0
f64[3] = [0.0, 0.0, 0.0]
inline: 0 steps, 11 -> 11 nodes, saturated
canonicalize: 0 steps, 11 -> 11 nodes, saturated
stabilize: 0 steps, 11 -> 11 nodes, saturated
differentiate: 0 steps, 11 -> 11 nodes, saturated
expand: 0 steps, 11 -> 11 nodes, saturated
loops: 0 steps, 11 -> 11 nodes, saturated
specialize: 0 steps, 11 -> 11 nodes, saturated
fuse: 0 steps, 11 -> 11 nodes, saturated
lower: 1 step, 11 -> 21 nodes, saturated
  1  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %7 => %7
      %7 = loop(rows=T, go=0 < T, from=(c, 0), using=(x, T))
