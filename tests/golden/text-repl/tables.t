# Tables are never wider than they may be: what has no room is shortened or stands below.
x : f64[5, 2] = [[1, 0.5], [-0.2, 0.3], [12.25, -1], [0, 100], [1e-9, 3]]
W : f64[2, 2] = [[1, 0.5], [-0.25, 1]]
S = scan t over x from h = zeros(2), c = 1.0, n = 0 {
  g = x[t] @ W
  h[t] = tanh(g + h[t-1])
  c[t] = c[t-1] * neg(10.5) + g[0]
  n[t] = n[t-1] + 7
  outer_product[t] = W * c[t]
  größe[t] = c[t] > 0
  wide[t] = concat((g, h[t], g))
  until n[t] >= 28
}
:trace S.h width=40
:trace S.h width=80
:trace S.h width=200
:trace S.h width=20 only=c,wide
:trace S.h only=c,größe width=30
:trace S.h at=0..2 all=on width=40
:trace S.h at=0..2 all=on width=80
:trace S.h at=0..1 all=on width=200 only=h,c,wide
# few rows of many columns: rows and columns change places where that takes fewer lines
M = scan t for 1 from a = 1.0, b = 2.0, c = 3.0, d = 4.0, e = 5.0, f = 6.0, g = 7.0, h = 8.0 { a[t] = b[t-1]; b[t] = c[t-1]; c[t] = d[t-1]; d[t] = e[t-1]; e[t] = f[t-1]; f[t] = g[t-1] / 3; g[t] = h[t-1] * 1e10; h[t] = a[t-1] }
:trace M.a width=30
:trace M.a
:trace sum(S.final.h) grad=W width=30 rows=2
:set width 40
:trace sum(S.final.h) grad=W rows=2 only=h
:trace S width=19
:trace S width=a
:trace S only=q
:trace S only=outer_produkt
:set width 0
---
row   h[t]                  c[t]
init  [0, 0]                    1
0     [0.703906, 0.761594]     -9.625
1     [0.404406, 0.744987]    100.787
2     [1, 0.999984]         -1045.77
3     [-1, 1]               10955.6

row   n[t]  outer_product[t]    größe[t]
init   0
0      7    [[-9.625, …], …]    false
1     14    [[100.787, …], …]   true
2     21    [[-1045.77, …], …]  false
3     28    [[10955.6, …], …]   true

row   wide[t]                     until
init
0     [0.875, 1, 0.703906, …]     false
1     [-0.275, 0.2, 0.404406, …]  false
2     [12.5, 5.125, 1, …]         false
3     [-25, 100, -1, …]           true
until stopped it after step 4
… marks values that do not fit: a larger
width= or fewer digits= makes room, an
index, as in S.h[3], shows a value
whole, --json has all
row   h[t]                  c[t]       n[t]
init  [0, 0]                    1       0
0     [0.703906, 0.761594]     -9.625   7
1     [0.404406, 0.744987]    100.787  14
2     [1, 0.999984]         -1045.77   21
3     [-1, 1]               10955.6    28

row   outer_product[t]                             größe[t]
init
0     [[-9.625, -4.8125], [2.40625, -9.625]]       false
1     [[100.787, 50.3937], [-25.1969, 100.787]]    true
2     [[-1045.77, -522.884], [261.442, -1045.77]]  false
3     [[10955.6, 5477.79], [-2738.89, 10955.6]]    true

row   wide[t]                     until
init
0     [0.875, 1, 0.703906, …]     false
1     [-0.275, 0.2, 0.404406, …]  false
2     [12.5, 5.125, 1, …]         false
3     [-25, 100, -1, …]           true  <- stops here
until stopped it after step 4
… marks values that do not fit: a larger width= or fewer digits= makes room, an
index, as in S.h[3], shows a value whole, --json has all
row   h[t]                  c[t]       n[t]  outer_product[t]                             größe[t]  wide[t]                     until
init  [0, 0]                    1       0
0     [0.703906, 0.761594]     -9.625   7    [[-9.625, -4.8125], [2.40625, -9.625]]       false     [0.875, 1, 0.703906, …]     false
1     [0.404406, 0.744987]    100.787  14    [[100.787, 50.3937], [-25.1969, 100.787]]    true      [-0.275, 0.2, 0.404406, …]  false
2     [1, 0.999984]         -1045.77   21    [[-1045.77, -522.884], [261.442, -1045.77]]  false     [12.5, 5.125, 1, …]         false
3     [-1, 1]               10955.6    28    [[10955.6, 5477.79], [-2738.89, 10955.6]]    true      [-25, 100, -1, …]           true  <- stops here
until stopped it after step 4
… marks values that do not fit: a larger width= or fewer digits= makes room, an index, as in S.h[3], shows a value whole, --json has all
row   c[t]
init      1
0        -9.625
1       100.787
2     -1045.77
3     10955.6

row   wide[t]
init
0     [0.875, 1, …]
1     [-0.275, …]
2     [12.5, …]
3     [-25, 100, …]

row   until
init
0     false
1     false
2     false
3     true
until stopped it
after step 4
… marks values that
do not fit: a larger
width= or fewer
digits= makes room,
an index, as in
S.h[3], shows a
value whole, --json
has all
row   c[t]       größe[t]
init      1
0        -9.625  false
1       100.787  true
2     -1045.77   false
3     10955.6    true

row   until
init
0     false
1     false
2     false
3     true  <- stops here
until stopped it after step 4
step  h[t-1]                c[t-1]
0     [0, 0]                  1
1     [0.703906, 0.761594]   -9.625
2     [0.404406, 0.744987]  100.787

step  n[t-1]  x[t]         g
0      0      [1, 0.5]     [0.875, 1]
1      7      [-0.2, 0.3]  [-0.275, 0.2]
2     14      [12.25, -1]  [12.5, 5.125]

step  x[t] @ W + h[t-1]
0     [0.875, 1]
1     [0.428906, 0.961594]
2     [12.9044, 5.86999]

step  h[t]                  -10.5
0     [0.703906, 0.761594]  -10.5
1     [0.404406, 0.744987]  -10.5
2     [1, 0.999984]         -10.5

step  c[t-1] * -10.5  (x[t] @ W)[0]
0       -10.5          0.875
1       101.062       -0.275
2     -1058.27        12.5

step  c[t]       n[t]
0        -9.625   7
1       100.787  14
2     -1045.77   21

step  outer_product[t]    größe[t]
0     [[-9.625, …], …]    false
1     [[100.787, …], …]   true
2     [[-1045.77, …], …]  false

step  wide[t]                     until
0     [0.875, 1, 0.703906, …]     false
1     [-0.275, 0.2, 0.404406, …]  false
2     [12.5, 5.125, 1, …]         false
… 1 more step (at=3..); until stopped it
after step 4
… marks values that do not fit: a larger
width= or fewer digits= makes room, an
index, as in S.h[3], shows a value
whole, --json has all
step               0                 1                  2
h[t-1]             [0, …]            [0.703906, …]      [0.404406, …]
c[t-1]             1                 -9.625             100.787
n[t-1]             0                 7                  14
x[t]               [1, …]            [-0.2, …]          [12.25, …]
g                  [0.875, …]        [-0.275, …]        [12.5, …]
x[t] @ W + h[t-1]  [0.875, …]        [0.428906, …]      [12.9044, …]
h[t]               [0.703906, …]     [0.404406, …]      [1, …]
-10.5              -10.5             -10.5              -10.5
c[t-1] * -10.5     -10.5             101.062            -1058.27
(x[t] @ W)[0]      0.875             -0.275             12.5
c[t]               -9.625            100.787            -1045.77
n[t]               7                 14                 21
outer_product[t]   [[-9.625, …], …]  [[100.787, …], …]  [[-1045.77, …], …]
größe[t]           false             true               false
wide[t]            [0.875, …]        [-0.275, …]        [12.5, …]
until              false             false              false
… 1 more step (at=3..); until stopped it after step 4
… marks values that do not fit: a larger width= or fewer digits= makes room, an
index, as in S.h[3], shows a value whole, --json has all
step     0                        1
h[t-1]   [0, 0]                   [0.703906, 0.761594]
c[t-1]   1                        -9.625
h[t]     [0.703906, 0.761594]     [0.404406, 0.744987]
c[t]     -9.625                   100.787
wide[t]  [0.875, 1, 0.703906, …]  [-0.275, 0.2, 0.404406, …]
… 2 more steps (at=2..); until stopped it after step 4
… marks values that do not fit: a larger width= or fewer digits= makes room, an index, as in S.h[3], shows a value whole, --json has all
row   init  0
a[t]  1     2
b[t]  2     3
c[t]  3     4
d[t]  4     5
e[t]  5     6
f[t]  6     2.33333
g[t]  7     8e+10
h[t]  8     1
row   a[t]  b[t]  c[t]  d[t]  e[t]  f[t]     g[t]   h[t]
init  1     2     3     4     5     6        7      8
0     2     3     4     5     6     2.33333  8e+10  1
row   h[t]
init  [0, 0]
0     [0.703906, 0.761594]
1     [0.404406, 0.744987]

row   c[t]     n[t]
init    1       0
0      -9.625   7
1     100.787  14

row   outer_product[t]
init
0     [[-9.625, …], …]
1     [[100.787, …], …]

row   größe[t]
init
0     false
1     true

row   wide[t]
init
0     [0.875, 1, 0.703906, …]
1     [-0.275, 0.2, …]

row   until
init
0     false
1     false
… 2 more steps (at=2..); until
stopped it after step 4
backwards: the derivative of
the value with respect to each
state
row  d_h[t]  d_c[t]
3    [1, 1]
2    [0, 0]
… 2 more steps (at=0..)
d_W = [[0, 0], [0, 0]]
… marks values that do not
fit: a larger width= or fewer
digits= makes room, an index,
as in S.h[3], shows a value
whole, --json has all
row   h[t]                  until
init  [0, 0]
0     [0.703906, 0.761594]  false
1     [0.404406, 0.744987]  false
… 2 more steps (at=2..); until stopped
it after step 4
backwards: the derivative of the value
with respect to each state
row  d_h[t]
3    [1, 1]
2    [0, 0]
… 2 more steps (at=0..)
d_W = [[0, 0], [0, 0]]
input.gr:29:16: error: width= goes from 20 to 100000
    :trace S width=19
                   ^^
input.gr:30:16: error: width= takes a whole number
    :trace S width=a
                   ^
input.gr:31:15: error: nothing that is shown here is called q
    :trace S only=q
                  ^
  hint: there are h, c, n, outer_product, größe, wide
input.gr:32:15: error: nothing that is shown here is called outer_produkt
    :trace S only=outer_produkt
                  ^^^^^^^^^^^^^
  hint: did you mean outer_product?
exit 1
