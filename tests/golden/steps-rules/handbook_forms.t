# Derivatives that end in the form of a handbook, and identities of the identity, of inverses and of signs.
z : f64[k]
y : f64[k]
l : i64
A : f64[n, n]
x : f64[n]
s : f64
C : f64[4, 6]
:graph grad(-log_softmax(z)[l], z) pass=simplify
:equal grad(-log_softmax(z)[l], z), softmax(z) - (zeros(k) with [l] = 1)
:graph grad(sum(log(cosh(z - y))), z) pass=simplify
:graph grad(x @ inv(A) @ x, x) pass=simplify
:graph (A @ eye(n), x @ eye(n)) pass=simplify
:graph C[1:3, 2:5][0, 1] pass=simplify
:graph (z - y > 0, z - y < 0, z == -z) pass=simplify
:graph 1 - s / (1 + s) pass=simplify
:graph sigmoid(2 * s) - sigmoid(-2 * s) pass=simplify
---
z : f64[k]
l : i64
(broadcast_to(0.0, (k,)) with [l] += -1.0) + softmax(z, axis=0)
equal up to rounding
differentiate: 6 steps, 16 -> 16 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 5 nodes
      - «grad»(-log_softmax(z, axis=0)[l], «z»)
      + «d_z = (broadcast_to(0.0, (k,)) with [l] += -1.0) - exp(»log_softmax(z, axis=0)«) *
            expand_dims(sum(broadcast_to(0.0, (k,)) with» [l] «+= -1.0), axis=0»)
  2  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(%15, axis=0), (k,)) => broadcast_to(%15, (k,))
  3  exp-log-softmax [R]  exp(log_softmax(z, axis=0)) => softmax(z, axis=0)    # inverse pair
  4  broadcast-into [E]    # elementwise operators take scalars as they are
      softmax(z, axis=0) * broadcast_to(%15, (k,)) => softmax(z, axis=0) * %15
  5  sum-increased [R N+ O]    # the term is added to the sum
      - d_z = %13 - softmax(z, axis=0) * sum(«%13»)
      + d_z = %13 - softmax(z, axis=0) * «(»sum(«broadcast_to(0.0, (k,))) + -1)»
  6  sum-broadcast [R]    # a sum of equal numbers is a product
      sum(broadcast_to(0.0, (k,))) => f64(k) * 0
saturate: 9 steps, 16 -> 9 nodes, done
  2 iterations, 42 e-nodes in 24 classes, equal
  7  sub-add-neg [E]  d_z = %13 - %18 => %13 + -%18    # subtraction is addition of the negation
  8  increase-of-zeros [R D]
      # incrementing zeros sets them; `x` is large enough: a constant, 0; `x` is small enough: a
      # constant, 0; `x` is never NaN: a constant, 0
      broadcast_to(0.0, (k,)) with [l] += -1.0 => broadcast_to(0.0, (k,)) with [l] = -1.0
  9  fold-back [E]    # the value is known while the graph is built
      -1.0, which is printed as before
  10  minus-one-hot-back [R D]
      # the sign of the stored value; zeros have none; `x` is large enough: a constant, 0; `x` is
      # small enough: a constant, 0; `x` is never NaN: a constant, 0
      broadcast_to(0.0, (k,)) with [l] = -1.0 => -(broadcast_to(0.0, (k,)) with [l] = 1.0)
  11  same-sum-of-products [R O]  f64(k) * 0 => 0.0    # the same sum of products in index form
  12-13  fold [E]  2 times    # the value is known while the graph is built
  14  same-sum-of-products [R O]    # the same sum of products in index form
      -(softmax(z, axis=0) * -1) => softmax(z, axis=0)
  15  sub-add-neg-back [E]    # subtraction is addition of the negation
      d_z = softmax(z, axis=0) + -%11 => softmax(z, axis=0) - %11
nothing to do: inline
z : f64[k]
y : f64[k]
tanh(z - y)
A : f64[n, n]
x : f64[n]
solve(A', x) + solve(A, x)
A : f64[n, n]
x : f64[n]
(A, x)
C : f64[4, 6]
C[1][3]
z : f64[k]
y : f64[k]
(z > y, z < y, z == 0)
s : f64
1 / (1 + s)
s : f64
tanh(s)
