limit : f64 = 45
powers = scan t for 1024 from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > limit }
W : f64[2, 2] = [[0.1, 0.2], [0.3, 0.4]]
u : f64[n, 2]
H = scan t over u from h = zeros(2) { h[t] = tanh(u[t] + h[t-1] @ W) }
loss = sum(H ^ 2)
# what cannot be said or written
:export loss loss.py blas=on
:export loss loss.c values=on
:export loss loss.c to=cobol
:export loss missing/loss.c
:export loss
:export loss f.c steps=on
---
input.gr:8:9: error: numpy does not call BLAS itself
    :export loss loss.py blas=on
            ^^^^
  hint: f.c and to=c do
input.gr:9:9: error: c cannot express loss: the size n has no value
    :export loss loss.c values=on
            ^^^^
input.gr:10:24: error: to= is one of c, numpy, numba, jax, torch, latex, typst, document
    :export loss loss.c to=cobol
                           ^^^^^
input.gr:11:14: error: missing/loss.c cannot be written: No such file or directory
    :export loss missing/loss.c
                 ^^^^^^^^^^^^^^
input.gr:12:1: error: :export needs a file that ends in .c, .py, .tex, .typ, .md or .html
    :export loss
    ^^^^^^^
  hint: :export [EXPR] FILE.c|.py|.tex|.typ|.md|.html [to=c|numpy|numba|jax|torch|latex|typst|document] [steps=on] [open=K|all] [values=on] [grad=native] [blas=on] [allow=O]
input.gr:13:9: error: c does not tell steps
    :export loss f.c steps=on
            ^^^^
  hint: f.tex and f.typ do, and f.md and f.html
exit 3
