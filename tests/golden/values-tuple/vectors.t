x : f64[2] = [1, 2]
p : (W: f64[2], b: f64) = (W=[1, 2], b=3)
q = (W=x, b=1.0)
p + q
p - q
-p
2 * p
p * 2
p / 2
p - 0.1 * q
p + q + p
2 * 3 * p
-(p + q) / 4
(x, 2.0) + (x, 3.0)
(a=(u=1.0, v=x), b=2.0) * 2
c : f32 = 2
c * (W=f32(x), b=f32(1))
map(sqrt, p)
map((a, b) -> a * b, p, q)
map((a, b, c) -> a * b + c, p, q, p)
map(a -> sum(a), (a=(u=1.0, v=x), b=x))
map(a -> a * a, x)
map((a, b) -> a * b, x, 2 * x)
s = map(a -> sum(a ^ 2), p)
s.W + s.b
# mistakes
p * q
p / q
2 / p
p ^ 2
p @ x
p + 1
x * p
p // 2
p == q
not p
p'
p + (b=1.0, W=x)
p + (x, 1.0)
p - (W=x, c=1.0)
p + (W=x, b=1.0, c=2.0)
p + (W=[1, 2, 3], b=1)
true * p
map((a, b) -> a * b, p, x)
map((a, b) -> a * b, p, (1.0, 2.0))
map((a, b) -> a * b, (a=1.0, b=2.0), (b=1.0, a=2.0))
---
.W : f64[2] = [2.0, 4.0]
.b : f64 = 4.0
.W : f64[2] = [0.0, 0.0]
.b : f64 = 2.0
.W : f64[2] = [-1.0, -2.0]
.b : f64 = -3.0
.W : f64[2] = [2.0, 4.0]
.b : f64 = 6.0
.W : f64[2] = [2.0, 4.0]
.b : f64 = 6.0
.W : f64[2] = [0.5, 1.0]
.b : f64 = 1.5
.W : f64[2] = [0.9, 1.8]
.b : f64 = 2.9
.W : f64[2] = [3.0, 6.0]
.b : f64 = 7.0
.W : f64[2] = [6.0, 12.0]
.b : f64 = 18.0
.W : f64[2] = [-0.5, -1.0]
.b : f64 = -1.0
[0] : f64[2] = [2.0, 4.0]
[1] : f64 = 5.0
.a.u : f64 = 2.0
.a.v : f64[2] = [2.0, 4.0]
.b : f64 = 4.0
.W : f32[2] = [2.0, 4.0]
.b : f32 = 2.0
.W : f64[2] = [1.0, 1.41421]
.b : f64 = 1.7320508075688772
.W : f64[2] = [1.0, 4.0]
.b : f64 = 3.0
.W : f64[2] = [2.0, 6.0]
.b : f64 = 6.0
.a.u : f64 = 1.0
.a.v : f64 = 3.0
.b : f64 = 3.0
f64[2] = [1.0, 4.0]
f64[2] = [2.0, 8.0]
f64 = 14.0
input.gr:27:1: error: `*` of (W: f64[2], b: f64) and (W: f64[2], b: f64): tuples are added, subtracted and scaled by one number
    p * q
    ^^^^^
  hint: part by part: map((a, b) -> a * b, p, q)
input.gr:28:1: error: `/` of (W: f64[2], b: f64) and (W: f64[2], b: f64): tuples are added, subtracted and scaled by one number
    p / q
    ^^^^^
  hint: part by part: map((a, b) -> a / b, p, q)
input.gr:29:1: error: `/` of i64 and (W: f64[2], b: f64): tuples are added, subtracted and scaled by one number
    2 / p
    ^^^^^
  hint: for each part: map(a -> c / a, p)
input.gr:30:1: error: `^` of (W: f64[2], b: f64) and i64: tuples are added, subtracted and scaled by one number
    p ^ 2
    ^^^^^
  hint: for each part: map(a -> a ^ c, p)
input.gr:31:1: error: `@` of (W: f64[2], b: f64) and f64[2]: tuples are added, subtracted and scaled by one number
    p @ x
    ^^^^^
  hint: for each part: map(a -> a @ c, p)
input.gr:32:1: error: `+` of (W: f64[2], b: f64) and i64: tuples are added, subtracted and scaled by one number
    p + 1
    ^^^^^
  hint: for each part: map(a -> a + c, p)
input.gr:33:1: error: `*` of f64[2] and (W: f64[2], b: f64): tuples are added, subtracted and scaled by one number
    x * p
    ^^^^^
  hint: for each part: map(a -> c * a, p)
input.gr:34:1: error: `//` of (W: f64[2], b: f64) and i64: tuples are added, subtracted and scaled by one number
    p // 2
    ^^^^^^
  hint: for each part: map(a -> a // c, p)
input.gr:35:1: error: `==` of (W: f64[2], b: f64) and (W: f64[2], b: f64): tuples are added, subtracted and scaled by one number
    p == q
    ^^^^^^
  hint: part by part: map((a, b) -> a == b, p, q)
input.gr:36:1: error: `not` of (W: f64[2], b: f64): tuples are added, subtracted and scaled by one number
    not p
    ^^^^^
  hint: for each part: map(a -> not a, p)
input.gr:37:1: error: `'` of (W: f64[2], b: f64): tuples are added, subtracted and scaled by one number
    p'
    ^^
  hint: for each part: map(a -> a', p)
input.gr:38:1: error: (W: f64[2], b: f64) cannot be added to (b: f64, W: f64[2])
    p + (b=1.0, W=x)
    ^^^^^^^^^^^^^^^^
  hint: both sides have the same parts in the same order
input.gr:39:1: error: (W: f64[2], b: f64) cannot be added to (f64[2], f64)
    p + (x, 1.0)
    ^^^^^^^^^^^^
  hint: both sides have the same parts in the same order
input.gr:40:1: error: from (W: f64[2], b: f64) one cannot subtract (W: f64[2], c: f64)
    p - (W=x, c=1.0)
    ^^^^^^^^^^^^^^^^
  hint: both sides have the same parts in the same order
input.gr:41:1: error: (W: f64[2], b: f64) cannot be added to (W: f64[2], b: f64, c: f64)
    p + (W=x, b=1.0, c=2.0)
    ^^^^^^^^^^^^^^^^^^^^^^^
  hint: both sides have the same parts in the same order
input.gr:42:1: error: add: shapes f64[2] and f64[3] do not match: axis 0 is 2 and 3
    p + (W=[1, 2, 3], b=1)
    ^^^^^^^^^^^^^^^^^^^^^^
  hint: for all pairs, give one of them an axis of length 1: x[:, None]
input.gr:43:1: error: `*` of bool and (W: f64[2], b: f64): tuples are added, subtracted and scaled by one number
    true * p
    ^^^^^^^^
  hint: for each part: map(a -> c * a, p)
input.gr:44:1: error: map takes arrays along axis 0 or tuples part by part, but these are (W: f64[2], b: f64) and f64[2]
    map((a, b) -> a * b, p, x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: give it tuples alone, or arrays alone; what is the same for each part the function can capture other values: map(a -> a * c, p)
input.gr:45:1: error: map takes tuples of one structure, but these are (W: f64[2], b: f64) and (f64, f64)
    map((a, b) -> a * b, p, (1.0, 2.0))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: they have the same parts in one order
input.gr:46:1: error: map takes tuples of one structure, but these are (a: f64, b: f64) and (b: f64, a: f64)
    map((a, b) -> a * b, (a=1.0, b=2.0), (b=1.0, a=2.0))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: they have the same parts in one order
exit 1
