# Small matrices of known shapes in loops: filters, factorisations, products with factors, transposes; the same
# matrix as two operands; and one without an inverse, which is told with its step.
F : f64[4, 4] = [[1, 0, 0.1, 0], [0, 1, 0, 0.1], [0, 0, 1, 0], [0, 0, 0, 1]]
H : f64[2, 4] = [[1, 0, 0, 0], [0, 1, 0, 0]]
z = reshape(sin(arange(80.0)), (40, 2))
k = scan t over z from x = zeros(4), P = eye(4), l = 0.0 {
  p = F @ P[t-1] @ F' + 0.01 * eye(4)
  v = z[t] - H @ (F @ x[t-1])
  S = H @ p @ H' + 0.1 * eye(2)
  K = p @ H' @ inv(S)
  x[t] = F @ x[t-1] + K @ v
  P[t] = p - K @ H @ p
  l[t] = l[t-1] - 0.5 * (v @ solve(S, v) + log(det(S)))
}
k.final
A = reshape(sin(arange(9.0)), (3, 3)) + 2 * eye(3)
# one matrix twice, and what is added to what is multiplied
s = scan t for 7 from a = A, d = 1.0 {
  a[t] = solve(a[t-1], a[t-1]) + a[t-1] @ a[t-1] / 10 + a[t-1]
  d[t] = d[t-1] + det(a[t]) / 100 + det(a[t-1])
}
s.final
c = scan t for 7 from a = A @ A' { a[t] = cholesky(a[t-1])' @ cholesky(a[t-1]) }
c.final
i = scan t for 5 from a = A, b = A[0] {
  b[t] = 0.1 * (a[t-1]' @ b[t-1]) - 0.5 * b[t-1]
  a[t] = inv(a[t-1])' / 2 + outer(b[t], b[t])
}
i.final
# single precision; the largest that is small, and the smallest that is not
f = scan t for 4 from a = f32(A) { a[t] = a[t-1] @ inv(a[t-1] + a[t-1] @ a[t-1]) + f32(A) }
f.final
b8 = reshape(cos(arange(64.0)), (8, 8)) / 8 + eye(8)
b9 = reshape(cos(arange(81.0)), (9, 9)) / 9 + eye(9)
b17 = reshape(cos(arange(289.0)), (17, 17)) / 17 + eye(17)
g = scan t for 3 from a = b8, b = b9, c = b17 {
  a[t] = a[t-1] @ b8' + inv(a[t-1])
  b[t] = b[t-1]' @ b9 + inv(b[t-1])
  c[t] = solve(c[t-1], b17 @ b17)
}
(sum(g.final.a), sum(g.final.b), sum(g.final.c))
# its derivative, and one step that has no inverse
grad(k.final.l, F)[0]
w = scan t for 5 from a = eye(2), n = 0.0 {
  n[t] = n[t-1] + 1
  a[t] = inv(a[t-1] * (n[t] - 3)) + a[t-1]
}
w.final
h = scan t for 5 from a = eye(2) { a[t] = cholesky(a[t-1] - 0.5 * eye(2)) }
h.final
---
.x : f64[4] = [0.19138, -0.00093721, 0.149283, -0.0130674]
.P : f64[4, 4] =
[[0.0331737, 0.0,       0.0258941, 0.0],
 [0.0,       0.0331737, 0.0,       0.0258941],
 [0.0258941, 0.0,       0.128412,  0.0],
 [0.0,       0.0258941, 0.0,       0.128412]]
.l : f64 = -117.35297408334071
.a : f64[3, 3] =
[[ -20739.7,   51926.7,   95794.8],
 [  57900.2,  -20124.6, -100117.0],
 [ -74958.9,   25426.3,  121378.0]]
.d : f64 = 191602592561.75433
f64[3, 3] =
[[11.0854,    -0.677145,   0.0167645],
 [-0.677145,   4.88295,   -0.0506636],
 [ 0.0167645, -0.0506636,  1.49747]]
.b : f64[3] = [-0.0209628, -0.000212392, 0.000193029]
.a : f64[3, 3] =
[[ 0.579331,   0.0367778,  0.0681586],
 [-0.0508252,  0.355722,  -0.0790037],
 [-0.0553407,  0.121729,   0.139042]]
f32[3, 3] =
[[ 2.30002,   0.770128,  0.834932],
 [ 0.132537,  1.61064,  -0.880438],
 [-0.259694,  0.600246,  3.21107]]
[0] : f64 = 23.937208666461302
[1] : f64 = 26.71558751729959
[2] : f64 = 16.998582510062356
f64[4] = [-19.9072, -0.458196, -16.7924, 0.825512]
input.gr:46:10: error: inv: singular matrix, in row 2 of the loop
      a[t] = inv(a[t-1] * (n[t] - 3)) + a[t-1]
             ^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:48:1: note: its value is needed here
    w.final
    ^^^^^^^
input.gr:49:43: error: cholesky: matrix is not positive definite, in row 2 of the loop
    h = scan t for 5 from a = eye(2) { a[t] = cholesky(a[t-1] - 0.5 * eye(2)) }
                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:50:1: note: its value is needed here
    h.final
    ^^^^^^^
exit 1
