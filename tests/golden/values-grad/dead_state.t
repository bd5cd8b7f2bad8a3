# A state that the value does not come from has no part in the gradient, whatever becomes of it: f overflows.
x : f64 = 1
S = scan t for 2000 from h = x, f = 2 * x { h[t] = tanh(h[t-1] * 0.9 + x); f[t] = f[t-1] * f[t-1] }
grad(S.final.h, x)
A = scan t for 2000 checkpoint auto from h = x, f = 2 * x { h[t] = tanh(h[t-1] * 0.9 + x); f[t] = f[t-1] * f[t-1] }
grad(A.final.h, x)
C = scan t for 2000 checkpoint 7 from h = x, f = 2 * x { h[t] = tanh(h[t-1] * 0.9 + x); f[t] = f[t-1] * f[t-1] }
grad(C.final.h, x)
# the same inside another loop
N = scan i for 40 from p = x, q = 2 * x {
  I = scan t for 50 from h = p[i-1], f = q[i-1] { h[t] = tanh(h[t-1] * 0.9 + x); f[t] = f[t-1] * f[t-1] }
  p[i] = I.final.h
  q[i] = I.final.f
}
grad(N.final.p, x)
grad(N.final.q, x)
jvp(N.final.p, x, 1)
# what does meet counts
M = scan i for 3 from p = x, q = 2 * x {
  I = scan t for 3 from h = p[i-1], f = q[i-1] { h[t] = h[t-1] * 0.5 + f[t-1]; f[t] = f[t-1] * f[t-1] }
  p[i] = I.final.h
  q[i] = I.final.f
}
grad(M.final.p, x)
grad(M.final.q, x)
---
f64 = 0.10137794430037479
f64 = 0.10137794430037479
f64 = 0.10137794430037483
f64 = 0.10137794430037479
f64 = inf
f64 = 0.1013779443003748
f64 = 2.9642774844752946e+79
f64 = 6.86479766013061e+156
