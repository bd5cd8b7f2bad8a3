# Several index arrays at once.
x : i64[2, 3, 4] = reshape(arange(24), (2, 3, 4))
i : i64[2] = [0, 1]
x[i, [2, 0]]
x[i, :, [1, -1]]
x[:, i, [1, -1]]
x[[[0], [1]], i, 0]
x[i, 0, ..., None, [3, 3]]
x[0, :, i]
(x with [i, [2, 0]] = 0)[:, :, 0]
(x with [[0, 0], 1, [2, 2]] += 100)[0, 1]
(x with [i, 1:, i] = [[1, 2], [3, 4]])[1]
:graph x[i, [2, 0]] ssa=on
f(t) = t[i, i]
f(x)
y : f64[2, 2] = [[1, 2], [3, 4]]
grad(sum(y[i, [1, 1]] * [1, 10]), y)
grad(sum((y with [i, i] = 0.0) * y), y)
if true then x[i, [0, 9]] else x[i, [0, 0]]
x[i, [0, 9]]
x[i, i + 2]
x[i, [0, 1, 2]]
x[i, i, i, i]
x[i, [0.5, 1.0]]
x[x > 3]
x[x > 3, i]
x[..., i, ..., i]
x with [i, i] = [1, 2, 3]
x with [i, i] = 0.5
x with [i, None, i] = 0
---
i64[2, 4] =
[[ 8,  9, 10, 11],
 [12, 13, 14, 15]]
i64[2, 3] =
[[ 1,  5,  9],
 [15, 19, 23]]
i64[2, 2] =
[[ 1,  7],
 [13, 19]]
i64[2, 2] =
[[ 0,  4],
 [12, 16]]
i64[2, 1] =
[[ 3],
 [15]]
i64[2, 3] =
[[0, 4, 8],
 [1, 5, 9]]
i64[2, 3] =
[[ 0,  4,  0],
 [ 0, 16, 20]]
i64[4] = [4, 5, 206, 7]
i64[3, 4] =
[[12, 13, 14, 15],
 [16,  3, 18, 19],
 [20,  4, 22, 23]]
%1 : i64[2, 3, 4] = input{name=x}()
%2 : i64[6, 4] = reshape(%1, 6, 4)
%3 : i64[2] = iota(2)
%4 : i64[2] = input{name=i}()
%5 : i64[2] = gather{axis=0}(%3, %4)
%6 : i64[2] = mul(%5, 3)
%7 : i64[2] = const{value=[2, 0]}()
%8 : i64[2] = add(%6, %7)
%9 : i64[2, 4] = gather{axis=0}(%2, %8)
return %9
i64[2, 4] =
[[ 0,  1,  2,  3],
 [16, 17, 18, 19]]
f64[2, 2] =
[[ 0.0,  1.0],
 [ 0.0, 10.0]]
f64[2, 2] =
[[0.0, 4.0],
 [6.0, 0.0]]
input.gr:19:1: error: index 9 is out of range for axis 1 of i64[1, 3]
    if true then x[i, [0, 9]] else x[i, [0, 0]]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:20:6: error: index 9 is out of range for axis 1 of i64[2, 3, 4]
    x[i, [0, 9]]
         ^^^^^^
input.gr:21:1: error: index 3 is out of range for axis 1 of i64[1, 3]
    x[i, i + 2]
    ^^^^^^^^^^^
input.gr:22:6: error: index arrays of shapes i64[2] and i64[3] do not broadcast together
    x[i, [0, 1, 2]]
         ^^^^^^^^^
input.gr:23:1: error: 4 indices for i64[2, 3, 4], which has 3 axes
    x[i, i, i, i]
    ^^^^^^^^^^^^^
input.gr:24:6: error: an index must be whole numbers, but this is f64[2]
    x[i, [0.5, 1.0]]
         ^^^^^^^^^^
  hint: cast it with i64(...)
i64[20] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
input.gr:26:3: error: an index must be whole numbers, but this is bool[2, 3, 4]
    x[x > 3, i]
      ^^^^^
  hint: a mask must be the only index, x[mask]; or use where(mask, a, b)
input.gr:27:1: error: an index can have only one `...`
    x[..., i, ..., i]
    ^^^^^^^^^^^^^^^^^
input.gr:28:12: error: broadcast: shapes i64[3] and i64[2, 4] do not match: axis 0 (axis 1 of the second) is 3 and 4
    x with [i, i] = [1, 2, 3]
               ^
input.gr:29:17: error: storing f64 in an array of i64 would lose precision or range
    x with [i, i] = 0.5
                    ^^^
  hint: cast the value or, before the write, the array
input.gr:30:12: error: `None` is not allowed on the left of a write
    x with [i, None, i] = 0
               ^^^^
exit 1
