# A state that is multiplied by the same at each step: a power, where that is a normal number.
a : f64 = 1.0001
n : i64 = 1000
R = scan t for 100 from r = a { r[t] = 2 * r[t-1] }
:steps R.final
R.final
D = scan t for 2000 from r = a { r[t] = 2 * r[t-1] }
:whynot powers D.final
M = scan t for n from r = a, i = 7 { r[t] = 1.001 * r[t-1]; i[t] = (n + 1) * i[t-1] }
:graph M.final pass=loops
M.final
:audit M.final.r
# 0 times infinity is no number, and the loop knows of none.
Z = scan t for 3 * n from r = 0.0 { r[t] = 1.5 * r[t-1] }
Z.final
A : f64[2, 2] = [[1, 2], [3, 4]]
P = scan t for n from r = [1.0, 2] { r[t] = A @ r[t-1] }
:whynot powers P.final
Q = scan t for n from r = 2.0 { r[t] = a * r[t-1] }
:whynot powers Q.final
# From 1 it is a power whatever the factor is, if it takes many steps, and is differentiated as one.
w : f64[3] = [-2, 0, 0.5]
V = scan t for n - 997 from r = ones_like(w) { r[t] = w * r[t-1] }
:whynot powers V.final
:graph (scan t for 200 from r = ones_like(w) { r[t] = w * r[t-1] }).final pass=loops
:graph grad(sum(V.final), w) pass=specialize
(V.final, grad(sum(V.final), w), sum(V, axis=0))
:audit grad(sum(V.final), w)
---
loops: 4 steps, 7 -> 3 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan r: trace r is no longer kept
  2  powers [R]
      # a state multiplied by the same factor at each step ends as a power of the factor times its
      # initial value; 1 state
      scan r (%3) is gone
      - %3.final.r
      + a * 2^f64(100)
      - %3.steps
      + 100
      … and 1 more
  3-4  fold [E]  2 times    # the value is known while the graph is built
      e.g. f64(100) => 100.0
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse,
lower
f64 = 1.2677773652882522e+30
powers does not fire
  at %3, scan r: a power overflows or vanishes after 1023 steps
  `:help powers`: what it matches, and when
a : f64
n : i64
t1 = n + 1
t2, t3 = if n <= 710137 then {
  t4 = check(n >= 0, n, message="the number of steps is negative")
  (a * 1.001^f64(t4), 7 * t1^t4)
} else {
  S = scan t for n from r = a, i = 7 keep () {
    r[t] = 1.001 * r[t-1]
    i[t] = t1 * i[t-1]
  }
  (S.final.r, S.final.i)
}
(t2, t3)
.r : f64 = 2.717195624628817
.i : i64 = -1825091411069242169
step  pass   rule          classes  error    ulp
1     loops  dead-results  [E]      0        0
2     loops  powers        [R]      1.8e-15  11
3.1   lower  lower-scan    [E]      0        0
3     lower  inner         [E]      0        0
4 steps, 4 compared: all within what their classes allow; largest error 1.8e-15
f64 = 0.0
powers does not fire
  at %5, scan r: state r is multiplied by a matrix, whose power may overflow or lose accuracy where the products with the state do not
  `:help powers`: what it matches, and when
powers does not fire
  at %4, scan r: state r does not start at 1, and its factor is not a literal number: the power may overflow or vanish where the steps do not
  `:help powers`: what it matches, and when
powers does not fire
  at %6, scan r: state r has a factor that is not a literal number, and does not take enough steps for a power to be faster
  `:help powers`: what it matches, and when
w : f64[3]
w^200
n : i64
w : f64[3]
t1 = n - 997
t2 = f64(check(t1 >= 0, t1, message="the number of steps is negative"))
where(t2 == 0 and not abs(w) > 0, 0, t2 * w^(t2 - 1))
[0] : f64[3] = [-8.0, 0.0, 0.125]
[1] : f64[3] = [12.0, 0.0, 0.75]
[2] : f64[3] = [-6.0, 0.0, 0.875]
step  pass           rule               classes  error  ulp
1.1   canonicalize   power-to-derive    [R N+]   0      0
1     canonicalize   inner              [R N+]   0      0
2     canonicalize   numbers-in-grad    [R]      0      0
3     differentiate  expand-derivative  [E]      0      0
4     specialize     stop-gradient      [E]      0      0
5     specialize     where-same         [E]      0      0
6     specialize     broadcast-out      [E]      0      0
7     specialize     broadcast-into     [E]      0      0
8     specialize     broadcast-into     [E]      0      0
9     fuse           fuse               [E]      0      0
10 steps, 10 compared: all within what their classes allow; largest error 0
