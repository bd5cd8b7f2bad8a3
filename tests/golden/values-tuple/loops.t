x : f64[3, 2] = [[1, 2], [3, 4], [5, 6]]
y : f64[3] = [1, 2, 3]
p0 = (W=[0.1, 0.2], b=0.5)
loss(p) = mean((x @ p.W + p.b - y) ^ 2)
S = scan t for 3 from p = p0 { p[t] = p[t-1] - 0.01 * grad(loss(p[t-1]), p[t-1]); l[t] = loss(p[t-1]) }
S
:type S
S.final
S.final.W
S.final.p.W
S.last
S.p.W[-1]
S.p[1]
S.l
one = scan t for 3 from p = p0 { p[t] = 2 * p[t-1] }
one.W
one.final.b
scan t for 3 from p = p0 { p[t] = p[t-1] with .b = p[t-1].b + t }
ball = scan t for 3 from v = y, z = 1.0 { v[t] = v[t-1] * 2; z[t] = z[t-1] + 1; e[t] = v[t] + z[t] }
ball
ball.final
ball.final.z
ball.steps
single = scan t for 3 from s = 1.0 { s[t] = 2 * s[t-1]; e[t] = s[t] + 1 }
single.final
single.final.s
L = scan t for 3 from last = 1.0, steps = 0 { last[t] = last[t-1] * 2; steps[t] = steps[t-1] + 10 }
L.last
L.("last")
L.final.last
L.steps
L.("steps")
F = scan t for 3 from final = 1.0 { final[t] = final[t-1] * 2 }
F.final
F.("final")
data = (u=y, v=2 * y)
scan t over data { s[t] = data[t].u * data[t].v }
scan t over d = data from a = 0.0 { a[t] = a[t-1] + d[t].u * d[t].v }
scan t over data { s[t] = data[t].u - data[t-1].v }
scan t over data { s[t] = data[t].u / sum(data.u) }
foldl((s, u, v) -> s + u * v, (y, 2 * y), 0.0)
foldl((s, d) -> s + d.u * d.v, data, 0.0)
foldl((s, u) -> (n=s.n + 1, sum=s.sum + u), y, (n=0, sum=0.0))
foldr((s, u, v) -> (a=s.a * 0.5 + u, b=s.b + v), (y, 2 * y), (a=0.0, b=0.0))
reduce((s, u, v) -> s + u * v, (y, y), 1.0)
reduce((a, b) -> a + b, y)
grad(S.l[-1], y)
(scan t for 3 from p = p0 { p[t] = (if t > 0 then 2 * p[t-1] else p[t-1]) }).final
# mistakes
ball.final.e
ball.q
S.final.q
S.("nothing")
S.(last)
scan t for 3 from p = p0 { p[t] = (b=p[t-1].b, W=p[t-1].W) }
scan t for 3 from p = p0 { p[t] = p[t-1].W }
scan t for 3 from p = p0 { p[t] = (p[t-1].W, p[t-1].b) }
scan t for 3 from p = p0 { p[t] = p[t-1] with .b = true }
scan t over data { data[t] = 1 }
scan t over d = (y, 3.0) { s[t] = d[t][0] }
reduce((a, b) -> a + b, (y, y))
---
S.p.W : f64[3, 2] =
[[0.134667, 0.242667],
 [0.148249, 0.258596],
 [0.153849, 0.264406]]
S.p.b : f64[3] = [0.508, 0.510347, 0.510557]
S.l : f64[3] = [0.266667, 0.0538927, 0.023252]
(p: (W: f64[3, 2], b: f64[3]), l: f64[3])
.W : f64[2] = [0.153849, 0.264406]
.b : f64 = 0.5105571555555556
f64[2] = [0.153849, 0.264406]
f64[2] = [0.153849, 0.264406]
.W : f64[2] = [0.153849, 0.264406]
.b : f64 = 0.5105571555555556
f64[2] = [0.153849, 0.264406]
f64[3] = [0.508, 0.510347, 0.510557]
f64[3] = [0.266667, 0.0538927, 0.023252]
f64[3, 2] =
[[0.2, 0.4],
 [0.4, 0.8],
 [0.8, 1.6]]
f64 = 4.0
.W : f64[3, 2] =
[[0.1, 0.2],
 [0.1, 0.2],
 [0.1, 0.2]]
.b : f64[3] = [0.5, 1.5, 3.5]
ball.v : f64[3, 3] =
[[ 2.0,  4.0,  6.0],
 [ 4.0,  8.0, 12.0],
 [ 8.0, 16.0, 24.0]]
ball.z : f64[3] = [2.0, 3.0, 4.0]
ball.e : f64[3, 3] =
[[ 4.0,  6.0,  8.0],
 [ 7.0, 11.0, 15.0],
 [12.0, 20.0, 28.0]]
.v : f64[3] = [8.0, 16.0, 24.0]
.z : f64 = 4.0
f64 = 4.0
i64 = 3
f64 = 8.0
f64 = 8.0
f64[3] = [2.0, 4.0, 8.0]
.last : f64 = 8.0
.steps : i64 = 30
f64 = 8.0
i64[3] = [10, 20, 30]
i64 = 3
f64[3] = [2.0, 4.0, 8.0]
f64 = 8.0
f64[3] = [2.0, 8.0, 18.0]
f64[3] = [2.0, 10.0, 28.0]
f64[2] = [0.0, -1.0]
f64[3] = [0.166667, 0.333333, 0.5]
f64 = 28.0
f64 = 28.0
.n : i64 = 3
.sum : f64 = 6.0
.a : f64 = 2.75
.b : f64 = 12.0
f64 = 15.0
f64 = 6.0
f64[3] = [-0.132775, -0.029858, 0.073059]
.W : f64[2] = [0.4, 0.8]
.b : f64 = 2.0
input.gr:50:1: error: e is not a state of this scan
    ball.final.e
    ^^^^^^^^^^^^
input.gr:51:1: error: this scan has no field `q`
    ball.q
    ^^^^^^
  hint: the fields are its equations, final, steps and stopped; to keep a value of the body, write q[t] = .. there
input.gr:52:1: error: the tuple (W: f64[2], b: f64) has no part q
    S.final.q
    ^^^^^^^^^
input.gr:53:1: error: this scan has no field `nothing`
    S.("nothing")
    ^^^^^^^^^^^^^
  hint: the fields are its equations, final, steps and stopped; to keep a value of the body, write nothing[t] = .. there
input.gr:54:2: error: `.(` is not an operator of this language
    S.(last)
     ^^
  hint: functions work element by element: `sin(x)`
input.gr:55:28: error: the state p starts as (W: f64[2], b: f64) but its equation gives (b: f64, W: f64[2])
    scan t for 3 from p = p0 { p[t] = (b=p[t-1].b, W=p[t-1].W) }
                               ^^^^
  hint: a state keeps its form: give a tuple like the first
input.gr:56:28: error: the state p starts as (W: f64[2], b: f64) but its equation gives f64[2]
    scan t for 3 from p = p0 { p[t] = p[t-1].W }
                               ^^^^
  hint: a state keeps its form: give a tuple like the first
input.gr:57:28: error: the state p starts as (W: f64[2], b: f64) but its equation gives (f64[2], f64)
    scan t for 3 from p = p0 { p[t] = (p[t-1].W, p[t-1].b) }
                               ^^^^
  hint: a state keeps its form: give a tuple like the first
input.gr:58:52: error: the part b is f64 and cannot become bool
    scan t for 3 from p = p0 { p[t] = p[t-1] with .b = true }
                                                       ^^^^
  hint: a part of a tuple keeps its type
input.gr:59:20: error: data is a sequence of this scan and cannot be written
    scan t over data { data[t] = 1 }
                       ^^^^^^^
  hint: name the equation differently
input.gr:60:13: error: `over` runs along axis 0, but d.1 is f64
    scan t over d = (y, 3.0) { s[t] = d[t][0] }
                ^
  hint: `for` gives a number of steps
input.gr:61:1: error: a fold over several sequences takes a function, the sequences and a first value
    reduce((a, b) -> a + b, (y, y))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: give it the first value: reduce(f, (xs, ys), init)
exit 1
