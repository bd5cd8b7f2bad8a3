# the parts of a gradient that comes with its value have names of their own; equations of a loop may be these
f(a, b) = sin(a * b) + a ^ 2
S = scan t for 4 from a = 1.0, b = 2.0, c = 0.0 {
  g = value_and_grad(p -> f(p[0], p[1]))((a[t-1], b[t-1]))
  a[t] = g[1][0]
  b[t] = g[1][1]
  c[t] = g[0]
}
:graph S.final.a + S.final.b * S.c[1]
---
f(a, b) = sin(a * b) + a^2
S = scan t for 4 from a = 1.0, b = 2.0, c = 0.0 {
  G = value_and_grad(f(a[t-1], b[t-1]), [a[t-1], b[t-1]])
  a[t] = G[1][0]
  b[t] = G[1][1]
  c[t] = G[0]
}
S.final.a + S.final.b * S.c[1]
