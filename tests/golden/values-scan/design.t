# The example lines of the language's design.
A : f64[3] = [1, 2, 3]
k : i64 = 3
c : f64[3] = [1, 0, 2]
x1 : f64 = 3
limit : f64 = 45
power  = scan t for k from r = ones_like(A) { r[t] = r[t-1] * A }
power
poly   = sum(scan i over c { term[i] = c[i] * x1 ^ i })
poly
powers = scan t for 1024 from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > limit }
powers
u : f64[T, 1] = [[1], [2], [3], [4], [5], [6]]
W : f64[1, 1] = [[0.5]]
x0 : f64[3, 1] = [[0.1], [0.2], [0.3]]
y0 : f64[1] = [0.0]
x, y = scan t over u from x = x0, y = y0 {
  x[t] = tanh(x[t-1] @ W + u[t] @ W + u[t-4] @ W + y[t-1] @ W)
  y[t] = x[t-3] @ W
}
shape(x)
y
gamma = 0.5
reward : f64[4] = [1, 1, 1, 8]
G = scan t over reward from G = 0.0 { G[t] = reward[t] + gamma * G[t+1] }
G
S = scan t for 10 from v = [1.0, 0.0], r = rng(1234) {
  hid, r1 = bernoulli(r[t-1], sigmoid(v[t-1] @ [[0.5, -1], [1, 0.5]]))
  v[t], r[t] = (f64(hid), r1)
}
shape(S.v)
S.final.v
S.final.r
S.steps
z = x1 * c
J = scan i for size(z, 0) { row[i] = grad(z[i], c) }
J
---
power : f64[3, 3] =
[[ 1.0,  2.0,  3.0],
 [ 1.0,  4.0,  9.0],
 [ 1.0,  8.0, 27.0]]
poly : f64 = 19.0
powers : f64[6] = [2.0, 4.0, 8.0, 16.0, 32.0, 64.0]
i64[2] = [2, 1]
y : f64[2, 1] =
[[0.05],
 [0.1]]
G : f64[4] = [2.75, 3.5, 5.0, 8.0]
i64[2] = [10, 2]
f64[2] = [1.0, 0.0]
rng = <rng 00000000000004d2 at 0000000000000000000000000000000a>
i64 = 10
J : f64[3, 3] =
[[3.0, 0.0, 0.0],
 [0.0, 3.0, 0.0],
 [0.0, 0.0, 3.0]]
