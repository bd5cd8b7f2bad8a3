# Two equations that are one node: it is said for which of them the rest of the step counts.
z : f64 = 2
S = scan t for 2 from p = 0.0, q = 1.0, r = 0.0 { p[t] = q[t-1] * z; q[t] = p[t]; r[t] = r[t-1] + q[t] }
:trace S.final.p * 2 + S.final.q * 3 + S.final.r grad=z
# states that start from one node are not meant
T = scan t for 2 from p = zeros(1), q = zeros(1) { p[t] = p[t-1] + z; q[t] = q[t-1] + 5 * p[t-1] + 1 }
:trace sum(T.final.p * 10 + T.final.q * z) grad=z
---
row   p[t]  q[t]  r[t]
init  0     1     0
0     2     2     2
1     4     4     6
backwards: the derivative of the value with respect to each state
row  d_p[t]  d_q[t]  d_r[t]
1    3        3      1
0    1       12      1
q[t] is the same value as p[t]; what the step itself does with it counts for p[t]
d_z = 25
row   p[t]  q[t]
init  [0]   [0]
0     [2]   [1]
1     [4]   [12]
backwards: the derivative of the value with respect to each state
row   d_p[t]  d_q[t]
1     [10]    [2]
0     [20]    [2]
init  [30]    [2]
d_z = 42
