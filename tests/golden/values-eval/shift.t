x : i32[3] = [1, 2, 3]
x << 2
1 << 3 + 1
x >> 1 == 0
x << 2 >> 1
y : i64
(y << 1) * 2 - (y << 1)
1.5 << 2
1 << 64
---
i32[3] = [4, 8, 12]
i64 = 16
bool[3] = [true, false, false]
i32[3] = [2, 4, 6]
i64    # y has no value
  t1 = y << 1
  t1 * 2 - t1
input.gr:8:1: error: left_shift is not defined for f64
    1.5 << 2
    ^^^^^^^^
input.gr:9:1: error: shift by a negative number or by all bits
    1 << 64
    ^^^^^^^
exit 1
