x : f64 = 2
w = scan t from a = 1.0 { a[t] = (a[t-1] + x / a[t-1]) / 2; until abs(a[t] ^ 2 - x) < 1e-12 }
w
w.steps
w.stopped
s = scan t for 4 from a = 1.0 { a[t] = a[t-1] * 2; until a[t] > 1000 }
s
s.stopped
u : f64[5] = [1, 2, 3, 4, 5]
scan t over u from a = 0.0 { a[t] = a[t-1] + u[t]; until a[t] >= 6 }
scan t over u { a[t] = u[t]; until t == 1 }
---
w : f64[5] = [1.5, 1.41667, 1.41422, 1.41421, 1.41421]
i64 = 5
bool = true
s : f64[4] = [2.0, 4.0, 8.0, 16.0]
bool = false
f64[3] = [1.0, 3.0, 6.0]
f64[2] = [1.0, 2.0]
