# NaN, infinities, signed zeros, empty and wide tensors.
x : f64[4] = [nan, inf, -inf, -0.0]
x
max(x)
argmax(x)
sum(zeros(0))
prod(zeros(0))
any(zeros(0) > 1)
mean(zeros(0))
logsumexp(zeros(0))
max(zeros(0))
shape(zeros((0, 3)))
arange(1200)
1 // 0
1 % 0
1 / 0
2 ^ -1
[1, 2, 3][5]
i : i64 = 7
arange(3)[i]
---
x : f64[4] = [nan, inf, -inf, -0.0]
f64 = nan
i64 = 0
f64 = 0.0
f64 = 1.0
bool = false
f64 = nan
f64 = -inf
input.gr:11:1: error: max: there is no element to choose from
    max(zeros(0))
    ^^^^^^^^^^^^^
i64[2] = [0, 3]
i64[1200] = [0, 1, 2, ..., 1197, 1198, 1199]
input.gr:14:1: error: integer division by zero
    1 // 0
    ^^^^^^
input.gr:15:1: error: integer division by zero
    1 % 0
    ^^^^^
f64 = inf
input.gr:17:1: error: integer to a negative power
    2 ^ -1
    ^^^^^^
input.gr:18:11: error: index 5 is out of range for axis 0 of i64[3]
    [1, 2, 3][5]
              ^
input.gr:20:1: error: index 7 is out of range for axis 0 of i64[3]
    arange(3)[i]
    ^^^^^^^^^^^^
exit 1
