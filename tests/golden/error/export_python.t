x : f64[t, n]
W : f64[n, n]
h0 : f64[n]
rnn = scan t over x from h = h0 { h[t] = tanh(x[t] + h[t-1] @ W) }
:export rnn rnn.py
:export grad(sum(rnn), W) gw.py to=torch
:export rng(7) r.py
:export rnn r.py values=on
:export rnn r.py to=fortran
:export rnn r.tex values=on
:export grad(sum(rnn), W) r.py pass=inline
:export scan t from s = h0[0] { s[t] = s[t-1] / 2; until s[t] < 1 } r.py to=jax
:export rnn r.txt
:help export
---
input.gr:7:9: error: numpy cannot say rng(7): random numbers have no counterpart that gives the same ones
    :export rng(7) r.py
            ^^^^^^
input.gr:9:21: error: to= is one of c, numpy, numba, jax, torch, latex, typst, document
    :export rnn r.py to=fortran
                        ^^^^^^^
input.gr:10:9: error: latex is not run, so it shows no values
    :export rnn r.tex values=on
            ^^^
  hint: programs do: f.c, f.py
input.gr:11:32: error: :export takes no pass=
    :export grad(sum(rnn), W) r.py pass=inline
                                   ^^^^^^^^^^^
  hint: it takes to=, steps=, open=, values=, grad=, blas=, allow=
input.gr:12:9: error: jax cannot say scan t from s = h0[0] { s[t] = s[t-1] / 2; until s[t] < 1 }: rows of a loop without a number of steps
    :export scan t from s = h0[0] { s[t] = s[t-1] / 2; until s[t] < 1 } r.py to=jax
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:13:13: error: :export writes no such file as r.txt
    :export rnn r.txt
                ^^^^^
  hint: end it in .c, .py, .tex, .typ, .md or .html
:export [EXPR] FILE.c|.py|.tex|.typ|.md|.html [to=c|numpy|numba|jax|torch|latex|typst|document] [steps=on] [open=K|all] [values=on] [grad=native] [blas=on] [allow=O]
write an expression as a program in another language, as formulas, or its steps as a document
FILE.c: a function in C11 of the inputs and sizes that the expression needs; it gives NULL or what went wrong.
With blas=on it multiplies matrices by cblas.h, else in loops; random numbers are the same as here.
FILE.py: one in Python, with NumPy or to=numba, to=jax, to=torch.
FILE.tex, FILE.typ: formulas in LaTeX (to \input; amsmath, amssymb) and in Typst: a loop is a recurrence, a
derivative is written out, or with grad=native stands under its sign.  With steps=on the derivation: what
was written, then after each step what is written in another way.
FILE.md, FILE.html with steps=on, FILE.tex with to=document (a whole document for pdflatex): the expression and
what it reads, then pass by pass the steps as :steps tells them: rule, class, reason, place, what changed; those
inside a body below the step of its owner.  What a number %k stands for is said where it is first used.  At the
end the result, with its loops.  open=K also tells the child steps of step K (9, or 9.1), open=all those of
every step that opens (:help steps).
Loops stay loops, names stay, derivatives are written out as the passes before `specialize` leave them;
with grad=native JAX and PyTorch take them by jax.grad and torch.autograd.  Forms that may overflow or
underflow where what was written does not (class O, :help O) are written with allow=O only.
values=on: when it is run it evaluates itself at the present values and prints what --json prints, an object
a line.  What the target cannot say is an error that names it.  `gradus export FILE.gr NAME [KEY=VALUE ..] -o
F.c` does the same from a shell.
    x : f64[3]
    :export sum(log(1 + x)) logarithms.c
    :export sum(log(1 + x)) logarithms.py to=numpy
    :export sum(log(1 + x)) logarithms.tex
    :export grad(sum(log(1 + x)), x) derivation.tex steps=on
    :export grad(x[0] ^ 3, x) cube.md steps=on
exit 1
