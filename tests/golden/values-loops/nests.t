# Loops over arrays of known shapes in which broadcasts meet and are reduced: along the first, a middle and the last axis, below and
# above the 16 lanes of a reduction, with few and with many columns; slices and transposes read where they lie.
N = 35
p0 = reshape(sin(f64(iota(105))), (35, 3))
B = scan t for 4 from p = p0, v = zeros_like(p0) {
  d = reshape(p[t-1], (1, 35, 3)) - reshape(p[t-1], (35, 1, 3))
  s = sum(d * d, axis=2) + 0.01
  v[t] = v[t-1] + 0.01 * sum(reshape(1 / (s * sqrt(s)), (35, 35, 1)) * d, axis=1)
  p[t] = p[t-1] + 0.1 * v[t]
}
(sum(B.final.p), B.final.v[7], max(B.p))
W = reshape(cos(f64(iota(1120)) * 1.3), (32, 35))
R = scan t for 3 from a = ones(35) {
  x = reshape(a[t-1], (1, 35)) * W
  low = min(x + reshape(sum(x, axis=1), (32, 1)), axis=0)
  a[t] = low / (1 + abs(low)) + a[t-1][::-1] * 0.25
}
R.final[:5]
F = scan t for 5 from d = abs(W[:, :32]) {
  d[t] = minimum(d[t-1], min(reshape(d[t-1], (32, 32, 1)) + reshape(d[t-1]', (1, 32, 32)), axis=1))
}
(sum(F.final), F.final[3, 30])
H = scan t for 6 from u = W {
  inner = u[t-1][1:-1, 1:-1] + 0.1 * (u[t-1][:-2, 1:-1] + u[t-1][2:, 1:-1] - 2 * u[t-1][1:-1, 1:-1])
  u[t] = pad(inner, 1)
}
(sum(H.final), prod(1 + 0.01 * H.final[:, 3]))
# an axis of several blocks
L = scan t for 3 from a = cos(f64(iota(700))), b = ones(30) {
  x = reshape(a[t-1], (1, 700)) * W[:30, :1] * sin(f64(reshape(iota(700), (1, 700))))
  b[t] = sum(x * x - 0.3, axis=1) / 700
  a[t] = sum(reshape(x, (30, 700))[:3], axis=0) + max(x, axis=0) * 0.1 + a[t-1] * b[t][3]
}
(sum(L.a), L.final.b[:4])
M = scan t for 2 from a = W {
  y = reshape(a[t-1], (1120, 1)) * reshape(W[0], (1, 35))
  a[t] = a[t-1] + sum(y, axis=0) / 1120 + max(y * y, axis=0)
}
sum(M.final)
---
[0] : f64 = 1.6210477931561547
[1] : f64[3] = [-0.242082, 0.234022, 0.494967]
[2] : f64 = 0.9892361278810111
f64[5] = [-0.975939, -0.939873, -0.802769, -0.802738, -0.939813]
[0] : f64 = 165.88048679311888
[1] : f64 = 0.13714195699377074
[0] : f64 = 0.016464012891694635
[1] : f64 = 1.001730480840524
[0] : f64 = 23.724766711989904
[1] : f64[4] = [-0.299006, -0.299997, -0.299017, -0.299975]
f64 = 2899.2824879581713
