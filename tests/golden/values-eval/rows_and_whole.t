# One vector by rows and as a whole in one group: a causal mask. Large enough to go row by row.
i = iota(512)
seen = reshape(i, (512, 1)) >= reshape(i, (1, 512))
A = sin(f64(reshape(i, (512, 1)) * 3 + reshape(i, (1, 512))))
y = softmax(where(seen, A, -1e9))
(sum(y), sum(triu(y, 1)), y[0, 0], y[1, 1])
sigmoid(sin(4.0) - sin(3.0))
---
[0] : f64 = 512.0
[1] : f64 = 0.0
[2] : f64 = 1.0
[3] : f64 = 0.2894776105988367
f64 = 0.2894776105988367
