# Names of dimensions: carried along by every operator that keeps track of axes, dropped by reshape.
x : f64[batch n, feature d]
y : f64[time n, feature d]
W : f64[feature d, hidden k]
b : f64[hidden k]
:type x
:type x @ W + b
:type x'
:type sum(x, axis=batch)
:type mean(x, axis=(batch, feature))
:type mean(x, feature)
:type softmax(x, axis=feature)
:type x[feature=0]
:type x[batch=1:3]
:type x[batch=0, feature=1:]
:type x[:, None, 0]
:type x * 2 + x
:type reshape(x, size(x))
:type transpose(x, (feature, batch))
:type swapaxes(x, feature, batch)
:type concat((x, x), axis=batch)
:type grad(sum(tanh(x @ W)), W)
:type vmap(r -> r @ W)(x)
:type vmap(r -> r * 2, in_axes=1, out_axes=1)(x)
:type cumsum(x, axis=batch)
:type scan t over x from h = zeros(d) { h[t] = tanh(h[t-1] + x[t]) }
f(a, v) = a @ v
:type f(x, W)
:type x @ x'
:graph x @ W + b
x + x[0]
cov : f64[feature d, feature d]
:type x @ cov
p : (W: f64[rows n, out m], b: f64[out m])
p
:type p.W' @ p.W
x : f64[n, d]
:type x
:type x @ W
x : f64[batch n, feature 2]
:undo
:type x
:type x * 1
---
f64[batch n, feature d]
f64[batch n, hidden k]
f64[feature d, batch n]
f64[feature d]
f64
f64[batch n]
f64[batch n, feature d]
f64[batch n]
f64[batch max(min(n, 3)-1, 0), feature d]
f64[feature max(d-1, 0)]
f64[batch n, 1]
f64[batch n, feature d]
f64[d*n]
f64[feature d, batch n]
f64[feature d, batch n]
f64[batch 2*n, feature d]
f64[feature d, hidden k]
f64[batch n, hidden k]
f64[batch n, feature d]
f64[batch n, feature d]
f64[batch n, feature d]
f64[batch n, hidden k]
f64[batch n, batch n]
x : f64[batch n, feature d]
W : f64[feature d, hidden k]
b : f64[hidden k]
x @ W + b
f64[batch n, feature d]    # x has no value
  x + x[0]
f64[batch n, feature d]
p : (W: f64[rows n, out m], b: f64[out m])    # p.W has no value
  (p.W, p.b)
f64[out m, out m]
f64[n, d]
f64[n, hidden k]
x is again: x : f64[n, d]
f64[n, d]
f64[n, d]
