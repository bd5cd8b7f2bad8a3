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
[[0.0,                 0.0,                 0.0],
 [0.09003057317038046, 0.24472847105479767, 0.6652409557748218]]
f64[2, 3] =
[[0.0, 0.0, 0.0],
 [1.0, 1.0, 1.0]]
f32[2, 3] =
[[0.0,         0.0,         0.0],
 [0.090030566, 0.24472848,  0.6652409]]
f64[2, 3] =
[[-inf,                   -inf,                   -inf],
 [  -2.4076059644443806,    -1.4076059644443804,    -0.40760596444438035]]
f64[2] = [-inf, 3.4076059644443806]
f64[2, 3] =
[[   0.0,                 0.0,                 0.0],
 [ 164.14548611052513,  446.1936921178171,  1212.880205256912]]
f64[2] = [nan, nan]
f64[2] = [nan, nan]
