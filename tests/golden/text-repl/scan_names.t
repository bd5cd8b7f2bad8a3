# A scan is found by the name of its definition, of a state or of an output.
x : f64 = 2
A = scan t for 2 from h = x { h[t] = h[t-1] * x; y[t] = h[t] + 1 }
B = scan t over y = A.y from p = 0.0 { p[t] = p[t-1] + y[t] }
C = scan t over B from h = 0.0 { h[t] = h[t-1] * B[t] + 1 }
z = sum(C) + A.final.h
:trace z
:trace z scan=A
:trace z scan=B
:trace z scan=C
:trace z scan=h
:trace z scan=y
:trace z scan=p
:trace z at=0 all=on scan=A
:trace z scan=pp
:trace z scan=nothing_like_it
# the scan that a gradient puts in the place of A is found as A
:trace grad(z, x) scan=A
---
row   h[t]
init   0
0      1
1     15
row   h[t]  y[t]
init  2
0     4     5
1     8     9
row   p[t]
init   0
0      5
1     14
row   h[t]
init   0
0      1
1     15
row   h[t]
init   0
0      1
1     15
row   h[t]  y[t]
init  2
0     4     5
1     8     9
row   p[t]
init   0
0      5
1     14
step    0
h[t-1]  2
h[t]    4
y[t]    5
… 1 more step (at=1..)
input.gr:15:15: error: there is no scan pp outside other loops here
    :trace z scan=pp
                  ^^
  hint: did you mean p?
input.gr:16:15: error: there is no scan nothing_like_it outside other loops here
    :trace z scan=nothing_like_it
                  ^^^^^^^^^^^^^^^
  hint: scans are found by these names: A, C, h, y, B, p
row   h[t]  y[t]  h[t-1]
init  2
0     4     5     2
1     8     9     4
exit 1
