# States that only gather what sequences give are reductions.
y : f64[T] = [1, 2, 3]
c : f64 = 9
k : i64 = 2
a = scan t over y from s = c, m = c, l = c { s[t] = s[t-1] + sqr(y[t]); m[t] = maximum(m[t-1], sqr(y[t])); l[t] = minimum(y[t], l[t-1]) }
:steps a.final
a.final
:audit a.final
b = scan t over y from s = false, r = true { s[t] = s[t-1] or y[t] > 2; r[t] = y[t] > 1 and r[t-1] }
:steps b.final
b.final
# of no row: the initial values
(scan t for 0 over y from s = c, m = c { s[t] = s[t-1] + y[t]; m[t] = maximum(m[t-1], y[t]) }).final
d = scan t for k over y from m = c { m[t] = maximum(m[t-1], y[t]) }
d.final
k := -1
d.final
# a product that begins with 0 stays 0
(scan t over z = [1e200, 1e200, 1e200] from q = 0.0 { q[t] = q[t-1] * z[t] }).final
# another state has to be there anyway, or rows would have to be stored: they stay in the loop
:steps (scan t over y from s = c, h = 1.0 { s[t] = s[t-1] + y[t]; h[t] = tanh(h[t-1] + y[t]) }).final
Y : f64[T, 1000] = ones((3, 1000))
:steps (scan t over Y from s = zeros(1000) { s[t] = s[t-1] + sin(Y[t]) }).final
:steps (scan t over Y from s = zeros(1000) { s[t] = s[t-1] + Y[t] }).final
---
inline: 0 steps, 15 -> 15 nodes, saturated
canonicalize: 0 steps, 15 -> 15 nodes, saturated
stabilize: 0 steps, 15 -> 15 nodes, saturated
differentiate: 0 steps, 15 -> 15 nodes, saturated
expand: 0 steps, 15 -> 15 nodes, saturated
loops: 2 steps, 15 -> 10 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 3 traces
      %8 => %8
      %8 = scan(T, from=(c, c, c), over=y)
  2  reduce [R]    # states that only gather what sequences give are reductions; 3 states
      %8.final[0] => c + sum(sqr(y))
      %8.final[1] => max(concat((expand_dims(c, axis=0), sqr(y)), axis=0))
      %8.final[2] => min(concat((expand_dims(c, axis=0), y), axis=0))
      %8.steps => T
      %8.stopped => false
specialize: 0 steps, 10 -> 10 nodes, saturated
fuse: 1 step, 10 -> 14 nodes, saturated
  3  fuse [E]
      # one pass over the elements, a tile at a time; 1 operator and 1 reduction over f64[T]; operands
      # are read once
      sqr(y) => %24[0]
      sum(sqr(y)) => %24[1]
      %24 = fused(y)
lower: 0 steps, 14 -> 14 nodes, saturated
[0] : f64 = 23.0
[1] : f64 = 9.0
[2] : f64 = 1.0
step  pass   rule          classes  error  ulp
1     loops  dead-results  [E]      0      0
2     loops  reduce        [R]      0      0
3     fuse   fuse          [E]      0      0
3 steps, 3 compared: all within what their classes allow; largest error 0
inline: 0 steps, 16 -> 16 nodes, saturated
canonicalize: 0 steps, 16 -> 16 nodes, saturated
stabilize: 0 steps, 16 -> 16 nodes, saturated
differentiate: 0 steps, 16 -> 16 nodes, saturated
expand: 0 steps, 16 -> 16 nodes, saturated
loops: 4 steps, 16 -> 7 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 2 traces
      %7 => %7
      %7 = scan(T, from=(false, true), over=y)
  2  reduce [R]    # states that only gather what sequences give are reductions; 2 states
      %7.final[0] => false or any(y > 2)
      %7.final[1] => true and all(y > 1)
      %7.steps => T
      %7.stopped => false
  3  false-or [E]  false or any(y > 2) => any(y > 2)    # false is neutral
  4  and-true [E]  true and all(y > 1) => all(y > 1)    # true is neutral
specialize: 0 steps, 7 -> 7 nodes, saturated
fuse: 2 steps, 7 -> 13 nodes, saturated
  5  fuse [E]
      # one pass over the elements, a tile at a time; 1 operator and 1 reduction over bool[T]; 1 bytes
      # an element need not be stored
      any(y > 2) => %20
      %20 = fused(y)
  6  fuse [E]
      # one pass over the elements, a tile at a time; 1 operator and 1 reduction over bool[T]; 1 bytes
      # an element need not be stored
      all(y > 1) => %24
      %24 = fused(y)
lower: 0 steps, 13 -> 13 nodes, saturated
[0] : bool = true
[1] : bool = false
[0] : f64 = 9.0
[1] : f64 = 9.0
f64 = 9.0
input.gr:17:1: error: a loop cannot run a negative number of times
    d.final
    ^^^^^^^
f64 = 0.0
inline: 0 steps, 13 -> 13 nodes, saturated
canonicalize: 0 steps, 13 -> 13 nodes, saturated
stabilize: 0 steps, 13 -> 13 nodes, saturated
differentiate: 0 steps, 13 -> 13 nodes, saturated
expand: 0 steps, 13 -> 13 nodes, saturated
loops: 1 step, 13 -> 13 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 2 traces
      %7 => %7
      %7 = scan(T, from=(c, 1.0), over=y)
specialize: 0 steps, 13 -> 13 nodes, saturated
fuse: 0 steps, 13 -> 13 nodes, saturated
lower: 1 step, 13 -> 21 nodes, saturated
  2  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %7 => %7
      %7 = loop(rows=T, go=0 < T, from=(c, 1.0, 0), using=(y, T))
inline: 0 steps, 11 -> 11 nodes, saturated
canonicalize: 0 steps, 11 -> 11 nodes, saturated
stabilize: 0 steps, 11 -> 11 nodes, saturated
differentiate: 0 steps, 11 -> 11 nodes, saturated
expand: 0 steps, 11 -> 11 nodes, saturated
loops: 1 step, 11 -> 11 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %6 => %6
      %6 = scan(T, from=broadcast_to(0.0, (1000,)), over=Y)
specialize: 0 steps, 11 -> 11 nodes, saturated
fuse: 1 step, 11 -> 15 nodes, saturated
  2  inner [E]  %6 => %6    # rewrites inside the graph it owns; open it to see them
    2.1  fuse [E]
        # one pass over the elements, a tile at a time; 2 operators over f64[1000]; 8000 bytes need
        # not be stored
        s[t-1] + sin(Y[t]) => %10
        %10 = fused(s[t-1], Y[t])
lower: 1 step, 15 -> 23 nodes, saturated
  3  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %6.final => %6.final[0]
      %6 = loop(rows=T, go=0 < T, from=(broadcast_to(0.0, (1000,)), 0), using=(Y, T))
inline: 0 steps, 10 -> 10 nodes, saturated
canonicalize: 0 steps, 10 -> 10 nodes, saturated
stabilize: 0 steps, 10 -> 10 nodes, saturated
differentiate: 0 steps, 10 -> 10 nodes, saturated
expand: 0 steps, 10 -> 10 nodes, saturated
loops: 3 steps, 10 -> 4 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %5 => %5
      %5 = scan(T, from=broadcast_to(0.0, (1000,)), over=Y)
  2  reduce [R]    # states that only gather what sequences give are reductions; 1 state
      %5.final => broadcast_to(0.0, (1000,)) + sum(Y, axis=0)
      %5.steps => T
      %5.stopped => false
  3  broadcast-into [E]    # elementwise operators take scalars as they are
      broadcast_to(0.0, (1000,)) + sum(Y, axis=0) => 0 + sum(Y, axis=0)
specialize: 0 steps, 4 -> 4 nodes, saturated
fuse: 0 steps, 4 -> 4 nodes, saturated
lower: 0 steps, 4 -> 4 nodes, saturated
exit 1
