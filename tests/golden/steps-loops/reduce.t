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
loops: 2 steps, 15 -> 10 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 3 traces
      scan s, m, l: traces s, m, l are no longer kept
  2  reduce [R O]    # states that only accumulate sequence rows are reductions; 3 states
      scan s, m, l (%8) is gone
      - %8.final.s
      + c + sum(sqr(y))
      - %8.final.m
      + max(concat((expand_dims(c, axis=0), sqr(y)), axis=0))
      … and 3 more
fuse: 1 step, 10 -> 14 nodes, done
  3  fuse [E]
      # one pass, tile by tile; 1 operator and 1 reduction over f64[T]; operands are read once
      one kernel computes sqr(y), sum(sqr(y)) from y
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, lower
.s : f64 = 23.0
.m : f64 = 9.0
.l : f64 = 1.0
step  pass   rule          classes  error  ulp
1     loops  dead-results  [E]      0      0
2     loops  reduce        [R O]    0      0
3     fuse   fuse          [E]      0      0
3 steps, 3 compared: all within what their classes allow; largest error 0
loops: 4 steps, 16 -> 7 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 2 traces
      scan s, r: traces s, r are no longer kept
  2  reduce [R O]    # states that only accumulate sequence rows are reductions; 2 states
      scan s, r (%7) is gone
      - %7.final.s
      + false or any(y > 2)
      - %7.final.r
      + true and all(y > 1)
      … and 2 more
  3  false-or [E]  false or any(y > 2) => any(y > 2)    # false is neutral
  4  and-true [E]  true and all(y > 1) => all(y > 1)    # true is neutral
fuse: 2 steps, 7 -> 13 nodes, done
  5-6  fuse [E]  2 times
      # one pass, tile by tile; 1 operator and 1 reduction over bool[T]; 1 bytes per element not
      # stored
      one kernel computes any(y > 2) from y
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, lower
.s : bool = true
.r : bool = false
.s : f64 = 9.0
.m : f64 = 9.0
f64 = 9.0
input.gr:17:1: error: the number of steps is negative
    d.final
    ^^^^^^^
f64 = 0.0
loops: 1 step, 13 -> 13 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 2 traces
      scan s, h: traces s, h are no longer kept
lower: 1 step, 13 -> 21 nodes, done
  2  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s, h runs as loop s, h, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse
loops: 1 step, 11 -> 11 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
fuse: 1 step, 11 -> 15 nodes, done
  2  inner [E]  in scan s
    2.1  fuse [E]    # one pass, tile by tile; 2 operators over f64[1000]; 8000 bytes not stored
        one kernel computes s[t] from s[t-1], Y[t]
lower: 1 step, 15 -> 23 nodes, done
  3  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s runs as loop s, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize
loops: 2 steps, 10 -> 2 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
  2  reduce [R O]    # states that only accumulate sequence rows are reductions; 1 state
      scan s (%5) is gone
      - %5.final.s
      + sum(Y, axis=0)
      - %5.steps
      + T
      … and 1 more
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse,
lower
exit 1
