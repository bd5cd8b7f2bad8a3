# Constants are weak, so that a program over f32 stays one.
x : f32[3] = [1, 2, 3]
k : i64 = 3
zeros(3) + f32(1)
full(3, 2.5) * x
x + arange(3) + linspace(0, 1, 3) + one_hot(k, 3)
x @ eye(3) + ones(3)
x + arange(k)
x + zeros(3, dtype=f64)
concat((x, zeros(2)))
scan t over x from s = 0 { s[t] = s[t-1] + x[t] }
scan t over x from s = zeros(2) { s[t] = s[t-1] + x[t] }
foldl((s, v) -> s + v, x, 0)
if k > 2 then x else zeros(3)
# What does not stay f32 is noted where it stops.
x * k
x / sqrt(k)
x * mean(x > 1)
x * (sum(x > 1) / 3)
x + ones(3) / k
x * i32(2)
u, r = uniform(rng(1), 3)
x + u
# What was declared f64 is meant.
y : f64[3] = [1, 2, 3]
x + y
x + f64(k)
---
f32[3] = [1.0, 1.0, 1.0]
f32[3] = [2.5, 5.0, 7.5]
f32[3] = [1.0, 3.5, 6.0]
f32[3] = [2.0, 3.0, 4.0]
f32[3] = [1.0, 3.0, 5.0]
f64[3] = [1.0, 2.0, 3.0]
f32[5] = [1.0, 2.0, 3.0, 0.0, 0.0]
f32[3] = [1.0, 3.0, 6.0]
f32[3, 2] =
[[1.0, 1.0],
 [3.0, 3.0],
 [6.0, 6.0]]
f32 = 6.0
f32[3] = [1.0, 2.0, 3.0]
input.gr:16:5: note: this is i64, and with f32 it gives f64; f32(...) around it keeps f32
    x * k
        ^
f64[3] = [3.0, 6.0, 9.0]
input.gr:17:5: note: whole numbers became f64 in this, and f32 with it gives f64; f32(...) around it keeps f32
    x / sqrt(k)
        ^^^^^^^
f64[3] = [0.57735, 1.1547, 1.73205]
input.gr:18:5: note: bools became f64 in this, and f32 with it gives f64; f32(...) around it keeps f32
    x * mean(x > 1)
        ^^^^^^^^^^^
f64[3] = [0.666667, 1.33333, 2.0]
input.gr:19:6: note: whole numbers became f64 in this, and f32 with it gives f64; f32(...) around it keeps f32
    x * (sum(x > 1) / 3)
         ^^^^^^^^^^^^^^
f64[3] = [0.666667, 1.33333, 2.0]
input.gr:20:5: note: whole numbers became f64 in this, and f32 with it gives f64; f32(...) around it keeps f32
    x + ones(3) / k
        ^^^^^^^^^^^
f64[3] = [1.33333, 2.33333, 3.33333]
input.gr:21:5: note: this is i32, and with f32 it gives f64; f32(...) around it keeps f32
    x * i32(2)
        ^^^^^^
f64[3] = [2.0, 4.0, 6.0]
input.gr:23:5: note: a draw of f64 is in this, and f32 with it gives f64; draw with uniform(..., dtype=f32)
    x + u
        ^
f64[3] = [1.89468, 2.71127, 3.87411]
f64[3] = [2.0, 4.0, 6.0]
f64[3] = [4.0, 5.0, 6.0]
