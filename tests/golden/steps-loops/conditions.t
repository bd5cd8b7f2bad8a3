# Conditions that differ only in the side they are read from: one loop
a : f64[5] = [1.0, 2.0, 5.0, 1.0, 2.0]
S = scan t over a from s = 0.0 { s[t] = s[t-1] + a[t]; until a[t] > 3 }
R = scan t over a from s = 1.0 { s[t] = tanh(s[t-1] * a[t]); until 3 < a[t] }
:graph (S.s, R.s, R.steps, R.stopped) pass=loops
:steps (S.s, R.s, R.steps, R.stopped) rule=merge-loops
(S.s, R.s, R.steps, R.stopped)
:audit (S.s, R.s, R.steps, R.stopped)
# negated, where there is no nan
k : i64[5] = [1, 2, 5, 1, 2]
K = scan t over k from s = 0.0 { s[t] = tanh(s[t-1] + 1); until not (k[t] <= 3) }
L = scan t over k from s = 0.0 { s[t] = tanh(s[t-1] + 2); until 3 < k[t] }
:graph (K.s, L.s) pass=loops
M = scan t over k from s = 0.5 { s[t] = s[t-1] * 0.9; until not (tanh(f64(k[t])) <= 0.99) }
N = scan t over k from s = 0.5 { s[t] = s[t-1] * 0.8; until 0.99 < tanh(f64(k[t])) }
:graph (M.s, N.s) pass=loops
# nan: neither is the other negated
P = scan t over a from s = 0.5 { s[t] = tanh(s[t-1]); until not (a[t] <= 3) }
Q = scan t over a from s = 0.6 { s[t] = tanh(s[t-1]); until a[t] > 3 }
:graph (P.s, Q.s) pass=loops
# a state's next value
T = scan t over a from s = 0.0 { s[t] = if s[t-1] <= a[t] then s[t-1] + 1 else tanh(s[t-1]) }
U = scan t over a from s = 0.0, r = 1.0 { s[t] = if a[t] >= s[t-1] then s[t-1] + 1 else tanh(s[t-1]); r[t] = sin(r[t-1] + a[t]) }
:graph (T.final, U.final.s, U.final.r) pass=loops
(T.final, U.final.s, U.final.r)
# strict is not the same as at most
V = scan t over a from s = 0.1 { s[t] = tanh(s[t-1]); until a[t] >= 5 }
W = scan t over a from s = 0.2 { s[t] = tanh(s[t-1]); until 5 < a[t] }
:graph (V.s, W.s) pass=loops
# outside of loops; what is written once stays as it was written
x : f64 = 1.0
y : f64 = 2.0
:graph (if x > y then sin(x) else cos(x), if y < x then tanh(x) else sin(y)) pass=canonicalize
:steps where(x >= y, 1, 2) + where(y <= x, sin(x), 3) + where(y >= x, sin(x), 3)
:graph where(x > 3, where(3 >= x, x, y), y) pass=canonicalize
---
a : f64[5]
S = scan t over a from s = 0.0, s_2 = 1.0 {
  s[t] = s[t-1] + a[t]
  s_2[t] = tanh(s_2[t-1] * a[t])
  until a[t] > 3
}
(S.s, S.s_2, S.steps, S.stopped)
loops: 1 step, 21 -> 17 nodes, done
  1  merge-loops [E]
      # loop fusion: two loops with the same number of steps run as one; both take the same number
      # of steps, and neither uses the other's results
      scan s (%4) and scan s (%9) run as one: scan s, s_2 (%4)
      - %9.final.s
      + %4.final.s_2
[0] : f64[3] = [1.0, 3.0, 8.0]
[1] : f64[3] = [0.761594, 0.909252, 0.999775]
[2] : i64 = 3
[3] : bool = true
step  pass   rule         classes  error  ulp
1     loops  merge-loops  [E]      0      0
2     lower  lower-scan   [E]      0      0
2 steps, 2 compared: all within what their classes allow; largest error 0
k : i64[5]
S = scan t over k from s = 0.0, s_2 = 0.0 {
  s[t] = tanh(s[t-1] + 1)
  s_2[t] = tanh(s_2[t-1] + 2)
  until k[t] > 3
}
(S.s, S.s_2)
k : i64[5]
S = scan t over k from s = 0.5, s_2 = 0.5 {
  s[t] = s[t-1] * 0.9
  s_2[t] = s_2[t-1] * 0.8
  until tanh(f64(k[t])) > 0.99
}
(S.s, S.s_2)
a : f64[5]
(scan t over a from s = 0.5 {
  s[t] = tanh(s[t-1])
  until not a[t] <= 3
}, scan t over a from s = 0.6 {
  s[t] = tanh(s[t-1])
  until a[t] > 3
})
a : f64[5]
S = scan t over a from s = 0.0, r = 1.0 keep () {
  s[t] = if s[t-1] <= a[t] then s[t-1] + 1 else tanh(s[t-1])
  r[t] = sin(r[t-1] + a[t])
}
(S.final.s, S.final.s, S.final.r)
[0] : f64 = 1.9950547536867305
[1] : f64 = 1.9950547536867305
[2] : f64 = 0.8472925680267773
a : f64[5]
(scan t over a from s = 0.1 {
  s[t] = tanh(s[t-1])
  until a[t] >= 5
}, scan t over a from s = 0.2 {
  s[t] = tanh(s[t-1])
  until 5 < a[t]
})
x : f64
y : f64
t1 = x > y
(if t1 then sin(x) else cos(x), if t1 then tanh(x) else sin(y))
canonicalize: 2 steps, 14 -> 12 nodes, done
  1  flatten-add [R O]    # nested sums become one sum
      - «(»where(x >= y, 1.0, 2.0) + where(y <= x, sin(x), 3)«)» + where(y >= x, sin(x), 3)
      + where(x >= y, 1.0, 2.0) + where(y <= x, sin(x), 3) + where(y >= x, sin(x), 3)
  2  same-at-most [E]  y <= x => x >= y    # the mirrored comparison already exists
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
x : f64
y : f64
where(x > 3 and 3 >= x, x, y)
