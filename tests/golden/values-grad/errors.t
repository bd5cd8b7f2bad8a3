x : f64[3] = [1, 2, 3]
y : f64[3] = [1, 2, 3]
k : i64 = 2
loss = sum(x)
grad(loss, y)
grad(loss, y, unconnected=zero)
grad(loss, [x, y])
grad(x, x)
grad(k * 2, k)
grad(loss, k)
grad(loss, 3)
grad(sum(floor(x)), x)
grad(sum(f64(argmax(x))), x)
grad(loss)
jvp(loss, x, [1, 2])
vjp(x * 2, x, [1, 2, 3, 4])
grad(sum(x > 1), x)
grad(sum(polygamma(x, 1)), x)
grad(sum(scan t for 3 from h = x { h[t] = polygamma(h[t-1], 1) * 2 }), x)
jvp(sum(polygamma(x, 1)), x, x)
w = polygamma(x, 1) * 2
grad(sum(w), x)
grad(sum(polygamma(stop_gradient(x), 2) * x), x)
S = scan t for 3 from h = 1.0, g = x { w = polygamma(g[t-1], 2); h[t] = 2 * h[t-1]; g[t] = w + h[t] }
grad(sum(S.g), x)
jvp(sum(S.g), x, x)
grad(sum(vmap(v -> (scan t for 2 from h = v { h[t] = 1 + polygamma(h[t-1], 3) }).final)(x)), x)
useq : f64[4] = [1, 2, 3, 4]
scan t over useq from y = 0.0 { y[t] = y[t-1] + sum(grad((useq[t] * y[t-1]) ^ 2, useq)) + 1 }
scan t over useq from y = 0.0 { y[t] = y[t-1] + grad((useq[t] * y[t-1]) ^ 2, useq[t]) + 1 }
---
input.gr:5:1: error: this value does not depend on y, so there is nothing to differentiate
    grad(loss, y)
    ^^^^^^^^^^^^^
  hint: if a zero gradient is intended, pass unconnected=zero
f64[3] = [0.0, 0.0, 0.0]
input.gr:7:1: error: this value does not depend on y, so there is nothing to differentiate
    grad(loss, [x, y])
    ^^^^^^^^^^^^^^^^^^
  hint: if a zero gradient is intended, pass unconnected=zero
input.gr:8:1: error: grad needs a floating-point scalar, but this is f64[3]
    grad(x, x)
    ^^^^^^^^^^
  hint: reduce it to a scalar with sum(...), or use jacobian(y, x) or vjp(y, x, ybar)
input.gr:9:1: error: grad needs a floating-point scalar, but this is i64
    grad(k * 2, k)
    ^^^^^^^^^^^^^^
  hint: cast it to f64 first if its values are meant as real numbers
input.gr:10:1: error: cannot differentiate with respect to a value of type i64: only floats have derivatives
    grad(loss, k)
    ^^^^^^^^^^^^^
  hint: cast it to f64 first if its values are meant as real numbers
input.gr:11:1: error: cannot differentiate with respect to a value of type i64: only floats have derivatives
    grad(loss, 3)
    ^^^^^^^^^^^^^
  hint: cast it to f64 first if its values are meant as real numbers
f64[3] = [0.0, 0.0, 0.0]
input.gr:12:1: note: the derivative with respect to x is 0 for all inputs; floor(x) (input.gr:12:10): floor is flat wherever it is smooth
    grad(sum(floor(x)), x)
    ^^^^^^^^^^^^^^^^^^^^^^
f64[3] = [0.0, 0.0, 0.0]
input.gr:13:1: note: the derivative with respect to x is 0 for all inputs; argmax(x) (input.gr:13:14): argmax gives a whole number
    grad(sum(f64(argmax(x))), x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:14:1: error: grad needs a second argument: what to differentiate with respect to
    grad(loss)
    ^^^^^^^^^^
  hint: grad(loss, x)
input.gr:15:14: error: this vector has type f64[2] but f64[3] is needed
    jvp(loss, x, [1, 2])
                 ^^^^^^
input.gr:16:15: error: this vector has type f64[4] but f64[3] is needed
    vjp(x * 2, x, [1, 2, 3, 4])
                  ^^^^^^^^^^^^
input.gr:17:1: error: grad needs a floating-point scalar, but this is i64
    grad(sum(x > 1), x)
    ^^^^^^^^^^^^^^^^^^^
  hint: cast it to f64 first if its values are meant as real numbers
input.gr:18:1: error: cannot differentiate this expression: polygamma has no derivative
    grad(sum(polygamma(x, 1)), x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: it has one with respect to its other argument only; stop_gradient(...) leaves this one out
input.gr:19:1: error: cannot differentiate this expression: polygamma has no derivative; it is in the equation of h[t]
    grad(sum(scan t for 3 from h = x { h[t] = polygamma(h[t-1], 1) * 2 }), x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: it has one with respect to its other argument only; stop_gradient(...) leaves this one out
input.gr:20:1: error: cannot differentiate this expression: polygamma has no derivative
    jvp(sum(polygamma(x, 1)), x, x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: it has one with respect to its other argument only; stop_gradient(...) leaves this one out
input.gr:22:1: error: cannot differentiate this expression: polygamma has no derivative
    grad(sum(w), x)
    ^^^^^^^^^^^^^^^
  hint: it has one with respect to its other argument only; stop_gradient(...) leaves this one out
f64[3] = [0.644934, -0.404114, 0.493939]
input.gr:25:1: error: cannot differentiate this expression: polygamma has no derivative; it is in the definition of w
    grad(sum(S.g), x)
    ^^^^^^^^^^^^^^^^^
  hint: it has one with respect to its other argument only; stop_gradient(...) leaves this one out
input.gr:26:1: error: cannot differentiate this expression: polygamma has no derivative; it is in the definition of w
    jvp(sum(S.g), x, x)
    ^^^^^^^^^^^^^^^^^^^
  hint: it has one with respect to its other argument only; stop_gradient(...) leaves this one out
input.gr:27:1: error: cannot differentiate this expression: polygamma has no derivative; it is in the equation of h[t]
    grad(sum(vmap(v -> (scan t for 2 from h = v { h[t] = 1 + polygamma(h[t-1], 3) }).final)(x)), x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: it has one with respect to its other argument only; stop_gradient(...) leaves this one out
f64[4] = [1.00000e+00, 6.00000e+00, 2.23000e+02, 3.98056e+05]
f64[4] = [1.00000e+00, 6.00000e+00, 2.23000e+02, 3.98056e+05]
exit 1
