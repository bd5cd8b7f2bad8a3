# Tables that begin at any step, both ways; a long loop takes its steps as a loop.
x : f64 = 2
u : f64[n] = f64(arange(10))
F = scan t over u from a = x { a[t] = a[t-1] / 2 + u[t] }
:trace F at=4.. rows=3
:trace F at=0.. rows=2
:trace F at=9..
:trace F at=10..
:trace F at=5..6 all=on
:trace F at=8..12 all=on
# without from= the way back begins at the last step, with it at the same steps
:trace sum(F) grad=x rows=3
:trace sum(F) grad=x rows=3 at=4..
:trace sum(F) grad=u rows=20
# backwards: steps are counted as the loop takes them
B = scan t over u from s = 0.0 { s[t] = s[t+1] * x + u[t] }
:trace B at=2.. rows=3
:trace B[0] grad=u rows=2
:trace B[0] grad=u rows=2 at=0..
:trace B at=3..4 all=on
# until
w = scan t from a = 1.0 { a[t] = (a[t-1] + x / a[t-1]) / 2; until abs(a[t] ^ 2 - x) < 1e-12 }
:trace w at=3..
:trace w.final at=3.. grad=x
:trace w at=5..
# states of several rows, and of random numbers
fib = scan t for 9 from f = [0.0, 1.0], r = rng(1) { e, r[t] = uniform(r[t-1]); f[t] = f[t-1] + f[t-2]; y[t] = e }
:trace fib at=7..
:trace sum(fib.f) * x grad=x at=3.. rows=2
# a million steps
L = scan t for 1000000 from a = 1.0 { a[t] = (a[t-1] + x / a[t-1]) / 2; b[t] = t }
:trace L rows=2
:trace L at=999997..
:trace L.a at=500000..500001 all=on
:trace L.final.a + sum(L.a) / 1000000 grad=x rows=2
:trace L.final.a + sum(L.a) / 1000000 grad=x rows=2 at=500000..
v = arange(1000000) * 1e-6
R = scan t over v from s = 0.0 { s[t] = s[t+1] * 0.5 + x * v[t] }
:trace R at=999998..
:trace R[0] grad=x rows=2 at=999996..
grad(R[0], x)
---
row  a[t]
4     6.1875
5     8.09375
6    10.0469
… 4 steps before (at=1..), 3 steps after (at=7..)
row   a[t]
init  2
0     1
1     1.5
… 8 more steps (at=2..)
row  a[t]
9    16.0059
… 9 steps before (at=0..)
input.gr:8:13: error: the last step is 9, so at= goes up to that
    :trace F at=10..
                ^^^^
step        5        6
a[t-1]      6.1875   8.09375
u[t]        5        6
a[t-1] / 2  3.09375  4.04688
a[t]        8.09375  10.0469
… 5 steps before (at=3..), 3 steps after (at=7..)
step        8        9
a[t-1]      12.0234  14.0117
u[t]        8        9
a[t-1] / 2  6.01172  7.00586
a[t]        14.0117  16.0059
… 8 steps before (at=6..)
row   a[t]
init  2
0     1
1     1.5
2     2.75
… 7 more steps (at=3..)
backwards: the derivative of the value with respect to each state
row  d_a[t]
9    1
8    1.5
7    1.75
… 7 more steps (at=4..)
d_x = 0.999023
row  a[t]
4     6.1875
5     8.09375
6    10.0469
… 4 steps before (at=1..), 3 steps after (at=7..)
backwards: the derivative of the value with respect to each state
row  d_a[t]
6    1.875
5    1.9375
4    1.96875
… 3 steps after (at=7..), 4 steps before (at=1..)
d_x = 0.999023
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
backwards: the derivative of the value with respect to each state
row   d_a[t]
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
d_u = [1.99805, 1.99609, 1.99219, …]
row  s[t]
7     59
6    124
5    253
… 2 steps before (at=0..), 5 steps after (at=5..)
row   s[t]
init   0
9      9
8     26
… 8 more steps (at=2..)
backwards: the derivative of the value with respect to each state
row  d_s[t]
0    1
1    2
… 8 more steps (at=6..)
d_u = [1, 2, 4, …]
row   s[t]
init   0
9      9
8     26
… 8 more steps (at=2..)
backwards: the derivative of the value with respect to each state
row  d_s[t]
8    256
9    512
… 8 steps after (at=2..)
d_u = [1, 2, 4, …]
step        3    4
s[t+1]      59   124
u[t]        6    5
s[t+1] * x  118  248
s[t]        124  253
… 3 steps before (at=1..), 5 steps after (at=5..)
row  a[t]     until
3    1.41421  false
4    1.41421  true  <- stops here
… 3 steps before (at=0..); until stopped it after step 5
row  a[t]     until
3    1.41421  false
4    1.41421  true  <- stops here
… 3 steps before (at=0..); until stopped it after step 5
backwards: the derivative of the value with respect to each state
row  d_a[t]
4    1
3    1.12771e-12
… 3 more steps (at=0..)
d_x = 0.353553
input.gr:25:13: error: the last step is 4, so at= goes up to that
    :trace w at=5..
                ^^^
row  f[t]  r[t]          y[t]
7    34    <rng 1 at 8>  0.467469
8    55    <rng 1 at 9>  0.911722
… 7 steps before (at=0..)
row  f[t]  r[t]          y[t]
3    5     <rng 1 at 4>  0.0365438
4    8     <rng 1 at 5>  0.663274
… 3 steps before (at=1..), 4 steps after (at=5..)
backwards: the derivative of the value with respect to each state
row  d_f[t]
4    24
3    40
… 4 steps after (at=5..), 3 steps before (at=1..)
d_x = 142
row   a[t]     b[t]
init  1
0     1.5      0
1     1.41667  1
… 999998 more steps (at=2..)
row     a[t]     b[t]
999997  1.41421  999997
999998  1.41421  999998
999999  1.41421  999999
… 999997 steps before (at=999977..)
step                 500000   500001
a[t-1]               1.41421  1.41421
t                    500000   500001
x / a[t-1]           1.41421  1.41421
a[t-1] + x / a[t-1]  2.82843  2.82843
a[t]                 1.41421  1.41421
… 500000 steps before (at=499998..), 499998 steps after (at=500002..)
row   a[t]     b[t]
init  1
0     1.5      0
1     1.41667  1
… 999998 more steps (at=2..)
backwards: the derivative of the value with respect to each state
row     d_a[t]
999999  1
999998  1e-06
… 999998 more steps (at=999996..)
d_x = 0.707107
row     a[t]     b[t]
500000  1.41421  500000
500001  1.41421  500001
… 500000 steps before (at=499998..), 499998 steps after (at=500002..)
backwards: the derivative of the value with respect to each state
row     d_a[t]
500001  1e-06
500000  1e-06
… 499998 steps after (at=500002..), 500000 steps before (at=499998..)
d_x = 0.707107
row  s[t]
1    8e-06
0    4e-06
… 999998 steps before (at=999978..)
row  s[t]
3    1.6e-05
2    1.2e-05
… 999996 steps before (at=999994..), 2 steps after (at=999998..)
backwards: the derivative of the value with respect to each state
row  d_s[t]
2    0.25
3    0.125
… 2 steps after (at=999998..), 999996 steps before (at=999994..)
d_x = 2e-06
f64 = 2e-06
exit 1
