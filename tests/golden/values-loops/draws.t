# Generators as states of loops over small arrays of known shapes: numbers and vectors are drawn in native code as in the machine.
C = scan t for 200 from x = 0.0, r = rng(7), k = 0 {
  z, q = normal(r[t-1])
  u, r[t] = uniform(q)
  y = x[t-1] + 1.5 * z
  take = log(u) < 0.5 * (x[t-1] * x[t-1] - y * y)
  x[t] = where(take, y, x[t-1])
  k[t] = k[t-1] + i64(take)
}
(sum(C.x), C.final.k)
C.final.r
W = scan t for 50 from x = zeros(5), r = rng(2) { z, r[t] = normal(r[t-1], 5); x[t] = 0.9 * x[t-1] + z }
(W.final.x, W.final.r)
U = scan t for 5 from r = rng(3) { a = split(r[t-1], 3); u[t] = uniform(a[1], (2, 3))[0]; r[t] = a[2] }
sum(U.u)
P = scan t for 4 from r = rng(4) { _, r[t] = uniform(r[t-1]); g[t] = r[t] }
P.g
---
[0] : f64 = -31.623835753422078
[1] : i64 = 114
rng = <rng 0000000000000007 at 00000000000000000000000000000190>
[0] : f64[5] = [2.11253, -2.80746, 1.88262, 0.448282, -2.4482]
[1] : rng = <rng 0000000000000002 at 00000000000000000000000000000096>
f64 = 15.119226644163291
rng[4] =
[<rng 0000000000000004 at 00000000000000000000000000000001>,
 <rng 0000000000000004 at 00000000000000000000000000000002>,
 <rng 0000000000000004 at 00000000000000000000000000000003>,
 <rng 0000000000000004 at 00000000000000000000000000000004>]
