# How values are printed.
x : f64[3] = [1, 2, 3]
x
x * 2
2.0
1 + 1
true
[[1.5, 2], [3, 4]]
A : f32[2, 2] = [[1, 2], [3, 4]]
A
zeros((0, 3))
(1, [2.5, 3], (true, A))
pair = (x, 1)
pair
()
f(a, b=1) = a + b
f
sum
[nan, inf, -inf]
arange(2000)
y : f64[n]
z = y * 2
z
rng(7)
---
x : f64[3] = [1.0, 2.0, 3.0]
f64[3] = [2.0, 4.0, 6.0]
f64 = 2.0
i64 = 2
bool = true
f64[2, 2] =
[[1.5, 2.0],
 [3.0, 4.0]]
A : f32[2, 2] =
[[1.0, 2.0],
 [3.0, 4.0]]
f64[0, 3] = []
[0] : i64 = 1
[1] : f64[2] = [2.5, 3.0]
[2][0] : bool = true
[2][1] : f32[2, 2] =
[[1.0, 2.0],
 [3.0, 4.0]]
pair[0] : f64[3] = [1.0, 2.0, 3.0]
pair[1] : i64 = 1
f : function(a, b=1)
sum : function(x, axis=None, keepdims=false, where=None)
f64[3] = [nan, inf, -inf]
i64[2000] = [0, 1, 2, ..., 1997, 1998, 1999]
z : f64[n]    # y has no value
  y * 2
rng = <rng 0000000000000007 at 00000000000000000000000000000000>
