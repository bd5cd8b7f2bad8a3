# What an evaluation would take, for sizes given, known and assumed; nothing is evaluated.
x : f64[n]
A : f64[n, m]
:cost sum(exp(x) * 2)
:cost sum(exp(x) * 2) n=1000000
:cost A @ A.T n=200 m=50
:cost x @ A assume=7
# loops: their own row, and those of the body as often as there are steps
h = scan t for n from s = 0.3 { s[t] = 3.7 * s[t-1] * (1 - s[t-1]) }
:cost grad(sum(h), 1.0 * sum(x)) n=10
k : f64 = 2
:cost scan t for n from s = k { s[t] = sin(s[t-1]) } n=1000
v : f64[5] = [1, 2, 3, 4, 5]
:cost sum(scan t for 100 from s = v { s[t] = if sum(s[t-1]) > 1 then cumsum(s[t-1]) else exp(s[t-1]) })
# a loop that ends by itself
:cost (scan t from p = k { p[t] = p[t-1] * 3; until p[t] > 1000 }).final
# wrong
:cost x q=3
:cost x n=-1
:cost x n=2 n=3
:cost x assume=0
:cost
:profile x
:profile x n=3
---
predicted 0.2 us: 201 operations, 808 bytes read and written, 1 calls, peak 0 bytes
with n = 100 (assumed)
time    share   calls  operations  bytes  where       what
0.2 us  99.3 %  1      200         808    input.gr:4  fused: 1 exp, 1 sum
0.0 us  0.7 %   1      1           0      input.gr:4  2 * sum(exp(x))
predicted 1.14 ms: 2e+06 operations, 8e+06 bytes read and written, 1 calls, peak 0 bytes
with n = 1000000
time     share    calls  operations  bytes  where       what
1.14 ms  100.0 %  1      2e+06       8e+06  input.gr:5  fused: 1 exp, 1 sum
0.0 us   0.0 %    1      1           0      input.gr:4  2 * sum(exp(x))
input.gr:6:11: error: only the result of a scan has fields, this is f64[n, m]
    :cost A @ A.T n=200 m=50
              ^^^
  hint: write x' for the transpose
predicted 0.1 us: 98 operations, 504 bytes read and written, 1 calls, peak 56 bytes
with m = 7 (assumed), n = 7 (assumed)
time    share    calls  operations  bytes  where       what
0.1 us  100.0 %  1      98          504    input.gr:7  x @ A
input.gr:10:7: error: the value does not depend on what it is differentiated by
    :cost grad(sum(h), 1.0 * sum(x)) n=10
          ^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write unconnected=zero if zeros are meant
predicted 8.4 us: 1000 operations, 0 bytes read and written, 1 calls, peak 8 bytes
with n = 1000
time    share   calls  operations  bytes  where        what
8.0 us  95.2 %  1000   1000        0      input.gr:12  sin(p0)
0.4 us  4.8 %   1      0           0      input.gr:12  loop s, row
predicted 20.4 us: 1600 operations, 16808 bytes read and written, 302 calls, peak 80 bytes
time    share   calls  operations  bytes  where        what
7.1 us  34.8 %  100    500         4800   input.gr:14  sum(p0)
5.0 us  24.5 %  100    0           0      input.gr:14  if sum(p0) > 1 then cumsum(p0) else exp(p0)
3.7 us  18.4 %  50     250         4000   input.gr:14  exp(s[t-1])
3.5 us  17.4 %  50     250         4000   input.gr:14  cumsum(s[t-1])
0.4 us  2.0 %   1      0           0      input.gr:14  loop s, row
0.3 us  1.5 %   100    0           0      input.gr:14  if sum(p0) > 1 then cumsum(p0) else exp(p0)
0.2 us  0.7 %   100    100         0      input.gr:14  sum(p0) > 1
0.2 us  0.7 %   1      500         4008   input.gr:14  sum(…)
predicted 0.9 us: 100 operations, 0 bytes read and written, 1 calls, peak 0 bytes
a loop without a bound is assumed to take 100 steps
time    share   calls  operations  bytes  where        what
0.5 us  52.9 %  100    100         0      input.gr:16  p[t-1] * 3
0.4 us  47.1 %  1      0           0      input.gr:16  loop p
input.gr:18:11: error: no input has a size q
    :cost x q=3
              ^
  hint: sizes are the names in types: x : f64[n]
input.gr:19:11: error: n= takes a whole number
    :cost x n=-1
              ^^
input.gr:20:9: error: n= is given twice
    :cost x n=2 n=3
            ^^^
input.gr:21:16: error: assume= goes from 1 to 1000000000
    :cost x assume=0
                   ^
input.gr:22:1: error: :cost needs an expression
    :cost
    ^^^^^
  hint: :cost EXPR [SIZE=N...] [assume=N]
input.gr:23:10: error: x has no value
    :profile x
             ^
  hint: give it one with :=
input.gr:24:12: error: :profile takes no n=
    :profile x n=3
               ^^^
exit 1
