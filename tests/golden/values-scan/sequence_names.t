# A sequence that is not a name: the message has the remedy, and it works.
X = [[1., 2.], [3., 4.]]
u = arange(5.)
scan t over X' from s = 0. { s[t] = s[t-1] + sum(X'[t]) }
scan t over w = X' from s = 0. { s[t] = s[t-1] + sum(w[t]) }
scan k over arange(5) from s = 0 { s[k] = s[k-1] + k }
scan k over w = arange(5) from s = 0 { s[k] = s[k-1] + w[k] }
scan t over u[1:] from s = 0. { s[t] = s[t-1] + u[t] }
scan t over u + 1 { y[t] = u[t] }
scan t over X, u * w { y[t] = u[t] }
scan t over [1, 2, 3] { y[t] = u[t] }
scan t over (u, u) { y[t] = u[t] }
scan t over -u { y[t] = u[t] }
scan t over 3 { y[t] = t }
scan t over u.final { y[t] = t }
scan t over concat((u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u)) { y[t] = t }
scan t over { y[t] = t }
scan t over u from s = 0.
  { s[t] = s[t-1] + u[t] }
scan t over u
  from s = 0. { s[t] = s[t-1] + u[t] }
---
input.gr:4:13: error: a sequence is a name or `name = expression`
    scan t over X' from s = 0. { s[t] = s[t-1] + sum(X'[t]) }
                ^^
  hint: give it a name: `over w = X'`, and read w[t]
f64[2] = [4.0, 10.0]
input.gr:6:13: error: a sequence is a name or `name = expression`
    scan k over arange(5) from s = 0 { s[k] = s[k-1] + k }
                ^^^^^^^^^
  hint: give it a name: `over w = arange(5)`, and read w[k]
i64[5] = [0, 1, 3, 6, 10]
input.gr:8:13: error: a sequence is a name or `name = expression`
    scan t over u[1:] from s = 0. { s[t] = s[t-1] + u[t] }
                ^^^^^
  hint: give it a name: `over w = u[1:]`, and read w[t]
input.gr:9:13: error: a sequence is a name or `name = expression`
    scan t over u + 1 { y[t] = u[t] }
                ^^^^^
  hint: give it a name: `over w = u + 1`, and read w[t]
input.gr:10:16: error: a sequence is a name or `name = expression`
    scan t over X, u * w { y[t] = u[t] }
                   ^^^^^
  hint: give it a name: `over v = u * w`, and read v[t]
input.gr:11:13: error: a sequence is a name or `name = expression`
    scan t over [1, 2, 3] { y[t] = u[t] }
                ^^^^^^^^^
  hint: give it a name: `over w = [1, 2, 3]`, and read w[t]
input.gr:12:13: error: a sequence is a name or `name = expression`
    scan t over (u, u) { y[t] = u[t] }
                ^^^^^^
  hint: give it a name: `over w = (u, u)`, and read w[t]
input.gr:13:13: error: a sequence is a name or `name = expression`
    scan t over -u { y[t] = u[t] }
                ^^
  hint: give it a name: `over w = -u`, and read w[t]
input.gr:14:13: error: a sequence is a name or `name = expression`
    scan t over 3 { y[t] = t }
                ^
  hint: a number of steps is given by `for 3`
input.gr:15:13: error: a sequence is a name or `name = expression`
    scan t over u.final { y[t] = t }
                ^^^^^^^
  hint: give it a name: `over w = u.final`, and read w[t]
input.gr:16:13: error: a sequence is a name or `name = expression`
    scan t over concat((u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u)) { y[t] = t }
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: give it a name: `over w = concat((u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u))`, and read w[t]
input.gr:17:13: error: expected a name, as in `over xs` or `over x = xs[1:]`, but found `{`
    scan t over { y[t] = t }
                ^
f64[5] = [0.0, 1.0, 3.0, 6.0, 10.0]
f64[5] = [0.0, 1.0, 3.0, 6.0, 10.0]
exit 1
