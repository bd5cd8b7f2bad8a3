# States, steps and wanted values are told apart by their place: any two of them may be one node.
x : f64 = 2
c : f64 = 3
S = scan t for 2 from p = zeros(1), q = zeros(1) { p[t]=p[t-1]+3; q[t]=q[t-1]+5*p[t-1]+1 }
L = sum(S.final.p*10 + S.final.q*x)
:trace L grad=x
# a is no earlier row of b although its equation is b[t-1]
F = scan t for 4 from a = 0 * x, b = 1 * x { a[t] = b[t-1]; b[t] = a[t-1] + b[t-1] }
:trace sum(F.b) grad=x
# every step gives the same node
K = scan t for 2 from p = x, q = x { p[t] = c; q[t] = q[t-1] * p[t-1] }
:trace K.final.q grad=c
# the same body under other names
G = scan t for 3 from r = x, s = x { r[t] = c; s[t] = s[t-1] * r[t-1] }
:trace G.final.s
:trace G at=0 all=on
# an output that is what a state is
O = scan t for 2 from s = x { s[t] = s[t-1] * c; y[t] = s[t] }
:trace O.y
# wanted twice
grad(x * x, [x, x])
vjp(x * x, (x, x), 1)
jvp(x * x, (x, x), (1, 2))
value_and_grad(x * c, (x, c, x))
u : f64[3] = [1, 2, 3]
M = scan t over a = u, b = u { r[t] = grad(a[t] * b[t] * b[t], a[t]); s[t] = grad(a[t] * b[t] * b[t], b[t]) }
M
---
row   p[t]  q[t]
init  [0]   [0]
0     [3]   [1]
1     [6]   [17]
backwards: the derivative of the value with respect to each state
row   d_p[t]  d_q[t]
1     [10]    [2]
0     [20]    [2]
init  [30]    [2]
d_x = 17
row   a[t]  b[t]
init  0      2
0     2      2
1     2      4
2     4      6
3     6     10
backwards: the derivative of the value with respect to each state
row   d_a[t]  d_b[t]
3              1
2     1        2
1     2        4
0     4        7
init  7       11
d_x = 11
row   p[t]  q[t]
init  2      2
0     3      4
1     3     12
backwards: the derivative of the value with respect to each state
row   d_p[t]  d_q[t]
1             1
0     4       3
init  6       6
d_c = 4
row   r[t]  s[t]
init  2      2
0     3      4
1     3     12
2     3     36
step    0
r[t-1]  2
s[t-1]  2
s[t]    4
… 2 more steps (at=1..)
row   s[t]  y[t]
init   2
0      6     6
1     18    18
[0] : f64 = 4.0
[1] : f64 = 4.0
[0] : f64 = 4.0
[1] : f64 = 4.0
f64 = 12.0
[0] : f64 = 6.0
[1][0] : f64 = 3.0
[1][1] : f64 = 2.0
[1][2] : f64 = 3.0
M : (r: f64[3], s: f64[3]) =
  r     s
1.0   2.0
4.0   8.0
9.0  18.0
