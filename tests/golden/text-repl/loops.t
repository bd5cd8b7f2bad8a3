x : f64 = 2
u : f64[n] = [1, 2, 3]
w = scan t from a = 1.0 { a[t] = (a[t-1] + x / a[t-1]) / 2; until abs(a[t] ^ 2 - x) < 1e-12 }
:trace w at=0..2 all=on
:trace w
G = scan t over u from G = 0.0 { G[t] = u[t] + x * G[t+1] }
:trace sum(G) at=0..8 all=on
:trace sum(G) grad=u
:trace sum(G) grad=x rows=2
W : f64[2, 2] = [[1, 0.5], [0, 1]]
S = scan t for 3 from h = ones(2), r = rng(1) { e, r[t] = normal(r[t-1], 2); h[t] = tanh(h[t-1] @ W) + 0.1 * e; y[t] = sum(h[t]) }
:trace S.h
:trace sum(S.final.h) grad=W
:trace S.y at=0..1 all=on
:trace x
:trace w
:trace w scan=q
:trace sum(G) + w[0] scan=G
:trace G grad=u
:trace w at=0 all=on
:trace sum(G) grad=nope
:trace sum(G) grad=n
none = scan t for 0 from p = x { p[t] = 2 * p[t-1] }
:trace none
:trace sum(none.final) grad=x
:trace none at=0..1 all=on
fib = scan t for 4 from f = [0.0, 1.0] { f[t] = f[t-1] + f[t-2] }
:trace fib
late = scan t for 9 from a = x { a[t] = a[t-1] * 2; b[t] = u[t]; until t >= 1 }
:trace late
# lanes that stop by themselves are frozen
V = vmap(a -> (scan t for 3 from s = a { s[t] = s[t-1] * 2; until s[t] > 3 }).final)([1.0, 2.0])
:trace V
:trace V at=0..1 all=on
Z = scan t for 0 from x = 1.0 { x[t] = x[t-1] * 2 }
:trace Z at=0..1 all=on
---
step                                    0      1           2
a[t-1]                                  1      1.5         1.41667
t                                       0      1           2
x / a[t-1]                              2      1.33333     1.41176
a[t-1] + x / a[t-1]                     3      2.83333     2.82843
a[t]                                    1.5    1.41667     1.41422
t + 1                                   1      2           3
((a[t-1] + x / a[t-1]) / 2)^2           2.25   2.00694     2.00001
((a[t-1] + x / a[t-1]) / 2)^2 - x       0.25   0.00694444  6.0073e-06
abs(((a[t-1] + x / a[t-1]) / 2)^2 - x)  0.25   0.00694444  6.0073e-06
until                                   false  false       false
… 2 more steps (at=3..); until stopped it after step 5
row   a[t]     until
init  1
0     1.5      false
1     1.41667  false
2     1.41422  false
3     1.41421  false
4     1.41421  true  <- stops here
until stopped it after step 5
step        0  1  2
G[t+1]      0  3  8
u[t]        3  2  1
x * G[t+1]  0  6  16
G[t]        3  8  17
row   G[t]
init   0
2      3
1      8
0     17
backwards: the derivative of the value with respect to each state
row  d_G[t]
0    1
1    3
2    7
d_u = [1, 3, 7]
row   G[t]
init  0
2     3
1     8
… 1 more step (at=2..)
backwards: the derivative of the value with respect to each state
row  d_G[t]
0    1
1    3
… 1 more step (at=0..)
d_x = 17
row   h[t]                  r[t]          y[t]
init  [1, 1]                <rng 1 at 0>
0     [0.710469, 0.69923]   <rng 1 at 1>  1.4097
1     [0.497708, 0.614365]  <rng 1 at 2>  1.11207
2     [0.572666, 0.637598]  <rng 1 at 3>  1.21026
row   h[t]                  r[t]          y[t]
init  [1, 1]                <rng 1 at 0>
0     [0.710469, 0.69923]   <rng 1 at 1>  1.4097
1     [0.497708, 0.614365]  <rng 1 at 2>  1.11207
2     [0.572666, 0.637598]  <rng 1 at 3>  1.21026
backwards: the derivative of the value with respect to each state
row   d_h[t]
2     [1, 1]
1     [1.04457, 0.512918]
0     [0.75366, 0.198023]
init  [0.33441, 0.035784]
d_W = [[1.17387, 0.431757], [1.25846, 0.489367]]
step                           0                        1
h[t-1]                         [1, 1]                   [0.710469, 0.69923]
r[t-1]                         <rng 1 at 0>             <rng 1 at 1>
h[t-1] @ W                     [1, 1.5]                 [0.710469, 1.05446]
tanh(h[t-1] @ W)               [0.761594, 0.905148]     [0.610971, 0.783536]
e                              [-0.511254, -2.05918]    [-1.13262, -1.69171]
0.1 * normal(r[t-1], (2,))[0]  [-0.0511254, -0.205918]  [-0.113262, -0.169171]
h[t]                           [0.710469, 0.69923]      [0.497708, 0.614365]
r[t]                           <rng 1 at 1>             <rng 1 at 2>
y[t]                           1.4097                   1.11207
… 1 more step (at=2..)
input.gr:15:8: error: there is no scan in this expression
    :trace x
           ^
row   a[t]     until
init  1
0     1.5      false
1     1.41667  false
2     1.41422  false
3     1.41421  false
4     1.41421  true  <- stops here
until stopped it after step 5
input.gr:17:15: error: there is no scan q outside other loops here
    :trace w scan=q
                  ^
  hint: scans are found by these names: w, a, t
row   G[t]
init   0
2      3
1      8
0     17
input.gr:19:8: error: a gradient is of one real number
    :trace G grad=u
           ^
  hint: sum(...) makes a scalar of an array
step                                    0
a[t-1]                                  1
t                                       0
x / a[t-1]                              2
a[t-1] + x / a[t-1]                     3
a[t]                                    1.5
t + 1                                   1
((a[t-1] + x / a[t-1]) / 2)^2           2.25
((a[t-1] + x / a[t-1]) / 2)^2 - x       0.25
abs(((a[t-1] + x / a[t-1]) / 2)^2 - x)  0.25
until                                   false
… 4 more steps (at=1..); until stopped it after step 5
input.gr:21:20: error: `nope` is not defined
    :trace sum(G) grad=nope
                       ^^^^
input.gr:22:20: error: there is no derivative with respect to n
    :trace sum(G) grad=n
                       ^
row   p[t]
init  2
the loop takes no steps
row   p[t]
init  2
the loop takes no steps
backwards: the derivative of the value with respect to each state
row   d_p[t]
init  1
d_x = 1
the loop takes no steps
row   f[t]
init  1
0     1
1     2
2     3
3     5
row   a[t]  b[t]  until
init  2
0     4     1     false
1     8     2     true  <- stops here
until stopped it after step 2
row   s[t]    stopped         steps   s_row[t]  until
init  [1, 2]  [false, false]  [0, 0]
0     [2, 4]  [false, true]   [1, 1]  [2, 4]    false
1     [4, 4]  [true, true]    [2, 1]  [4, 0]    true  <- stops here
until stopped it after step 2
step              0               1
s[t-1]            [1, 2]          [2, 4]
stopped           [false, false]  [false, true]
steps             [0, 0]          [1, 1]
not stopped       [true, true]    [true, false]
next_s[t]         [2, 4]          [4, 8]
s[t]              [2, 4]          [4, 4]
s[t-1] * 2 > 3    [false, true]   [true, true]
stopped           [false, true]   [true, true]
i64(not stopped)  [1, 1]          [1, 0]
steps             [1, 1]          [2, 1]
s_row[t]          [2, 4]          [4, 0]
not of bool[2]    [true, false]   [false, false]
any of bool       true            false
until             false           true
until stopped it after step 2
the loop takes no steps
exit 1
