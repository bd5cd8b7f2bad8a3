# The second argument of jacobian and hessian is a node or a list of nodes, as with grad.
x : f64[2] = [1, 2]
w : f64[2] = [3, 4]
s : f64 = 2
jacobian(x * w, [x, w])
jacobian(x * w, (w,))
jacobian(s * s, [s])
hessian(s * sum(x * x), [s, x])
# one wanted node depends on another: each derivative is the total one
u = x * 2
jacobian(u * x, [u, x])
map(v -> jacobian(v * x, [x, w], unconnected=zero), x)
# what does not depend on it is an error, or zero where that is asked for
jacobian(x * 2, s)
jacobian(x * 2, [x, s])
jacobian(x * 2, [x, s], unconnected=zero)
hessian(sum(x * x), [x, w])
hessian(sum(x * x), w, unconnected=zero)
jacobian(x, [1.0, 2.0])
# a loss that is linear depends on x all the same
hessian(sum(x), x)
hessian(3 * s, s)
---
[0] : f64[2, 2] =
[[3.0, 0.0],
 [0.0, 4.0]]
[1] : f64[2, 2] =
[[1.0, 0.0],
 [0.0, 2.0]]
[0] : f64[2, 2] =
[[1.0, 0.0],
 [0.0, 2.0]]
[0] : f64 = 4.0
[0][0] : f64 = 0.0
[0][1] : f64[2] = [2.0, 4.0]
[1][0] : f64[2] = [2.0, 4.0]
[1][1] : f64[2, 2] =
[[4.0, 0.0],
 [0.0, 4.0]]
[0] : f64[2, 2] =
[[1.0, 0.0],
 [0.0, 2.0]]
[1] : f64[2, 2] =
[[4.0, 0.0],
 [0.0, 8.0]]
[0] : f64[2, 2, 2] =
[[[2.0, 0.0],
  [2.0, 1.0]],

 [[2.0, 1.0],
  [0.0, 4.0]]]
[1] : f64[2, 2, 2] =
[[[0.0, 0.0],
  [0.0, 0.0]],

 [[0.0, 0.0],
  [0.0, 0.0]]]
input.gr:14:1: error: this value does not depend on s, so there is nothing to differentiate
    jacobian(x * 2, s)
    ^^^^^^^^^^^^^^^^^^
  hint: if a zero gradient is intended, pass unconnected=zero
input.gr:15:1: error: this value does not depend on s, so there is nothing to differentiate
    jacobian(x * 2, [x, s])
    ^^^^^^^^^^^^^^^^^^^^^^^
  hint: if a zero gradient is intended, pass unconnected=zero
[0] : f64[2, 2] =
[[2.0, 0.0],
 [0.0, 2.0]]
[1] : f64[2] = [0.0, 0.0]
input.gr:17:1: error: this value does not depend on w, so there is nothing to differentiate
    hessian(sum(x * x), [x, w])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if a zero gradient is intended, pass unconnected=zero
f64[2, 2] =
[[0.0, 0.0],
 [0.0, 0.0]]
input.gr:19:1: error: there is no derivative with respect to a constant
    jacobian(x, [1.0, 2.0])
    ^^^^^^^^^^^^^^^^^^^^^^^
  hint: declare it as an input: x : f64 = 2
f64[2, 2] =
[[0.0, 0.0],
 [0.0, 0.0]]
f64 = 0.0
exit 1
