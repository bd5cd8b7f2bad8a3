# More steps than rows: the same message in a loop in a loop, before and after the loop is lowered,
# forwards, backwards and with `until`; it names what the author reads the rows of.
q : f64[3] = [1, 2, 3]
Q : f64[2, 3] = [[1, 2, 3], [1, 2, 3]]
n : i64 = 5
f(b) = (scan t for n over b from a = 0.0 { a[t] = sin(a[t-1]) + b[t] }).final
f(q)
grad(f(q), q)
scan i for 3 { r[i] = sum(scan t for n over q { s[t] = q[t] * i }) }
scan i for 3 { r[i] = sum(scan t for n over w = q + 1 { s[t] = w[t] * i }) }
scan i for 3 { r[i] = (scan t for n over q from a = 0.0 { a[t] = sin(a[t-1]) + q[t] * i }).final }
scan i for 3 { r[i] = (scan t for n over q from a = 0.0 { a[t] = sin(a[t+1]) + q[t] * i }).final }
scan i for 3 { r[i] = (scan t for n over q from a = 0.0 { a[t] = sin(a[t-1]) + q[t] * i; until a[t] > 0 }).final }
map(row -> (scan t for n over row from a = 0.0 { a[t] = sin(a[t-1]) - row[t] }).final, Q)
n := 3
scan i for 3 { r[i] = (scan t for n over q from a = 0.0 { a[t] = a[t-1] + q[t] * i }).final }
---
input.gr:7:1: error: 5 steps over 3 rows of q
    f(q)
    ^^^^
input.gr:8:1: error: 5 steps over 3 rows of q
    grad(f(q), q)
    ^^^^^^^^^^^^^
input.gr:9:1: error: 5 steps over 3 rows of q
    scan i for 3 { r[i] = sum(scan t for n over q { s[t] = q[t] * i }) }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:10:1: error: 5 steps over 3 rows of w
    scan i for 3 { r[i] = sum(scan t for n over w = q + 1 { s[t] = w[t] * i }) }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:11:1: error: 5 steps over 3 rows of q, in row 0 of the loop
    scan i for 3 { r[i] = (scan t for n over q from a = 0.0 { a[t] = sin(a[t-1]) + q[t] * i }).final }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:12:1: error: 5 steps over 3 rows of q, in row 0 of the loop
    scan i for 3 { r[i] = (scan t for n over q from a = 0.0 { a[t] = sin(a[t+1]) + q[t] * i }).final }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:13:1: error: 5 steps over 3 rows of q, in row 0 of the loop
    scan i for 3 { r[i] = (scan t for n over q from a = 0.0 { a[t] = sin(a[t-1]) + q[t] * i; until a[t] …
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:14:1: error: 5 steps over 3 rows of row
    map(row -> (scan t for n over row from a = 0.0 { a[t] = sin(a[t-1]) - row[t] }).final, Q)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
f64[3] = [0.0, 6.0, 12.0]
exit 1
