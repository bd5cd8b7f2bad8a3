# names of one's own, in the order in which they came to be what they are
:vars
x : f64[n]
k : i64 = 4
:vars
shared W : f64[2, 2] = [[1, 2], [3, 4]]
x := arange(9) * 1.5
# a comment = no part of it
y = sum(x * 2)   # twice
f(v, scale=1) = {
  t = v * scale
  tanh(t)   # inside
}
a, b = (y + 1, f(x, scale=2))
_, q = (1, 2)
S = scan t over x from s = 0.0 { s[t] = s[t-1] + x[t]; until s[t] > 1000 and s[t] < 100000 }
r = rng(3)
g = grad(z -> sum(z * z))
p = "a=b.npy"
größe = { ä = 1.5; ö = ä * ä + 2.25; ü = ö / ä - 0.125; ß = ü + ö * ä; ß - ä }
# another type, another meaning, the name of a function, a stored value
k : f64 = 2
y = y + 1
sum = 3
l, W := y, W * 2
in alt { W := W * 0 }
:vars
---
no name is yours yet: `x = 1` makes one
x  input  f64[n]
k  input  i64     4
x      input       f64[n]                [0, 1.5, 3, …]
W      shared      f64[2, 2]             [[2, 4], [6, 8]]
f      function    function(v, scale=1)  { t = v * scale; tanh(t) }
a      definition  f64                   (y + 1, f(x, scale=2))
b      definition  f64[n]                (y + 1, f(x, scale=2))
q      definition  i64                   (1, 2)
S      definition  f64[?]                scan t over x from s = 0.0 { s[t] = s[t - 1] + x[t]; until s…
r      definition  rng                   rng(3)
g      function    function(z)           grad(z -> sum(z * z))
p      definition  string                "a=b.npy"
größe  definition  f64                   { ä = 1.5; ö = ä * ä + 2.25; ü = ö / ä - 0.125; ß = ü + ö * …
k      input       f64                   2
y      definition  f64                   y + 1
sum    definition  i64                   3
l      input       f64                   109
in default:
  W : f64[2, 2] =
[[2.0, 4.0],
 [6.0, 8.0]]
in alt:
  W : f64[2, 2] =
[[0.0, 0.0],
 [0.0, 0.0]]
input.gr:23:1: note: these definitions still refer to the previous `y`: a, b
    y = y + 1
    ^^^^^^^^^
