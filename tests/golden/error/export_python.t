x : f64[t, n]
W : f64[n, n]
h0 : f64[n]
rnn = scan t over x from h = h0 { h[t] = tanh(x[t] + h[t-1] @ W) }
:export rnn rnn.py
:export grad(sum(rnn), W) gw.py to=torch
:export rng(7) r.py
:export rnn r.py values=yes
:export rnn r.py to=fortran
:export rnn r.tex values=yes
:export grad(sum(rnn), W) r.py pass=inline
:export scan t from s = h0[0] { s[t] = s[t-1] / 2; until s[t] < 1 } r.py to=jax
:export rnn r.txt
:help export
---
input.gr:7:9: error: numpy cannot say: rng(7) (random numbers have no counterpart that gives the same ones)
    :export rng(7) r.py
            ^^^^^^
input.gr:9:21: error: to= is one of c, numpy, numba, jax, torch, latex, typst
    :export rnn r.py to=fortran
                        ^^^^^^^
input.gr:10:9: error: latex is not run, so it shows no values
    :export rnn r.tex values=yes
            ^^^
  hint: programs do: f.c, f.py
input.gr:11:32: error: :export takes no pass=
    :export grad(sum(rnn), W) r.py pass=inline
                                   ^^^^^^^^^^^
  hint: it takes to=, values=, grad=, blas=, steps=
input.gr:12:9: error: jax cannot say: while(from=h0[0]) (rows of a loop without a number of steps)
    :export scan t from s = h0[0] { s[t] = s[t-1] / 2; until s[t] < 1 } r.py to=jax
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:13:1: error: :export needs a file
    :export rnn r.txt
    ^^^^^^^
  hint: :export EXPR FILE [to=c|numpy|numba|jax|torch|latex|typst] [values=yes] [grad=native] [blas=yes] [steps=yes]
:export EXPR FILE [to=c|numpy|numba|jax|torch|latex|typst] [values=yes] [grad=native] [blas=yes] [steps=yes]
write an expression as a program in another language, or as formulas
FILE.c: a function in C11 of the inputs and sizes that the expression needs; it gives NULL or what went wrong.
With blas=yes it multiplies matrices by cblas.h, else in loops; random numbers are the same as here.
FILE.py: one in Python, with NumPy or to=numba, to=jax, to=torch.
FILE.tex, FILE.typ: formulas in LaTeX (to \input; amsmath, amssymb) and in Typst: a loop is a recurrence, a
derivative is written out, or with grad=native stands under its sign.  With steps=yes the derivation: what
was written, then after each step what is written in another way.
Loops stay loops, names stay, derivatives are written out as the passes before `specialize` leave them;
with grad=native JAX and PyTorch take them by jax.grad and torch.autograd.
values=yes: when it is run it evaluates itself at the present values and prints what --json prints, an object
a line.  What the target cannot say is an error that names it.  `gradus export FILE.gr NAME -o F.c` does the
same from a shell.
    x : f64[3]
    :export sum(log(1 + x)) logarithms.c
    :export sum(log(1 + x)) logarithms.py to=numpy
    :export sum(log(1 + x)) logarithms.tex
    :export grad(sum(log(1 + x)), x) derivation.tex steps=yes
exit 1
