u : f64[3] = [1, 2, 3]
f(i) = if i < 3 then u[i] else 0.0
f(4)
grad(f(4) * u[0], u)
vmap(f)([1, 2, 3, 4])
g(v) = if size(v, 0) > 5 then v[5] else v[0]
g(u)
k : i64 = 7
if k < 3 then (u with [7] = 1.0) else u
if k > 3 then (u with [7] = 1.0) else u
scan t for 5 from s = 0.0 { s[t] = s[t-1] + (if t < 3 then u[t] else u[9]) }
scan t for 5 from s = 0.0 { s[t] = s[t-1] + (if t < 5 then u[t % 3] else u[9]) }
h(i) = if i == 0 then 0 else 6 // i
vmap(h)([0, 1, 2, 3])
scan t for 4 { r[t] = h(t) }
# a loop that would not end, in the branch that the lane does not take
spin(x) = (scan t from s = x { s[t] = s[t-1] * 1.0; until s[t] > 1 }).final
lazy(x) = if x > 1 then spin(x) else 0.5
vmap(lazy)([2.0, 0.5, 3.0])
vmap(grad(lazy))([2.0, 0.5, 3.0])
---
input.gr:2:24: note: index 4 is out of range for axis 0 of f64[3]: an error if this branch runs
    f(i) = if i < 3 then u[i] else 0.0
                           ^
f64 = 0.0
input.gr:2:24: note: index 4 is out of range for axis 0 of f64[3]: an error if this branch runs
    f(i) = if i < 3 then u[i] else 0.0
                           ^
f64[3] = [0.0, 0.0, 0.0]
f64[4] = [2.0, 3.0, 0.0, 0.0]
input.gr:6:33: note: index 5 is out of range for axis 0 of f64[3]: an error if this branch runs
    g(v) = if size(v, 0) > 5 then v[5] else v[0]
                                    ^
f64 = 1.0
input.gr:9:24: note: index 7 is out of range for axis 0 of f64[3]: an error if this branch runs
    if k < 3 then (u with [7] = 1.0) else u
                           ^
f64[3] = [1.0, 2.0, 3.0]
input.gr:10:24: note: index 7 is out of range for axis 0 of f64[3]: an error if this branch runs
    if k > 3 then (u with [7] = 1.0) else u
                           ^
input.gr:10:16: error: index 7 is out of range for axis 0 of f64[3]
    if k > 3 then (u with [7] = 1.0) else u
                   ^^^^^^^^^^^^^^^^
input.gr:11:72: note: index 9 is out of range for axis 0 of f64[3]: an error if this branch runs
    scan t for 5 from s = 0.0 { s[t] = s[t-1] + (if t < 3 then u[t] else u[9]) }
                                                                           ^
input.gr:11:70: error: index 9 is out of range for axis 0 of f64[3], in row 3 of the loop
    scan t for 5 from s = 0.0 { s[t] = s[t-1] + (if t < 3 then u[t] else u[9]) }
                                                                         ^^^^
input.gr:12:76: note: index 9 is out of range for axis 0 of f64[3]: an error if this branch runs
    scan t for 5 from s = 0.0 { s[t] = s[t-1] + (if t < 5 then u[t % 3] else u[9]) }
                                                                               ^
f64[5] = [1.0, 3.0, 6.0, 7.0, 9.0]
i64[4] = [0, 6, 3, 2]
i64[4] = [0, 6, 3, 2]
f64[3] = [2.0, 0.5, 3.0]
f64[3] = [1.0, 0.0, 1.0]
exit 1
