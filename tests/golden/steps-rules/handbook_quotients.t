# Derivatives that end as one quotient, and what guards, roots, signs and identities leave of others.
x : f64
a : f64
b : f64
c : f64
k : f64
l : f64
s : f64
u : f64[n]
A : f64[n, n]
B : f64[n, n]
:steps grad(a * x / (b + x), x)
:graph grad((a * x + b) / (c * x + k), x) pass=specialize
:graph grad(log((1 + x) / (1 - x)), x) pass=specialize
:graph grad(-0.5 * (c + 1) * log(1 + sqr(x) / c), x) pass=specialize
:graph grad(x * log(a) + (1 - x) * log(1 - a), a) pass=specialize
:graph 1 / x + 1 / a pass=specialize
# the point at which only the quotient is undefined
p : f64 = inf
q : f64 = 2.0
r : f64 = 3.0
grad(r * q / (p + q), q)
:graph grad(exp(-s^2 / (2 * l^2)), l) pass=specialize
:graph grad(exp(-s^2 / (2 * l^2)), s) pass=specialize
:graph grad(log(sinh(x)), x) pass=specialize
:graph grad(1 / cosh(x), x) pass=specialize
:graph grad(x * sqrt(x), x) pass=specialize
:graph grad(0.5 * (1 + erf(x / sqrt(2))), x) pass=specialize
:graph grad(log(abs(x)), x) pass=specialize
:graph grad(trace(inv(A) @ B), A) pass=simplify
:graph jacobian(sigmoid(A @ u), u) pass=simplify
:graph jacobian(cumsum(u), u) pass=simplify
:graph grad(-sum(softmax(u) * log_softmax(u)), u) pass=simplify
---
differentiate: 4 steps, 11 -> 11 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 6 nodes
      grad(a * x / (b + x), x) => d_x = -1 * (a * x / (b + x)) / (b + x) + 1 / (b + x) * a
  2  mul-minus-one [E]    # multiplication by -1 negates
      -1 * (a * x / (b + x)) => -(a * x / (b + x))
  3  neg-div [E]    # take the sign out of a quotient
      -(a * x / (b + x)) / (b + x) => -(a * x / (b + x) / (b + x))
  4  add-neg [E]    # adding a negation subtracts
      - d_x = «-(a * x» / (b + x) / (b + x)«) + 1» / (b + x) «* a»
      + d_x = «1» / (b + x) «* a - a * x» / (b + x) / (b + x)
simplify: 2 steps, 11 -> 8 nodes, done
  5  simplify [R N+ O]    # the same sum of products in fewer operations; factor a
      d_x = 1 / (b + x) * a - a * x / (b + x) / (b + x) => a * ((1 - x / (b + x)) / (b + x))
  6  simplify [R N+ O]    # the same sum of products in fewer operations; collect x
      d_x = a * ((1 - x / (b + x)) / (b + x)) => a * b / (b + x)^2
specialize: 1 step, 8 -> 7 nodes, done
  7  pow-two [R]  (b + x)^2 => sqr(b + x)    # a square
nothing to do: inline, canonicalize, stabilize, expand, loops, fuse, lower
x : f64
a : f64
b : f64
c : f64
k : f64
t1 = c * x + k
(a - c * ((a * x + b) / t1)) / t1
x : f64
2 / (1 - sqr(x))
x : f64
c : f64
2 * x * ((c + 1) * -0.5 / (1 + sqr(x) / c) / c)
x : f64
a : f64
x / a - (1 - x) / (1 - a)
x : f64
a : f64
reciprocal(x) + reciprocal(a)
input.gr:22:1: note: a step of class O made a number nan: the value was computed again without simplify (1 / (p + q) * r - r * q / (p + q) / (p + q) => r * ((1 - q / (p + q)) / (p + q)))
    grad(r * q / (p + q), q)
    ^^^^^^^^^^^^^^^^^^^^^^^^
f64 = 0.0
l : f64
s : f64
t1 = sqr(s) / sqr(l)
exp(-0.5 * t1) * t1 / l
l : f64
s : f64
t1 = sqr(l)
-(exp(-0.5 * (sqr(s) / t1)) / t1 * s)
x : f64
reciprocal(tanh(x))
x : f64
-(tanh(x) / cosh(x))
x : f64
1.5 * sqrt(x)
x : f64
0.39894228040143265 * exp(-0.4999999999999999 * sqr(x))
x : f64
reciprocal(x)
A : f64[n, n]
B : f64[n, n]
-(solve(A, B) @ inv(A))'
u : f64[n]
A : f64[n, n]
t1 = A @ u
broadcast(sigmoid(t1) * sigmoid(-t1), (n, n), axes=0) * A
_ : f64[n]
tril(broadcast_to(1.0, (n, n)))
u : f64[n]
t1 = softmax(u, axis=0)
t2 = log_softmax(u, axis=0)
t1 * (t1 @ t2 - t2)
