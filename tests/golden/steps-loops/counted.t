# An index of a loop is bounded by the number of its steps: slices at it need no care for their ends
x : f64[100]; u : f64[n]; s0 : f64[10]
:graph (scan k for 32 from s = s0 { s[k] = tanh(s[k-1]) + x[k:k+10] }).final pass=specialize
:graph (scan t for 50 from k = 60, s = s0 { k[t] = k[t-1] - 1; s[t] = tanh(s[t-1]) + x[k[t-1]:k[t-1]+10] }).final.s pass=specialize
:graph (scan t over u from s = s0 { s[t] = tanh(s[t-1]) + where(t < 0, 1.0, 2.0) * u[t] }).final pass=specialize
# It may count beyond the end
:graph (scan k for 95 from s = s0 { s[k] = tanh(s[k-1]) + where(k > 90, 1.0, 2.0) }).final pass=specialize
:steps (scan k for 32 from s = s0 { s[k] = tanh(s[k-1]) + where(k < 32, 1.0, 2.0) }).final
---
x : f64[100]
s0 : f64[10]
S = scan k for 32 from s = s0 keep () {
  s[k] = tanh(s[k-1]) + slice(x, k, 10, axis=0, step=1)
}
S.final
x : f64[100]
s0 : f64[10]
S = scan t over k[t-1] = 60 - arange(50) from s = s0 keep () {
  s[t] = tanh(s[t-1]) + slice(x, k[t-1], 10, axis=0, step=1)
}
S.final
u : f64[n]
s0 : f64[10]
S = scan t over u from s = s0 keep () {
  s[t] = tanh(s[t-1]) + 2 * u[t]
}
S.final
s0 : f64[10]
S = scan k for 95 from s = s0 keep () {
  s[k] = tanh(s[k-1]) + where(k > 90, 1.0, 2.0)
}
S.final
canonicalize: 1 step, 14 -> 9 nodes, done
  1  inner [E D]  in scan s
    1.1  lt-known [D]
        # the ranges imply it; `x` is below the other: k is within [0, 31], as it is a row of
        # arange(32); `x` is never NaN: k is within [0, 31], as it is a row of arange(32); `z` is
        # never NaN: a constant, 32
        k < 32 => true
    1.2  fold [E]  where(true, 1.0, 2.0) => 1.0    # the value is known while the graph is built
loops: 1 step, 9 -> 8 nodes, done
  2  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
      it no longer reads k step by step
fuse: 1 step, 8 -> 11 nodes, done
  3  inner [E]  in scan s
    3.1  fuse [E]    # one pass, tile by tile; 2 operators over f64[10]; 80 bytes not stored
        one kernel computes s[k] from s[k-1]
lower: 1 step, 11 -> 18 nodes, done
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan s runs as loop s, row
nothing to do: inline, stabilize, differentiate, simplify, expand, specialize
