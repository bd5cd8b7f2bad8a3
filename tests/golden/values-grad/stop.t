s : f64 = 3
grad(stop_gradient(s) * s, s)
grad(stop_gradient(s), s)
grad(stop_gradient(s), s, unconnected=zero)
---
f64 = 3.0
f64 = 0.0
input.gr:3:1: note: the derivative with respect to s is 0 for all inputs; stop_gradient(s) (input.gr:3:6): stop_gradient
    grad(stop_gradient(s), s)
    ^^^^^^^^^^^^^^^^^^^^^^^^^
f64 = 0.0
input.gr:4:1: note: the derivative with respect to s is 0 for all inputs; stop_gradient(s) (input.gr:4:6): stop_gradient
    grad(stop_gradient(s), s, unconnected=zero)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
