# What is decided where a derivative has no single value.
z : f64[3] = [-1, 0, 1]
p : f64[2] = [0, 0]
grad(sum(abs(z)), z)
grad(sum(relu(z)), z)
grad(max(p), p)
grad(sum(maximum(z, 0)), z)
grad(sum(p ^ 0), p)
e : f64[2] = [0, 2]
grad(sum(p ^ e), p)
grad(sum(p ^ e), e)
grad(sum(where(z > 0, log(z), z)), z)
grad(sum(stop_gradient(z) * z), z)
grad(norm(p), p)
---
f64[3] = [-1.0, 0.0, 1.0]
f64[3] = [0.0, 0.0, 1.0]
f64[2] = [0.5, 0.5]
f64[3] = [0.0, 0.5, 1.0]
f64[2] = [0.0, 0.0]
f64[2] = [0.0, 0.0]
f64[2] = [0.0, 0.0]
f64[3] = [1.0, 1.0, 1.0]
f64[3] = [-1.0, 0.0, 1.0]
f64[2] = [0.0, 0.0]
