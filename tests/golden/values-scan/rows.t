# More steps than rows: both numbers and the name, where it is certain and at run time.
x : f64[10] = arange(10) * 1.0
y : f64[k] = [1, 2, 3]
n : i64 = 20
m : i64 = 10
scan t over x for 20 from s = 0.0 { s[t] = s[t-1] + x[t] }
scan t over x for 9 from s = 0.0 { s[t] = s[t-1] + x[t-2] }
scan t over x for 8 from s = 0.0 { s[t] = s[t-1] + x[t-2] }
scan t over y for k + 1 { s[t] = y[t] }
scan t over y for k { s[t] = y[t-1] }
scan t over x for n from s = 0.0 { s[t] = s[t-1] + x[t] }
scan t over x for n from s = 0.0 { s[t] = sin(s[t-1] + x[t]) }
scan t over x for n { s[t] = x[t] }
scan t over x for n from s = 0.0 { s[t] = s[t-1] + x[t-2] }
scan t over x for n from s = 0.0 { s[t] = sin(s[t-1] + x[t-2] + x[t+1]) }
scan t over x for n from s = 0.0 { s[t] = s[t+1] + x[t] }
scan t over y, x for m { s[t] = y[t] * x[t-1] }
scan t over y, x for m from s = 0.0 { s[t] = s[t-1] + y[t]; until s[t] > 100 }
scan t over q = y * 2 for m from s = 0.0 { s[t] = sin(s[t-1] + q[t]) }
scan t over q = y * 2 for m from s = 0.0 { s[t] = s[t-1] + q[t] }
scan t over x for i64(20.0) { s[t] = x[t-1] }
grad((scan t over y for m from s = 0.0 { s[t] = s[t-1] * y[t] }).final, y)
vmap(v -> (scan t over y for m from s = v { s[t] = s[t-1] * y[t] }).final)(x)
scan i for m { r[i] = (scan t over y for i from s = 0.0 { s[t] = sin(s[t-1] + y[t]) }).final }
scan t over y for m - 8 from s = 0.0 { s[t] = s[t-1] + y[t-1] }
---
input.gr:6:19: error: 20 steps over 10 rows of x
    scan t over x for 20 from s = 0.0 { s[t] = s[t-1] + x[t] }
                      ^^
  hint: without `for` the shortest sequence decides
input.gr:7:19: error: 9 steps over 10 rows of x, 2 of which the taps x[t-2] leave out
    scan t over x for 9 from s = 0.0 { s[t] = s[t-1] + x[t-2] }
                      ^
  hint: without `for` the shortest sequence decides
f64[8] = [0.0, 1.0, 3.0, 6.0, 10.0, 15.0, 21.0, 28.0]
input.gr:9:19: error: k+1 steps over k rows of y
    scan t over y for k + 1 { s[t] = y[t] }
                      ^^^^^
  hint: without `for` the shortest sequence decides
input.gr:10:19: error: k steps over k rows of y, 1 of which the taps y[t-1] leave out
    scan t over y for k { s[t] = y[t-1] }
                      ^
  hint: without `for` the shortest sequence decides
input.gr:11:1: error: 20 steps over 10 rows of x
    scan t over x for n from s = 0.0 { s[t] = s[t-1] + x[t] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:12:1: error: 20 steps over 10 rows of x
    scan t over x for n from s = 0.0 { s[t] = sin(s[t-1] + x[t]) }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:13:1: error: 20 steps over 10 rows of x
    scan t over x for n { s[t] = x[t] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:14:1: error: 20 steps over 10 rows of x, of which the taps x[t-2] leave 8
    scan t over x for n from s = 0.0 { s[t] = s[t-1] + x[t-2] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:15:1: error: 20 steps over 10 rows of x, of which the taps x[t-2] and x[t+1] leave 7
    scan t over x for n from s = 0.0 { s[t] = sin(s[t-1] + x[t-2] + x[t+1]) }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:16:1: error: 20 steps over 10 rows of x
    scan t over x for n from s = 0.0 { s[t] = s[t+1] + x[t] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:17:1: error: 10 steps over 3 rows of y, of which the taps leave 2
    scan t over y, x for m { s[t] = y[t] * x[t-1] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:18:1: error: 10 steps over 3 rows of y
    scan t over y, x for m from s = 0.0 { s[t] = s[t-1] + y[t]; until s[t] > 100 }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:19:1: error: 10 steps over 3 rows of q
    scan t over q = y * 2 for m from s = 0.0 { s[t] = sin(s[t-1] + q[t]) }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:20:1: error: 10 steps over 3 rows of q
    scan t over q = y * 2 for m from s = 0.0 { s[t] = s[t-1] + q[t] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:21:19: error: 20 steps over 10 rows of x, 1 of which the taps x[t-1] leave out
    scan t over x for i64(20.0) { s[t] = x[t-1] }
                      ^^^^^^^^^
  hint: without `for` the shortest sequence decides
input.gr:22:1: error: 10 steps over 3 rows of y
    grad((scan t over y for m from s = 0.0 { s[t] = s[t-1] * y[t] }).final, y)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:23:1: error: 10 steps over 3 rows of y
    vmap(v -> (scan t over y for m from s = v { s[t] = s[t-1] * y[t] }).final)(x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:24:1: error: 4 steps over 3 rows of y, in row 4 of the loop
    scan i for m { r[i] = (scan t over y for i from s = 0.0 { s[t] = sin(s[t-1] + y[t]) }).final }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
f64[2] = [1.0, 3.0]
exit 1
