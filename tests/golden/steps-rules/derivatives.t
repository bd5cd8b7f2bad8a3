# Patterns over derivatives and maps: what stands inside depends on their variable, outside it is taken at the operand.
x : f64[3] = [1, 2, 3]
w : f64[3] = [1, 2, 3]
:rule grad-sum [R grows]: grad(f + g, x) => grad(f, x) + grad(g, x)
:steps grad(sum(exp(x)) + sum(w * x), x) pass=canonicalize
grad(sum(exp(x)) + sum(w * x), x)
:rule grad-scale [R]: grad(c * f, x) => c * grad(f, x) if constant(c)
:steps grad(sum(w) * sum(exp(x)), x) pass=canonicalize
:rule grad-scale2 [R]: grad(c * f, x) => c * grad(f, x)
:rule grad-exp [R]: grad(exp(f), x) => exp(f) * grad(f, x)
:steps grad(exp(sum(x*x)), x) pass=canonicalize
grad(exp(sum(x)), x)
:rule grad-exp2 [R]: grad(exp(f), x) => f * grad(f, x)
:rule vjp-neg [R]: vjp(-y, x, dy) => -vjp(y, x, dy)
:rule vjp-neg2 [R]: vjp(-y, x, dy) => vjp(y, x, dy)
:rule jvp-sum [R grows]: jvp(y + z, x, dx) => jvp(y, x, dx) + jvp(z, x, dx)
:rule jvp-sum2 [R grows]: jvp(y * z, x, dx) => jvp(y, x, dx) * jvp(z, x, dx)
:rule vmap-exp [R]: vmap(v -> exp(y))(a) => exp(vmap(v -> y)(a))
:rule vmap-id [E]: vmap(v -> v)(a:any) => a
:rule vmap-id2 [E]: vmap(v -> y)(a) => y
:rule vmap-id3 [E]: vmap(v -> y)(a) => a
:rule gx [R]: grad(x * x, x) => 2 * x
:rule gx0 [R]: grad(x * z, x) => z
:rule gx1 [R]: grad(y, x) => zeros_like(x)
:rule gx2 [R]: grad(y, 2 * x) => zeros_like(x)
:rule gx3 [R]: grad(y, x) => grad(y, z)
:rule gx4 [R]: grad(grad(y, x), x) => zeros_like(x)
:rule gx5 [R]: grad(y) => zeros_like(x)
:rule gx6 [R]: vmap(f)(a) => a
vmap(v -> exp(2 * v))(x)
# What the derivative may not need comes out of it only if it cannot fail.
k : i64[3] = [1, 2, 3]
:whynot grad-scale grad(sum(f64(6 // k)) * sum(exp(x)), x)
:whynot grad-scale grad(sum(sin(x)) * sum(exp(x)), x)
:whynot grad-scale sum(x)
:whynot vmap-id x
---
grad-sum [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 11 -> 14 nodes, done
  1  grad-sum [R]
      grad(sum(exp(x)) + sum(w * x), x) => d_x = grad(sum(w * x), x) + grad(sum(exp(x)), x)
f64[3] = [3.71828, 9.38906, 23.0855]
grad-scale [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 10 -> 9 nodes, done
  1  grad-scale [R]    # c depends on nothing that varies there
      grad(sum(w) * sum(exp(x)), x) => d_x = sum(w) * grad(sum(exp(x)), x)
input.gr:9:7: error: not accepted: for x = [[[0.54, -2.173, -2.404], [-1.905, 0.838, 2.859], [-1.875, -1.117, -1.676]], [[-2.98, 1.603, 0.776], [0.036, 0.699, -1.45], [2.506, 0.489, 0.213]], [[0.685, -1.102, -0.128], [2.93, 1.802, -0.616], [0.281, 1.943, -2.345]]], c = -0.5393728, f = 35.10848 the left side is 31.181776, the right side 30.112846
    :rule grad-scale2 [R]: grad(c * f, x) => c * grad(f, x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
grad-exp [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 7 -> 10 nodes, done
  1  grad-exp [R]  grad(exp(sum(x * x)), x) => d_x = exp(sum(x * x)) * grad(sum(x * x), x)
f64[3] = [403.429, 403.429, 403.429]
input.gr:13:7: error: not accepted: for x = [[[1.198, -2.925, 1.861], [2.95, 1.889, -0.305], [2.05, 1.611, 2.551]], [[1.912, 2.648, -2.931], [0.008, -1.366, -1.842], [1.729, 2.273, 0.15]], [[1.732, -0.058, -1.947], [1.509, -1.472, -1.814], [1.987, 1.661, -1.005]]], f = 30.204783692999992 the left side is -35665930602152.37, the right side -82.14070106176575
    :rule grad-exp2 [R]: grad(exp(f), x) => f * grad(f, x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
vjp-neg [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:15:7: error: not accepted: for x = [[[1.198, -2.925, 1.861], [2.95, 1.889, -0.305], [2.05, 1.611, 2.551]], [[1.912, 2.648, -2.931], [0.008, -1.366, -1.842], [1.729, 2.273, 0.15]], [[1.732, -0.058, -1.947], [1.509, -1.472, -1.814], [1.987, 1.661, -1.005]]], y = [[[-1.6289565400000000e+00, 1.2311544374999999e+01, -5.5724834890000000e+00], [8.1716475000000000e+00, 4.2748485579999995e+00, 2.5805135000000000e-01], [1.2901675000000000e+00, 1.3988780189999999e+00, -1.8598723658000004e+01]], [[1.6231503360000000e+00, 1.8511426560000000e+01, -9.6817876470000000e+00], [9.9968000000000000e-05, 5.3664894560000010e+00, -4.0783427280000000e+00], [7.9160397680000010e+00, -1.0715381146000000e+01, -1.9552500000000000e-02]], [[-4.2537504319999995e+00, -4.7230560000000000e-03, 1.0803805650000001e+01], [1.3207069800000001e-01, 4.3032330240000000e+00, -2.4350410400000000e+00], [1.1441793762000001e+01, -1.0208007700000000e+00, 4.1108017499999990e-01]]], dy = [[[1.221, -1.756, -0.865], [0.414, -0.75, 2.816], [-1.123, -1.14, -2.293]], [[-2.484, -2.239, -0.671], [-1.15, -1.603, 0.334], [0.519, -2.246, -2.627]], [[-2.485, -0.978, -1.694], [1.039, 1.356, -0.18], [0.501, 2.791, 0.527]]] the left side is 3.32046066, the right side -3.32046066
    :rule vjp-neg2 [R]: vjp(-y, x, dy) => vjp(y, x, dy)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
jvp-sum [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:17:7: error: not accepted: for x = [[[1.974, 1.149, -1.623], [1.094, -0.695, 0.308], [-2.13, -0.386, 2.569]], [[-1.43, -0.13, -1.052], [2.081, -0.51, -2.732], [1.636, -2.975, -1.385]], [[2.978, 2.13, -0.233], [-2.116, -0.392, -1.085], [2.51, 0.209, -1.682]]], y = [[[-2.145, -1.818, -2.292], [0.74, -0.576, -1.83], [-1.266, 2.477, -1.89]], [[0.497, 1.379, 0.23], [0.568, 1.873, -1.474], [-0.055, 1.367, 0.678]], [[0.403, 0.268, 0.508], [1.281, 1.495, -1.391], [2.667, -0.876, 1.85]]], z = [[[3.896676, 1.320201, 2.634129], [1.1968360000000002, 0.4830249999999999, 0.094864], [4.536899999999999, 0.14899600000000002, 6.599761]], [[2.0448999999999997, 0.016900000000000002, 1.1067040000000001], [4.330560999999999, 0.2601, 7.463824000000002], [2.6764959999999998, 8.850625, 1.918225]], [[8.868484, 4.536899999999999, 0.054289000000000004], [4.477456, 0.15366400000000002, 1.177225], [6.300099999999999, 0.043681, 2.8291239999999998]]], dx = [[[-1.697, 1.258, 0.783], [-0.273, -2.121, 2.265], [-1.7, 2.549, 2.105]], [[1.695, -2.984, 1.23], [1.154, 1.929, 2.244], [-0.281, 2.114, 2.715]], [[1.436, 2.351, -2.222], [-1.259, 0.539, -1.144], [-1.005, -1.69, -1.98]]] the left side is 14.37097662, the right side -0.0
    :rule jvp-sum2 [R grows]: jvp(y * z, x, dx) => jvp(y, x, dx) * jvp(z, x, dx)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
vmap-exp [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
vmap-id [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
vmap-id2 [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:21:7: error: not accepted: for a = [[1.974, 1.149, -1.623], [1.094, -0.695, 0.308], [-2.13, -0.386, 2.569]], y = [-0.13, -1.052, 2.081] the left side is -0.13, the right side 1.974
    :rule vmap-id3 [E]: vmap(v -> y)(a) => a
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
gx [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:23:7: error: not accepted: for x = 6.0, z = -0.2794154981989259 the left side is 5.48160622170327, the right side -0.2794154981989259
    :rule gx0 [R]: grad(x * z, x) => z
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:24:7: error: not accepted: for x = [[[1.974, 1.149, -1.623], [1.094, -0.695, 0.308], [-2.13, -0.386, 2.569]], [[-1.43, -0.13, -1.052], [2.081, -0.51, -2.732], [1.636, -2.975, -1.385]], [[2.978, 2.13, -0.233], [-2.116, -0.392, -1.085], [2.51, 0.209, -1.682]]], y = -4.1113027148571755 the left side is 0.8416274665820935, the right side 0.0
    :rule gx1 [R]: grad(y, x) => zeros_like(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:25:24: error: the variable of a derivative must be a name
    :rule gx2 [R]: grad(y, 2 * x) => zeros_like(x)
                           ^^^^^
  hint: grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)
input.gr:26:30: error: z is not the variable of a derivative or map on the left side
    :rule gx3 [R]: grad(y, x) => grad(y, z)
                                 ^^^^^^^^^^
  hint: grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)
input.gr:27:16: error: two nested derivatives have the same variable
    :rule gx4 [R]: grad(grad(y, x), x) => zeros_like(x)
                   ^^^^^^^^^^^^^^^^^^^
  hint: grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)
input.gr:28:16: error: this derivative or map is not allowed in a rule
    :rule gx5 [R]: grad(y) => zeros_like(x)
                   ^^^^^^^
  hint: grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)
input.gr:29:16: error: this derivative or map is not allowed in a rule
    :rule gx6 [R]: vmap(f)(a) => a
                   ^^^^^^^^^^
  hint: grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)
f64[3] = [7.38906, 54.5982, 403.429]
grad-scale does not fire
  at %10, grad(sum(%4) * sum(%6), x): the condition constant(c) does not hold, or cannot be proved, for c = `sum(exp(x))`
  `:help grad-scale`: what it matches, and when
grad-scale does not fire
  at %8, grad(sum(%2) * sum(%4), x): the condition constant(c) does not hold, or cannot be proved, for c = `sum(exp(x))`
  `:help grad-scale`: what it matches, and when
grad-scale does not fire
  there is no grad in it
vmap-id does not fire
  there is no vmap in it
exit 1
