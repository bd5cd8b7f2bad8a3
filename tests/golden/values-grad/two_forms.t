# Every derivative in two forms: of a node by a node, and of a function.
k2 : f64[2] = [1, 2]
s : f64 = 2
u : f64[2] = [1, 2]
jacobian(x -> x^2)(u)
hessian(x -> sum(x^3))(u)
jacobian(x -> (x * x, sum(x)))(u)
jacobian(p -> p.a * sum(p.b))((a=s, b=u))
hessian(p -> p.a ^ 2 * sum(p.b))((a=s, b=u))
f(x, k) = sin(x) * k
jacobian(f)(u, 3)
jacobian(jacobian(x -> x ^ 3))(u)
J = jacobian(f)
J(u, k2)
jacobian(x -> x * u)(x=u)
jacobian(x -> u)(u)
jacobian(x -> k2, unconnected=zero)(u)
hessian(x -> x)(u)
jacobian(x -> x > 1)(u)
jacobian(u > 1, u)
jacobian(u)
hessian(sum(u))
jacobian(sin)(u)
vmap(jacobian(x -> x ^ 2))(u)
x : f64 = 1.5
R = scan t for 6 from r = x { r[t] = r[t-1] * x + 1 }
jacobian(R, x)
jacobian(R, x, truncate=2)
grad(sum(R), x, truncate=2)
vjp(R, x, ones(6), truncate=2)
jvp(R, x, 1, truncate=2)
jvp(R, x, 1)
grad(z -> sum(scan t for 6 from r = z { r[t] = r[t-1] * z + 1 }), truncate=2)(x)
jacobian(z -> (scan t for 6 from r = z { r[t] = r[t-1] * z + 1 }), truncate=2)(x)
jvp(z -> (scan t for 6 from r = z { r[t] = r[t-1] * z + 1 }), truncate=2)(x, 1)
vjp(z -> (scan t for 6 from r = z { r[t] = r[t-1] * z + 1 }), truncate=2)(x, ones(6))
value_and_grad(z -> sum(scan t for 6 from r = z { r[t] = r[t-1] * z + 1 }), truncate=2)(x)
hessian(sum(R), x)
hessian(sum(R), x, truncate=2)
jacobian(grad(sum(R), x, truncate=2), x)
hessian(sum(R), x, truncate=6)
y : f64
Q = scan t for 6 from r = y { r[t] = r[t-1] * y + 1 }
jvp(Q, y, 1, truncate=2)
jvp(z -> (scan t for 6 from r = z { r[t] = r[t-1] * z + 1 }), truncate=2)(y, 1)
jvp(Q, y, 1, truncate=-1)
jacobian(z -> z, truncate=x)
a : f64 = 2
# what is wanted depends on another
grad([a, a * 2][0] * a, a)
value_and_grad((p, q) -> p * q, truncate=1)(a, a)
jvp((p, q) -> sum(scan t for 3 from r = p { r[t] = r[t-1] * q }), truncate=1)(a, a, (1., 1.))
S = scan t for 5 from s = x checkpoint 2 { s[t] = s[t-1] * x }
jacobian(S, x)
jacobian(z -> (scan t for 5 from s = z checkpoint 2 { s[t] = s[t-1] * z }))(x)
hessian(z -> (scan t for 5 from s = z checkpoint auto { s[t] = s[t-1] * z }).last)(x)
jvp(S, x, 1)
---
f64[2, 2] =
[[2.0, 0.0],
 [0.0, 4.0]]
f64[2, 2] =
[[ 6.0,  0.0],
 [ 0.0, 12.0]]
[0] : f64[2, 2] =
[[2.0, 0.0],
 [0.0, 4.0]]
[1] : f64[2] = [1.0, 1.0]
.a : f64 = 3.0
.b : f64[2] = [2.0, 2.0]
.a.a : f64 = 6.0
.a.b : f64[2] = [4.0, 4.0]
.b.a : f64[2] = [4.0, 4.0]
.b.b : f64[2, 2] =
[[0.0, 0.0],
 [0.0, 0.0]]
f64[2, 2] =
[[ 1.62091, -0.0],
 [ 0.0,     -1.24844]]
f64[2, 2, 2] =
[[[ 6.0,  0.0],
  [ 0.0,  0.0]],

 [[ 0.0,  0.0],
  [ 0.0, 12.0]]]
f64[2, 2] =
[[ 0.540302, -0.0],
 [ 0.0,      -0.832294]]
input.gr:15:1: error: jacobian(f) takes its arguments by position
    jacobian(x -> x * u)(x=u)
    ^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write the values in the order of the parameters
input.gr:16:1: error: this value does not depend on the variable of differentiation, so there is nothing to differentiate
    jacobian(x -> u)(u)
    ^^^^^^^^^^^^^^^^^^^
  hint: if a zero gradient is intended, pass unconnected=zero
f64[2, 2] =
[[0.0, 0.0],
 [0.0, 0.0]]
input.gr:18:1: error: grad needs a floating-point scalar, but this is f64[2]
    hessian(x -> x)(u)
    ^^^^^^^^^^^^^^^^^^
  hint: reduce it to a scalar with sum(...), or use jacobian(y, x) or vjp(y, x, ybar)
input.gr:19:1: error: there is no derivative of a value of type bool[2]
    jacobian(x -> x > 1)(u)
    ^^^^^^^^^^^^^^^^^^^^^^^
  hint: cast it to f64 first if its values are meant as real numbers
input.gr:20:10: error: there is no derivative of a value of type bool[2]
    jacobian(u > 1, u)
             ^^^^^
  hint: cast it to f64 first if its values are meant as real numbers
input.gr:21:1: error: grad needs a second argument: what to differentiate with respect to
    jacobian(u)
    ^^^^^^^^^^^
  hint: jacobian(y, x)
input.gr:22:1: error: grad needs a second argument: what to differentiate with respect to
    hessian(sum(u))
    ^^^^^^^^^^^^^^^
  hint: hessian(loss, x)
f64[2, 2] =
[[ 0.540302, -0.0],
 [ 0.0,      -0.416147]]
f64[2] = [2.0, 4.0]
f64[6] = [3.0, 7.75, 17.5, 36.0625, 69.8125, 129.297]
f64[6] = [0.0, 0.0, 0.0, 0.0, 15.7188, 48.1562]
f64 = 63.875
f64 = 63.875
f64[6] = [0.0, 0.0, 0.0, 0.0, 15.7188, 48.1562]
f64[6] = [3.0, 7.75, 17.5, 36.0625, 69.8125, 129.297]
f64 = 63.875
f64[6] = [0.0, 0.0, 0.0, 0.0, 15.7188, 48.1562]
f64[6] = [0.0, 0.0, 0.0, 0.0, 15.7188, 48.1562]
f64 = 63.875
[0] : f64 = 97.1015625
[1] : f64 = 63.875
f64 = 732.8125
f64 = 31.4375
f64 = 31.4375
f64 = 732.8125
f64[6]    # y has no value
  jvp(scan t for 6 from r = y {
    r[t] = r[t-1] * y + 1
  }, y, 1.0, truncate=2)
f64[6]    # y has no value
  jvp(scan t for 6 from r = y {
    r[t] = r[t-1] * y + 1
  }, y, 1.0, truncate=2)
input.gr:46:23: error: a derivative cannot go through -1 steps
    jvp(Q, y, 1, truncate=-1)
                          ^^
  hint: truncate=0 lets nothing through a loop
input.gr:47:27: error: truncate must be a whole number known while the graph is built
    jacobian(z -> z, truncate=x)
                              ^
f64 = 4.0
[0] : f64 = 4.0
[1] : f64 = 2.0
f64 = 8.0
f64[5] = [3.0, 6.75, 13.5, 25.3125, 45.5625]
f64[5] = [3.0, 6.75, 13.5, 25.3125, 45.5625]
f64 = 151.875
f64[5] = [3.0, 6.75, 13.5, 25.3125, 45.5625]
exit 1
