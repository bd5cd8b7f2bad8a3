x : f64[3, 2] = [[1, 2], [3, 4], [5, 6]]
y : f64[3] = [1, 2, 3]
p : (W: f64[2], b: f64) = (W=[0.1, 0.2], b=0.5)
loss(p) = mean((x @ p.W + p.b - y) ^ 2)
grad(loss)(p)
grad(loss(p), p)
grad(loss(p), [p.W, p.b])
value_and_grad(loss)(p)
value_and_grad(loss(p), p)
vjp(loss)(p, 2.0)
jvp(loss)(p, (W=[1, 0], b=1))
jvp(loss(p), p, (W=[1, 0], b=1))
jvp(loss(p), p, ([1, 0], 1))
v(p) = (u=p.W * p.b, s=sum(p.W))
vjp(v)(p, (u=[1, 1], s=2))
vjp(v(p), p, (u=[1, 1], s=2))
jvp(v)(p, p)
jacobian(v(p), p)
hessian(loss(p), p)
norm2(q) = sum(q.W ^ 2) + q.b ^ 2
grad(q -> norm2(grad(loss)(q)))(p)
scaled(p, k) = k * loss(p)
grad(scaled)(p, 3.0)
two(p, q) = p.b * sum(q.W)
grad(two(p, 2 * p), p)
n : (a: (u: f64, v: f64[2]), b: f64) = (a=(u=1, v=[2, 3]), b=4)
grad(n -> n.a.u * sum(n.a.v) * n.b)(n)
grad(p.b * sum(p.W), [p, x], unconnected=zero)
vmap(loss)((W=[[0, 0], [0, 0.5]], b=[0, 0]))
vmap((p, k) -> k * loss(p), in_axes=((W=0, b=None), 0))((W=[[0.0, 0.0], [0, 0.5]], b=0.5), [1.0, 2.0])
vmap(grad(loss), in_axes=((W=None, b=0),))((W=[0, 0.5], b=[0.0, 1.0]))
grad(q -> sum(stop_gradient(q).W * q.W))(p)
grad(grad(f -> f ^ 3))(2.0)
grad(q -> q.b ^ 2, unconnected=zero)(p)
vmap((p, k) -> k * loss(p), in_axes=(0, None))((W=[[0, 0], [0, 0.5]], b=[0, 0]), 2.0)
# mistakes
vmap(loss, in_axes=((b=0, W=0),))((W=[[0, 0], [0, 0.5]], b=[0, 0]))
grad(v)(p)
grad(p.b ^ 2, p)
grad(q -> q.b ^ 2)(p)
grad(loss)((W=[0.1, 0.2], b=true))
jvp(loss(p), p, (b=1, W=[1, 0]))
jvp(loss(p), p, 1.0)
jvp(loss)(p, (W=[1, 0]))
vjp(v(p), p, (u=[1, 1]))
vjp(v(p), p, 2.0)
vmap(loss)((W=[[0, 0], [0, 0.5]], b=0.0))
---
.W : f64[2] = [-3.46667, -4.26667]
.b : f64 = -0.7999999999999998
.W : f64[2] = [-3.46667, -4.26667]
.b : f64 = -0.7999999999999998
[0] : f64[2] = [-3.46667, -4.26667]
[1] : f64 = -0.7999999999999998
[0] : f64 = 0.26666666666666655
[1].W : f64[2] = [-3.46667, -4.26667]
[1].b : f64 = -0.7999999999999998
[0] : f64 = 0.26666666666666655
[1].W : f64[2] = [-3.46667, -4.26667]
[1].b : f64 = -0.7999999999999998
.W : f64[2] = [-6.93333, -8.53333]
.b : f64 = -1.5999999999999996
f64 = -4.266666666666666
f64 = -4.266666666666666
f64 = -4.266666666666666
.W : f64[2] = [2.5, 2.5]
.b : f64 = 0.30000000000000004
.W : f64[2] = [2.5, 2.5]
.b : f64 = 0.30000000000000004
.u : f64[2] = [0.1, 0.2]
.s : f64 = 0.30000000000000004
.u.W : f64[2, 2] =
[[0.5, 0.0],
 [0.0, 0.5]]
.u.b : f64[2] = [0.1, 0.2]
.s.W : f64[2] = [1.0, 1.0]
.s.b : f64 = 0.0
.W.W : f64[2, 2] =
[[23.3333, 29.3333],
 [29.3333, 37.3333]]
.W.b : f64[2] = [6.0, 8.0]
.b.W : f64[2] = [6.0, 8.0]
.b.b : f64 = 2.0
.W : f64[2] = [-421.689, -534.756]
.b : f64 = -113.06666666666662
.W : f64[2] = [-10.4, -12.8]
.b : f64 = -2.3999999999999995
.W : f64[2] = [1.0, 1.0]
.b : f64 = 0.6000000000000001
.a.u : f64 = 20.0
.a.v : f64[2] = [4.0, 4.0]
.b : f64 = 5.0
[0].W : f64[2] = [0.5, 0.5]
[0].b : f64 = 0.30000000000000004
[1] : f64[3, 2] =
[[0.0, 0.0],
 [0.0, 0.0],
 [0.0, 0.0]]
f64[2] = [4.66667, 0.0]
f64[2] = [2.91667, 0.5]
.W : f64[2, 2] =
[[0.0, 0.0],
 [6.0, 8.0]]
.b : f64[2] = [0.0, 2.0]
input.gr:32:1: error: this value does not depend on p.b, so there is nothing to differentiate
    grad(q -> sum(stop_gradient(q).W * q.W))(p)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if a zero gradient is intended, pass unconnected=zero
f64 = 12.0
.W : f64[2] = [0.0, 0.0]
.b : f64 = 1.0
f64[2] = [9.33333, 0.0]
input.gr:37:1: error: vmap: the axes (b: i64, W: i64) do not fit the argument (W: f64[2, 2], b: i64[2])
    vmap(loss, in_axes=((b=0, W=0),))((W=[[0, 0], [0, 0.5]], b=[0, 0]))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: name the parts as the argument does
input.gr:38:1: error: grad needs a tensor here, but this is (u: f64[2], s: f64)
    grad(v)(p)
    ^^^^^^^^^^
  hint: take one of its parts with .u
input.gr:39:1: error: this value does not depend on p.W, so there is nothing to differentiate
    grad(p.b ^ 2, p)
    ^^^^^^^^^^^^^^^^
  hint: if a zero gradient is intended, pass unconnected=zero
input.gr:40:1: error: this value does not depend on p.W, so there is nothing to differentiate
    grad(q -> q.b ^ 2)(p)
    ^^^^^^^^^^^^^^^^^^^^^
  hint: if a zero gradient is intended, pass unconnected=zero
input.gr:41:1: error: there is no derivative with respect to a value of type bool
    grad(loss)((W=[0.1, 0.2], b=true))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:42:17: error: jvp of (W: f64[2], b: f64) needs a vector for each part, but this is (b: i64, W: i64[2])
    jvp(loss(p), p, (b=1, W=[1, 0]))
                    ^^^^^^^^^^^^^^^
  hint: jvp(y, (x, w), (dx, dw))
input.gr:43:17: error: jvp of (W: f64[2], b: f64) needs a vector for each part, but this is f64
    jvp(loss(p), p, 1.0)
                    ^^^
  hint: jvp(y, (x, w), (dx, dw))
input.gr:44:1: error: jvp of (W: f64[2], b: f64) needs a vector for each part, but this is (W: i64[2])
    jvp(loss)(p, (W=[1, 0]))
    ^^^^^^^^^^^^^^^^^^^^^^^^
  hint: jvp(y, (x, w), (dx, dw))
input.gr:45:14: error: vjp of (u: f64[2], s: f64) needs a vector for each part, but this is (u: i64[2])
    vjp(v(p), p, (u=[1, 1]))
                 ^^^^^^^^^^
  hint: vjp((y, z), x, (ybar, zbar))
input.gr:46:14: error: vjp of (u: f64[2], s: f64) needs a vector for each part, but this is f64
    vjp(v(p), p, 2.0)
                 ^^^
  hint: vjp((y, z), x, (ybar, zbar))
input.gr:47:1: error: vmap: an argument of type f64 has no axis to map over
    vmap(loss)((W=[[0, 0], [0, 0.5]], b=0.0))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: give it None in in_axes: in_axes=(0, None)
exit 1
