# A record stands for its trace, or for the tuple of its traces.
S = scan t for 3 from a = 1, b = 1.0 { a[t] = a[t-1] * 2; b[t] = b[t-1] / 2; c[t] = f64(a[t]) + b[t] }
S
a, b, c = S
c
S.a
S.final
S.final.b
S.last.a
S.steps
S.stopped
S.nothing
S.final.c
f(s) = s.final.a
f(S)
fib = scan t for 8 from f = [0, 1] { f[t] = f[t-1] + f[t-2] }
fib
scan t for 0 from r = [1.5, 2.5] { r[t] = r[t-1] * 2 }
n : i64 = 0
Z = scan t for n from r = [1.5, 2.5] { r[t] = r[t-1] * 2 }
Z
Z.final
Z[-1]
n := -1
Z
---
S : (a: i64[3], b: f64[3], c: f64[3]) =
a      b      c
2  0.5    2.5
4  0.25   4.25
8  0.125  8.125
c : f64[3] = [2.5, 4.25, 8.125]
i64[3] = [2, 4, 8]
.a : i64 = 8
.b : f64 = 0.125
f64 = 0.125
i64 = 8
i64 = 3
bool = false
input.gr:12:1: error: this scan has no field `nothing`
    S.nothing
    ^^^^^^^^^
  hint: the fields are its equations, final, steps and stopped; to keep a value of the body, write nothing[t] = .. there
input.gr:13:1: error: c is not a state of this scan
    S.final.c
    ^^^^^^^^^
i64 = 8
fib : i64[8] = [1, 2, 3, 5, 8, 13, 21, 34]
f64[0, 2] = []
Z : f64[0, 2] = []
f64[2] = [1.5, 2.5]
input.gr:23:1: error: index -1 is out of range: the scan took no step, its trace is empty
    Z[-1]
    ^^^^^
input.gr:25:1: error: the number of steps is negative
    Z
    ^
exit 1
