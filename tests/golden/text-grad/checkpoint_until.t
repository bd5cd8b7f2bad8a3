# A loop that stops when it likes, kept in segments of 1, 2, 3, ... steps: nothing is counted first.
x0 : f64[2] = [0.3, 0.4]
r : f64 = 3.2
S = scan t from x = x0 checkpoint auto { x[t] = r * x[t-1] * (1 - x[t-1]); until t == 99 }
P = scan t from x = x0 { x[t] = r * x[t-1] * (1 - x[t-1]); until t == 99 }
g = grad(sum(S.final), [x0, r])
:graph g pass=loops
g
grad(sum(P.final), [x0, r])
# Where rows are used its steps are counted first.
:explain grad(sum(S), r)
---
x0 : f64[2]
r : f64
S = scan t for 9223372036854775807 from x = x0, t_2 = 0, length = 1 checkpoint 1 keep x_2, t_3,
    length_2 {
  x_2[t-1] = x[t-1]
  t_3[t] = t_2[t-1]
  length_2[t] = length[t-1]
  S_3 = scan t_2 for length[t-1] from x = x[t-1], t_3 = t_2[t-1] keep () {
    x[t_2] = r * x[t_2-1] * (1 - x[t_2-1])
    t_3[t_2] = t_3[t_2-1] + 1
    until t_3[t_2-1] == 99
  }
  x[t] = S_3.final.x
  t_2[t] = S_3.final.t_3
  length[t] = length[t-1] + 1
  until S_3.stopped
}
S_2 = scan t over length = S.length_2, x[t-1] = S.x_2,
    t_2 = S.t_3 from d_x = broadcast_to(1.0, (2,)), sum_d_r = 0.0 checkpoint 1 keep () {
  S_3 = scan t_2 for length[t] from x = x[t-1], t_3 = t_2[t] keep x_2 {
    x_2[t_2-1] = x[t_2-1]
    x[t_2] = r * x[t_2-1] * (1 - x[t_2-1])
    t_3[t_2] = t_3[t_2-1] + 1
    until t_3[t_2-1] == 99
  }
  S_4 = scan t_2 over x[t_2-1] = S_3.x_2 from d_x = d_x[t], sum_d_r = 0.0 keep () {
    t1 = 1 - x[t_2-1]
    d_x[t_2-1] = d_x[t_2] * r * (t1 - x[t_2-1])
    sum_d_r[t_2] = sum_d_r[t_2+1] + sum(d_x[t_2] * x[t_2-1] * t1)
  }
  d_x[t-1] = S_4.final.d_x
  sum_d_r[t] = sum_d_r[t+1] + S_4.final.sum_d_r
}
(S_2.final.d_x, S_2.final.sum_d_r)
g[0] : f64[2] = [-8.08690e-34, -3.60216e-38]
g[1] : f64 = -0.09765624999999968
[0] : f64[2] = [-8.08690e-34, -3.60216e-38]
[1] : f64 = -0.09765624999999967
grad(sum(S), r)

loops
  written: scan x, t, any number of steps forward until its condition holds, 2
      states (24 bytes), input.gr:4
  run: scan t, any number of steps forward until its condition holds, 1 state
      (8 bytes)
  run: scan x, 10 steps forward, 1 state (16 bytes)
    in it: scan x, 10 steps forward, 1 state (16 bytes)
  run: scan x, 0 steps forward, 1 state (16 bytes)
  run: scan carry_x, sum_d_r, 0 steps backward, 2 states (24 bytes)
  run: scan d_x, sum_d_r, 10 steps backward, 2 states (24 bytes)
    in it: scan x, 10 steps forward, 1 state (16 bytes)
    in it: scan carry_x, sum_d_r, 10 steps backward, 2 states (24 bytes)

saved for the backward pass, and whose derivative reads it (+1: one more)
  scan x, t, checkpoint auto: one state in about the square root of the steps
      is kept, the rest computed again
  for scan carry_x, sum_d_r
    x[t-1]  f64[0, 2], 0 bytes: `r * x[t-1] * (1 - …` input.gr:4
    computed again at each step: 2 sub
  for scan d_x, sum_d_r
    x[t-1]  f64[10, 2], 160 bytes: `r * x[t-1] * (1 - …` input.gr:4
  for scan carry_x, sum_d_r
    x[t-1]  f64[10, 2], 160 bytes: `r * x[t-1] * (1 - …` input.gr:4
    computed again at each step: 2 sub
  3 values, in all 320 bytes

what is computed
  before the loops: 2 broadcast; 0 operations
  in scan t (any number of steps): 1 add, 1 eq; an unknown number of operations
  between them: 2 cast, 1 broadcast, 1 ceil, 1 floordiv, 1 maximum, 1 mod, 1
      more; 7 operations
  in scan x (10 steps): 1 mul, 1 sub; 600 operations
  in scan x (0 steps): 1 mul, 1 sub; 0 operations
  in scan carry_x, sum_d_r (0 steps): 2 add, 2 mul, 2 sub, 1 sum; 0 operations
  in scan d_x, sum_d_r (10 steps): 3 add, 3 mul, 3 sub, 1 sum; 2310 operations
  after the loops: 1 add; 1 operation

cost
  an unknown number of operations; an unknown number of bytes read and written

rewrites that made the difference
  not known: the cost shows when it runs
