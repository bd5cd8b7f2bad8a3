# Linear systems and factorisations: values, and what is refused.
A : f64[2, 2] = [[4, 2], [2, 3]]
b : f64[2] = [2, 4]
solve(A, b)
solve(A, [[1, 0], [0, 1]])
solve_triangular(A, b)
solve_triangular(A, b, lower=true, trans=1, unit_diagonal=true)
cholesky([[4, 2], [2, 5]])
inv([[2, 0], [0, 4]])
det([[2, 1], [1, 3]])
slogdet([[0, 1], [1, 0]])
tril(A)
triu(A, k=1)
diag([1, 2], k=-1)
diag(A)
dot(ones((2, 3, 4)), ones((5, 4, 2)))[0, 0]
size(matmul(ones((2, 1, 3, 4)), ones((5, 4, 2))))
M : f64[n, n]
solve(M, ones(n))
grad(det(A), A)
solve(A)
solve(A, b, 1)
solve(A, B=b)
solve(A, [1, 2, 3])
solve(ones((2, 3)), b)
solve([[1, 2], [2, 4]], b)
solve_triangular(A, b, trans=2)
solve_triangular(A, b, lower=1)
cholesky([[1, 2], [2, 1]])
inv(b)
det("A")
slogdet(rng(1))
tril(b)
triu(A, k=0.5)
diag(1)
dot(A, ones((2, 3, 4)))
matmul(ones((2, 3, 4)), ones((3, 4, 5)))
---
f64[2] = [-0.25, 1.5]
f64[2, 2] =
[[ 0.375, -0.25],
 [-0.25,   0.5]]
f64[2] = [-0.166667, 1.33333]
f64[2] = [-6.0, 4.0]
f64[2, 2] =
[[2.0, 0.0],
 [1.0, 2.0]]
f64[2, 2] =
[[0.5,  0.0],
 [0.0,  0.25]]
f64 = 5.0
[0] : f64 = -1.0
[1] : f64 = 0.0
f64[2, 2] =
[[4.0, 0.0],
 [2.0, 3.0]]
f64[2, 2] =
[[0.0, 2.0],
 [0.0, 0.0]]
i64[3, 3] =
[[0, 0, 0],
 [1, 0, 0],
 [0, 2, 0]]
f64[2] = [4.0, 3.0]
f64[5, 2] =
[[4.0, 4.0],
 [4.0, 4.0],
 [4.0, 4.0],
 [4.0, 4.0],
 [4.0, 4.0]]
i64 = 60
f64[n]    # M has no value
  solve(M, broadcast_to(1.0, (n,)))
f64[2, 2] =
[[ 3.0, -2.0],
 [-2.0,  4.0]]
input.gr:21:1: error: solve(A, b) needs a value for b
    solve(A)
    ^^^^^^^^
input.gr:22:13: error: solve(A, b) is given too many arguments
    solve(A, b, 1)
                ^
input.gr:23:10: error: solve(A, b) has no parameter B
    solve(A, B=b)
             ^
  hint: did you mean b?
input.gr:24:10: error: solve: a right side of type f64[3] does not go with f64[2, 2]
    solve(A, [1, 2, 3])
             ^^^^^^^^^
input.gr:25:7: error: solve needs a square matrix, but this is f64[2, 3]
    solve(ones((2, 3)), b)
          ^^^^^^^^^^^^
input.gr:26:1: error: solve: singular matrix
    solve([[1, 2], [2, 4]], b)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:27:30: error: trans is 0, or 1 for the transpose
    solve_triangular(A, b, trans=2)
                                 ^
input.gr:28:30: error: lower is true or false
    solve_triangular(A, b, lower=1)
                                 ^
input.gr:29:1: error: cholesky: matrix is not positive definite
    cholesky([[1, 2], [2, 1]])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:30:5: error: inv needs a square matrix, but this is f64[2]
    inv(b)
        ^
input.gr:31:5: error: det needs a tensor here, but this is a string
    det("A")
        ^^^
input.gr:32:9: error: slogdet needs numbers, but this is rng
    slogdet(rng(1))
            ^^^^^^
input.gr:33:6: error: tril needs a matrix of numbers, but this is f64[2]
    tril(b)
         ^
input.gr:34:11: error: k must be a whole number known while the graph is built
    triu(A, k=0.5)
              ^^^
input.gr:35:6: error: diag takes a vector or a matrix, but this is i64
    diag(1)
         ^
input.gr:36:1: error: dot: shapes f64[2, 2] and f64[2, 3, 4] do not fit: the last axis of the first and axis 1 of the second differ
    dot(A, ones((2, 3, 4)))
    ^^^^^^^^^^^^^^^^^^^^^^^
input.gr:37:1: error: matmul: shapes f64[2, 3, 4] and f64[3, 4, 5] do not match: axis 0 is 2 and 3
    matmul(ones((2, 3, 4)), ones((3, 4, 5)))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
exit 1
