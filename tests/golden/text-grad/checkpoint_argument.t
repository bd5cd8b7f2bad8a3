# A policy for the loops of one derivative.
x : f64 = 0.5
S = scan t for 100 from s = x { s[t] = sin(s[t-1]) }
grad(S.final, x, checkpoint=auto) == grad(S.final, x)
:graph grad(S.final, x, checkpoint=7) pass=inline
f(a) = (scan t for 50 from s = a { s[t] = cos(s[t-1]) * a }).final
abs(grad(f, checkpoint=5)(x) - grad(f)(x)) < 1e-14
abs(hessian(f(x), x, checkpoint=auto) - hessian(f(x), x)) < 1e-12
abs(vjp(f, checkpoint=3)(x, 2.0) - 2 * jacobian(f)(x)) < 1e-14
# A loop that has a policy keeps it.
K = scan t for 100 from s = x checkpoint 10 { s[t] = sin(s[t-1]) }
:graph grad(K.final, x, checkpoint=7) pass=inline
grad(S.final, x, checkpoint=0)
grad(S.final, x, checkpoint=x)
jvp(S.final, x, 1.0, checkpoint=3)
---
bool = true
x : f64
grad({
  S = scan t for 100 from s = x checkpoint 7 {
    s[t] = sin(s[t-1])
  }
  S.final
}, x)
bool = true
bool = true
bool = true
x : f64
grad({
  S = scan t for 100 from s = x checkpoint 10 {
    s[t] = sin(s[t-1])
  }
  S.final
}, x)
input.gr:13:29: error: checkpoint keeps every k-th state, k >= 1
    grad(S.final, x, checkpoint=0)
                                ^
  hint: `checkpoint=auto` chooses k
input.gr:14:29: error: checkpoint must be a whole number known while the graph is built
    grad(S.final, x, checkpoint=x)
                                ^
input.gr:15:22: error: jvp(y, x=None, dx=None, truncate=None) has no parameter checkpoint
    jvp(S.final, x, 1.0, checkpoint=3)
                         ^^^^^^^^^^
exit 1
