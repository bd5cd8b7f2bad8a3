# Rows, columns and elements at places that the step says, in loops over arrays of known shapes; where they are outside.
w = reshape(f64(iota(12)), (3, 4))
k = 2
P = scan t for 6 from d = w { d[t] = d[t-1] + reshape(d[t-1][t], (1, 4)) }
P.final
Q = scan t for 6 from d = w { d[t] = d[t-1] + reshape(d[t-1][:, t], (3, 1)) }
Q.final
R = scan t for 6 from d = w { d[t] = d[t-1] + take(d[t-1], [0, 1, t, -t], axis=1) }
R.final
S = scan t for 6 from d = iota(4) { d[t] = d[t-1] + d[t-1][t] }
S.final
T = scan t for 6 from d = w { d[t] = d[t-1] with [t] = d[t-1][0] }
T.final
V = scan t for 4 from d = w { d[t] = d[t-1] + take(d[t-1], [0, 1, t, -t], axis=1) * 0.5 + reshape(d[t-1][t - 2], (1, 4)) }
V.d
---
input.gr:4:55: error: index 3 is out of range for axis 0 of f64[3, 4], in row 3 of the loop
    P = scan t for 6 from d = w { d[t] = d[t-1] + reshape(d[t-1][t], (1, 4)) }
                                                          ^^^^^^^^^
input.gr:5:1: note: its value is needed here
    P.final
    ^^^^^^^
input.gr:6:55: error: index 4 is out of range for axis 1 of f64[3, 4], in row 4 of the loop
    Q = scan t for 6 from d = w { d[t] = d[t-1] + reshape(d[t-1][:, t], (3, 1)) }
                                                          ^^^^^^^^^^^^
input.gr:7:1: note: its value is needed here
    Q.final
    ^^^^^^^
input.gr:8:47: error: index 4 is out of range for axis 1 of f64[3, 4], in row 4 of the loop
    R = scan t for 6 from d = w { d[t] = d[t-1] + take(d[t-1], [0, 1, t, -t], axis=1) }
                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:9:1: note: its value is needed here
    R.final
    ^^^^^^^
input.gr:10:53: error: index 4 is out of range for axis 0 of i64[4], in row 4 of the loop
    S = scan t for 6 from d = iota(4) { d[t] = d[t-1] + d[t-1][t] }
                                                        ^^^^^^^^^
input.gr:11:1: note: its value is needed here
    S.final
    ^^^^^^^
input.gr:12:38: error: index 3 is out of range for axis 0 of f64[3, 4], in row 3 of the loop
    T = scan t for 6 from d = w { d[t] = d[t-1] with [t] = d[t-1][0] }
                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:13:1: note: its value is needed here
    T.final
    ^^^^^^^
f64[4, 3, 4] =
[[[  4.0,     6.5,     8.0,    10.0],
  [ 10.0,    12.5,    14.0,    16.0],
  [ 16.0,    18.5,    20.0,    22.0]],

 [[ 22.0,    28.25,   31.25,   37.0],
  [ 31.0,    37.25,   40.25,   46.0],
  [ 40.0,    46.25,   49.25,   55.0]],

 [[ 55.0,    70.625,  78.125,  89.625],
  [ 68.5,    84.125,  91.625, 103.125],
  [ 82.0,    97.625, 105.125, 116.625]],

 [[151.0,   190.062, 214.562, 228.062],
  [171.25,  210.312, 234.812, 248.312],
  [191.5,   230.562, 255.062, 268.562]]]
exit 1
