# The larger and the smaller of zeros of both signs do not depend on the order.
p : f64 = 0.0
m : f64 = -0.0
(maximum(p, m), maximum(m, p), minimum(p, m), minimum(m, p))
(max([p, m]), max([m, p]), min([p, m]), min([m, p]))
(max([m, m]), min([p, p]), max([m, -1.0]), min([p, 1.0]))
x : f64[40] = zeros(40) with [7] = -0.0
(min(x), min(flip(x)), max(-x), max(flip(-x)), max(x - 1), min(x + 1))
A : f64[3, 2] = [[0, -0.0], [-0.0, -0.0], [-0.0, 0]]
(max(A, axis=0), min(A, axis=0), max(A, axis=1), min(A, axis=1))
(cummax([m, p, m]), f32(max([m, p])), min(f32([p, m])))
(maximum(nan, m), maximum(m, nan), max([p, nan, m]), min([nan, p]))
---
[0] : f64 = 0.0
[1] : f64 = 0.0
[2] : f64 = -0.0
[3] : f64 = -0.0
[0] : f64 = 0.0
[1] : f64 = 0.0
[2] : f64 = -0.0
[3] : f64 = -0.0
[0] : f64 = -0.0
[1] : f64 = 0.0
[2] : f64 = -0.0
[3] : f64 = 0.0
[0] : f64 = -0.0
[1] : f64 = -0.0
[2] : f64 = 0.0
[3] : f64 = 0.0
[4] : f64 = -1.0
[5] : f64 = 1.0
[0] : f64[2] = [0.0, 0.0]
[1] : f64[2] = [-0.0, -0.0]
[2] : f64[3] = [0.0, -0.0, 0.0]
[3] : f64[3] = [-0.0, -0.0, -0.0]
[0] : f64[3] = [-0.0, 0.0, 0.0]
[1] : f32 = 0.0
[2] : f32 = -0.0
[0] : f64 = nan
[1] : f64 = nan
[2] : f64 = nan
[3] : f64 = nan
