x : f64[t, n]
W : f64[n, n]
h0 : f64[n]
rnn = scan t over x from h = h0 { h[t] = tanh(x[t] + h[t-1] @ W) }
:export rnn rnn.py
:export grad(sum(rnn), W) gw.py to=torch
:export rng(7) r.py
:export rnn r.py values=yes
:export rnn r.py to=fortran
:export grad(sum(rnn), W) r.py pass=inline
:export scan t from s = h0[0] { s[t] = s[t-1] / 2; until s[t] < 1 } r.py to=jax
:export rnn r.txt
:help export
---
wrote rnn.py: numpy, 24 lines
wrote gw.py: torch, 43 lines
input.gr:7:9: error: rng has no counterpart in Python with numpy: rng(7)
    :export rng(7) r.py
            ^^^^^^
  hint: random numbers have no counterpart that gives the same ones
input.gr:8:9: error: a size has no value
    :export rnn r.py values=yes
            ^^^
  hint: give it one with :=
input.gr:9:21: error: to= is one of numpy, numba, jax, torch, c
    :export rnn r.py to=fortran
                        ^^^^^^^
input.gr:10:9: error: grad has no counterpart in Python with numpy: value_and_grad(sum(scan(size(x, 0), from=h0, over=x, using=W).trace), W)
    :export grad(sum(rnn), W) r.py pass=inline
            ^^^^^^^^^^^^^^^^^
  hint: a state before the pass differentiate, or after loops, cannot be exported
input.gr:11:9: error: scan has no counterpart in Python with jax: while(from=h0[0])
    :export scan t from s = h0[0] { s[t] = s[t-1] / 2; until s[t] < 1 } r.py to=jax
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: rows of a loop without a number of steps
input.gr:12:1: error: :export needs a file
    :export rnn r.txt
    ^^^^^^^
  hint: :export EXPR FILE [to=numpy|numba|jax|torch|c] [values=yes] [pass=NAME]
:export EXPR FILE [to=numpy|numba|jax|torch|c] [values=yes] [pass=NAME]
an expression as a program in another language
FILE is .py, or .c for C11 that needs only libm.  One function of the inputs that EXPR reads, in the order in
which they were declared; in C with sizes, and NULL or what went wrong as its value.  Loops stay loops: for
and while, functions of Numba, lax.scan and lax.while_loop of JAX.  What is written is the state after the
pass loops, where derivatives are expanded, or after pass=NAME.  values=yes adds a main that evaluates it for
the present values and prints the object of --json.  What a target cannot say (random numbers, say) is an
error that names the node.  `gradus export FILE.gr EXPR -o FILE.c` does the same from a shell.
exit 1
