x : f64[n, 2] = [[1, 2], [3, 4], [5, 6]]
shared p : (W: f64[2], b: f64) = (W=[0.1, 0.2], b=inf)
in alt { p.b := 7 }
q : (f64, i64[3]) = (1, [1, 2, 3])
in alt { p }
N : (inner: (a: f64, b: f32), c: i64) = (inner=(a=1, b=2), c=3)
half : (a: f64, b: f64)
half.b := 3
shared s : (i64, rng) = (4, rng(7))
in other { s[0] := 5 }
loss(p) = sum((x @ p.W + p.b) ^ 2)
g = grad(loss)(p)
k = (one=1, two=(2.5,))
undeclared, z := (p, 3)
:save saved.gr
:load saved.gr
p
in alt { p }
q
N
half.b
s[0]
in other { s[0] }
k
undeclared
:type half
# shows: saved.gr
---
p.W : f64[2] = [0.1, 0.2]
p.b : f64 = 7.0
11 statements in saved.gr
p.W : f64[2] = [0.1, 0.2]
p.b : f64 = inf
p.W : f64[2] = [0.1, 0.2]
p.b : f64 = 7.0
q[0] : f64 = 1.0
q[1] : i64[3] = [1, 2, 3]
N.inner.a : f64 = 1.0
N.inner.b : f32 = 2.0
N.c : i64 = 3
f64 = 3.0
i64 = 4
i64 = 5
k.one : i64 = 1
k.two[0] : f64 = 2.5
undeclared.W : f64[2] = [0.1, 0.2]
undeclared.b : f64 = inf
(a: f64, b: f64)
==> saved.gr
in alt { }
in other { }
x : f64[n, 2] = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
shared p : (W: f64[2], b: f64) = (W=[0.1, 0.2], b=inf)
in alt { p.b := 7.0 }
q : (f64, i64[3]) = (1.0, [1, 2, 3])
N : (inner: (a: f64, b: f32), c: i64) = (inner=(a=1.0, b=f32(2.0)), c=3)
half : (a: f64, b: f64)
half.b := 3.0
shared s : (i64, rng) = (4, rng(7))
in other { s[0] := 5 }
loss(p) = sum((x @ p.W + p.b)^2)
g = grad(loss)(p)
k = (one=1, two=(2.5,))
undeclared : (W: f64[2], b: f64) = (W=[0.1, 0.2], b=inf)
z : i64 = 3
