# Weak numbers take the dtype that their context needs; others promote.
h : f32[2] = [1, 2]
i : i32 = 3
h * 2
c = 2
h * c
h + 0.5
i * 2
i + 0.5
i / 2
7 // 2
-7 // 2
-7 % 3
7.5 // 2
true + true
i64(h) + i
h + f64(1)
h + i64(1)
i32(2.9)
i32(-2.9)
i64(nan)
i32(1e30)
bool(nan)
1 / 3
2 ^ 10
0 ^ 0
2 ^ -1.0
-2 ^ 2
1e400
not (1 < 2) or 3 >= 3
if i > 2 then "big" else "small"
---
f32[2] = [2.0, 4.0]
f32[2] = [2.0, 4.0]
f32[2] = [1.5, 2.5]
i32 = 6
f64 = 3.5
f64 = 1.5
i64 = 3
i64 = -4
i64 = 2
f64 = 3.0
i64 = 2
i64[2] = [4, 5]
f64[2] = [2.0, 3.0]
input.gr:18:5: note: this is i64, and with f32 it gives f64; f32(...) around it keeps f32
    h + i64(1)
        ^^^^^^
f64[2] = [2.0, 3.0]
i32 = 2
i32 = -2
i64 = 0
i32 = 2147483647
bool = true
f64 = 0.3333333333333333
i64 = 1024
i64 = 1
f64 = 0.5
i64 = -4
input.gr:29:1: error: the number 1e400 is too large for f64
    1e400
    ^^^^^
  hint: write inf if infinity is meant
bool = true
input.gr:31:15: error: a branch of `if` must be made of tensors, but this is a string
    if i > 2 then "big" else "small"
                  ^^^^^
exit 1
