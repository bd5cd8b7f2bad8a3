# Constant arrays, sizes and indices of scans take the dtype that they meet; what makes f64 of f32 is named.
x : f32[T] = [1, 2, 3]
A : f32[T, T] = [[1, 2, 0], [0, 1, 0], [0, 0, 1]]
zeros(3) + f32(1)
(scan t over x from h = zeros(3) { h[t] = h[t-1] + x[t] * t / T }).final
c = eye(3)
(c + A) @ x
x / size(x) + arange(3)
w : f32[2] = zeros(2)
i : i32[2] = arange(2)
zeros(3)
arange(3) / 2
u, r = uniform(rng(1), 3, dtype=f32)
x * u
x * normal(r, 3, dtype=f32)[0]
z, q = normal(rng(2), 3)
x * z
k : i64 = 2
x * k
x * f32(k)
v : f64[T] = [1, 2, 3]
x * v
x * (v + z)
A^T
A'
uniform(r, 3, dtype=i32)
---
f32[3] = [1.0, 1.0, 1.0]
f32[3] = [2.66667, 2.66667, 2.66667]
f32[3] = [6.0, 4.0, 6.0]
f32[3] = [0.333333, 1.66667, 3.0]
f64[3] = [0.0, 0.0, 0.0]
f64[3] = [0.0, 0.5, 1.0]
f32[3] = [0.894685, 1.42254, 2.62234]
f32[3] = [1.12353, -1.20629, 0.772176]
input.gr:17:5: note: a draw of f64 is in this, and f32 with it gives f64; draw with normal(..., dtype=f32)
    x * z
        ^
f64[3] = [-0.946636, 1.38467, -2.17323]
input.gr:19:5: note: this is i64, and with f32 it gives f64; f32(...) around it keeps f32
    x * k
        ^
f64[3] = [2.0, 4.0, 6.0]
f32[3] = [2.0, 4.0, 6.0]
f64[3] = [1.0, 4.0, 9.0]
f64[3] = [0.0533642, 5.38467, 6.82677]
input.gr:24:1: note: this is each element to the power T, a size; the transpose is written A'
    A^T
    ^^^
f32[3, 3] =
[[1.0, 8.0, 0.0],
 [0.0, 1.0, 0.0],
 [0.0, 0.0, 1.0]]
f32[3, 3] =
[[1.0, 0.0, 0.0],
 [2.0, 1.0, 0.0],
 [0.0, 0.0, 1.0]]
input.gr:26:21: error: uniform draws f64 or f32
    uniform(r, 3, dtype=i32)
                        ^^^
  hint: randint draws whole numbers
exit 1
