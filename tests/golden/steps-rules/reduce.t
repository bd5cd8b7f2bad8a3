# shows: reduced.gr
# The smallest program for which a condition still holds, for each of them.
x : f64[n] = [0.3, -0.7, 1.1]
s : f64 = 0.6
k : i64 = 3
:rule bad [E]: tanh(a) * b => tanh(a) + b  trial=off
:rule other [E]: cosh(a) => sinh(a)  trial=off
h = scan t for k from h = s { h[t] = tanh(h[t-1] * sum(x)) * s + sin(h[t-1]) }
y = sum(grad(sum(exp(x) * s) + h.final, x))
:reduce y while audit
:reduce y while fires bad
:reduce sum(tanh(x) + 1) while not fires bad
:reduce log(sum(x) - sum(x) - 1) + y while nan
:reduce s / 2 + x[3] + y while error index
:reduce y while differs off=bad
:reduce 2 * (scan t for 20 from p = s { p[t] = 1 - p[t-1] }).final, 2 * s while unequal
:reduce y while audit reduced.gr
# Without values, and with the settings that it needs.
z : f64
:set rule exp-log off
:reduce log(exp(z) * 2) + cosh(z) while fires other
---
bad [E untried]: accepted without a trial; a rule of the pass canonicalize now
other [E untried]: accepted without a trial; a rule of the pass canonicalize now
24 nodes, 1 loop -> 3 nodes; 17 tries
:rule bad [E]: tanh(a) * b => tanh(a) + b trial=off
s : f64
y = tanh(s) * s
:audit y
24 nodes, 1 loop -> 3 nodes; 17 tries
:rule bad [E]: tanh(a) * b => tanh(a) + b trial=off
s : f64
y = tanh(s) * s
:steps y rule=bad
5 nodes -> 1 node; 3 tries
:rule bad [E]: tanh(a) * b => tanh(a) + b trial=off
y : f64[n]
result = y
:whynot bad result
30 nodes, 1 loop -> 2 nodes; 16 tries
x : f64 = -1.0
result = log(x)
result
29 nodes, 1 loop -> 3 nodes; 12 tries
x : f64[n] = [0.0]
result = x[1]
result
24 nodes, 1 loop -> 3 nodes; 28 tries
s : f64 = 1.0
y = tanh(s) * s
:compare y off=bad
10 nodes, 1 loop -> 7 nodes, 1 loop; 62 tries
s : f64
S = scan t for 20 from p = s {
  p[t] = 0 - p[t-1]
}
result = (S.final, s)
:equal result[0], result[1]
24 nodes, 1 loop -> 3 nodes; 17 tries; in reduced.gr
7 nodes -> 2 nodes; 4 tries
:rule other [E]: cosh(a) => sinh(a) trial=off
:set rule exp-log off
z : f64
result = cosh(z)
:steps result rule=other
==> reduced.gr
:rule bad [E]: tanh(a) * b => tanh(a) + b trial=off
s : f64
y = tanh(s) * s
:audit y
