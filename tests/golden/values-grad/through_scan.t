A : f64[3] = [1, 2, 3]
k : i64 = 4
power = scan t for k from r = ones_like(A) { r[t] = r[t-1] * A }
loss = sum(power.final)
:type grad(loss, A)
grad(loss, A)
grad(sum(power), A)
value_and_grad(loss, A)
B = A * 1
grad(sum(B * A), A)
grad(sum(B * A), [A, B])
grad(grad(A[0] ^ 3, A)[0], A)
f(x) = x ^ 3
grad(f)(2.0)
grad(grad(f))(2.0)
k := 0
grad(loss, A)
---
f64[3]
f64[3] = [4.0, 32.0, 108.0]
f64[3] = [10.0, 49.0, 142.0]
[0] : f64 = 98.0
[1] : f64[3] = [4.0, 32.0, 108.0]
f64[3] = [2.0, 4.0, 6.0]
[0] : f64[3] = [2.0, 4.0, 6.0]
[1] : f64[3] = [1.0, 2.0, 3.0]
f64[3] = [6.0, 0.0, 0.0]
f64 = 12.0
f64 = 12.0
f64[3] = [0.0, 0.0, 0.0]
