# a loop that never stops counts as an error does: where nothing uses its value, it does not run
x : f64 = 2.0
S = scan t from h = x { h[t] = h[t-1] * 0.5; k = h[t] + 1; until k < 0 }
(x + 1, S)[0]
(if x > 3 then S.final else x)
f(a) = { unused = S.final; a * 2 }
f(x)
# what may not stop is not dropped by a rule that keeps errors; without a value of z nobody runs it
z : f64
R = scan t from h = z { h[t] = h[t-1] * 0.5; k = h[t] + 1; until k < 0 }
:graph where(z > 1, z, z) pass=canonicalize
:graph 0 * f64(R.steps) + z pass=canonicalize
---
f64 = 3.0
f64 = 2.0
f64 = 4.0
z : f64
z
z : f64
S = scan t from h = z {
  h[t] = h[t-1] * 0.5
  k = h[t] + 1
  until k < 0
}
0 * f64(S.steps) + z
