# the pass lower: what a scan becomes
u : f64[n] = [1, 2, 3, 4]
G = scan t over u from G = 0.0 { G[t] = u[t] + 0.5 * G[t+1] }     # backwards: the counter runs down
G
:graph G pass=lower
p = scan t for 10 from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > 30 }
(p, p.steps, p.stopped)
:graph (p.final, p.stopped) pass=lower
w = scan t from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > 30 }    # no bound
w
:graph w pass=lower
m = scan i over u { row[i] = scan j over u from s = 0.0 { s[j] = tanh(s[j-1]) + u[i] * u[j] * u[j] } }
m
:graph m pass=lower
none = scan t for 0 from p = 1.0 { p[t] = 2 * p[t-1] }
(none, none.final)
late = scan t for 3 from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > 1000 }
(late, late.stopped)
k : i64 = 5
scan t over u for k { y[t] = u[t] }
scan t for k - 6 { y[t] = t }
scan t over u for k { y[t] = u[t]; until u[t] > 1 }
:steps p
:plan w
---
G : f64[4] = [3.25, 4.5, 5.0, 4.0]
u : f64[n]
t1 = n + -1
S = loop t for n if t1 >= 0 from G = 0.0, row = t1 down keep G {
  G[t] = u[row[t-1]] + 0.5 * G[t-1]
  row[t] = row[t-1] + -1
  while row[t] >= 0
}
S.G
[0] : f64[5] = [2.0, 4.0, 8.0, 16.0, 32.0]
[1] : i64 = 5
[2] : bool = true
S = loop t for 10 if true from p = 1.0, row = 0, stopped_2 = false grows keep () {
  p[t] = 2 * p[t-1]
  row[t] = row[t-1] + 1
  stopped_2[t] = p[t] > 30
  while row[t] < 10 and not stopped_2[t]
}
(S.final.p, S.final.stopped_2)
w : f64[5] = [2.0, 4.0, 8.0, 16.0, 32.0]
loop t for 9223372036854775807 if true from p = 1.0 grows {
  p[t] = 2 * p[t-1]
  while not p[t] > 30
}
m : f64[4, 4] =
[[ 1.0,      4.76159,  9.99985, 17.0],
 [ 2.0,      8.96403, 19.0,     33.0],
 [ 3.0,     12.9951,  28.0,     49.0],
 [ 4.0,     16.9993,  37.0,     65.0]]
u : f64[n]
S = loop t for n if 0 < n from row = 0 keep s {
  t1 = dim(u, axis=0)
  t2 = u[row[t-1]]
  S_2 = loop j for t1 if 0 < t1 from s = 0.0, row = 0 keep s {
    s[j] = tanh(s[j-1]) + t2 * sqr(u[row[j-1]])
    row[j] = row[j-1] + 1
    while row[j] < t1
  }
  s[t] = S_2.s
  row[t] = row[t-1] + 1
  while row[t] < n
}
S.s
[0] : f64[0] = []
[1] : f64 = 1.0
[0] : f64[3] = [2.0, 4.0, 8.0]
[1] : bool = false
input.gr:20:1: error: 5 steps over 4 rows of u
    scan t over u for k { y[t] = u[t] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:21:1: error: the number of steps is negative
    scan t for k - 6 { y[t] = t }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:22:1: error: 5 steps over 4 rows of u
    scan t over u for k { y[t] = u[t]; until u[t] > 1 }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
lower: 1 step, 9 -> 18 nodes, done
  1  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan p runs as loop p, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize,
fuse
@0: 1 tensors, 3 scalars
    r0 : 9223372036854775807
    r1 : true
    r2 : 1.0
   0  _, t0, _, _ = loop @1(r0, r2, r1)
   1  end (t0!)
@1 loop, until: 0 tensors, 5 scalars
    states r0
    r1 : 2.0
    r3 : 30.0
   0  r0 = mul.f64 r1, r0
   1  row8 r2, r0
   2  stop_gt r0, r3
   3  loop
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @1
exit 1
