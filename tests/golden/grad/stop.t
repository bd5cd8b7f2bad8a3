s : f64 = 3
grad(stop_gradient(s) * s, s)
grad(stop_gradient(s), s)
grad(stop_gradient(s), s, unconnected=zero)
---
f64 = 3.0
f64 = 0.0
f64 = 0.0
