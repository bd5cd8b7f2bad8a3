limit : f64 = 45
powers = scan t for 1024 from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > limit }
W : f64[2, 2] = [[0.1, 0.2], [0.3, 0.4]]
u : f64[n, 2]
H = scan t over u from h = zeros(2) { h[t] = tanh(u[t] + h[t-1] @ W) }
loss = sum(H ^ 2)
# what cannot be said or written
:export sum(expand_dims(u, 0), axis=(0, 2)) r.c
:export loss loss.py blas=yes
:export loss loss.c values=yes
:export loss loss.c to=cobol
:export loss missing/loss.c
:export loss
:export loss f.c steps=yes
---
input.gr:8:9: error: c cannot say: a reduction over axes that are not neighbours
    :export sum(expand_dims(u, 0), axis=(0, 2)) r.c
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:9:9: error: numpy does not call BLAS itself
    :export loss loss.py blas=yes
            ^^^^
  hint: f.c and to=c do
input.gr:10:9: error: c cannot say: the size n has no value
    :export loss loss.c values=yes
            ^^^^
input.gr:11:24: error: to= is one of c, numpy, numba, jax, torch, latex, typst
    :export loss loss.c to=cobol
                           ^^^^^
input.gr:12:14: error: missing/loss.c cannot be written: No such file or directory
    :export loss missing/loss.c
                 ^^^^^^^^^^^^^^
input.gr:13:1: error: :export needs a file
    :export loss
    ^^^^^^^
  hint: :export EXPR FILE [to=c|numpy|numba|jax|torch|latex|typst] [values=yes] [grad=native] [blas=yes] [steps=yes]
input.gr:14:9: error: c does not tell steps
    :export loss f.c steps=yes
            ^^^^
  hint: f.tex and f.typ do, and :derivation
exit 3
