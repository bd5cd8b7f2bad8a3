# Rows of nothing but -inf: a softmax of zeros, and nothing flows back through their logsumexp
x : f64[2, 3] = [[-inf, -inf, -inf], [1, 2, 3]]
y : f32[2, 3] = [[-inf, -inf, -inf], [1, 2, 3]]
softmax(x, axis=1)
softmax(x, axis=0)
softmax(y)
log_softmax(x, axis=1)
logsumexp(x, axis=1)
grad(sum(sqr(exp(logsumexp(x, axis=1)))), x)
# what is infinite or no number in another way stays so
softmax([inf, 1.0])
softmax([nan, 1.0])
---
f64[2, 3] =
[[0.0,       0.0,       0.0],
 [0.0900306, 0.244728,  0.665241]]
f64[2, 3] =
[[0.0, 0.0, 0.0],
 [1.0, 1.0, 1.0]]
f32[2, 3] =
[[0.0,       0.0,       0.0],
 [0.0900306, 0.244728,  0.665241]]
f64[2, 3] =
[[-inf,        -inf,        -inf],
 [  -2.40761,    -1.40761,    -0.407606]]
f64[2] = [-inf, 3.40761]
f64[2, 3] =
[[   0.0,      0.0,      0.0],
 [ 164.145,  446.194, 1212.88]]
f64[2] = [nan, nan]
f64[2] = [nan, nan]
