# An error inside a function.
f(a, b) = {
  c = a + b
  c * 2
}
f([1, 2, 3], 1)
f([1, 2, 3], [1, 2])
g(x) = f(x, [1, 2])
g([1, 2, 3])
---
i64[3] = [4, 6, 8]
input.gr:3:7: error: add: shapes i64[3] and i64[2] do not match: axis 0 is 3 and 2
      c = a + b
          ^^^^^
  hint: for all pairs, give one of them an axis of length 1: x[:, None]
input.gr:7:1: note: in this call of f
    f([1, 2, 3], [1, 2])
    ^^^^^^^^^^^^^^^^^^^^
input.gr:3:7: error: add: shapes i64[3] and i64[2] do not match: axis 0 is 3 and 2
      c = a + b
          ^^^^^
  hint: for all pairs, give one of them an axis of length 1: x[:, None]
input.gr:8:8: note: in this call of f
    g(x) = f(x, [1, 2])
           ^^^^^^^^^^^^
input.gr:9:1: note: in this call of g
    g([1, 2, 3])
    ^^^^^^^^^^^^
exit 1
