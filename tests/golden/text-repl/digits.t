# How many digits: of one table, of a session; JSON has all.
x : f64 = 3
y : f32 = 3
S = scan t for 3 from a = 1.0, b = ones(2) { a[t] = a[t-1] / x; b[t] = b[t-1] / x * 1e5 }
:trace S digits=3
:trace S digits=12 rows=1
:trace S digits=17 rows=2
:trace S.a at=0..1 all=on digits=2
:trace S.final.a grad=x digits=2
:trace S digits=0
:trace S digits=18
:set digits 3
2 / x
2 / y
1e300 / x
[1.0, 2.0, 4.0] / x
[[1e-9, 1.0], [2.0, 3.0]] / x
123456.789
123000.0
[123456.789, 1.0]
[123000.0, 1.0]
2
nan
f32(1234.567)
S.final
:trace S rows=1
:trace S rows=1 digits=5
in alt { 1 / x }
shared w : f64 = 0.1234567
:vars
:save "d.gr"
:set digits 0
2 / x
:load "d.gr"
2 / x
:set digits 0
2 / x
2 / y
:set digits 18
:set digits x
---
row   a[t]   b[t]
init  1      [1, 1]
0     0.333  [3.33e+04, 3.33e+04]
1     0.111  [1.11e+09, 1.11e+09]
2     0.037  [3.7e+13, 3.7e+13]
row   a[t]            b[t]
init  1               [1, 1]
0     0.333333333333  [33333.3333333, 33333.3333333]
… 2 more steps (at=1..)
row   a[t]                b[t]
init  1                   [1, 1]
0     0.3333333333333333  [33333.33333333333, 33333.33333333333]
1     0.1111111111111111  [1111111111.111111, 1111111111.111111]
… 1 more step (at=2..)
step        0                   1
a[t-1]      1                   0.33
b[t-1]      [1, 1]              [3.3e+04, 3.3e+04]
a[t]        0.33                0.11
b[t-1] / x  [0.33, 0.33]        [1.1e+04, 1.1e+04]
b[t]        [3.3e+04, 3.3e+04]  [1.1e+09, 1.1e+09]
… 1 more step (at=2..)
row   a[t]   b[t]
init  1      [1, 1]
0     0.33   [3.3e+04, 3.3e+04]
1     0.11   [1.1e+09, 1.1e+09]
2     0.037  [3.7e+13, 3.7e+13]
backwards: the derivative of the value with respect to each state
row  d_a[t]  d_b[t]
2    1
1    0.33
0    0.11
d_x = -0.037
input.gr:10:17: error: digits= goes from 1 to 17
    :trace S digits=0
                    ^
input.gr:11:17: error: digits= goes from 1 to 17
    :trace S digits=18
                    ^^
f64 = 0.667
f32 = 0.667
f64 = 3.33e+299
f64[3] = [0.333, 0.667, 1.33]
f64[2, 2] =
[[3.33e-10, 3.33e-01],
 [6.67e-01, 1.00e+00]]
f64 = 1.23e+05
f64 = 123000.0
f64[2] = [1.23e+05, 1.00e+00]
f64[2] = [1.23e+05, 1.00e+00]
i64 = 2
nan : f64 = nan
f32 = 1.23e+03
.a : f64 = 0.037
.b : f64[2] = [3.7e+13, 3.7e+13]
row   a[t]   b[t]
init  1      [1, 1]
0     0.333  [3.33e+04, 3.33e+04]
… 2 more steps (at=1..)
row   a[t]     b[t]
init  1        [1, 1]
0     0.33333  [33333, 33333]
… 2 more steps (at=1..)
f64 = 0.333
x  input       f64                        3
y  input       f32                        3
S  definition  (a: f64[3], b: f64[3, 2])  scan t for 3 from a = 1.0, b = ones(2) { a[t] = a[t - 1] / x…
w  shared      f64                        0.123
in default:
  w : f64 = 0.123
in alt:
4 statements in d.gr
f64 = 0.6666666666666666
f64 = 0.667
f64 = 0.6666666666666666
f32 = 0.6666667
input.gr:39:13: error: this takes a number from 0 to 17
    :set digits 18
                ^^
input.gr:40:13: error: this takes a number from 0 to 17
    :set digits x
                ^
exit 1
