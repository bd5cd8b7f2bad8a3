# A loop that computes a map ends without a loop: elementwise, reductions, products.
x : f64[T, 3] = [[1, 2, 3], [4, 5, 6]]
W : f64[3, 2] = [[1, 2], [3, 4], [5, 6]]
p : i64[T] = [2, -1]
m = scan t over x { a[t] = f64(t) * tanh(x[t]) + sum(x[t]); b[t] = x[t] @ W; c[t] = W' @ x[t]; d[t] = x[t] @ x[t] }
:steps m
m
:steps scan t over x, p { y[t] = W[p[t]] * max(x[t]) }
scan t over x, p { y[t] = W[p[t]] * max(x[t]) }
c : f64[5] = [1, -2, 3, 0.5, 2]
:steps sum(scan i over c { term[i] = c[i] * 2 ^ i })
sum(scan i over c { term[i] = c[i] * 2 ^ i })
# with no row, nothing fails that did not fail before
none : f64[0, 0] = zeros((0, 0))
(scan t over none { y[t] = max(none[t]) })
q : i64[0] = []
z : i64 = 0
scan t over q { y[t] = q[t] // z }
scan t over q { y[t] = q[t] + 1 // z }
# a branch that is not taken does not run: the loop stays
:steps scan t over c { y[t] = if c[t] > 0 then 1 // i64(c[t]) else 0 }
scan t over c { y[t] = if c[t] >= 1 then 1 // i64(c[t]) else 0 }
# a loop that may end early stays a loop
:steps scan t over c { y[t] = 2 * c[t]; until y[t] < 0 }
:audit (m.a, m.b, m.c, m.d)
---
loops: 3 steps, 21 -> 15 nodes, done
  1  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; nothing in it can raise an
      # error
      scan without states: it reads W_T = W'
      - c[t] = «W'» @ x[t]
      + c[t] = «W_T» @ x[t]
  2  map [R]    # a loop without states is its body applied to all rows at once; 4 traces
      scan without states (%14) is gone
      - a = %14.a
      + a = broadcast_to(f64(arange(T)), (T, 3), axis=0) * tanh(x) + broadcast_to(sum(x, axis=1),
            (T, 3), axis=0)
      - b = %14.b
      + b = x @ W
      … and 4 more
  3  transpose-transpose [E]  W'' => W    # one transpose instead of two
specialize: 1 step, 15 -> 15 nodes, done
  4  mul-self [E]  x * x => sqr(x)    # a square
fuse: 2 steps, 15 -> 23 nodes, done
  5  fuse [E]
      # one pass, tile by tile; 1 operator and 1 reduction over f64[T, 3]; 8 bytes per element not
      # stored
      one kernel computes d from x
  6  fuse [E]
      # one pass, tile by tile; 3 operators over f64[T, 3]; 16 bytes per element not stored
      one kernel computes a from broadcast_to(%22, (T, 3), axis=0), x, broadcast_to(%26, (T, 3),
          axis=0)
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, lower
m.a : f64[2, 3] =
[[ 6.0,     6.0,     6.0],
 [15.9993, 15.9999, 16.0]]
m.b : f64[2, 2] =
[[22.0, 28.0],
 [49.0, 64.0]]
m.c : f64[2, 2] =
[[22.0, 28.0],
 [49.0, 64.0]]
m.d : f64[2] = [14.0, 77.0]
loops: 1 step, 12 -> 9 nodes, done
  1  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      scan without states (%8) is gone
      - y = %8.y
      + y = W[p] * broadcast_to(max(x, axis=1), (T, 2), axis=0)
      - %8.steps
      + T
      … and 1 more
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse,
lower
f64[2, 2] =
[[15.0, 18.0],
 [30.0, 36.0]]
loops: 1 step, 12 -> 8 nodes, done
  1  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      scan without states (%6) is gone
      - term = %6.term
      + term = c * 2^f64(arange(5))
      - %6.steps
      + 5
      … and 1 more
fuse: 1 step, 8 -> 12 nodes, done
  2  fuse [E]
      # one pass, tile by tile; 3 operators and 1 reduction over f64[5]; 120 bytes not stored
      one kernel computes sum(c * %10) from c, arange(5)
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, lower
f64 = 45.0
f64[0] = []
i64[0] = []
i64[0] = []
lower: 1 step, 14 -> 22 nodes, done
  1  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan without states runs as loop row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize,
fuse
i64[5] = [1, 0, 0, 0, 0]
lower: 1 step, 9 -> 19 nodes, done
  1  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan without states runs as loop row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize,
fuse
step  pass        rule                 classes  error  ulp
1     loops       hoist                [E]      0      0
2     loops       map                  [R]      0      0
3     loops       transpose-transpose  [E]      0      0
4     specialize  mul-self             [E]      0      0
5     fuse        fuse                 [E]      0      0
6     fuse        fuse                 [E]      0      0
6 steps, 6 compared: all within what their classes allow; largest error 0
