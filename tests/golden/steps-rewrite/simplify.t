# the pass simplify: sums of products end in the form that people write
x : f64
y : f64
z : f64
A : f64[n, n]
v : f64[n]
X : f64[m, n]
w : f64[n]
t : f64[m]
:steps 2 * x + 3 * x
:steps A @ v + A' @ v
:steps sum(A @ v)
:graph grad(v @ (A @ v), v) pass=simplify
:graph hessian(sum((X @ w - t)^2), w) pass=simplify
:graph grad(sum((X @ w - t)^2), w) pass=simplify
:graph grad(sum(softplus(X @ w) - t * (X @ w)), w) pass=simplify
:graph grad(trace(A @ A'), A) pass=simplify
:graph trace(A @ A') pass=simplify
:graph (A @ A) @ v pass=simplify
:graph (-A') @ v pass=simplify
# of class Z or N- only if that is allowed, or no zero can have a sign
:graph x * y + x * z pass=simplify
:graph x - x pass=simplify
:graph exp(x) * exp(y) + exp(x) * exp(z) pass=simplify
:set allow E R C N+ D O Z N-
:graph x * y + x * z pass=simplify
:graph x - x pass=simplify
:graph x / z + y / z pass=simplify
:graph x - (x + y) pass=simplify
:set allow E R C N+ D O
# what would cancel more stays: the mean comes off before squares are taken
:graph sum((v - mean(v))^2) pass=simplify
:graph grad(sum(t * log(sigmoid(X @ w)) + (1 - t) * log(1 - sigmoid(X @ w))), w) pass=simplify
:graph grad(tanh(x), x) pass=simplify
# powers of sums
:graph x^2 + 2 * x * y + y^2 pass=simplify
:graph 1 - 2 * v + v^2 pass=simplify
:graph x^3 + 3 * x^2 * y + 3 * x * y^2 + y^3 pass=simplify
:graph sum(4 * v^2 + 4 * v * w + w^2) pass=simplify
:graph x^2 + 2 * x * y + y^2 + z pass=simplify
# products of sums; a sum that is read twice stays one
:graph exp(x) * y + exp(x) * z + x * z + x * y pass=simplify
:graph grad(0.5 * log(det(A)) - 0.5 * (v - w) @ A @ (v - w), A) pass=simplify
# a step opens into what is done by hand
:steps x * (1 - y) - (1 - x) * y open=all pass=simplify
:steps v * w + v * (w + v) open=1 pass=simplify
:audit (v + w)^2 - (v - w)^2 open=1
# columns times rows
:graph grad(v @ A' @ w, A) pass=simplify
# names have no part in the order, and numbers stand where they were written
:graph 1 + x * y + x * z pass=simplify
:graph z * x + z * y + 2 * 1 pass=simplify
# the author's form stays where nothing is won
:graph x * (y + z) pass=simplify
:graph 3 * x^2 + 2 * x + 1 pass=simplify
# in bodies, but what does not change there is left for one computation outside
P = scan k for 5 from s = w { s[k] = s[k-1] * (v + v) + 2 * s[k-1] + 3 * s[k-1] }
:steps P.final pass=simplify
# at one node
:try simplify A @ v + A' @ v
:whynot simplify x * y
:set rule simplify off
:graph 2 * x + 3 * x pass=simplify
:set rule simplify on
:audit 2 * x + 3 * x
:graph x * (1 - y) - (1 - x) * y pass=simplify
:graph x - x + y pass=simplify
:audit x * (1 - y) - (1 - x) * y
---
simplify: 1 step, 6 -> 3 nodes, done
  1  simplify [R N+ O]    # the same sum of products in fewer operations; collect x
      2 * x + 3 * x => 5 * x
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops, specialize, fuse,
lower
simplify: 1 step, 6 -> 5 nodes, done
  1  simplify [R N+ O]    # the same sum of products in fewer operations; factor v
      A @ v + A' @ v => (A + A') @ v
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops, specialize, fuse,
lower
simplify: 1 step, 4 -> 4 nodes, done
  1  simplify [R N+ O]
      # the same sum of products in fewer operations; contract in a different order
      sum(A @ v) => sum(A, axis=0) @ v
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops, specialize, fuse,
lower
A : f64[n, n]
v : f64[n]
(A + A') @ v
X : f64[m, n]
2 * (X' @ X)
X : f64[m, n]
w : f64[n]
t : f64[m]
2 * ((X @ w - t) @ X)
X : f64[m, n]
w : f64[n]
t : f64[m]
(sigmoid(X @ w) - t) @ X
A : f64[n, n]
2 * A
A : f64[n, n]
sum(A * A)
A : f64[n, n]
v : f64[n]
A @ (A @ v)
A : f64[n, n]
v : f64[n]
-(v @ A)
x : f64
y : f64
z : f64
x * (y + z)
x : f64
x - x
x : f64
y : f64
z : f64
exp(y + x) + exp(z + x)
x : f64
y : f64
z : f64
x * (y + z)
0.0
x : f64
y : f64
z : f64
(x + y) / z
y : f64
-y
v : f64[n]
sum((v - mean(v))^2)
X : f64[m, n]
w : f64[n]
t : f64[m]
(t - sigmoid(X @ w)) @ X
x : f64
t1 = tanh(x)
1 - t1 * t1
x : f64
y : f64
(x + y)^2
v : f64[n]
(1 - v)^2
x : f64
y : f64
(x + y)^3
v : f64[n]
w : f64[n]
sum((2 * v + w)^2)
x : f64
y : f64
z : f64
x^2 + 2 * x * y + y^2 + z
x : f64
y : f64
z : f64
(y + z) * (exp(x) + x)
A : f64[n, n]
v : f64[n]
w : f64[n]
t1 = v - w
0.5 * (inv(A)' - t1[:, None] @ t1[None, :])
simplify: 1 step, 8 -> 3 nodes, done
  1  simplify [R N+ O]    # the same sum of products in fewer operations; collect x
      x * (1 - y) - (1 - x) * y => x - y
    1.1  distribute [R N+ O]    # products of sums are multiplied out
        x * (1 - y) - (1 - x) * y => x - x * y - y + x * y
    1.2  collect [R N+ O]  x - x * y - y + x * y => x - y    # like terms are combined
simplify: 1 step, 6 -> 6 nodes, done
  1  simplify [R N+ O]    # the same sum of products in fewer operations; collect v
      v * w + v * (w + v) => v * (v + 2 * w)
    1.1  distribute [R N+ O]    # products of sums are multiplied out
        v * w + v * (w + v) => v * w + v * w + v * v
    1.2  collect [R N+ O]  v * w + v * w + v * v => 2 * v * w + v^2    # like terms are combined
    1.3  factor [R N+ O]  2 * v * w + v^2 => v * (v + 2 * w)    # common factors are taken out
step  pass      rule           classes   error    ulp
1.1   simplify  distribute     [R N+ O]  4e-16    2
1.2   simplify  collect        [R N+ O]  2.1e-16  1
1     simplify  simplify       [R N+ O]  4e-16    2
2     fuse      order-product  [E]       0        0
3     fuse      fuse           [E]       0        0
5 steps, 5 compared: all within what their classes allow; largest error 4e-16
v : f64[n]
w : f64[n]
w[:, None] @ v[None, :]
x : f64
y : f64
z : f64
1 + x * (y + z)
x : f64
y : f64
z : f64
z * (x + y) + 2
x : f64
y : f64
z : f64
x * (y + z)
x : f64
3 * x^2 + 2 * x + 1
simplify: 1 step, 14 -> 11 nodes, done
  1  inner [R N+ O]  in scan s
    1.1  simplify [R N+ O]    # the same sum of products in fewer operations; collect s[k-1]
        s[k] = s[k-1] * (v + v) + 2 * s[k-1] + 3 * s[k-1] => s[k-1] * ((v + v) + 5)
simplify [R N+ O]  A' @ v => v @ A
  # the same sum of products in fewer operations; contract in a different order
  before  A @ v + A' @ v
  after   A @ v + v @ A
simplify does not fire
  at %3, x * y: no shorter form was found within the allowed classes
  `:help simplify`: what it matches, and when
x : f64
2 * x + 3 * x
step  pass      rule      classes   error    ulp
1     simplify  simplify  [R N+ O]  1.1e-16  1
1 step, 1 compared: all within what their classes allow; largest error 1.1e-16
x : f64
y : f64
x - y
x : f64
y : f64
x - x + y
step  pass      rule      classes   error  ulp
1     simplify  simplify  [R N+ O]  0      0
1 step, 1 compared: all within what their classes allow; largest error 0
