# Gradients of loops end as in a textbook: a running product from 1 stands alone, constants that a
# derivative captures are in the body, like terms far below the root are put together.
u : f64[T, 3]
x0 : f64[2]
W : f64[3, 2]
S = scan t over u from x = x0 { x[t] = tanh(x[t-1] + u[t] @ W) }
:graph grad(sum(S.final), W) pass=specialize
a : f64
y : f64[n]
R = scan t over y from s = 0.0 { s[t] = a * s[t-1] + y[t] }
:graph jvp(R.final, a, 1.0) pass=specialize
f(z) = z * z * z - 5
:graph (scan t for 20 from z = a { z[t] = z[t-1] - f(z[t-1]) / grad(f)(z[t-1]) }).final pass=specialize
v = a - (a * a * a - 5) / (a * a + a * a + a * a)
:graph abs(v * v * v - 5) pass=specialize
:graph grad(sum(W * W * W), W) pass=differentiate
---
u : f64[T, 3]
x0 : f64[2]
W : f64[3, 2]
S = scan t over u_W = u @ W from x = x0 keep one_minus_sqr_x {
  x[t] = tanh(x[t-1] + u_W[t])
  one_minus_sqr_x[t] = 1 - sqr(x[t])
}
gemm(u, cumprod(S.one_minus_sqr_x, axis=0, reverse=true), ta=true)
a : f64
y : f64[n]
S = scan t over y from s = 0.0, dot_s = 0.0 keep () {
  s[t] = a * s[t-1] + y[t]
  dot_s[t] = dot_s[t-1] * a + s[t-1]
}
S.final.dot_s
a : f64
S = scan t for 20 from z = a keep () {
  z[t] = 0.6666666666666666 * z[t-1] + 1.6666666666666667 / sqr(z[t-1])
}
S.final
a : f64
v = 0.6666666666666666 * a + 1.6666666666666667 / sqr(a)
abs(sqr(v) * v - 5)
W : f64[3, 2]
3 * W * W
