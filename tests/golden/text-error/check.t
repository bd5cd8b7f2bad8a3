# check(c, "message") as a statement: now, with what there is; which element
x : f64[4] = [1, -2, 3, 4]
check(sum(x) > 0, "the sum")
check(x > 0, "an element")
m : f64[2, 2] = [[1, 2], [3, -4]]
check(m > 0, "of a matrix")
check(m' > 0, "of its transpose")
check(x[:0] > 0, "none of none")
check(false, "always")
y : f64
check(y > 0, "not known")
# in a scan: place, row, which element; it may read this step's values and those of the step before
S = scan t over x from s = 0.0 { check(x[t] > -1, "a dry day"); s[t] = s[t-1] + x[t] }
S
S.final
R = scan t for 100 from s = 1.0 { s[t] = 2 * s[t-1]; check(s[t] < 50, "too large"); check(s[t-1] > 2 * t, "slow") }
R.steps
R.final
V = scan t for 3 from v = [1.0, 2.0] { v[t] = v[t-1] - [0.2, 0.7]; check(v[t] > 0, "below zero") }
V
W = scan t from s = 1.0 { s[t] = 2 * s[t-1]; check(s[t] < 10, "ten"); until s[t] > 100 }
W.steps
B = scan t over x from s = 0.0 { s[t] = s[t+1] + x[t]; check(s[t] > 6, "backwards") }
B
inner = scan i for 2 { check(i < 2, "outer"); r[i] = sum(scan j for 3 { check(j + i < 3, "inner"); q[j] = 1.0 * j }) }
inner
# without states all rows at once
M = scan t over x { check(x[t] > 0, "a row"); m[t] = 2 * x[t] }
M
# in blocks and functions, several; under vmap, grad and jvp
f(a) = { check(a > 0, "must be positive"); check(a < 100, "must be small"); sqrt(a) }
f(4.0)
f(-1.0)
f(101.0)
f(m)
vmap(f)(x)
grad(f(x[1]), x)
jvp(f(x[1]), x, ones(4))
grad(sum(V.final * x[0]), x)
{ check(x[0] > 0, "a tuple"); (x[0], 2) }
{ check(x[1] > 0, "a tuple, too"); (x[0], 2) }
# lazy
if x[0] > 0 then x[0] else f(x[1])
(S, x[0])[1]
shape(R[:2])
# what is no check
check(x, "no bool")
check(x > 0)
check(x > 0, "a", "b")
{ check(x > 0, "no value") }
{ check(true, "a scan"); scan t for 3 from s = 1.0 { s[t] = s[t-1] } }
{ check(true, "a function"); a -> a }
scan t over x { check(x[t] > 0, "no equation") }
scan t over x { check(x[t] > 0); y[t] = x[t] }
scan t over x { y[t] = x[t]; until y[t] > 2; check(x[t] > 0, "late") }
check(a, b) = a + b
check(1, 2)
{ check(x > 0, "mine"); 1 }
---
input.gr:4:1: error: an element, at [1]
    check(x > 0, "an element")
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:6:1: error: of a matrix, at [1, 1]
    check(m > 0, "of a matrix")
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:7:1: error: of its transpose, at [1, 1]
    check(m' > 0, "of its transpose")
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:9:1: error: always
    check(false, "always")
    ^^^^^^^^^^^^^^^^^^^^^^
input.gr:11:1: note: check not evaluated: an input has no value yet
    check(y > 0, "not known")
    ^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:13:34: error: a dry day, in row 1 of the loop
    S = scan t over x from s = 0.0 { check(x[t] > -1, "a dry day"); s[t] = s[t-1] + x[t] }
                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:14:1: note: its value is needed here
    S
    ^
input.gr:13:34: error: a dry day, in row 1 of the loop
    S = scan t over x from s = 0.0 { check(x[t] > -1, "a dry day"); s[t] = s[t-1] + x[t] }
                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:15:1: note: its value is needed here
    S.final
    ^^^^^^^
i64 = 100
input.gr:16:85: error: slow, in row 1 of the loop
    … s[t-1]; check(s[t] < 50, "too large"); check(s[t-1] > 2 * t, "slow") }
                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:18:1: note: its value is needed here
    R.final
    ^^^^^^^
input.gr:19:68: error: below zero, at [1], in row 2 of the loop
    V = scan t for 3 from v = [1.0, 2.0] { v[t] = v[t-1] - [0.2, 0.7]; check(v[t] > 0, "below zero") }
                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:20:1: note: its value is needed here
    V
    ^
input.gr:21:46: error: ten, in row 3 of the loop
    W = scan t from s = 1.0 { s[t] = 2 * s[t-1]; check(s[t] < 10, "ten"); until s[t] > 100 }
                                                 ^^^^^^^^^^^^^^^^^^^^^^^
input.gr:22:1: note: its value is needed here
    W.steps
    ^^^^^^^
input.gr:23:56: error: backwards, in row 3 of the loop
    B = scan t over x from s = 0.0 { s[t] = s[t+1] + x[t]; check(s[t] > 6, "backwards") }
                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:24:1: note: its value is needed here
    B
    ^
input.gr:25:73: error: inner, at [1, 2]
    … 2, "outer"); r[i] = sum(scan j for 3 { check(j + i < 3, "inner"); q[j] = 1.0 * j }) }
                                             ^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:26:1: note: its value is needed here
    inner
    ^^^^^
input.gr:28:21: error: a row, at [1]
    M = scan t over x { check(x[t] > 0, "a row"); m[t] = 2 * x[t] }
                        ^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:29:1: note: its value is needed here
    M
    ^
f64 = 2.0
input.gr:31:10: error: must be positive
    f(a) = { check(a > 0, "must be positive"); check(a < 100, "must be small"); sqrt(a) }
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:33:1: note: its value is needed here
    f(-1.0)
    ^^^^^^^
input.gr:31:44: error: must be small
    f(a) = { check(a > 0, "must be positive"); check(a < 100, "must be small"); sqrt(a) }
                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:34:1: note: its value is needed here
    f(101.0)
    ^^^^^^^^
input.gr:31:10: error: must be positive, at [1, 1]
    f(a) = { check(a > 0, "must be positive"); check(a < 100, "must be small"); sqrt(a) }
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:35:1: note: its value is needed here
    f(m)
    ^^^^
input.gr:31:10: error: must be positive, at [1]
    f(a) = { check(a > 0, "must be positive"); check(a < 100, "must be small"); sqrt(a) }
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:36:1: note: its value is needed here
    vmap(f)(x)
    ^^^^^^^^^^
input.gr:31:10: error: must be positive
    f(a) = { check(a > 0, "must be positive"); check(a < 100, "must be small"); sqrt(a) }
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:37:1: note: its value is needed here
    grad(f(x[1]), x)
    ^^^^^^^^^^^^^^^^
input.gr:31:10: error: must be positive
    f(a) = { check(a > 0, "must be positive"); check(a < 100, "must be small"); sqrt(a) }
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:38:1: note: its value is needed here
    jvp(f(x[1]), x, ones(4))
    ^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:19:68: error: below zero, at [1], in row 2 of the loop
    V = scan t for 3 from v = [1.0, 2.0] { v[t] = v[t-1] - [0.2, 0.7]; check(v[t] > 0, "below zero") }
                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:39:1: note: its value is needed here
    grad(sum(V.final * x[0]), x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
[0] : f64 = 1.0
[1] : i64 = 2
input.gr:41:3: error: a tuple, too
    { check(x[1] > 0, "a tuple, too"); (x[0], 2) }
      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
f64 = 1.0
f64 = 1.0
i64[1] = [2]
input.gr:47:7: error: `check` takes bools, but this is f64
    check(x, "no bool")
          ^
  hint: compare: x > 0
input.gr:48:1: error: check(condition, x, message, index=false) needs a value for x
    check(x > 0)
    ^^^^^^^^^^^^
input.gr:49:14: error: check needs a tensor here, but this is a string
    check(x > 0, "a", "b")
                 ^^^
input.gr:50:3: error: a block must end with an expression, its value
    { check(x > 0, "no value") }
      ^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a block is `{ name = e; ...; result }`
input.gr:51:26: error: a check guards tensors, and the value of this block is the record of a scan
    { check(true, "a scan"); scan t for 3 from s = 1.0 { s[t] = s[t-1] } }
                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: put the check into the body of the scan
input.gr:52:30: error: a check guards tensors, and the value of this block is a function
    { check(true, "a function"); a -> a }
                                 ^^^^^^
  hint: check inside of the function
input.gr:53:1: error: the body of a scan needs at least one equation like y[t] = ...
    scan t over x { check(x[t] > 0, "no equation") }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:54:17: error: a check in a scan takes a condition and a message
    scan t over x { check(x[t] > 0); y[t] = x[t] }
                    ^^^^^^^^^^^^^^^
  hint: write `check(x[t] > 0, "x is negative")`
input.gr:55:46: error: nothing can follow `until` in a scan
    scan t over x { y[t] = x[t]; until y[t] > 2; check(x[t] > 0, "late") }
                                                 ^^^^^
  hint: move `until` to the end
i64 = 3
input.gr:58:3: error: `check` is your own function here, and its value is not used
    { check(x > 0, "mine"); 1 }
      ^^^^^^^^^^^^^^^^^^^^
  hint: give your function another name
exit 1
