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
input.gr:7:9: error: numpy cannot express rng(7): the target has no generator that gives the same random numbers
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
input.gr:12:9: error: jax cannot express scan t from s = h0[0] { s[t] = s[t-1] / 2; until s[t] < 1 }: the trace of a loop without a step count
    :export scan t from s = h0[0] { s[t] = s[t-1] / 2; until s[t] < 1 } r.py to=jax
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:13:13: error: :export writes no such file as r.txt
    :export rnn r.txt
                ^^^^^
  hint: end it in .c, .py, .tex, .typ, .md or .html
:export [EXPR] FILE.c|.py|.tex|.typ|.md|.html [to=c|numpy|numba|jax|torch|latex|typst|document] [steps=on] [open=K|all] [values=on] [grad=native] [blas=on] [allow=O]
write an expression as Python, C, LaTeX or Typst source
FILE.c: a C11 function of the inputs and sizes that the expression needs; it returns NULL or an error message.
With blas=on it multiplies matrices through cblas.h, otherwise in loops; random numbers are the same as here.
FILE.py: a Python function, with NumPy or to=numba, to=jax, to=torch.
FILE.tex, FILE.typ: formulas in LaTeX (for \input; amsmath, amssymb) or Typst: a loop is a recurrence, a
derivative is expanded, or with grad=native shown by its symbol.  With steps=on the derivation: the expression as
written, then after each step the part that changed.
FILE.md or FILE.html with steps=on, FILE.tex with to=document (a complete document for pdflatex): the expression
and its inputs, then the steps by pass as :steps lists them: rule, class, reason, place and change; those inside a
body under the step of their owner.  A number %k is explained where it is first used.  The result, with its
loops, comes last.  open=K adds the substeps of step K (9, or 9.1), open=all those of every step that has them
(:help steps).
Loops and names are kept; derivatives are expanded as the passes before `specialize` leave them; with
grad=native, JAX and PyTorch take them through jax.grad and torch.autograd.  Forms that may overflow or underflow
where the original does not (class O, :help O) are written with allow=O only.
values=on: when the program is run, it evaluates itself at the present values and prints one JSON object per
line, as --json does.  Anything that the target cannot express is an error that names it.
`gradus export FILE.gr NAME [KEY=VALUE ..] -o F.c` does the same from a shell.
    x : f64[3]
    :export sum(log(1 + x)) logarithms.c
    :export sum(log(1 + x)) logarithms.py to=numpy
    :export sum(log(1 + x)) logarithms.tex
    :export grad(sum(log(1 + x)), x) derivation.tex steps=on
    :export grad(x[0] ^ 3, x) cube.md steps=on
exit 1
