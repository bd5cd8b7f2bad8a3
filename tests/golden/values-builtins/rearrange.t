# Sorting, rolling, padding, repeating.
x : f64[2, 3] = [[3, 1, 2], [6, 5, 4]]
sort(x)
sort(x, axis=0)
sort([2, nan, 1, -inf])
argsort(x, axis=None)
searchsorted([1, 2, 2, 3], [2, 0, 9])
searchsorted([1, 2, 2, 3], 2, side="right")
roll(x, 1)
roll(x, -1, axis=1)
roll(x, (1, 1), axis=(0, 1))
pad([1, 2], 1)
pad(x, ((1, 0), (0, 2)), constant_values=7)
tile([1, 2], (2, 2))
repeat([1, 2], 2)
repeat(x, [2, 0], axis=0)
y : i64 = 0
repeat 3 { y := y + 1 }
y
permutation(rng(1), 1)[0]
categorical(rng(1), [0, 0, 1])[0]
sort(1)
sort(x, axis=2)
sort(x, axis="last")
argsort(rng(1))
searchsorted(x, 1)
searchsorted([1, 2], 1, side="middle")
roll(x, 1, axis=2)
roll(x, 0.5)
roll(x, (1, 2, 3), axis=(0, 1))
pad(x, -1)
pad(x, (1, 2, 3))
pad(x, ((1, 1), (1, 1), (1, 1)))
pad([1, 2], 1, constant_values=0.5)
tile(x, -1)
tile(x, (1, 1, 1, 1, 1, 1, 1, 1, 1))
repeat(x, -1)
repeat(x, 1.5)
repeat([1, 2], [1, 2, 3])
repeat([1, 2], [1, -1])
repeat(x)
permutation(3, 3)
permutation(rng(1), -1)
categorical(rng(1), 0.5)
---
f64[2, 3] =
[[1.0, 2.0, 3.0],
 [4.0, 5.0, 6.0]]
f64[2, 3] =
[[3.0, 1.0, 2.0],
 [6.0, 5.0, 4.0]]
f64[4] = [-inf, 1.0, 2.0, nan]
i64[6] = [1, 2, 0, 5, 4, 3]
i64[3] = [1, 0, 4]
i64 = 3
f64[2, 3] =
[[4.0, 3.0, 1.0],
 [2.0, 6.0, 5.0]]
f64[2, 3] =
[[1.0, 2.0, 3.0],
 [5.0, 4.0, 6.0]]
f64[2, 3] =
[[4.0, 6.0, 5.0],
 [2.0, 3.0, 1.0]]
i64[4] = [0, 1, 2, 0]
f64[3, 5] =
[[7.0, 7.0, 7.0, 7.0, 7.0],
 [3.0, 1.0, 2.0, 7.0, 7.0],
 [6.0, 5.0, 4.0, 7.0, 7.0]]
i64[2, 4] =
[[1, 2, 1, 2],
 [1, 2, 1, 2]]
i64[4] = [1, 1, 2, 2]
f64[2, 3] =
[[3.0, 1.0, 2.0],
 [3.0, 1.0, 2.0]]
y : i64 = 3
i64[1] = [0]
i64 = 2
input.gr:22:1: error: sort: there is no axis -1, the tensor has 0 axes
    sort(1)
    ^^^^^^^
input.gr:23:14: error: sort: there is no axis 2, the tensor has 2 axes
    sort(x, axis=2)
                 ^
input.gr:24:14: error: axis needs a tensor here, but this is a string
    sort(x, axis="last")
                 ^^^^^^
input.gr:25:9: error: argsort needs numbers or bools, but this is rng
    argsort(rng(1))
            ^^^^^^
input.gr:26:14: error: searchsorted takes a sorted vector, but this is f64[2, 3]
    searchsorted(x, 1)
                 ^
input.gr:27:30: error: side is "left" or "right"
    searchsorted([1, 2], 1, side="middle")
                                 ^^^^^^^^
input.gr:28:17: error: roll: there is no axis 2, the tensor has 2 axes
    roll(x, 1, axis=2)
                    ^
input.gr:29:9: error: the shift of roll must be a whole number, but this is f64
    roll(x, 0.5)
            ^^^
input.gr:30:9: error: 3 items are given for 2 axes
    roll(x, (1, 2, 3), axis=(0, 1))
            ^^^^^^^^^
input.gr:31:8: error: a width of pad cannot be negative
    pad(x, -1)
           ^^
  hint: take a slice to make it smaller
input.gr:32:8: error: the widths of an axis are (before, after)
    pad(x, (1, 2, 3))
           ^^^^^^^^^
  hint: write ((1, 2), (0, 0)) for two axes
input.gr:33:8: error: 3 pairs of widths for 2 axes
    pad(x, ((1, 1), (1, 1), (1, 1)))
           ^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:34:32: error: f64 cannot be put around i64[2]
    pad([1, 2], 1, constant_values=0.5)
                                   ^^^
input.gr:35:9: error: a number of copies cannot be negative
    tile(x, -1)
            ^^
input.gr:36:9: error: a tensor can have at most 8 axes
    tile(x, (1, 1, 1, 1, 1, 1, 1, 1, 1))
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:37:11: error: a number of copies cannot be negative
    repeat(x, -1)
              ^^
input.gr:38:11: error: the number of copies must be a whole number or a vector of them, but this is f64
    repeat(x, 1.5)
              ^^^
input.gr:39:16: error: match_shape: shapes i64[3] and i64[2] do not match: axis 0 is 3 and 2
    repeat([1, 2], [1, 2, 3])
                   ^^^^^^^^^
input.gr:40:1: error: repeat: a number of copies is negative
    repeat([1, 2], [1, -1])
    ^^^^^^^^^^^^^^^^^^^^^^^
input.gr:41:1: error: repeat(x, n, axis=None) needs a value for n
    repeat(x)
    ^^^^^^^^^
input.gr:42:13: error: permutation draws from a generator's state, but this is i64
    permutation(3, 3)
                ^
  hint: make one with rng(seed)
input.gr:43:21: error: the length of a permutation cannot be negative
    permutation(rng(1), -1)
                        ^^
input.gr:44:21: error: categorical takes rows of probabilities, but this is f64
    categorical(rng(1), 0.5)
                        ^^^
exit 1
