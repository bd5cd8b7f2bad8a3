# Two loops over the same sequence end as one, with what they share there once.
x : f64[T, 2] = [[1, 2], [3, 4], [5, 7]]
a = scan t over x from s = zeros(2) { s[t] = 0.5 * s[t-1] + tanh(x[t]) }
b = scan i over x from p = 1.0, q = zeros(2) { p[i] = sin(p[i-1] * sum(x[i])); q[i] = 0.5 * q[i-1] + tanh(x[i]) }
:graph (a.final, b.final.p, b.final.q) ssa pass=specialize
:steps (a.final, b.final.p, b.final.q)
(a.final, b.final.p, b.final.q)
# a loop over the rows of another runs with it, also after `until`
c = scan t over x from s = zeros(2) { s[t] = 0.5 * s[t-1] + tanh(x[t]); until s[t, 0] > 1 }
d = scan i over y = c.s from r = 0.0 { r[i] = tanh(r[i-1] + sum(y[i])) }
:graph (d.final, d.steps, d.stopped) ssa pass=specialize
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
inline: 0 steps, 27 -> 27 nodes, saturated
canonicalize: 0 steps, 27 -> 27 nodes, saturated
stabilize: 0 steps, 27 -> 27 nodes, saturated
differentiate: 0 steps, 27 -> 27 nodes, saturated
expand: 0 steps, 27 -> 27 nodes, saturated
loops: 3 steps, 27 -> 19 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %7 => %7
      %7 = scan(T, from=broadcast_to(0.0, (2,)), over=x)
  2  dead-results [E]    # states and traces that nothing uses; 0 states and 2 traces
      %15 => %15
      %15 = scan(T, from=(1.0, broadcast_to(0.0, (2,))), over=x)
  3  merge-loops [E]
      # two loops of as many steps run as one; the same number of steps, and neither needs the other
      %7.final => %7.final[0]
      %15.final[0] => %7.final[1]
      %15.final[1] => %7.final[0]
      %7.steps => %7.steps
      %7.stopped => %7.stopped
      %15.steps => %7.steps
      %15.stopped => %7.stopped
      %7 = scan(T, from=(broadcast_to(0.0, (2,)), 1.0), over=x)
specialize: 0 steps, 19 -> 19 nodes, saturated
fuse: 1 step, 19 -> 23 nodes, saturated
  4  inner [E]  %7 => %7    # rewrites inside the graph it owns; open it to see them
    4.1  fuse [E]
        # one pass over the elements, a tile at a time; 3 operators over f64[2]; 32 bytes need not be
        # stored
        0.5 * s[t-1] + tanh(x[t]) => %25
        %25 = fused(s[t-1], x[t])
lower: 1 step, 23 -> 31 nodes, saturated
  5  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %7 => %7
      %7 = loop(rows=T, go=0 < T, from=(broadcast_to(0.0, (2,)), 1.0, 0), using=(x, T))
[0] : f64[2] = [1.6878351200949013, 1.7406698818324324]
[1] : f64 = -0.5590907418702225
[2] : f64[2] = [1.6878351200949013, 1.7406698818324324]
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
inline: 0 steps, 23 -> 23 nodes, saturated
canonicalize: 0 steps, 23 -> 23 nodes, saturated
stabilize: 0 steps, 23 -> 23 nodes, saturated
differentiate: 0 steps, 23 -> 23 nodes, saturated
expand: 0 steps, 23 -> 23 nodes, saturated
loops: 3 steps, 23 -> 17 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %4 => %4
      %4 = scan(T, from=0.0)
  2  dead-results [E]    # states and traces that nothing uses; 0 states and 2 traces
      %12 => %12
      %12 = scan(T, from=(0.0, 0.0), over=x)
  3  merge-loops [E]
      # two loops of as many steps run as one; the same number of steps, and neither needs the other
      %4 => %12
      %12 = scan(T, from=(0.0, 0.0), over=x)
specialize: 0 steps, 17 -> 17 nodes, saturated
fuse: 0 steps, 17 -> 17 nodes, saturated
lower: 1 step, 17 -> 27 nodes, saturated
  4  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %12 => %12
      %12 = loop(go=0 < T, from=(0.0, 0.0, 0), using=(x, T))
[0] : f64 = 2.0
[1] : f64 = -0.6441246250523792
inline: 0 steps, 15 -> 15 nodes, saturated
canonicalize: 0 steps, 15 -> 15 nodes, saturated
stabilize: 0 steps, 15 -> 15 nodes, saturated
differentiate: 0 steps, 15 -> 15 nodes, saturated
expand: 0 steps, 15 -> 15 nodes, saturated
loops: 2 steps, 15 -> 15 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %4 => %4
      %4 = scan(T, from=0.0)
  2  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %8 => %8
      %8 = scan(T, from=0.0)
specialize: 0 steps, 15 -> 15 nodes, saturated
fuse: 0 steps, 15 -> 15 nodes, saturated
lower: 2 steps, 15 -> 31 nodes, saturated
  3  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1
      %4 => %4
      %4 = loop(go=0 < T, from=(0.0, 0), using=T)
  4  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1
      %8 => %8
      %8 = loop(go=0 < T, from=(0.0, 0), using=T)
inline: 0 steps, 19 -> 19 nodes, saturated
canonicalize: 0 steps, 19 -> 19 nodes, saturated
stabilize: 0 steps, 19 -> 19 nodes, saturated
differentiate: 0 steps, 19 -> 19 nodes, saturated
expand: 0 steps, 19 -> 19 nodes, saturated
loops: 0 steps, 19 -> 19 nodes, saturated
specialize: 0 steps, 19 -> 19 nodes, saturated
fuse: 2 steps, 19 -> 27 nodes, saturated
  1  inner [E]  %7 => %7    # rewrites inside the graph it owns; open it to see them
    1.1  fuse [E]
        # one pass over the elements, a tile at a time; 3 operators over f64[2]; 32 bytes need not be
        # stored
        0.5 * s[t-1] + tanh(x[t]) => %16
        %16 = fused(s[t-1], x[t])
  2  inner [E]  %11 => %11    # rewrites inside the graph it owns; open it to see them
    2.1  fuse [E]
        # one pass over the elements, a tile at a time; 2 operators over f64[2]; 16 bytes need not be
        # stored
        tanh(s[t+1] + x[t]) => %20
        %20 = fused(s[t+1], x[t])
lower: 2 steps, 27 -> 44 nodes, saturated
  3  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %7.trace => %7.trace
      %7 = loop(rows=T, go=0 < T, from=(broadcast_to(0.0, (2,)), 0), using=(x, T))
  4  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from n-1 down to 0, in place of 1 sequence
      %11.trace => %11.trace
      %11 = loop(rows=T, go=T + -1 >= 0, from=(broadcast_to(0.0, (2,)), T + -1), using=x, down=true)
inline: 0 steps, 19 -> 19 nodes, saturated
canonicalize: 0 steps, 19 -> 19 nodes, saturated
stabilize: 0 steps, 19 -> 19 nodes, saturated
differentiate: 0 steps, 19 -> 19 nodes, saturated
expand: 0 steps, 19 -> 19 nodes, saturated
loops: 1 step, 19 -> 19 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %7 => %7
      %7 = scan(T, from=broadcast_to(0.0, (2,)), over=x)
specialize: 0 steps, 19 -> 19 nodes, saturated
fuse: 2 steps, 19 -> 27 nodes, saturated
  2  inner [E]  %7 => %7    # rewrites inside the graph it owns; open it to see them
    2.1  fuse [E]
        # one pass over the elements, a tile at a time; 3 operators over f64[2]; 32 bytes need not be
        # stored
        0.5 * s[t-1] + tanh(x[t]) => %15
        %15 = fused(s[t-1], x[t])
  3  inner [E]  %11 => %11    # rewrites inside the graph it owns; open it to see them
    3.1  fuse [E]
        # one pass over the elements, a tile at a time; 2 operators over f64[2]; 16 bytes need not be
        # stored
        tanh(s[t+1] + x[t]) => %19
        %19 = fused(s[t+1], x[t])
lower: 2 steps, 27 -> 41 nodes, saturated
  4  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %7.final => %7.final[0]
      %7 = loop(rows=T, go=0 < T, from=(broadcast_to(0.0, (2,)), 0), using=(x, T))
  5  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %11.final => %11.final[0]
      %11.trace => %11.trace
      %11.steps => %11.steps
      %11.stopped => false
      %11 = loop(rows=T, go=0 < T, from=(%7.final[0], 0), using=(x, T))
inline: 0 steps, 20 -> 20 nodes, saturated
canonicalize: 0 steps, 20 -> 20 nodes, saturated
stabilize: 0 steps, 20 -> 20 nodes, saturated
differentiate: 0 steps, 20 -> 20 nodes, saturated
expand: 0 steps, 20 -> 20 nodes, saturated
loops: 0 steps, 20 -> 20 nodes, saturated
specialize: 0 steps, 20 -> 20 nodes, saturated
fuse: 2 steps, 20 -> 28 nodes, saturated
  1  inner [E]  %7 => %7    # rewrites inside the graph it owns; open it to see them
    1.1  fuse [E]
        # one pass over the elements, a tile at a time; 3 operators over f64[2]; 32 bytes need not be
        # stored
        0.5 * s[t-1] + tanh(x[t]) => %17
        %17 = fused(s[t-1], x[t])
  2  inner [E]  %12 => %12    # rewrites inside the graph it owns; open it to see them
    2.1  fuse [E]
        # one pass over the elements, a tile at a time; 2 operators over f64[2]; 16 bytes need not be
        # stored
        tanh(s[t+1] + x[t]) => %21
        %21 = fused(s[t+1], x[t])
lower: 2 steps, 28 -> 42 nodes, saturated
  3  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %7 => %7
      %7 = loop(rows=T, go=0 < T, from=(broadcast_to(0.0, (2,)), 0), using=(x, T))
  4  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %12.final => %12.final[0]
      %12.trace => %12.trace
      %12.steps => %12.steps
      %12.stopped => false
      %12 = loop(rows=T, go=0 < T, from=(%7.final[0], 0), using=(%7.trace, T))
inline: 0 steps, 25 -> 25 nodes, saturated
canonicalize: 0 steps, 25 -> 25 nodes, saturated
stabilize: 0 steps, 25 -> 25 nodes, saturated
differentiate: 0 steps, 25 -> 25 nodes, saturated
expand: 0 steps, 25 -> 25 nodes, saturated
loops: 0 steps, 25 -> 25 nodes, saturated
specialize: 0 steps, 25 -> 25 nodes, saturated
fuse: 1 step, 25 -> 29 nodes, saturated
  1  inner [E]  %9 => %9    # rewrites inside the graph it owns; open it to see them
    1.1  fuse [E]
        # one pass over the elements, a tile at a time; 3 operators over f64[2]; 32 bytes need not be
        # stored
        0.5 * s[t-1] + tanh(x[t]) => %19
        %19 = fused(s[t-1], x[t])
lower: 2 steps, 29 -> 43 nodes, saturated
  2  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %9.trace => %9.trace
      %9 = loop(rows=T, go=0 < T, from=(broadcast_to(0.0, (2,)), 0), using=(x, T))
  3  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %14.final => %14.final[0]
      %14.trace => %14.trace
      %14.steps => %14.steps
      %14.stopped => false
      %14 = loop(rows=maximum(T - 1, 0), go=0 < maximum(%2, 0), from=(0.0, 0), using=(%9.trace, maximum(T - 1, 0)))
inline: 0 steps, 22 -> 22 nodes, saturated
canonicalize: 0 steps, 22 -> 22 nodes, saturated
stabilize: 0 steps, 22 -> 22 nodes, saturated
differentiate: 0 steps, 22 -> 22 nodes, saturated
expand: 0 steps, 22 -> 22 nodes, saturated
loops: 3 steps, 22 -> 27 nodes, saturated
  1  inner [E]  %13 => %13    # rewrites inside the graph it owns; open it to see them
    1.1  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
        %10 => %10
        %10 = scan(size(x, 0), from=z[j-1], over=x)
    1.2  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
        %6 => %6
        %6 = scan(size(x, 0), from=z[j-1], over=x)
    1.3  merge-loops [E]
        # two loops of as many steps run as one; the same number of steps, and neither needs the other
        %6.final => %6.final[0]
        %10.final => %6.final[1]
        %6.steps => %6.steps
        %6.stopped => %6.stopped
        %10.steps => %6.steps
        %10.stopped => %6.stopped
        %6 = scan(size(x, 0), from=(z[j-1], z[j-1]), over=x)
  2  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %13 => %13
      %13 = scan(2, from=broadcast_to(0.0, (2,)), using=x)
  3  unroll [E]    # a short loop is written out; 2 steps
      %13.final => %28.final[0] * %28.final[1]
      %13.steps => 2
      %13.stopped => false
      %24 = scan(size(x, 0), from=(broadcast_to(0.0, (2,)), broadcast_to(0.0, (2,))), over=x)
      %28 = scan(size(x, 0), from=(%24.final[0] * %24.final[1], %24.final[0] * %24.final[1]), over=x)
specialize: 0 steps, 27 -> 27 nodes, saturated
fuse: 2 steps, 27 -> 43 nodes, saturated
  4  inner [E]  %24 => %24    # rewrites inside the graph it owns; open it to see them
    4.1  fuse [E]
        # one pass over the elements, a tile at a time; 2 operators over f64[2]; 16 bytes need not be
        # stored
        tanh(s[t-1] + x[t]) => %32
        %32 = fused(s[t-1], x[t])
    4.2  fuse [E]
        # one pass over the elements, a tile at a time; 2 operators over f64[2]; 16 bytes need not be
        # stored
        tanh(s 2[t-1] - x[t]) => %34
        %34 = fused(s 2[t-1], x[t])
  5  inner [E]  %28 => %28    # rewrites inside the graph it owns; open it to see them
lower: 2 steps, 43 -> 57 nodes, saturated
  6  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %24 => %24
      %24 = loop(rows=size(x, 0), go=0 < size(x, 0), from=(broadcast_to(0.0, (2,)), broadcast_to(0.0, (2,)), 0), using=(x, size(x, 0)))
  7  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %28.final[0] => %28.final[0]
      %28.final[1] => %28.final[1]
      %28.steps => %28.steps
      %28.stopped => false
      %28 = loop(rows=size(x, 0), go=0 < size(x, 0), from=(%24.final[0] * %24.final[1], %24.final[0] * %24.final[1], 0), using=(x, size(x, 0)))
f64[2] = [-0.9999752835947654, -0.9999995497522736]
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
