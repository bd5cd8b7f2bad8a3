# `if` runs one branch only: what would fail in the other one does not run
u : f64[3] = [1, 2, 3]
i : i64 = 7
zero : i64 = 0
if i < 3 then u[i] else -1.0
scan t for 5 from s = 0.0 { s[t] = s[t-1] + (if t < 3 then u[t] else 0.0) }                    # in a body
scan t for 3 from s = 10 { s[t] = if t < 2 then s[t-1] - 1 else s[t-1] // (zero + 1) }
scan t for 3 { y[t] = if zero == 0 then t else t // zero }
scan t for 9 from s = 0.0 { s[t] = s[t-1] + 1; until if t < 3 then u[t] > 9 else true }        # in `until`
scan t from k = 0 { k[t] = k[t-1] + 1; until if zero == 0 then k[t] >= 4 else k[t] // zero > 0 }
scan a for 2 { y[a] = scan b for 4 from s = 0.0 { s[b] = s[b-1] + (if a + b < 3 then u[a + b] else 0.0) } }   # in an inner loop
scan t for 5 from s = 0.0 { s[t] = s[t-1] + (if t < 4 then u[t] else 0.0) }                    # the taken one fails
scan t for 9 from s = 0.0 { s[t] = s[t-1] + 1; until if t < 4 then u[t] > 9 else true }
grad(sum(scan t for 5 from s = 0.0 { s[t] = s[t-1] + (if t < 3 then u[t] ^ 2 else 0.0) }), u)
---
f64 = -1.0
f64[5] = [1.0, 3.0, 6.0, 6.0, 6.0]
i64[3] = [9, 8, 8]
i64[3] = [0, 1, 2]
f64[4] = [1.0, 2.0, 3.0, 4.0]
i64[4] = [1, 2, 3, 4]
f64[2, 4] =
[[1.0, 3.0, 6.0, 6.0],
 [2.0, 5.0, 5.0, 5.0]]
input.gr:12:60: error: index 3 is out of range for axis 0 of f64[3], in row 3 of the loop
    … = 0.0 { s[t] = s[t-1] + (if t < 4 then u[t] else 0.0) }                    # the taken one fails
                                             ^^^^
input.gr:13:68: error: index 3 is out of range for axis 0 of f64[3], in row 3 of the loop
    scan t for 9 from s = 0.0 { s[t] = s[t-1] + 1; until if t < 4 then u[t] > 9 else true }
                                                                       ^^^^
f64[3] = [10.0, 16.0, 18.0]
exit 1
