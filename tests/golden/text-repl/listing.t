# :graph prints the language: declarations, definitions, loops with their bodies, the expression
x : f64[n]
W : f64[3, 3]
xs : f64[n, 3]
h0 : f64[3]
a : f64
h = scan t over xs from h = h0 { g = sigmoid(xs[t] @ W + h[t-1] @ W); h[t] = g * tanh(h[t-1]) }
:graph h
:graph sum(h.final)
:graph grad(sum(h.final), W)
y, z = scan t over x from y = 0.0, z = a { y[t] = a * z[t-1] + y[t-1]; z[t] = x[t] * t; until z[t] > 3 }
:graph y
:graph if a > 0 then { q = a * a; q * q } else a
f(u, v) = u * v + a
:graph f(x, x) + 1
:graph vmap(q -> q @ W)(xs)
:graph scan i for 3 { row[i] = grad(h0[i]^2 * h0[0], h0) }
:graph value_and_grad(sum(h.final), [W, h0])
:graph (a, a * 2)
a * 3
h
---
W : f64[3, 3]
xs : f64[n, 3]
h0 : f64[3]
scan t over xs from h = h0 {
  g = sigmoid(xs[t] @ W + h[t-1] @ W)
  h[t] = g * tanh(h[t-1])
}
W : f64[3, 3]
xs : f64[n, 3]
h0 : f64[3]
S = scan t over xs from h = h0 {
  g = sigmoid(xs[t] @ W + h[t-1] @ W)
  h[t] = g * tanh(h[t-1])
}
sum(S.final)
W : f64[3, 3]
xs : f64[n, 3]
h0 : f64[3]
grad({
  S = scan t over xs for dim(xs, axis=0) from h = h0 {
    g = sigmoid(xs[t] @ W + h[t-1] @ W)
    h[t] = g * tanh(h[t-1])
  }
  sum(S.final)
}, W)
x : f64[n]
a : f64
S = scan t over x from y = 0.0, z = a {
  y[t] = a * z[t-1] + y[t-1]
  z[t] = x[t] * f64(t)
  until z[t] > 3
}
S.y
a : f64
if a > 0 then {
  q = a * a
  q * q
} else a
x : f64[n]
a : f64
f(u, a) = u * u + a
f(x, a) + 1
W : f64[3, 3]
xs : f64[n, 3]
vmap(xs_2 -> xs_2 @ W)(xs)
h0 : f64[3]
scan i for 3 {
  row[i] = grad(h0[i]^2 * h0[0], h0)
}
W : f64[3, 3]
xs : f64[n, 3]
h0 : f64[3]
G = value_and_grad({
  S = scan t over xs for dim(xs, axis=0) from h = h0 {
    g = sigmoid(xs[t] @ W + h[t-1] @ W)
    h[t] = g * tanh(h[t-1])
  }
  sum(S.final)
}, [W, h0])
(G[0], G[1][0], G[1][1])
a : f64
(a, a * 2)
f64    # a has no value
  a * 3
h : f64[n, 3]    # n has no value
  scan t over xs from h = h0 {
    g = sigmoid(xs[t] @ W + h[t-1] @ W)
    h[t] = g * tanh(h[t-1])
  }
