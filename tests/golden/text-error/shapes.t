# Both shapes and the axis are named, where it is certain when the graph is built.
a : f64[3] = [1, 2, 3]
b : f64[4] = [1, 2, 3, 4]
A : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]
n1 : f64[n] = [1, 2]
n2 : f64[m] = [1, 2, 3]
a + b
A + b
A * [1, 2]
A @ b
A @ A
a @ A
b'
reshape(A, (4, 2))
reshape(A, (-1, 4))
reshape(A, (-1, -1))
concat((A, b))
concat((A, [[1, 2]]))
stack((a, b))
[a, b]
[[1, 2], [3]]
sum(A, axis=2)
sum(A, axis=-3)
transpose(A, axes=(0, 0))
broadcast_to(a, (3, 2))
squeeze(A, 0)
swapaxes(A, 0, 5)
n1 + n2
match_shape(n1, n2)
where(a > 0, a, b)
A with [0] = b
A with [5] = a
A[0, 0, 0]
A[2]
A[..., ..., 0]
one_hot(a, 3)
zeros((-1, 2))
arange(0, 5, 0)
---
input.gr:7:1: error: add: shapes f64[3] and f64[4] do not match: axis 0 is 3 and 4
    a + b
    ^^^^^
  hint: for all pairs, give one of them an axis of length 1: x[:, None]
input.gr:8:1: error: add: shapes f64[2, 3] and f64[4] do not match: axis 1 is 3 and 4
    A + b
    ^^^^^
input.gr:9:1: error: mul: shapes f64[2, 3] and f64[2] do not match: axis 1 is 3 and 2
    A * [1, 2]
    ^^^^^^^^^^
  hint: give the shorter one an axis of length 1 at the end: x[:, None]
input.gr:10:1: error: @: shapes f64[2, 3] and f64[4] do not fit: the last axis of the first is 3, axis 0 of the second is 4
    A @ b
    ^^^^^
input.gr:11:1: error: @: shapes f64[2, 3] and f64[2, 3] do not fit: the last axis of the first is 3, axis 0 of the second is 2
    A @ A
    ^^^^^
  hint: transpose the second operand: a @ b'
input.gr:12:1: error: @: shapes f64[3] and f64[2, 3] do not fit: the last axis of the first is 3, axis 0 of the second is 2
    a @ A
    ^^^^^
  hint: transpose the second operand: a @ b'
input.gr:13:1: error: x' swaps the last two axes, but this is f64[4]
    b'
    ^^
  hint: a vector has no transpose; use expand_dims(x, 0) for a row
input.gr:14:1: error: reshape: f64[2, 3] and f64[4, 2] have different numbers of elements
    reshape(A, (4, 2))
    ^^^^^^^^^^^^^^^^^^
input.gr:15:12: error: 6 elements cannot be arranged in rows of 4
    reshape(A, (-1, 4))
               ^^^^^^^
input.gr:16:12: error: only one size may be -1, and none less
    reshape(A, (-1, -1))
               ^^^^^^^^
input.gr:17:1: error: concat: f64[2, 3] and f64[4] have 2 and 1 axes
    concat((A, b))
    ^^^^^^^^^^^^^^
input.gr:18:1: error: concat: shapes f64[2, 3] and f64[1, 2] do not match: axis 1 is 3 and 2
    concat((A, [[1, 2]]))
    ^^^^^^^^^^^^^^^^^^^^^
input.gr:19:1: error: concat: shapes f64[1, 3] and f64[1, 4] do not match: axis 1 is 3 and 4
    stack((a, b))
    ^^^^^^^^^^^^^
input.gr:20:5: error: item 1 of the array is f64[4] but item 0 is f64[3]
    [a, b]
        ^
  hint: all items of an array have one shape
input.gr:21:10: error: item 1 of the array is i64[1] but item 0 is i64[2]
    [[1, 2], [3]]
             ^^^
  hint: all items of an array have one shape
input.gr:22:13: error: sum: there is no axis 2, the tensor has 2 axes
    sum(A, axis=2)
                ^
input.gr:23:13: error: sum: there is no axis -3, the tensor has 2 axes
    sum(A, axis=-3)
                ^^
input.gr:24:19: error: the order must name each of the 2 axes once
    transpose(A, axes=(0, 0))
                      ^^^^^^
input.gr:25:1: error: broadcast: shapes f64[3] and f64[3, 2] do not match: axis 0 (axis 1 of the second) is 3 and 2
    broadcast_to(a, (3, 2))
    ^^^^^^^^^^^^^^^^^^^^^^^
input.gr:26:1: error: squeeze: axis 0 of f64[2, 3] is not of length 1
    squeeze(A, 0)
    ^^^^^^^^^^^^^
input.gr:27:16: error: swapaxes: there is no axis 5, the tensor has 2 axes
    swapaxes(A, 0, 5)
                   ^
input.gr:28:1: error: shapes (3,) and (2,) do not match: axis 0 is 3 and 2
    n1 + n2
    ^^^^^^^
input.gr:29:1: error: shapes (2,) and (3,) do not match: axis 0 is 2 and 3
    match_shape(n1, n2)
    ^^^^^^^^^^^^^^^^^^^
input.gr:30:1: error: where: shapes bool[3] and f64[4] do not match: axis 0 is 3 and 4
    where(a > 0, a, b)
    ^^^^^^^^^^^^^^^^^^
  hint: for all pairs, give one of them an axis of length 1: x[:, None]
input.gr:31:9: error: broadcast: shapes f64[4] and f64[3] do not match: axis 0 is 4 and 3
    A with [0] = b
            ^
input.gr:32:9: error: index 5 is out of range for axis 0 of f64[2, 3]
    A with [5] = a
            ^
input.gr:33:1: error: 3 indices for f64[2, 3], which has 2 axes
    A[0, 0, 0]
    ^^^^^^^^^^
input.gr:34:3: error: index 2 is out of range for axis 0 of f64[2, 3]
    A[2]
      ^
input.gr:35:1: error: an index can have only one `...`
    A[..., ..., 0]
    ^^^^^^^^^^^^^^
input.gr:36:9: error: one_hot takes whole numbers, but this is f64[3]
    one_hot(a, 3)
            ^
input.gr:37:1: error: a size cannot be negative, but this is -1
    zeros((-1, 2))
    ^^^^^^^^^^^^^^
input.gr:38:1: error: the step of arange cannot be 0
    arange(0, 5, 0)
    ^^^^^^^^^^^^^^^
exit 1
