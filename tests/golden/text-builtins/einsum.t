# Sums of products by letters.
a : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]
v : f64[3] = [1, 10, 100]
einsum("ij,j->i", a, v)
einsum("ij,kj", a, a)
einsum("ba", a)
einsum("ii", [[1, 2], [3, 4]])
einsum("ii->i", [[1, 2], [3, 4]])
einsum("...j->...", a)
einsum("i,j->ij", [1, 2], v)
einsum("ij,jk,kl->il", a, a', a)
:graph einsum("ij,jk->ik", a, a') ssa=on
:graph einsum("ij,ij->", a, a) ssa=on
w : f64[n, k]
einsum("ij,ij->j", w, w)
grad(einsum("ij,j->", a, v), v)
einsum(a, a)
einsum("ij")
einsum("ij,jk->ik", a)
einsum("ij", a, v)
einsum("ijk", a)
einsum("ij,jk", a, v)
einsum("ij,ik", a, a')
einsum("ii", a)
einsum("ij->k", a)
einsum("ij->ii", a)
einsum("ij->i,j", a)
einsum("i1", a)
einsum("...i...", a)
einsum("i", rng(1))
---
f64[2] = [321.0, 654.0]
f64[2, 2] =
[[14.0, 32.0],
 [32.0, 77.0]]
f64[3, 2] =
[[1.0, 4.0],
 [2.0, 5.0],
 [3.0, 6.0]]
i64 = 5
i64[2] = [1, 4]
f64[2] = [6.0, 15.0]
f64[2, 3] =
[[  1.0,  10.0, 100.0],
 [  2.0,  20.0, 200.0]]
f64[2, 3] =
[[142.0, 188.0, 234.0],
 [340.0, 449.0, 558.0]]
%1 : f64[2, 3] = input{name=a}()
%2 : f64[3, 2] = transpose{axes=(1, 0)}(%1)
%3 : f64[2, 2] = matmul(%1, %2)
return %3
%1 : f64[2, 3] = input{name=a}()
%2 : f64[6] = reshape(%1, 6)
%3 : f64 = matmul(%2, %2)
return %3
f64[k]    # w has no value
  t1 = w'
  sum(t1 * t1, axis=1)
f64[3] = [5.0, 7.0, 9.0]
input.gr:17:8: error: einsum begins with a string of the letters of axes
    einsum(a, a)
           ^
  hint: write it like "ij,jk->ik"
input.gr:18:1: error: einsum(spec, a, b=None, c=None, d=None, e=None, f=None) needs a value for a
    einsum("ij")
    ^^^^^^^^^^^^
input.gr:19:8: error: einsum: "ij,jk->ik" has more terms than the 1 operand
    einsum("ij,jk->ik", a)
           ^^^^^^^^^^^
input.gr:20:17: error: einsum: "ij" has 1 term for 2 operands
    einsum("ij", a, v)
                    ^
input.gr:21:15: error: einsum: operand 1 has 3 letters in "ijk", but it is f64[2, 3]
    einsum("ijk", a)
                  ^
input.gr:22:20: error: einsum: operand 2 has 2 letters in "ij,jk", but it is f64[3]
    einsum("ij,jk", a, v)
                       ^
input.gr:23:20: error: einsum: axis 0 of f64[3, 2] has a different size from that letter before
    einsum("ij,ik", a, a')
                       ^^
input.gr:24:14: error: einsum: axes 0 and 1 of f64[2, 3] have the same letter but different sizes
    einsum("ii", a)
                 ^
input.gr:25:8: error: the result names an axis that no operand has
    einsum("ij->k", a)
           ^^^^^^^
  hint: write it like "ij,jk->ik"
input.gr:26:8: error: the result names an axis twice
    einsum("ij->ii", a)
           ^^^^^^^^
  hint: write it like "ij,jk->ik"
input.gr:27:8: error: the result is one term
    einsum("ij->i,j", a)
           ^^^^^^^^^
  hint: write it like "ij,jk->ik"
input.gr:28:8: error: a term is made of letters and `...`
    einsum("i1", a)
           ^^^^
  hint: write it like "ij,jk->ik"
input.gr:29:8: error: a term can have only one `...`
    einsum("...i...", a)
           ^^^^^^^^^
  hint: write it like "ij,jk->ik"
input.gr:30:13: error: einsum needs numbers, but this is rng
    einsum("i", rng(1))
                ^^^^^^
exit 1
