# What an evaluation would take, for sizes given, known and assumed; nothing is evaluated.
x : f64[n]
A : f64[n, m]
:cost sum(exp(x) * 2)
:cost sum(exp(x) * 2) n=1000000
:cost A @ A' n=200 m=50
:cost x @ A assume=7
# loops: their own row, and those of the body as often as there are steps
h = scan t for n from s = 0.3 { s[t] = 3.7 * s[t-1] * (1 - s[t-1]) }
:cost h n=10
k : f64 = 2
r = scan t over x from s = k { s[t] = tanh(s[t-1] * x[t]) }
:cost grad(sum(r), k) n=1000
w : f64[m] = [1, 2, 3]
q = scan t for 50 from s = w { s[t] = s[t-1] * 0.5 + w }
:cost q
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
predicted 0.4 us: 201 operations, 808 bytes read and written, 1 calls, peak 0 bytes
with n = 100 (assumed)
time    share   calls  operations  bytes  where       what
0.2 us  49.3 %  1      200         808    input.gr:4  fused: 1 exp, 1 sum
0.0 us  0.4 %   1      1           0      input.gr:4  2 * sum(exp(x))
predicted 1.14 ms: 2e+06 operations, 8e+06 bytes read and written, 1 calls, peak 0 bytes
with n = 1000000
time     share    calls  operations  bytes  where       what
1.14 ms  100.0 %  1      2e+06       8e+06  input.gr:5  fused: 1 exp, 1 sum
0.0 us   0.0 %    1      1           0      input.gr:5  2 * sum(exp(x))
predicted 96.3 us: 4e+06 operations, 480000 bytes read and written, 1 calls, peak 320.0 KB
with m = 50, n = 200
time     share   calls  operations  bytes   where       what
96.0 us  99.8 %  1      4e+06       480000  input.gr:6  gemm(A, A, tb=true)
predicted 0.3 us: 98 operations, 504 bytes read and written, 1 calls, peak 56 bytes
with m = 7 (assumed), n = 7 (assumed)
time    share   calls  operations  bytes  where       what
0.1 us  21.6 %  1      98          504    input.gr:7  x @ A
predicted 0.6 us: 30 operations, 0 bytes read and written, 1 calls, peak 80 bytes
with n = 10
time    share   calls  operations  bytes  where       what
0.3 us  54.4 %  1      0           0      input.gr:9  loop s, row
0.0 us  6.2 %   10     20          0      input.gr:9  3.7 * s[t-1] * (1 - s[t-1])
0.0 us  3.1 %   10     10          0      input.gr:9  3.7 * s[t-1]
predicted 50.9 us: 9000 operations, 0 bytes read and written, 2 calls, peak 8000 bytes
with n = 1000
time     share   calls  operations  bytes  where        what
17.4 us  34.2 %  1000   1000        0      input.gr:12  tanh(s[t-1] * x[t])
15.7 us  30.8 %  1000   1000        0      input.gr:12  tanh(s[t] * x[t])
3.7 us   7.3 %   1      0           0      input.gr:13  loop carry_s, row
3.4 us   6.7 %   1000   2000        0      input.gr:12  (1 - sqr(tanh(…))) * x[t] * (carry_s[t] + 1)
2.0 us   3.9 %   1      0           0      input.gr:12  loop s, row
1.7 us   3.3 %   1000   0           0      input.gr:12  s[t-1]
1.7 us   3.3 %   1000   1000        0      input.gr:12  s[t-1] * x[t]
1.7 us   3.3 %   1000   1000        0      input.gr:12  s[t] * x[t]
1.7 us   3.3 %   1000   1000        0      input.gr:12  sqr(tanh(s[t] * x[t]))
1.7 us   3.3 %   1000   2000        0      input.gr:12  (1 - sqr(tanh(s[t] * x[t]))) * x[t]
predicted 6.1 us: 300 operations, 6000 bytes read and written, 51 calls, peak 1200 bytes
with m = 3
time    share   calls  operations  bytes  where        what
4.2 us  69.6 %  50     300         3600   input.gr:15  fused: 1 add, 1 mul
1.3 us  20.9 %  50     0           2400   input.gr:15  row of the trace: s[t-1] * 0.5 + w
0.3 us  4.9 %   1      0           0      input.gr:15  loop s, row
0.1 us  1.4 %   50     0           0      input.gr:15  s[t-1] * 0.5 + w
predicted 8.9 us: 1000 operations, 0 bytes read and written, 1 calls, peak 8000 bytes
with n = 1000
time    share   calls  operations  bytes  where        what
8.4 us  94.4 %  1000   1000        0      input.gr:17  sin(s[t-1])
0.3 us  3.4 %   1      0           0      input.gr:17  loop s, row
predicted 18.1 us: 1600 operations, 24808 bytes read and written, 302 calls, peak 4000 bytes
time    share   calls  operations  bytes  where        what
5.1 us  28.1 %  100    500         4800   input.gr:19  sum(s[t-1])
4.0 us  22.1 %  100    0           0      input.gr:19  if … then … else …
2.7 us  15.2 %  50     250         4000   input.gr:19  exp(s[t-1])
2.7 us  14.9 %  50     250         4000   input.gr:19  cumsum(s[t-1])
2.6 us  14.3 %  100    0           8000   input.gr:19  row of the trace: if … then … else …
0.3 us  1.7 %   1      0           0      input.gr:19  loop s, row
0.2 us  0.9 %   100    100         0      input.gr:19  sum(s[t-1]) > 1
0.2 us  0.9 %   100    0           0      input.gr:19  if … then … else …
0.1 us  0.7 %   1      500         4008   input.gr:19  sum(…)
predicted 1.0 us: 100 operations, 0 bytes read and written, 1 calls, peak 0 bytes
a loop without a bound is assumed to take 100 steps
time    share   calls  operations  bytes  where        what
0.5 us  50.5 %  100    100         0      input.gr:21  p[t-1] * 3
0.3 us  29.7 %  1      0           0      input.gr:21  loop p
input.gr:23:11: error: no input has a size q
    :cost x q=3
              ^
  hint: sizes are the names in types: x : f64[n]; :cost [EXPR] [SIZE=N...] [assume=N]
input.gr:24:11: error: n= takes a whole number
    :cost x n=-1
              ^^
input.gr:25:9: error: n= is given twice
    :cost x n=2 n=3
            ^^^
input.gr:26:16: error: assume= goes from 1 to 1000000000
    :cost x assume=0
                   ^
predicted 1.0 us: 100 operations, 0 bytes read and written, 1 calls, peak 0 bytes
a loop without a bound is assumed to take 100 steps
time    share   calls  operations  bytes  where        what
0.5 us  50.5 %  100    100         0      input.gr:21  p[t-1] * 3
0.3 us  29.7 %  1      0           0      input.gr:21  loop p
input.gr:28:10: error: x has no value
    :profile x
             ^
  hint: give it one with :=
input.gr:29:12: error: :profile takes no n=
    :profile x n=3
               ^^^
exit 1
