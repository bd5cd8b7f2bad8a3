# Every form of statement.
x : f64[n]                        # an input without a value
k : i64 = 4
shared W : f64[2, 2] = [[1, 2], [3, 4]]
y = x * 2
y                                 # the typed graph: x has no value
x := [1, 2, 3]
y
a, _, b = (k, 2, k + 1)
(a, b)
f(x, w, scale=1) = scale * x @ w
f([1, 1], W)
f([1, 1], W, scale=10)
W, v := W - 0.5, k + 1            # v was not declared: an input with that value
W
v
repeat 3 { W := 2 * W }
W
in alt { W := 0 * W ; sum(W) }
sum(W)
in alt { sum(W) }
1 + 1; 2 + 2
3 +
4
(1 +
 2)
:type y
---
y : f64[n]    # x has no value
  x * 2
y : f64[3] = [2.0, 4.0, 6.0]
[0] : i64 = 4
[1] : i64 = 5
f64[2] = [4.0, 6.0]
f64[2] = [40.0, 60.0]
W : f64[2, 2] =
[[0.5, 1.5],
 [2.5, 3.5]]
v : i64 = 5
W : f64[2, 2] =
[[ 4.0, 12.0],
 [20.0, 28.0]]
f64 = 0.0
f64 = 64.0
f64 = 0.0
i64 = 2
i64 = 4
i64 = 7
i64 = 3
f64[n]
