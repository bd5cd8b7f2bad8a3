# Arrays that only values of rows make, among what is done row by row.
s : f64 = -0.793
A : f64[3, 3] = [[0.679, -0.768, 0.668], [0.329, 0.343, 0.609], [0.631, -0.787, -0.703]]
v = s / (2 + cos(f64(sum(f32(A), axis=1))))
g1 = grad(sum(sin(v)) + 0.5 * sum(sqr(A)), A)
g2 = grad(sum(cos(g1) + g1 * A), A)
g3 = grad(sum(cos(g2) + g2 * A), A)
g3
X : f64[4, 3] = reshape(cos(arange(12)), (4, 3))
r = max(X, axis=1, keepdims=true)
sum(broadcast_to(exp(r) * 3, (4, 3)), axis=1)
(scan i for 3 from z = X { z[i] = z[i-1] * 0.5 + broadcast_to(sqr(max(z[i-1], axis=1, keepdims=true)), (4, 3)) }).final
---
g3 : f64[3, 3] =
[[ 0.738056, -0.879534,  0.723653],
 [ 0.310783,  0.325416,  0.621117],
 [ 0.699611, -0.873251, -0.756884]]
f64[4] = [24.4645, 11.9519, 23.5093, 9.03992]
f64[4, 3] =
[[ 1.05000e+01,  1.04425e+01,  1.03230e+01],
 [-5.31450e-02, -1.11013e-02,  1.06062e-01],
 [ 8.44431e+00,  8.41853e+00,  8.30610e+00],
 [-1.13883e-01, -1.04875e-01,  5.61858e-04]]
