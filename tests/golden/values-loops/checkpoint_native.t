# the rows between two checkpoints are there once, not once for each checkpoint (asan-native looks for what is left)
r : f64 = 2.7
A = scan t for 5000 from x = 0.3 checkpoint auto { x[t] = r * x[t-1] * (1 - x[t-1]) }
grad(A.final, r)
---
f64 = 0.13717421124828572
