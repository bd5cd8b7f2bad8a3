# A bad index behind hundreds of good ones: nothing of the update is to be seen afterwards.
shared W : f64[3] = [1, 2, 3]
x : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]
at : i64[1300] = concat((zeros(1200, dtype=i64), 7 + zeros(100, dtype=i64)))
W := W with [at] += 1.0
W
x := x with [:, at] += 1.0
x
x[:, at]
W[at[:1200]][:2]
W := W with [at[:1200]] += 1.0
W
---
input.gr:5:6: error: index 7 is out of range for axis 0 of f64[3]
    W := W with [at] += 1.0
         ^^^^^^^^^^^^^^^^^^
W : f64[3] = [1.0, 2.0, 3.0]
input.gr:7:6: error: index 7 is out of range for axis 1 of f64[2, 3]
    x := x with [:, at] += 1.0
         ^^^^^^^^^^^^^^^^^^^^^
x : f64[2, 3] =
[[1.0, 2.0, 3.0],
 [4.0, 5.0, 6.0]]
input.gr:9:1: error: index 7 is out of range for axis 1 of f64[2, 3]
    x[:, at]
    ^^^^^^^^
f64[2] = [1.0, 1.0]
W : f64[3] = [1201.0, 2.0, 3.0]
exit 1
