# Bodies of functions are indented; blocks inside branches and lambdas by the braces they stand in.
x : f64[n] = [1, 2, 3]
f(a, b) = { t = tanh(a + b); t * t + exp(t) }
:graph f(x, x + 1) + f(x, x)
g(a) = (scan t over a from h = 0.0 { h[t] = tanh(h[t-1] + a[t]) }).final
:graph if sum(x) > 0 then g(x) else g(-x) + g(x * x)
:graph vmap(r -> g(r * x))(reshape(x, (3, 1)))
:graph grad(g(x * x), x)
# A size that nobody named is `?`.
w : f64[?, n+1]
u : (W: f64[n], b: f64[?])
:graph (w, u)
---
x : f64[n]
f(b, a) = {
  t = tanh(a + b)
  t * t + exp(t)
}
f_2(a) = {
  t = tanh(a + a)
  t * t + exp(t)
}
f(x + 1, x) + f_2(x)
x : f64[n]
g(a) = {
  S = scan t over a for dim(a, axis=0) from h = 0.0 {
    h[t] = tanh(h[t-1] + a[t])
  }
  S.final
}
if sum(x) > 0 then g(x) else g(-x) + g(x * x)
x : f64[n]
g(a) = {
  S = scan t over a for dim(a, axis=0) from h = 0.0 {
    h[t] = tanh(h[t-1] + a[t])
  }
  S.final
}
vmap(value -> g(value * x))(reshape(x, (3, 1)))
x : f64[n]
g(a) = {
  S = scan t over a for dim(a, axis=0) from h = 0.0 {
    h[t] = tanh(h[t-1] + a[t])
  }
  S.final
}
grad(g(x * x), x)
w : f64[?, n+1]
u_W : f64[n]
u_b : f64[?]
(w, u_W, u_b)
