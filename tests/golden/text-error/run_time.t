# Found only when run.
n : i64 = 3
i : i64 = 5
x : f64[m] = [1, 2, 3]
y : f64[p] = [1, 2]
x[i]
x[n]
x[-4]
zeros(n) + arange(n)
zeros(n) + arange(i)
n // (n - 3)
2 ^ (n - 9)
solve([[1.0, 1], [1, 1]], [1.0, 2])
cholesky([[1.0, 2], [2, 1]])
reshape(x, (n, 2))
x + y
if n > 5 then x[9] else x[0]
zeros(n - 9)
scan t for n from s = 1 { s[t] = s[t-1] // (t - 1) }
load("missing.npy")
max(x[3:])
---
input.gr:6:1: error: index 5 is out of range for axis 0 of f64[3]
    x[i]
    ^^^^
input.gr:7:1: error: index 3 is out of range for axis 0 of f64[3]
    x[n]
    ^^^^
input.gr:8:1: error: index -4 is out of range for axis 0 of f64[3]
    x[-4]
    ^^^^^
f64[3] = [0.0, 1.0, 2.0]
input.gr:10:1: error: shapes (5,) and (3,) do not match: axis 0 is 5 and 3
    zeros(n) + arange(i)
    ^^^^^^^^^^^^^^^^^^^^
input.gr:11:1: error: integer division by zero
    n // (n - 3)
    ^^^^^^^^^^^^
input.gr:12:1: error: integer to a negative power
    2 ^ (n - 9)
    ^^^^^^^^^^^
input.gr:13:1: error: solve: singular matrix
    solve([[1.0, 1], [1, 1]], [1.0, 2])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:14:1: error: cholesky: matrix is not positive definite
    cholesky([[1.0, 2], [2, 1]])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:15:1: error: reshape: 3 elements of shape (3,) do not fit into (3, 2)
    reshape(x, (n, 2))
    ^^^^^^^^^^^^^^^^^^
input.gr:16:1: error: shapes (2,) and (3,) do not match: axis 0 is 2 and 3
    x + y
    ^^^^^
f64 = 1.0
input.gr:18:1: error: a size cannot be negative, but axis 0 has -6
    zeros(n - 9)
    ^^^^^^^^^^^^
input.gr:19:34: error: integer division by zero, in row 1 of the loop
    scan t for n from s = 1 { s[t] = s[t-1] // (t - 1) }
                                     ^^^^^^^^^^^^^^^^^
input.gr:20:6: error: missing.npy: No such file or directory
    load("missing.npy")
         ^^^^^^^^^^^^^
input.gr:21:1: error: max: there is no element to choose from
    max(x[3:])
    ^^^^^^^^^^
exit 3
