x : f64[3]
w : f64
S = scan t for 4 from s = x { s[t] = tanh(w * s[t-1]) }
L = sum(S.final ^ 2)
root = scan t for 50 from r = 1.0 { r[t] = (r[t-1] + w / r[t-1]) / 2; until abs(r[t] ^ 2 - w) < 1e-12 }
:export grad(L, w) no.py grad=native
:export grad(L, w) no.c grad=native
:export grad(root.final, w) no.py to=jax grad=native
:export vjp(S.final, x, [1, 2, 3]) no.py to=torch grad=native
:export grad(L, w) no.py to=torch grad=other
---
input.gr:6:9: error: numpy does not take derivatives itself
    :export grad(L, w) no.py grad=native
            ^^^^^^^^^^
  hint: to=jax and to=torch do
input.gr:7:9: error: c does not take derivatives itself
    :export grad(L, w) no.c grad=native
            ^^^^^^^^^^
  hint: to=jax and to=torch do
input.gr:5:8: error: jax cannot express scan t for 50 from r = 1.0 { r[t] = (r[t-1] + w / r[t-1]) /  …: JAX cannot differentiate a loop that may stop early
    root = scan t for 50 from r = 1.0 { r[t] = (r[t-1] + w / r[t-1]) / 2; until abs(r[t] ^ 2 - w) < 1e-1…
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: without grad=native it writes derivatives out
input.gr:9:9: error: torch cannot express vjp(S.final, x, [1, 2, 3]): grad is the only derivative that the target can take itself
    :export vjp(S.final, x, [1, 2, 3]) no.py to=torch grad=native
            ^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: without grad=native it writes derivatives out
input.gr:10:40: error: grad= is native
    :export grad(L, w) no.py to=torch grad=other
                                           ^^^^^
exit 1
