# Functions made of others, between other steps: what they share, what is in whose memory, sizes that
# are no multiple of anything.  Both tiers give these bits (tests/native.py).
x = f64(arange(1003)) * 0.173 - 80.0
special := [nan, inf, -inf, 0.0, -0.0, 1e-310, 710.0, -746.0]
e = concat((x, special))

# the same z for x and -x, and for two functions of one x
a = sigmoid(e) * 0.5 + sigmoid(-e)
sum(a[:1003])
a[1003:]
b = softplus(e) - softplus(-e)
sum(b[:1003])
b[1003:]
c = sigmoid(softplus(-(-e))) - sigmoid(sigmoid(-e) * e)
sum(c[:1003])
c[1003:]

# a value that other loops, other calls and a reduction read
d = tanh(sigmoid(x) + x) * sigmoid(x) + sigmoid(x * 2.0)
sum(d)
sum(sigmoid(x) * tanh(sigmoid(x)))
max(sigmoid(-x) + exp(-x))

# results in memory that nobody needs any more, read before and after by other calls
f(t) = { u = t + 1.0; v = sigmoid(u) + tanh(u); w = u * 2.0 - exp(-abs(u)); (v, w) }
p = f(x)
(sum(p[0]), sum(p[1]))

# f32, and a loop over lanes
y = f32(x)
sum(f64(sigmoid(y) - sigmoid(-y) + softplus(y)))
h = scan t for 5 from s = x { s[t] = sigmoid(s[t-1]) - 0.5 * sigmoid(-s[t-1]) + softplus(s[t-1]) }
sum(h[-1])
sum(grad(sum(sigmoid(1.3 * x + 0.2) * tanh(x) - softplus(x)), x))
q = scan t for 3 from s = x / 50.0, r = x / 70.0 {
  m = mean(s[t-1]); u = s[t-1] - m
  s[t] = tanh(u) * sigmoid(r[t-1]) + sigmoid(-s[t-1])
  r[t] = u * softplus(-r[t-1]) + exp(-abs(tanh(u) * r[t-1]))
}
(sum(q.s[-1]), sum(q.r[-1]))
---
f64 = 732.9638728323699
f64[8] = [nan, 0.5, 1.0, 0.75, 0.75, 0.75, 0.5, 1.0]
f64 = 6693.019
f64[8] = [nan, inf, -inf, 0.00e+000, -0.00e+000, 1.00e-310, 7.10e+002, -7.46e+002]
f64 = 493.71364731714675
f64[8] = [nan, nan, 0.5, 0.166667, 0.166667, 0.166667, 0.5, 0.5]
f64 = 1073.5365771971115
f64 = 407.8677404820147
f64 = 5.54062238439351e+34
[0] : f64 = 634.5578034682079
[1] : f64 = 15380.487956259421
f64 = 25316.796045929193
f64 = 29481.00556086531
f64 = -534.2919075144508
[0] : f64 = 410.64323726844736
[1] : f64 = 953.7085688845859
