# Loops of no step: rows of traces have the shapes that they would have had, whether a size is a number, a length, an
# input or what is computed from these, and whatever stands between the traces.
u : f64[n] = zeros(0)
w : f64[n, 2] = zeros((0, 2))
v : f64[m] = arange(4) * 1.0
k : i64 = 3
j : i64 = 5
b : f64[3] = [1, 2, 3]
S = scan t over u, w from x = 0.0, y = b {
  x[t] = tanh(x[t-1] + u[t] + f64(j))
  o[t] = zeros(k) + x[t]
  p[t] = zeros((j, k)) + u[t]
  y[t] = y[t-1] * x[t]
  q[t] = outer(v, w[t]) * x[t]
  r[t] = concat((v, zeros(k))) * x[t]
  s[t] = x[t] * 2
  z[t] = ones(k * 2 + j) * y[t][0]
}
shape(S.o)
shape(S.p)
shape(S.y)
shape(S.q)
shape(S.r)
shape(S.s)
shape(S.z)
(S.o, S.p, S.y, S.q, S.r, S.s, S.z)
R = scan t over u from x = 0.0 { x[t] = tanh(x[t+1] + u[t]); o[t] = zeros(j) * x[t] }
(R.o, R.x)
U = scan t over u, w from x = 0.0 { x[t] = tanh(x[t-1] + u[t]); o[t] = outer(zeros(j), w[t]) * x[t]; until x[t] > f64(k) }
(U.o, U.x)
---
i64[2] = [0, 3]
i64[3] = [0, 5, 3]
i64[2] = [0, 3]
i64[3] = [0, 4, 2]
i64[2] = [0, 7]
i64[1] = [0]
i64[2] = [0, 11]
[0] : f64[0, 3] = []
[1] : f64[0, 5, 3] = []
[2] : f64[0, 3] = []
[3] : f64[0, 4, 2] = []
[4] : f64[0, 7] = []
[5] : f64[0] = []
[6] : f64[0, 11] = []
[0] : f64[0, 5] = []
[1] : f64[0] = []
[0] : f64[0, 5, 2] = []
[1] : f64[0] = []
