# Tables that begin at any step, both ways; a long loop takes its steps as a loop.
x : f64 = 2
u : f64[n] = f64(arange(10))
F = scan t over u from a = x { a[t] = a[t-1] / 2 + u[t] }
:watch F from=4 rows=3
:watch F from=0 rows=2
:watch F from=9
:watch F from=10
:unroll F 2 from=5
:unroll F 5 from=8
# without from= the way back begins at the last step, with it at the same steps
:watch sum(F) grad=x rows=3
:watch sum(F) grad=x rows=3 from=4
:watch sum(F) grad=u rows=20
# backwards: steps are counted as the loop takes them
B = scan t over u from s = 0.0 { s[t] = s[t+1] * x + u[t] }
:watch B from=2 rows=3
:watch B[0] grad=u rows=2
:watch B[0] grad=u rows=2 from=0
:unroll B 2 from=3
# until
w = scan t from a = 1.0 { a[t] = (a[t-1] + x / a[t-1]) / 2; until abs(a[t] ^ 2 - x) < 1e-12 }
:watch w from=3
:watch w.final from=3 grad=x
:watch w from=5
# states of several rows, and of random numbers
fib = scan t for 9 from f = [0.0, 1.0], r = rng(1) { e, r[t] = uniform(r[t-1]); f[t] = f[t-1] + f[t-2]; y[t] = e }
:watch fib from=7
:watch sum(fib.f) * x grad=x from=3 rows=2
# a million steps
L = scan t for 1000000 from a = 1.0 { a[t] = (a[t-1] + x / a[t-1]) / 2; b[t] = t }
:watch L rows=2
:watch L from=999997
:unroll L.a 2 from=500000
:watch L.final.a + sum(L.a) / 1000000 grad=x rows=2
:watch L.final.a + sum(L.a) / 1000000 grad=x rows=2 from=500000
v = arange(1000000) * 1e-6
R = scan t over v from s = 0.0 { s[t] = s[t+1] * 0.5 + x * v[t] }
:watch R from=999998
:watch R[0] grad=x rows=2 from=999996
grad(R[0], x)
---
row  a[t]
4     6.1875
5     8.09375
6    10.0469
… 4 steps before (from=1), 3 steps after (from=7)
row   a[t]
init  2
0     1
1     1.5
… 8 more steps (from=2)
row  a[t]
9    16.0059
… 9 steps before (from=0)
input.gr:8:15: error: the loop takes 10 steps, so from= goes up to 9
    :watch F from=10
                  ^^
step        5        6
a[t-1]      6.1875   8.09375
u[t]        5        6
a[t-1] / 2  3.09375  4.04688
a[t]        8.09375  10.0469
… 5 steps before (from=3), 3 steps after (from=7)
step        8        9
a[t-1]      12.0234  14.0117
u[t]        8        9
a[t-1] / 2  6.01172  7.00586
a[t]        14.0117  16.0059
… 8 steps before (from=3)
row   a[t]
init  2
0     1
1     1.5
2     2.75
… 7 more steps (from=3)
backwards: what the value changes by with each state
row  d a[t]
9    1
8    1.5
7    1.75
… 7 more steps (from=4)
d x = 0.999023
row  a[t]
4     6.1875
5     8.09375
6    10.0469
… 4 steps before (from=1), 3 steps after (from=7)
backwards: what the value changes by with each state
row  d a[t]
6    1.875
5    1.9375
4    1.96875
… 3 steps after (from=7), 4 steps before (from=1)
d x = 0.999023
row   a[t]
init   2
0      1
1      1.5
2      2.75
3      4.375
4      6.1875
5      8.09375
6     10.0469
7     12.0234
8     14.0117
9     16.0059
backwards: what the value changes by with each state
row   d a[t]
9     1
8     1.5
7     1.75
6     1.875
5     1.9375
4     1.96875
3     1.98438
2     1.99219
1     1.99609
0     1.99805
init  0.999023
d u = [1.99805, 1.99609, 1.99219, …]
row  s[t]
7     59
6    124
5    253
… 2 steps before (from=0), 5 steps after (from=5)
row   s[t]
init   0
9      9
8     26
… 8 more steps (from=2)
backwards: what the value changes by with each state
row  d s[t]
0    1
1    2
… 8 more steps (from=6)
d u = [1, 2, 4, …]
row   s[t]
init   0
9      9
8     26
… 8 more steps (from=2)
backwards: what the value changes by with each state
row  d s[t]
8    256
9    512
… 8 steps after (from=2)
d u = [1, 2, 4, …]
step        3    4
s[t+1]      59   124
u[t]        6    5
s[t+1] * x  118  248
s[t]        124  253
… 3 steps before (from=1), 5 steps after (from=5)
row  a[t]     until
3    1.41421  false
4    1.41421  true  <- stops here
… 3 steps before (from=0); until stopped it after step 5
row  a[t]     until
3    1.41421  false
4    1.41421  true  <- stops here
… 3 steps before (from=0); until stopped it after step 5
backwards: what the value changes by with each state
row  d a[t]
4    1
3    1.12771e-12
… 3 more steps (from=0)
d x = 0.353553
input.gr:25:15: error: the loop takes 5 steps, so from= goes up to 4
    :watch w from=5
                  ^
row  f[t]  r[t]          y[t]
7    34    <rng 1 at 8>  0.467469
8    55    <rng 1 at 9>  0.911722
… 7 steps before (from=0)
row  f[t]  r[t]          y[t]
3    5     <rng 1 at 4>  0.0365438
4    8     <rng 1 at 5>  0.663274
… 3 steps before (from=1), 4 steps after (from=5)
backwards: what the value changes by with each state
row  d f[t]
4    24
3    40
… 4 steps after (from=5), 3 steps before (from=1)
d x = 142
row   a[t]     b[t]
init  1
0     1.5      0
1     1.41667  1
… 999998 more steps (from=2)
row     a[t]     b[t]
999997  1.41421  999997
999998  1.41421  999998
999999  1.41421  999999
… 999997 steps before (from=999977)
step                 500000   500001
a[t-1]               1.41421  1.41421
t                    500000   500001
x / a[t-1]           1.41421  1.41421
a[t-1] + x / a[t-1]  2.82843  2.82843
a[t]                 1.41421  1.41421
… 500000 steps before (from=499998), 499998 steps after (from=500002)
row   a[t]     b[t]
init  1
0     1.5      0
1     1.41667  1
… 999998 more steps (from=2)
backwards: what the value changes by with each state
row     d a[t]
999999  1
999998  1e-06
… 999998 more steps (from=999996)
d x = 0.707107
row     a[t]     b[t]
500000  1.41421  500000
500001  1.41421  500001
… 500000 steps before (from=499998), 499998 steps after (from=500002)
backwards: what the value changes by with each state
row     d a[t]
500001  1e-06
500000  1e-06
… 499998 steps after (from=500002), 500000 steps before (from=499998)
d x = 0.707107
row  s[t]
1    8e-06
0    4e-06
… 999998 steps before (from=999978)
row  s[t]
3    1.6e-05
2    1.2e-05
… 999996 steps before (from=999994), 2 steps after (from=999998)
backwards: what the value changes by with each state
row  d s[t]
2    0.25
3    0.125
… 2 steps after (from=999998), 999996 steps before (from=999994)
d x = 2e-06
f64 = 2e-06
exit 1
