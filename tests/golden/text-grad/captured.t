# What a function that is given mentions is captured by the one that it is given to, and computed once outside.
x : f64[4] = [0.1, 0.2, 0.3, 0.4]
W : f64[4, 4]
M = W @ W'
b = tanh(x * 2)
apply(f, z) = sum(f(z))
slope(f, z) = grad(sum(f(z)), z)
:graph apply(z -> M @ z + b, x)
:graph slope(z -> tanh(M @ z + b), x)
y = scan t for 3 from s = x { c = M @ s[t-1]; s[t] = s[t-1] - slope(z -> tanh(c * z), b) + slope(z -> tanh(z * b), s[t-1]) }
:graph y
# What a derivative in a body reaches of what the body computes itself is inside, and what the body mentions is
# outside, whether the same was computed before or not.
k : f64 = 3
before = scan t for 2 from s = 1.0 { z = k * 2; s[t] = s[t-1] * grad(sqr(z), z) }
:graph before
same = k * 2
after = scan t for 2 from s = 1.0 { z = k * 2; s[t] = s[t-1] * grad(sqr(z), z) }
:graph after
(before, after)
---
x : f64[4]
W : f64[4, 4]
apply(z, b, M) = sum(M @ z + b)
b = tanh(x * 2)
M = W @ W'
apply(x, b, M)
x : f64[4]
W : f64[4, 4]
slope(z, b, M) = grad(sum(tanh(M @ z + b)), z)
b = tanh(x * 2)
M = W @ W'
slope(x, b, M)
x : f64[4]
W : f64[4, 4]
slope(z, c) = grad(sum(tanh(c * z)), z)
b = tanh(x * 2)
M = W @ W'
scan t for 3 from s = x {
  c = M @ s[t-1]
  s[t] = s[t-1] - slope(b, c) + slope(s[t-1], b)
}
k : f64
scan t for 2 from s = 1.0 {
  z = k * 2
  s[t] = s[t-1] * grad(sqr(z), z)
}
k : f64
scan t for 2 from s = 1.0 {
  z = k * 2
  s[t] = s[t-1] * grad(sqr(z), z)
}
[0] : f64[2] = [12.0, 144.0]
[1] : f64[2] = [12.0, 144.0]
