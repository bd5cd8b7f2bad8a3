# An integer has one zero: what was -0.3 is 0, not -0, in native code too.
x : f64[6] = [-0.3, 0.2, -0.0, 1.7, -1.7, -0.9]
1 / f64(i64(x * 1.1))
1 / f32(i32(f32(x)))
max(1 / (f64(i64(x)) * 1.0))
---
f64[6] = [inf, inf, inf, 1.0, -1.0, inf]
f32[6] = [inf, inf, inf, 1.0, -1.0, inf]
f64 = inf
