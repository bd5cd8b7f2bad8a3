# Names of dimensions that meet: both sides, before any size is known.
x : f64[batch n, feature d]
y : f64[time n, feature d]
W : f64[feature d, hidden k]
b : f64[hidden k]
f(a, v) = a @ v
z = 1
x + y
x + x'
x @ W'
x @ b
f(W, x)
sum(x, axis=time)
sum(x @ x', axis=batch)
x[time=0]
x[batch=0, 1]
x[batch=0, batch=1]
where(x > 0, x, y)
scan t over x, y { s[t] = x[t] + y[t] }
scan t over x from s = b { s[t] = s[t-1] + x[t] }
if n > 2 then x else y
x[k=0]
cov : f64[feature d, feature d]
sum(cov, axis=feature)
sum(z, axis=batch)
scan t over x from h = x[0] { h[t] = h[t-1] @ W }
reduce((a, r) -> a + r, x, b)
grad(sum(x + y), x)
vmap((r, q) -> r + q)(x, y)
x + sum(y, axis=feature)[:, None]
g : f64[batch (n+1)]
g : f64[batch n m]
g : f64[batch]
x[k=]
x with [time=0] = 1
mean(x, time)
sum(x, axis=(batch, time))
concat((x, y), axis=feature)
---
input.gr:8:1: error: add: dimension batch of f64[batch n, feature d] does not match time of f64[time n, feature d]
    x + y
    ^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:9:1: error: add: dimension batch of f64[batch n, feature d] does not match feature of f64[feature n, batch d]
    x + x'
    ^^^^^^
  hint: transpose one of them, as in b'
input.gr:10:1: error: @: dimension feature of f64[batch n, feature d] does not match hidden of f64[hidden k, feature d]
    x @ W'
    ^^^^^^
  hint: transpose the second operand: a @ b'
input.gr:11:1: error: @: dimension feature of f64[batch n, feature d] does not match hidden of f64[hidden k]
    x @ b
    ^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:6:11: error: @: dimension hidden of f64[feature d, hidden k] does not match batch of f64[batch n, feature d]
    f(a, v) = a @ v
              ^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:12:1: note: in this call of f
    f(W, x)
    ^^^^^^^
input.gr:13:13: error: f64[batch n, feature d] has no dimension called time
    sum(x, axis=time)
                ^^^^
  hint: its dimensions are batch, feature
input.gr:14:18: error: two dimensions of f64[batch n, batch n] are called batch
    sum(x @ x', axis=batch)
                     ^^^^^
  hint: give the axis by its number
input.gr:15:3: error: f64[batch n, feature d] has no dimension called time
    x[time=0]
      ^^^^
  hint: its dimensions are batch, feature
input.gr:16:12: error: name the dimension of every index, or of none
    x[batch=0, 1]
               ^
  hint: name all of them: x[batch=0, feature=1:3]
input.gr:17:12: error: the dimension batch is given twice
    x[batch=0, batch=1]
               ^^^^^^^
input.gr:18:1: error: where: dimension batch of bool[batch n, feature d] does not match time of f64[time n, feature d]
    where(x > 0, x, y)
    ^^^^^^^^^^^^^^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:19:1: error: scan: dimension batch of f64[batch n, feature d] does not match time of f64[time n, feature d]
    scan t over x, y { s[t] = x[t] + y[t] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:20:35: error: add: dimension hidden of f64[hidden k] does not match feature of f64[feature k]
    scan t over x from s = b { s[t] = s[t-1] + x[t] }
                                      ^^^^^^^^^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:21:1: error: the branches of `if` have different dimensions: f64[batch n, feature d] and f64[time n, feature d]
    if n > 2 then x else y
    ^^^^^^^^^^^^^^^^^^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:22:3: error: f64[batch n, feature d] has no dimension called k
    x[k=0]
      ^
  hint: its dimensions are batch, feature
input.gr:24:15: error: two dimensions of f64[feature d, feature d] are called feature
    sum(cov, axis=feature)
                  ^^^^^^^
  hint: give the axis by its number
input.gr:25:13: error: i64 has no dimension called batch
    sum(z, axis=batch)
                ^^^^^
  hint: give the axis by its number, or name it where the input is declared: x : f64[batch n, 3]
input.gr:26:31: error: the equation of state `h` changes its dimensions: f64[feature d] and f64[hidden d]
    scan t over x from h = x[0] { h[t] = h[t-1] @ W }
                                  ^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:27:18: error: add: dimension hidden of f64[hidden k] does not match feature of f64[feature k]
    reduce((a, r) -> a + r, x, b)
                     ^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:28:10: error: add: dimension batch of f64[batch n, feature d] does not match time of f64[time n, feature d]
    grad(sum(x + y), x)
             ^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:29:1: error: vmap: dimension batch of f64[batch n, feature d] does not match time of f64[time n, feature d]
    vmap((r, q) -> r + q)(x, y)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:30:1: error: add: dimension batch of f64[batch n, feature d] does not match time of f64[time n, d]
    x + sum(y, axis=feature)[:, None]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
input.gr:31:9: error: a size is an integer, a name, or + - * of those
    g : f64[batch (n+1)]
            ^^^^^^^^^^^
  hint: after the name of a dimension a size begins with a name or a number: batch n+1
input.gr:32:17: error: expected `]` for the `[` of line 32, column 8, but found `m`
    g : f64[batch n m]
                    ^
  hint: an operator, a comma, a bracket or a newline may be missing here
input.gr:34:5: error: expected an expression, but found `]`
    x[k=]
        ^
  hint: something is missing before this bracket
input.gr:35:9: error: f64[batch n, feature d] has no dimension called time
    x with [time=0] = 1
            ^^^^
  hint: its dimensions are batch, feature
input.gr:36:9: error: f64[batch n, feature d] has no dimension called time
    mean(x, time)
            ^^^^
  hint: its dimensions are batch, feature
input.gr:37:21: error: f64[batch n, feature d] has no dimension called time
    sum(x, axis=(batch, time))
                        ^^^^
  hint: its dimensions are batch, feature
input.gr:38:1: error: concat: dimension batch of f64[batch n, feature d] does not match time of f64[time n, feature d]
    concat((x, y), axis=feature)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: give them the same name if they mean the same; a dimension without a name matches any other
exit 1
