# Counted while loops, and loops of no step, one step, two steps.
x : f64[3] = [0.5, -1, 2]
k : i64 = 5
a = scan i from c = 0, s = 1.0 { c[i] = c[i-1] + 1; s[i] = tanh(s[i-1]) + 1; until c[i] >= k }
:steps (a.s, a.steps, a.stopped)
(a.s, a.steps, a.stopped)
b = scan t for 3 from s = 1.0 { s[t] = tanh(s[t-1]) + 1; until t >= k }
(b.steps, b.stopped)
k := 1
(a.steps, a.stopped, b.steps, b.stopped)
k := -9223372036854775807
(a.steps, a.stopped, b.steps, b.stopped)
z : i64 = 0
(scan t for z from s = 1.0 { s[t] = s[t-1] / 2; until t > k }).stopped
# another condition beside the counter: the loop stays as it is
:steps (scan i from c = 0, s = 1.0 { c[i] = c[i-1] + 1; s[i] = tanh(s[i-1]) + 1; until c[i] >= k or s[i] > 9 }).steps
:steps (scan t for 0 from s = x { s[t] = tanh(s[t-1]); until s[t, 0] > 1 }).s
(scan t for 0 from s = x { s[t] = tanh(s[t-1]); until s[t, 0] > 1 }).s
d = scan t over y = [x] from s = x { s[t] = tanh(s[t-1] + y[t]); until s[t, 0] > 0.5 }
:steps (d.s, d.final, d.stopped)
(d.s, d.final, d.stopped)
e = scan t for 2 from s = x { s[t] = tanh(s[t+1]) * f64(t) }
:steps (e.s, e.final)
(e.s, e.final)
# an empty trace has no last row
(scan t for 0 from s = x { s[t] = tanh(s[t-1]) }).s[-1]
---
loops: 3 steps, 19 -> 12 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 1 state and 1 trace
      scan c, s, i: state i is gone
      trace c is no longer kept
      - i + 1
  2  counted-while [E]
      # a loop that stops when a counter reaches its bound has a known trip count; nothing else
      # stops it
      scan c, s: it takes maximum(k, 1) steps, previously unknown
      it no longer reads k
      - c[i] >= k
      - %7.stopped
      + true
  3  induction [E]    # a counter becomes a sequence of numbers instead of a state; a running sum
      scan c, s: state c is gone
      - c[i] = c[i-1] + 1
      - %7.final.c
      + 0 + maximum(k, 1) * 1
lower: 1 step, 12 -> 19 nodes, done
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan s runs as loop s, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse
[0] : f64[5] = [1.76159, 1.94268, 1.95975, 1.96107, 1.96117]
[1] : i64 = 5
[2] : bool = true
[0] : i64 = 3
[1] : bool = false
[0] : i64 = 1
[1] : bool = true
[2] : i64 = 2
[3] : bool = true
[0] : i64 = 1
[1] : bool = true
[2] : i64 = 1
[3] : bool = true
bool = false
canonicalize: 1 step, 20 -> 17 nodes, done
  1  inner [E D]  in scan c, s, i
    1.1  gt-never [D]
        # the ranges imply it; NaN also compares false; `x` is never above the other: tanh(s[i-1]) +
        # 1 is within [1, 2], as tanh(s[i-1]) is within [0, 1]
        tanh(s[i-1]) + 1 > 9 => false
    1.2  false-or [E]  c[i] >= k or false => c[i] >= k    # false is neutral
loops: 4 steps, 17 -> 3 nodes, done
  2  dead-results [E]    # unused states and traces are removed; 2 states and 2 traces
      scan c, s, i: states s, i are gone
      traces c, s are no longer kept
      - s[i] = tanh(s[i-1]) + 1
      - i + 1
  3  counted-while [E]
      # a loop that stops when a counter reaches its bound has a known trip count; nothing else
      # stops it
      scan c: it takes maximum(k, 1) steps, previously unknown
      it no longer reads k
      - c[i] >= k
      - %9.stopped
      + true
  4  induction [E]    # a counter becomes a sequence of numbers instead of a state; a running sum
      scan c: state c is gone
      - c[i] = c[i-1] + 1
      - %9.final.c
      + 0 + maximum(k, 1) * 1
  5  map [R]    # a loop without states is its body applied to all rows at once; 0 traces
      scan without states (%9) is gone
      - %9.steps
      + maximum(k, 1)
      - %9.stopped
      + false
nothing to do: inline, stabilize, differentiate, simplify, expand, specialize, fuse, lower
canonicalize: 1 step, 10 -> 7 nodes, done
  1  inner [D]  in scan s
    1.1  gt-never [D]
        # the ranges imply it; NaN also compares false; `x` is never above the other: its elements
        # are those of tanh(s[t-1]), which is within [-1, 1]
        tanh(s[t-1])[0] > 1 => false
loops: 1 step, 7 -> 4 nodes, done
  2  few-steps [E]    # a loop of at most one step is replaced with its result; no step
      scan s (%5) is gone
      - %5.final.s
      + x
      - %5.s
      + broadcast_to(0.0, (0, 3))
      … and 2 more
nothing to do: inline, stabilize, differentiate, simplify, expand, specialize, fuse, lower
f64[0, 3] = []
canonicalize: 1 step, 16 -> 15 nodes, done
  1  concat-one [E]  y = concat((%2,), axis=0) => x[None, :]    # one part
loops: 4 steps, 15 -> 8 nodes, done
  2  few-steps [E]    # a loop of at most one step is replaced with its result; one step
      scan s (%8) is gone
      - %8.final.s
      + s[0] = tanh(x + y[0])
      - %8.s
      + tanh(x + y[0])[None, :]
      … and 2 more
  3  index-expand [E]  x[None, :][0] => x    # an index into an added axis reads the operand
  4-5  index-expand [E]  2 times    # an index into an added axis reads the operand; as before
      e.g. x[None, :][0] => x
fuse: 1 step, 8 -> 11 nodes, done
  6  fuse [E]    # one pass, tile by tile; 2 operators over f64[3]; 24 bytes not stored
      one kernel computes s[0] from x
nothing to do: inline, stabilize, differentiate, simplify, expand, specialize, lower
[0] : f64[1, 3] = [[ 0.761594, -0.964028,  0.999329]]
[1] : f64[3] = [0.761594, -0.964028, 0.999329]
[2] : bool = true
loops: 1 step, 11 -> 16 nodes, done
  1  unroll [E]    # a short loop is unrolled; 2 steps
      scan s (%6) is gone
      - %6.final.s
      + s[0] = tanh(tanh(x) * f64(arange(2)[1])) * f64(arange(2)[0])
      - %6.s
      + concat(((tanh(tanh(x) * f64(arange(2)[1])) * f64(arange(2)[0]))[None, :], (tanh(x) *
            f64(arange(2)[1]))[None, :]), axis=0)
      … and 2 more
fuse: 1 step, 16 -> 22 nodes, done
  2  fuse [E]    # one pass, tile by tile; 4 operators over f64[3]; 48 bytes not stored
      one kernel computes s[1], s[0] from x, f64(%2[1]), f64(%2[0])
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, lower
[0] : f64[2, 3] =
[[ 0.0,      -0.0,       0.0],
 [ 0.462117, -0.761594,  0.964028]]
[1] : f64[3] = [0.0, -0.0, 0.0]
input.gr:26:53: error: index -1 is out of range for axis 0 of f64[0, 3]
    (scan t for 0 from s = x { s[t] = tanh(s[t-1]) }).s[-1]
                                                        ^^
exit 1
