# Two loops over the same sequence end as one, with what they share there once.
x : f64[T, 2] = [[1, 2], [3, 4], [5, 7]]
a = scan t over x from s = zeros(2) { s[t] = 0.5 * s[t-1] + tanh(x[t]) }
b = scan i over x from p = 1.0, q = zeros(2) { p[i] = sin(p[i-1] * sum(x[i])); q[i] = 0.5 * q[i-1] + tanh(x[i]) }
:graph (a.final, b.final.p, b.final.q) ssa=on pass=specialize
:steps (a.final, b.final.p, b.final.q)
(a.final, b.final.p, b.final.q)
# a loop over the rows of another runs with it, also after `until`
c = scan t over x from s = zeros(2) { s[t] = 0.5 * s[t-1] + tanh(x[t]); until s[t, 0] > 1 }
d = scan i over y = c.s from r = 0.0 { r[i] = tanh(r[i-1] + sum(y[i])) }
:graph (d.final, d.steps, d.stopped) ssa=on pass=specialize
(d.final, d.steps, d.stopped, c.stopped)
# equal conditions: one loop
e = scan t over x from s = 0.0 { s[t] = s[t-1] + 1; until s[t] >= 2 }
f = scan t over x from s = 0.0, r = 0.0 { r[t] = sin(r[t-1] + x[t, 0]); s[t] = s[t-1] + 1; until s[t] >= 2 }
:steps (e.final, f.final.r)
(e.final, f.final.r)
# other conditions, other directions, a way from one to the other: two loops
g = scan t over x from s = 0.0 { s[t] = s[t-1] + 1; until s[t] >= 1 }
:steps (e.final, g.final)
h = scan t over x from s = zeros(2) { s[t] = tanh(s[t+1] + x[t]) }
:steps (a.s, h.s)
k = scan t over x from r = a.final { r[t] = tanh(r[t-1] + x[t]) }
:steps k.r
l = scan t over y = a.s from r = a.final { r[t] = tanh(r[t-1] + y[t]) }
:steps l.r
m = scan t over y = a.s from r = 0.0 { r[t] = tanh(r[t-1] + y[t-1, 0]) }
:steps m.r
# inside a body too
n = scan j for 2 from z = zeros(2) {
  u = scan t over x from s = z[j-1] { s[t] = tanh(s[t-1] + x[t]) }
  w = scan t over x from s = z[j-1] { s[t] = tanh(s[t-1] - x[t]) }
  z[j] = u.final * w.final
}
:steps n.final
n.final
:audit (a.final, b.final.p, b.final.q)
:audit (d.final, d.steps, d.stopped)
---
%1 : i64 = size{size=T}()
%2 : f64[2] = broadcast{axes=()}(0.0, 2)
%3 : f64[T, 2] = input{name=x}()
@1 = graph(p0: f64[2], p1: f64, p2: f64[2]) {  # p0 "s[t-1]", p1 "p[i-1]", p2 "x[t]"
  %4 : f64[2] = mul(0.5, p0)
  %5 : f64[2] = tanh(p2)
  %6 : f64[2] = add(%4, %5)  # "s[t]"
  %22 : f64 = sum{axes=(0,)}(p2)
  %23 : f64 = mul(p1, %22)
  %24 : f64 = sin(%23)  # "p[i]"
  return %6, %24
}
%7 : (f64[2], f64, i64, bool) = scan{body=@1, reverse=false, stop=false}(n=%1, init=%2, init=1.0, seq=%3)
%8 : f64[2] = %7.0
%16 : f64 = %7.1
return %8, %16, %8
loops: 3 steps, 27 -> 19 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
  2  dead-results [E]    # unused states and traces are removed; 0 states and 2 traces
      scan p, q: traces p, q are no longer kept
  3  merge-loops [E]
      # loop fusion: two loops with the same number of steps run as one; both take the same number
      # of steps, and neither uses the other's results
      scan s (%7) and scan p, q (%15) run as one: scan s, p (%7)
      - %15.final.q
      + %7.final.s
fuse: 1 step, 19 -> 23 nodes, done
  4  inner [E]  in scan s, p
    4.1  fuse [E]    # one pass, tile by tile; 3 operators over f64[2]; 32 bytes not stored
        one kernel computes s[t] from s[t-1], x[t]
lower: 1 step, 23 -> 31 nodes, done
  5  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s, p runs as loop s, p, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize
[0] : f64[2] = [1.68784, 1.74067]
[1] : f64 = -0.5590907418702225
[2] : f64[2] = [1.68784, 1.74067]
%1 : i64 = size{size=T}()
%2 : f64[2] = broadcast{axes=()}(0.0, 2)
%3 : f64[T, 2] = input{name=x}()
@1 = graph(p0: f64[2], p1: f64, p2: f64[2]) {  # p0 "s[t-1]", p1 "r[i-1]", p2 "x[t]"
  %4 : f64[2] = mul(0.5, p0)
  %5 : f64[2] = tanh(p2)
  %6 : f64[2] = add(%4, %5)  # "s[t]"
  %19 : f64 = sum{axes=(0,)}(%6)
  %20 : f64 = add(p1, %19)
  %21 : f64 = tanh(%20)  # "r[i]"
  %7 : f64 = index{axis=0}(%6, 0)
  %8 : bool = gt(%7, 1.0)
  return %6, %21, %8
}
%9 : (f64[2], f64, i64, bool) = scan{body=@1, reverse=false, stop=true}(n=%1, init=%2, init=0.0, seq=%3)
%16 : f64 = %9.1
%10 : i64 = %9.2
return %16, %10, false
[0] : f64 = 0.9989910247682797
[1] : i64 = 2
[2] : bool = false
[3] : bool = true
loops: 3 steps, 23 -> 17 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
  2  dead-results [E]    # unused states and traces are removed; 0 states and 2 traces
      scan s, r: traces r, s are no longer kept
  3  merge-loops [E]
      # loop fusion: two loops with the same number of steps run as one; both take the same number
      # of steps, and neither uses the other's results
      scan s (%4) is no longer a separate loop: its results are those of scan s, r (%12)
lower: 1 step, 17 -> 27 nodes, done
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s, r runs as loop s, r, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse
[0] : f64 = 2.0
[1] : f64 = -0.6441246250523792
canonicalize: 1 step, 15 -> 15 nodes, done
  1  inner [D]  in scan s
    1.1  ge-known [D]
        # the ranges imply it; `z` is never above the other: a constant, 1; `x` is never NaN: s[t-1]
        # + 1 is at least 1, as s[t-1] is at least 0; `z` is never NaN: a constant, 1
        s[t-1] + 1 >= 1 => true
loops: 2 steps, 15 -> 15 nodes, done
  2  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
  3  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
lower: 2 steps, 15 -> 31 nodes, done
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan s runs as loop s, row
  5  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan s runs as loop s, row
nothing to do: inline, stabilize, differentiate, simplify, expand, specialize, fuse
fuse: 2 steps, 19 -> 27 nodes, done
  1  inner [E]  in scan s
    1.1  fuse [E]    # one pass, tile by tile; 3 operators over f64[2]; 32 bytes not stored
        one kernel computes s[t] from s[t-1], x[t]
  2  inner [E]  in scan s
    2.1  fuse [E]    # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
        one kernel computes s[t] from s[t+1], x[t]
lower: 2 steps, 27 -> 44 nodes, done
  3  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s runs as loop s, row
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from n-1 down to 0, in place of 1 sequence
      scan s runs as loop s, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize
loops: 1 step, 19 -> 19 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
fuse: 2 steps, 19 -> 27 nodes, done
  2  inner [E]  in scan s
    2.1  fuse [E]    # one pass, tile by tile; 3 operators over f64[2]; 32 bytes not stored
        one kernel computes s[t] from s[t-1], x[t]
  3  inner [E]  in scan r
    3.1  fuse [E]    # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
        one kernel computes r[t] from r[t-1], x[t]
lower: 2 steps, 27 -> 41 nodes, done
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s runs as loop s, row
  5  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan r runs as loop r, row
      - %11.stopped
      + false
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize
fuse: 2 steps, 20 -> 28 nodes, done
  1  inner [E]  in scan s
    1.1  fuse [E]    # one pass, tile by tile; 3 operators over f64[2]; 32 bytes not stored
        one kernel computes s[t] from s[t-1], x[t]
  2  inner [E]  in scan r
    2.1  fuse [E]    # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
        one kernel computes r[t] from r[t-1], y[t]
lower: 2 steps, 28 -> 42 nodes, done
  3  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s runs as loop s, row
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan r runs as loop r, row
      - %12.stopped
      + false
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize
fuse: 1 step, 25 -> 29 nodes, done
  1  inner [E]  in scan s
    1.1  fuse [E]    # one pass, tile by tile; 3 operators over f64[2]; 32 bytes not stored
        one kernel computes s[t] from s[t-1], x[t]
lower: 2 steps, 29 -> 43 nodes, done
  2  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s runs as loop s, row
  3  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan r runs as loop r, row
      - %14.stopped
      + false
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize
loops: 3 steps, 22 -> 27 nodes, done
  1  inner [E]  in scan z
    1.1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
        scan s: trace s is no longer kept
    1.2  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
        scan s: trace s is no longer kept
    1.3  merge-loops [E]
        # loop fusion: two loops with the same number of steps run as one; both take the same number
        # of steps, and neither uses the other's results
        scan s (%6) and scan s (%10) run as one: scan s, s_2 (%6)
  2  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan z: trace z is no longer kept
  3  unroll [E]    # a short loop is unrolled; 2 steps
      new: scan s, s_2 (%28) and scan s, s_2 (%24)
      - %13.final.z
      + z[1] = %28.final.s * %28.final.s_2
      - %13.steps
      + 2
      … and 1 more
fuse: 2 steps, 27 -> 43 nodes, done
  4  inner [E]  in scan s, s_2, in scan z
    4.1-2  fuse [E]  2 times
        # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
        one kernel computes s[t] from s[t-1], x[t]
  5  inner [E]  in scan s, s_2, in scan z
lower: 2 steps, 43 -> 57 nodes, done
  6  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s, s_2 runs as loop s, s_2, row
  7  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s, s_2 runs as loop s, s_2, row
      - %28.stopped
      + false
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize
f64[2] = [-0.999975, -1.0]
step  pass   rule          classes  error  ulp
1     loops  dead-results  [E]      0      0
2     loops  dead-results  [E]      0      0
3     loops  merge-loops   [E]      0      0
4.1   fuse   fuse          [E]      0      0
4     fuse   inner         [E]      0      0
5     lower  lower-scan    [E]      0      0
6 steps, 6 compared: all within what their classes allow; largest error 0
step  pass   rule          classes  error  ulp
1     loops  dead-results  [E]      0      0
2     loops  fuse-loops    [E]      0      0
3     loops  dead-results  [E]      0      0
4.1   fuse   fuse          [E]      0      0
4     fuse   inner         [E]      0      0
5     lower  lower-scan    [E]      0      0
6 steps, 6 compared: all within what their classes allow; largest error 0
