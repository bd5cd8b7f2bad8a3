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
canonicalize: 1 step, 11 -> 14 nodes, saturated
  1  grad-sum [R]
      grad(sum(exp(x)) + sum(w * x), x) => dx = grad(sum(w * x), x) + grad(sum(exp(x)), x)
f64[3] = [3.7182818284590455, 9.38905609893065, 23.085536923187668]
grad-scale [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 10 -> 9 nodes, saturated
  1  grad-scale [R]    # c depends on nothing that varies there
      grad(sum(w) * sum(exp(x)), x) => dx = sum(w) * grad(sum(exp(x)), x)
input.gr:9:7: error: not accepted: for x = [[1.198, -2.925, 1.861], [2.95, 1.889, -0.305], [2.05, 1.611, 2.551]], c = 39.123418, f = 4.957931097420902 the left side is 26.12877751090029, the right side 11.87920290942048
    :rule grad-scale2 [R]: grad(c * f, x) => c * grad(f, x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
grad-exp [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 7 -> 10 nodes, saturated
  1  grad-exp [R]  grad(exp(sum(x * x)), x) => dx = exp(sum(x * x)) * grad(sum(x * x), x)
f64[3] = [403.4287934927351, 403.4287934927351, 403.4287934927351]
input.gr:13:7: error: not accepted: for x = [[1.198, -2.925, 1.861], [2.95, 1.889, -0.305], [2.05, 1.611, 2.551]], f = 39.123418 the left side is 2.3473149474233056e+17, the right side 93.73970952799999
    :rule grad-exp2 [R]: grad(exp(f), x) => f * grad(f, x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
vjp-neg [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:15:7: error: not accepted: for x = [[1.198, -2.925, 1.861], [2.95, 1.889, -0.305], [2.05, 1.611, 2.551]], y = [[1.435204, 8.555625, 3.463321], [8.7025, 3.568321, 0.093025], [4.2025, 2.5953209999999998, 6.507601000000001]], dy = [[2.648, -2.931, 0.008], [-1.366, -1.842, 1.729], [2.273, 0.15, 1.732]] the left side is -6.344608, the right side 6.344608
    :rule vjp-neg2 [R]: vjp(-y, x, dy) => vjp(y, x, dy)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
jvp-sum [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:17:7: error: not accepted: for x = [[1.198, -2.925, 1.861], [2.95, 1.889, -0.305], [2.05, 1.611, 2.551]], y = [[1.435204, 8.555625, 3.463321], [8.7025, 3.568321, 0.093025], [4.2025, 2.5953209999999998, 6.507601000000001]], z = [[0.9313125068638659, -0.21490314202168712, 0.9581856148315993], [0.19042264736102707, 0.9497989506289197, -0.3002931752092616], [0.8873623686333754, 0.9991919411803744, 0.5568533851526882]], dx = [[2.648, -2.931, 0.008], [-1.366, -1.842, 1.729], [2.273, 0.15, 1.732]] the left side is 7.293006029768166, the right side 6.119104709992607
    :rule jvp-sum2 [R grows]: jvp(y * z, x, dx) => jvp(y, x, dx) * jvp(z, x, dx)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
vmap-exp [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
vmap-id [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
vmap-id2 [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:21:7: error: not accepted: for a = [1.974, 1.149, -1.623], y = -0.695 the left side is -0.695, the right side 1.974
    :rule vmap-id3 [E]: vmap(v -> y)(a) => a
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
gx [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:23:7: error: not accepted: for x = 3.0, z = -2.5642561002507045 the left side is -2.6405304335767226, the right side -2.5642561002507045
    :rule gx0 [R]: grad(x * z, x) => z
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:24:7: error: not accepted: for x = 0.9621438683726397, y = 0.8204192361465553 the left side is 0.5717624305257409, the right side 0.0
    :rule gx1 [R]: grad(y, x) => zeros_like(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:25:24: error: the variable of a derivative is a name
    :rule gx2 [R]: grad(y, 2 * x) => zeros_like(x)
                           ^^^^^
  hint: grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)
input.gr:26:30: error: z is the variable of no derivative or map on the left
    :rule gx3 [R]: grad(y, x) => grad(y, z)
                                 ^^^^^^^^^^
  hint: grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)
input.gr:27:16: error: one variable of two derivatives, one in the other
    :rule gx4 [R]: grad(grad(y, x), x) => zeros_like(x)
                   ^^^^^^^^^^^^^^^^^^^
  hint: grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)
input.gr:28:16: error: a rule cannot say this derivative or map
    :rule gx5 [R]: grad(y) => zeros_like(x)
                   ^^^^^^^
  hint: grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)
input.gr:29:16: error: a rule cannot say this derivative or map
    :rule gx6 [R]: vmap(f)(a) => a
                   ^^^^^^^^^^
  hint: grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)
f64[3] = [7.38905609893065, 54.59815003314424, 403.4287934927351]
grad-scale does not fire
  at %10, grad(sum(%4) * sum(%6), x): the condition constant(c) does not hold, or cannot be proved, for c = `sum(exp(x))`
  at %17, %16 (after step 4): `sum(f64(6 // k))` is no grad of one value by one variable; the pattern has grad(c * f, x)
  at %21, %20 (after step 5): `sum(f64(6 // k)) * exp(x)` is no grad of one value by one variable; the pattern has grad(c * f, x)
grad-scale does not fire
  at %8, grad(sum(%2) * sum(%4), x): the condition constant(c) does not hold, or cannot be proved, for c = `sum(exp(x))`
  at %20, %19 (after step 6): `sum(sin(x))` is no grad of one value by one variable; the pattern has grad(c * f, x)
  at %24, %23[0] (after step 7): `exp(x)` is no grad of one value by one variable; the pattern has grad(c * f, x)
  at %25, %23[1] (after step 7): `sum(exp(x))` is no grad of one value by one variable; the pattern has grad(c * f, x)
  and at 1 more: %K asks about one, step= about one state
grad-scale does not fire
  there is no grad in it
vmap-id does not fire
  there is no vmap in it
exit 1
