# An initial value is a[-1]: a row in it that the first step reads again is counted twice.
emit : f64[n, 2] = [[1, 2], [3, 4], [5, 6]]
logpi : f64[2] = [0.5, 0.5]
A : f64[2, 2] = [[1, 2], [3, 4]]
x : f64[m] = [1, 5, 3]
w : f64 = 0.25
step(a) = logsumexp(a[:, None] + A, axis=0)
(scan t over emit from a = logpi + emit[0] { a[t] = step(a[t-1]) + emit[t] }).final
(scan t over e = emit[1:] from a = logpi + emit[0] { a[t] = step(a[t-1]) + e[t] }).final
# backwards
b = scan t over emit from a = logpi + emit[-1] { a[t] = step(a[t+1]) + emit[t] }
scan t over x from s = x[0] { s[t] = s[t-1] + x[t] }
scan t over x from s = 2 * x[0] + 1 { s[t] = s[t-1] * x[t] }
scan t over x from s = stack((x[0], x[1])) { s[t] = s[t-1] + s[t-2] + x[t] }
scan t over x from p = (a=x[0], b=0.0) { p[t] = (a=p[t-1].a + x[t], b=p[t-1].b) }
f(x) = (scan t over x from s = x[0] { s[t] = s[t-1] + x[t] }).final
f(x) + f(2 * x)
# correct: nothing is said
b = scan t over e = emit[:-1] from a = logpi + emit[-1] { a[t] = step(a[t+1]) + e[t] }
b = scan t over emit from a = logpi + emit[1] { a[t] = step(a[t-1]) + emit[t] }
b = scan t over emit from a = logpi { a[t] = step(a[t-1]) + emit[t] }
b = scan t over emit from a = logpi + emit[0] { a[t] = step(a[t-1]) + emit[t] - emit[t-1] }
scan t over x from s = x[0] { s[t] = maximum(s[t-1], x[t]) }
scan t over x from s = x[0] { s[t] = (1 - w) * s[t-1] + w * x[t] }
scan t over x from s = x[0] { s[t] = s[t-1] + w * (x[t] - s[t-1]) }
scan t over x from s = x[0] { s[t] = s[t-1] + x[t-1] }
scan t over x from s = x[0] { s[t] = 2 * s[t-1]; y[t] = x[t] + s[t] }
scan t over x from s = x[-1] { s[t] = s[t-1] + x[t] }
reduce((a, b) -> a + b, x)
---
input.gr:8:24: note: a starts from emit[0] and its first step reads that row again: an initial value is a[t-1] of the first step, before any row
    (scan t over emit from a = logpi + emit[0] { a[t] = step(a[t-1]) + emit[t] }).final
                           ^
  hint: to count it once, run over the later rows: over emit = emit[1:]
f64[2] = [24.5849, 26.5849]
f64[2] = [18.5667, 20.5667]
input.gr:11:27: note: a starts from emit[-1] and its first step reads that row again: an initial value is a[t+1] of the first step, before any row
    b = scan t over emit from a = logpi + emit[-1] { a[t] = step(a[t+1]) + emit[t] }
                              ^
  hint: to count it once, run over the earlier rows: over emit = emit[:-1]
input.gr:12:20: note: s starts from x[0] and its first step reads that row again: an initial value is s[t-1] of the first step, before any row
    scan t over x from s = x[0] { s[t] = s[t-1] + x[t] }
                       ^
  hint: to count it once, run over the later rows: over x = x[1:]
f64[3] = [2.0, 7.0, 10.0]
input.gr:13:20: note: s starts from x[0] and its first step reads that row again: an initial value is s[t-1] of the first step, before any row
    scan t over x from s = 2 * x[0] + 1 { s[t] = s[t-1] * x[t] }
                       ^
  hint: to count it once, run over the later rows: over x = x[1:]
f64[3] = [3.0, 15.0, 45.0]
input.gr:14:20: note: s starts from x[0] and its first step reads that row again: an initial value is s[t-1] of the first step, before any row
    scan t over x from s = stack((x[0], x[1])) { s[t] = s[t-1] + s[t-2] + x[t] }
                       ^
  hint: to count it once, run over the later rows: over x = x[2:]
f64[3] = [7.0, 17.0, 27.0]
input.gr:15:24: note: p.a starts from x[0] and its first step reads that row again: an initial value is p[t-1].a of the first step, before any row
    scan t over x from p = (a=x[0], b=0.0) { p[t] = (a=p[t-1].a + x[t], b=p[t-1].b) }
                           ^^^^^^^^^^^^^^^
  hint: to count it once, run over the later rows: over x = x[1:]
(a: f64[3], b: f64[3]) =
   a    b
 2.0  0.0
 7.0  0.0
10.0  0.0
input.gr:16:28: note: s starts from x[0] and its first step reads that row again: an initial value is s[t-1] of the first step, before any row
    f(x) = (scan t over x from s = x[0] { s[t] = s[t-1] + x[t] }).final
                               ^
  hint: to count it once, run over the later rows: over x = x[1:]
f64 = 30.0
f64[3] = [1.0, 5.0, 5.0]
f64[3] = [1.0, 2.0, 2.25]
f64[3] = [1.0, 2.0, 2.25]
f64[2] = [2.0, 7.0]
(s: f64[3], y: f64[3]) =
  s     y
2.0   3.0
4.0   9.0
8.0  11.0
f64[3] = [4.0, 9.0, 12.0]
f64 = 9.0
