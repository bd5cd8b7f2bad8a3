# the pass lower: what a scan becomes
u : f64[n] = [1, 2, 3, 4]
G = scan t over u from G = 0.0 { G[t] = u[t] + 0.5 * G[t+1] }     # backwards: the counter runs down
G
:graph G ssa pass=lower
p = scan t for 10 from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > 30 }
(p, p.steps, p.stopped)
:graph (p.final, p.stopped) ssa pass=lower
w = scan t from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > 30 }    # no bound
w
:graph w ssa pass=lower
m = scan i over u { row[i] = scan j over u from s = 0.0 { s[j] = tanh(s[j-1]) + u[i] * u[j] * u[j] } }
m
:graph m ssa pass=lower
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
%1 : i64 = size{size=n}()
%7 : i64 = add(%1, -1)
%8 : bool = ge(%7, 0)
%2 : f64[n] = input{name=u}()
@1 = graph(p0: f64, p1: i64, p2: f64[d0]) {  # p0 "G[t+1]", p1 row, p2 u
  %9 : f64 = index{axis=0}(p2, p1)  # "u[t]"
  %3 : f64 = mul(0.5, p0)
  %4 : f64 = add(%9, %3)  # "G[t]"
  %10 : i64 = add(p1, -1)
  %11 : bool = ge(%10, 0)
  return %4, %10, %4, %11
}
%5 : (f64, i64, f64[n], i64) = loop{body=@1, down=true}(rows=%1, go=%8, init=0.0, init=%7, capture=%2)
%6 : f64[n] = %5.2  # G
return %6
[0] : f64[5] = [2.0, 4.0, 8.0, 16.0, 32.0]
[1] : i64 = 5
[2] : bool = true
@1 = graph(p0: f64, p1: i64, p2: bool) {  # p0 "p[t-1]", p1 row, p2 stopped
  %1 : f64 = mul(2.0, p0)  # "p[t]"
  %7 : i64 = add(p1, 1)
  %2 : bool = gt(%1, 30.0)
  %8 : bool = lt(%7, 10)
  %9 : bool = not(%2)
  %10 : bool = and(%8, %9)
  return %1, %7, %2, %10
}
%3 : (f64, i64, bool, i64) = loop{body=@1, grows=true}(rows=10, go=true, init=1.0, init=0, init=false)
%4 : f64 = %3.0
%5 : bool = %3.2
return %4, %5
w : f64[5] = [2.0, 4.0, 8.0, 16.0, 32.0]
@1 = graph(p0: f64) {  # p0 "p[t-1]"
  %1 : f64 = mul(2.0, p0)  # "p[t]"
  %3 : bool = gt(%1, 30.0)
  %9 : bool = not(%3)
  return %1, %1, %9
}
%4 : (f64, f64[r2], i64) = loop{body=@1, grows=true}(rows=9223372036854775807, go=true, init=1.0)
%7 : i64 = %4.2
%5 : f64[%7] = %4.1  # p
return %5
m : f64[4, 4] =
[[ 1.0,                4.761594155955764,  9.999853738474012,
  16.999999995876486],
 [ 2.0,                8.964027580075816, 18.999999967267847,
  33.0],
 [ 3.0,               12.99505475368673,  27.99999999998968,
  49.0],
 [ 4.0,               16.999329299739067, 37.0,
  65.0]]
%1 : i64 = size{size=n}()
%31 : bool = lt(0, %1)
%3 : f64[n] = input{name=u}()
@1 = graph(p0: f64, p1: i64, p2: f64, p3: f64[d0], p4: i64) {  # p0 "s[j-1]", p1 row, p2 proj, p3 u, p4 steps
  %5 : f64 = tanh(p0)
  %28 : f64 = index{axis=0}(p3, p1)  # "u[j]"
  %26 : f64 = sqr(%28)
  %7 : f64 = mul(p2, %26)
  %8 : f64 = add(%5, %7)  # "s[j]"
  %29 : i64 = add(p1, 1)
  %30 : bool = lt(%29, p4)
  return %8, %29, %8, %30
}
@2 = graph(p0: i64, p1: f64[d0], p2: i64) {  # p0 row, p1 u, p2 n
  %32 : i64 = add(p0, 1)
  %4 : i64 = dim{axis=0}(p1)
  %27 : bool = lt(0, %4)
  %33 : f64 = index{axis=0}(p1, p0)  # "u[t]"
  %9 : (f64, i64, f64[d0], i64) = loop{body=@1}(rows=%4, go=%27, init=0.0, init=0, capture=%33, capture=p1, capture=%4)
  %10 : f64[d0] = %9.2  # s
  %34 : bool = lt(%32, p2)
  return %32, %10, %34
}
%11 : (i64, f64[n, n], i64) = loop{body=@2}(rows=%1, go=%31, init=0, capture=%3, capture=%1)
%12 : f64[n, n] = %11.1  # row
return %12
[0] : f64[0] = []
[1] : f64 = 1.0
[0] : f64[3] = [2.0, 4.0, 8.0]
[1] : bool = false
input.gr:20:1: error: 5 steps over 4 rows of u
    scan t over u for k { y[t] = u[t] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:21:1: error: a loop cannot run a negative number of times
    scan t for k - 6 { y[t] = t }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:22:1: error: 5 steps over 4 rows of u
    scan t over u for k { y[t] = u[t]; until u[t] > 1 }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
inline: 0 steps, 9 -> 9 nodes, saturated
canonicalize: 0 steps, 9 -> 9 nodes, saturated
stabilize: 0 steps, 9 -> 9 nodes, saturated
differentiate: 0 steps, 9 -> 9 nodes, saturated
expand: 0 steps, 9 -> 9 nodes, saturated
loops: 0 steps, 9 -> 9 nodes, saturated
specialize: 0 steps, 9 -> 9 nodes, saturated
fuse: 0 steps, 9 -> 9 nodes, saturated
lower: 1 step, 9 -> 18 nodes, saturated
  1  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1
      %3 => %3
      %3 = loop(rows=10, go=true, from=(1.0, 0))
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
exit 1
