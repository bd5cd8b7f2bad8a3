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
grad(sum(digamma(x)), x)
grad(sum(scan t for 3 from h = x { h[t] = digamma(h[t-1]) * 2 }), x)
jvp(sum(digamma(x)), x, x)
w = digamma(x) * 2
grad(sum(w), x)
grad(sum(digamma(stop_gradient(x)) * x), x)
---
input.gr:5:1: error: the value does not depend on y
    grad(loss, y)
    ^^^^^^^^^^^^^
  hint: write unconnected=zero if zeros are meant
f64[3] = [0.0, 0.0, 0.0]
input.gr:7:1: error: the value does not depend on y
    grad(loss, [x, y])
    ^^^^^^^^^^^^^^^^^^
  hint: write unconnected=zero if zeros are meant
input.gr:8:1: error: grad differentiates one real number, this is f64[3]
    grad(x, x)
    ^^^^^^^^^^
  hint: use sum(...) for one number, or jacobian(y, x), or vjp(y, x, ybar)
input.gr:9:1: error: grad differentiates one real number, this is i64
    grad(k * 2, k)
    ^^^^^^^^^^^^^^
  hint: cast it to f64 first if its values are meant as real numbers
input.gr:10:1: error: there is no derivative with respect to a value of type i64
    grad(loss, k)
    ^^^^^^^^^^^^^
  hint: cast it to f64 first if its values are meant as real numbers
input.gr:11:1: error: there is no derivative with respect to a value of type i64
    grad(loss, 3)
    ^^^^^^^^^^^^^
  hint: cast it to f64 first if its values are meant as real numbers
f64[3] = [0.0, 0.0, 0.0]
f64[3] = [0.0, 0.0, 0.0]
input.gr:14:1: error: what should be differentiated by?
    grad(loss)
    ^^^^^^^^^^
  hint: grad(loss, x)
input.gr:15:14: error: this vector has type f64[2] but f64[3] is needed
    jvp(loss, x, [1, 2])
                 ^^^^^^
input.gr:16:15: error: this vector has type f64[4] but f64[3] is needed
    vjp(x * 2, x, [1, 2, 3, 4])
                  ^^^^^^^^^^^^
input.gr:17:1: error: grad differentiates one real number, this is i64
    grad(sum(x > 1), x)
    ^^^^^^^^^^^^^^^^^^^
  hint: cast it to f64 first if its values are meant as real numbers
input.gr:18:1: error: this derivative does not exist: digamma has no derivative
    grad(sum(digamma(x)), x)
    ^^^^^^^^^^^^^^^^^^^^^^^^
  hint: stop_gradient(...) around it leaves it out
input.gr:19:1: error: this derivative does not exist: digamma has no derivative
    grad(sum(scan t for 3 from h = x { h[t] = digamma(h[t-1]) * 2 }), x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: stop_gradient(...) around it leaves it out
input.gr:20:1: error: this derivative does not exist: digamma has no derivative
    jvp(sum(digamma(x)), x, x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: stop_gradient(...) around it leaves it out
input.gr:22:1: error: this derivative does not exist: digamma has no derivative
    grad(sum(w), x)
    ^^^^^^^^^^^^^^^
  hint: stop_gradient(...) around it leaves it out
f64[3] = [-0.5772156649015323, 0.42278433509846747, 0.9227843350984675]
exit 1
