c : f64 = 0.5
v : f64[V] = [1.0, 2, 3]
y = (if c > 0 then v else ones(3)) * c
y
grad(sum(sqr(y)), c)
grad(sum(sqr(y)), v)
---
y : f64[3] = [0.5, 1.0, 1.5]
f64 = 14.0
f64[3] = [0.5, 1.0, 1.5]
