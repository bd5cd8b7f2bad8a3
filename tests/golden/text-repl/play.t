x : f64[5] = [0.2, 0.4, -0.3, 0.8, 0.1]
w : f64 = 0.5
H = scan t over x from h = 1.1 { a = w * x[t]; h[t] = tanh(a + h[t-1]) }
:play H
:play sum(H^2) grad=w at=0..1
W : f64[2, 2] = [[1, 2], [3, 4]]
S = scan t over x from h = [1.0, 0.0], c = 0.0 { z = W @ h[t-1]; h[t] = tanh(z + x[t]); c[t] = c[t-1] + sum(h[t]) * x[t-1] }
:play S at=1
:play grad(S.final.c, W) at=0 loop=2
root = scan t from a = 1.0 { a[t] = (a[t-1] + 2 / a[t-1]) / 2; until abs(a[t] ^ 2 - 2) < 1e-12 }
:play root
G = scan t over x from G = 0.0 { G[t] = x[t] + w * G[t+1] }
:play G at=0..1
:play sum(G) grad=x at=4
fib = scan t for 6 from f = [0.0, 1.0] { f[t] = f[t-1] + f[t-2] }
:play fib at=0
lag = scan t over x { y[t] = x[t-2] - x[t] ^ 2 }
:play lag at=0
long = scan t for 1000000 from s = zeros(20) { s[t] = s[t-1] + (arange(20) - s[t-1]) / 1000 }
:play long at=999999..
none = scan t for 0 from p = w { p[t] = 2 * p[t-1] }
:play none
:play x
:play H loop=2
:play H loop=1 scan=H
:play H at=9
:play H at=2..1
:play H at=a
:play H at=5..
:play H grad=w
:play sum(H) grad=W
:play H scan=q
r = rng(7)
walk = scan t for 4 from p = 0.0, g = r { e, g[t] = normal(g[t-1]); p[t] = p[t-1] + e }
:play walk at=1
nest = scan i for 3 from m = 1.0 { k = scan j for i + 1 from q = m[i-1] { q[j] = q[j-1] * 2 }; m[i] = sum(k) }
:play nest
---
scan h
step 0 of 0..4, t = 0  ━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

a    = w * x[0] = 0.5 * 0.2 = 0.1
h[0] = tanh(a + h[-1]) = tanh(0.1 + 1.1) = 0.833655

     │⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⣀⣀⡀                                               │
h[0] │                                                            │ 0.8337

scan h
step 1 of 0..4, t = 1  ━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

a    = w * x[1] = 0.5 * 0.4 = 0.2
h[1] = tanh(a + h[0]) = tanh(0.2 + 0.833655) = 0.77537

     │⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀                                          │
h[1] │                  ⠉⠉⠉⠉⠉⠉⠁                                   │ 0.7754

scan h
step 2 of 0..4, t = 2  ━━━━━━━━━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

a    = w * x[2] = 0.5 * (-0.3) = -0.15
h[2] = tanh(a + h[1]) = tanh(-0.15 + 0.77537) = 0.554856

     │⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀                                          │
h[2] │                  ⠉⠉⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⣀⣀                        │ 0.5549

… 1 step between (at=3..3)

scan h
step 4 of 0..4, t = 4  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

a    = w * x[4] = 0.5 * 0.1 = 0.05
h[4] = tanh(a + h[3]) = tanh(0.05 + 0.741973) = 0.659526

     │⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀                                          │
h[4] │                  ⠉⠉⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⣀⣀⣀⣀⡠⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒⠒⠒⠒⠢⠤⠤⠤⠤⠤⠤│ 0.6595
scan h
step 0 of 0..4, t = 0  ━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

a    = w * x[0] = 0.5 * 0.2 = 0.1
h[0] = tanh(a + h[-1]) = tanh(0.1 + 1.1) = 0.833655

     │⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⣀⣀⡀                                               │
h[0] │                                                            │ 0.8337

scan h
step 1 of 0..4, t = 1  ━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

a    = w * x[1] = 0.5 * 0.4 = 0.2
h[1] = tanh(a + h[0]) = tanh(0.2 + 0.833655) = 0.77537

     │⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀                                          │
h[1] │                  ⠉⠉⠉⠉⠉⠉⠁                                   │ 0.7754

scan carry_h, sum_d_w, backward pass
step 0 of 0..4, t = 4  ━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

d_h[4]     = carry_h[4] + given_h[4] = 0 + 1.31905 = 1.31905
a          = w * x[4] = 0.5 * 0.1 = 0.05
h[4]       = tanh(a + h[3]) = tanh(0.05 + 0.741973) = 0.659526
carry_h[3] = d_h[4] * (1 - h[4] * h[4]) = 1.31905 * (1 - 0.659526 * 0.659526) = 0.745298
sum_d_w    = sum_d_w + carry_h[3] * x[4] = 0 + 0.745298 * 0.1 = 0.0745298

           │                                               ⢀⣀⡀          │
carry_h[3] │                                                 ⠈⠉⠉⠑⠒⠒⠢⠤⠤⢄⣀│ 0.7453
           │                                                            │
sum_d_w    │                                               ⢀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀│ 0.07453

scan carry_h, sum_d_w, backward pass
step 1 of 0..4, t = 3  ━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

d_h[3]     = carry_h[3] + given_h[3] = 0.745298 + 1.48395 = 2.22925
a          = w * x[3] = 0.5 * 0.8 = 0.4
h[3]       = tanh(a + h[2]) = tanh(0.4 + 0.554856) = 0.741973
carry_h[2] = d_h[3] * (1 - h[3] * h[3]) = 2.22925 * (1 - 0.741973 * 0.741973) = 1.00199
sum_d_w    = sum_d_w + carry_h[2] * x[3] = 0.0745298 + 1.00199 * 0.8 = 0.876122

           │                                   ⠠⠤⠤⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀⣀⡀          │
carry_h[2] │                                                 ⠈⠉⠉⠑⠒⠒⠢⠤⠤⢄⣀│ 1.002
           │                                   ⠐⠒⠤⠤⣀⣀                   │
sum_d_w    │                                         ⠉⠉⠒⠒⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀│ 0.8761
scan h, c
step 1 of 0..3, t = 2  ━━━━━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

z    = W @ h[1] = W @ [0.885352, 0.997775] = [2.8809, 6.64715]
h[2] = tanh(z + x[2]) = tanh([2.8809, 6.64715] + (-0.3)) = [0.988603, 0.999994]
c[2] = c[1] + sum(h[2]) * x[1] = 0.376625 + sum([0.988603, 0.999994]) * 0.4 = 1.17206

     │⠉⠉⠉⠉⠉⠉⠉⢑⣒⣒⠶⠶⠒⠒⠛⠛⠛⠛⠛⠛⠛⠛⠋⠉⠉⠉⠉⠉⠉⠉⠁                             │
h[2] │⣀⡠⠤⠔⠒⠊⠉⠁                                                    │ [0.9886, 1]
     │                           ⢀⣀⣀⡀                             │
c[2] │⣀⣀⣀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠊⠉⠉⠉⠉⠁                                │ 1.172
scan carry_h, d_c, sum_d_W, loop 2 of 2
step 0 of 0..3, t = 4  ━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

d_h[4]     = carry_h[4] + broadcast_to(d_c[4] * x[3], (2,))
           = [0, 0] + broadcast_to(1 * 0.8, (2,))
           = [0.8, 0.8]
d_z        = d_h[4] * one_minus_sqr_h[4]
           = [0.8, 0.8] * [0.00810138, 2.73997e-06]
           = [0.00648111, 2.19198e-06]
carry_h[3] = d_z @ W = [0.00648111, 2.19198e-06] @ W = [0.00648768, 0.012971]
sum_d_W    = sum_d_W + d_z[:, None] @ h[3][None, :]
           = sum_d_W + [0.00648111, 2.19198e-06][:, None] @ [0.998977, 1][None, :]
           = [[0.00647447, 0.00648111], [2.18973e-06, 2.19198e-06]]
d_c[3]     = d_c[4] = 1

           │                                         │
carry_h[3] │                              ⠠⠤⠤⠤⠤⠤⣀⣀⣀⣀⣀│ [0.006488, 0.01297]
           │                                         │
d_c[3]     │                              ⠈⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉│ 1
           │                                         │
sum_d_W    │                              ⢠⣤⣤⣤⣤⣤⣀⣀⣀⣀⣀│ [[0.006474, 0.006481], [2.19e-06, 2.192e-06]]
scan a, t
step 0 of 0..4, t = 0  ━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

a[0]  = (a[-1] + 2 / a[-1]) / 2 = (1 + 2 / 1) / 2 = 1.5
until = abs(a[0]^2 - 2) < 1e-12 = abs(1.5^2 - 2) < 1e-12 = false

     │      ⣀⣀⠤⠔⠒⠊⠁                                               │
a[0] │⣀⠤⠤⠒⠊⠉                                                      │ 1.5

scan a, t
step 1 of 0..4, t = 1  ━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

a[1]  = (a[0] + 2 / a[0]) / 2 = (1.5 + 2 / 1.5) / 2 = 1.41667
until = abs(a[1]^2 - 2) < 1e-12 = abs(1.41667^2 - 2) < 1e-12 = false

     │      ⣀⣀⠤⠔⠒⠊⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠒⠂                                   │
a[1] │⣀⠤⠤⠒⠊⠉                                                      │ 1.417

scan a, t
step 2 of 0..4, t = 2  ━━━━━━━━━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

a[2]  = (a[1] + 2 / a[1]) / 2 = (1.41667 + 2 / 1.41667) / 2 = 1.41422
until = abs(a[2]^2 - 2) < 1e-12 = abs(1.41422^2 - 2) < 1e-12 = false

     │      ⣀⣀⠤⠔⠒⠊⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒                        │
a[2] │⣀⠤⠤⠒⠊⠉                                                      │ 1.414

… 1 step between (at=3..3)

scan a, t
step 4 of 0..4, t = 4, until stops here  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

a[4]  = (a[3] + 2 / a[3]) / 2 = (1.41421 + 2 / 1.41421) / 2 = 1.41421
until = abs(a[4]^2 - 2) < 1e-12 = abs(1.41421^2 - 2) < 1e-12 = true

     │      ⣀⣀⠤⠔⠒⠊⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒│
a[4] │⣀⠤⠤⠒⠊⠉                                                      │ 1.414
scan G
step 0 of 0..4, t = 4  ━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

G[4] = x[4] + w * G[5] = 0.1 + 0.5 * 0 = 0.1

     │                                                            │
G[4] │                                               ⠠⠤⠤⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀│ 0.1

scan G
step 1 of 0..4, t = 3  ━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

G[3] = x[3] + w * G[4] = 0.8 + 0.5 * 0.1 = 0.85

     │                                   ⠈⠉⠒⠒⠤⠤⣀⣀                 │
G[3] │                                           ⠉⠉⠒⠒⠤⠤⠤⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀│ 0.85
scan G
step 4 of 0..4, t = 0  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

G[0] = x[0] + w * G[1] = 0.2 + 0.5 * 0.4625 = 0.43125

     │⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡀              ⣀⣀⠤⠤⠒⠒⠉⠉⠒⠒⠤⠤⣀⣀                 │
G[0] │              ⠈⠉⠉⠉⠑⠒⠒⠒⠢⠤⠤⠒⠒⠉⠉              ⠉⠉⠒⠒⠤⠤⠤⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀│ 0.4313

scan carry_G, backward pass
step 4 of 0..4, t = 4  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

d_G[4]     = carry_G[4] + 1 = 0.9375 + 1 = 1.9375
carry_G[5] = d_G[4] * w = 1.9375 * 0.5 = 0.96875

           │          ⢀⣀⣀⣀⣀⣀⣀⣀⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠊⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉│
carry_G[5] │⣀⡠⠤⠤⠔⠒⠒⠊⠉⠉⠁                                                 │ 0.9688
scan f
step 0 of 0..5, t = 0  ━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

f[0] = f[-1] + f[-2] = 1 + 0 = 1

     │                                                            │
f[0] │⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡀                                                 │ 1
scan without states
step 0 of 0..2, t = 2  ━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

y[2] = x[0] - x[2]^2 = 0.2 - (-0.3)^2 = 0.11
scan s
step 999999 of 0..999999, t = 999999  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

s[999999] = s[999998] + (f64(arange(20)) - s[999998]) / 1000
          = [0, 1, 2, 3, …] ▁▁▁▂▃▃▃▄▅▅▆▆▇▇██ 20 numbers, 0 to 19

          │⡏⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉│
s[999999] │⣏⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉⣉│ [0, 1, 2, …]
scan p
the loop takes no steps: its states keep their initial values

p = 0.5
x
node 0 of 0..0

▸ x = [0.2, 0.4, -0.3, 0.8, 0.1]
input.gr:24:14: error: there is 1 loop, so loop= goes up to 1
    :play H loop=2
                 ^
input.gr:25:14: error: loop= and scan= both say which loop
    :play H loop=1 scan=H
                 ^
input.gr:26:12: error: the last step is 4, so at= goes up to that
    :play H at=9
               ^
input.gr:27:12: error: at= goes from the smaller to the larger number
    :play H at=2..1
               ^^^^
input.gr:28:12: error: at= takes a step of the loop or several: at=3, at=3..8, at=3..
    :play H at=a
               ^
input.gr:29:12: error: the last step is 4, so at= goes up to that
    :play H at=5..
               ^^^
input.gr:30:7: error: a gradient is of one real number
    :play H grad=w
          ^
  hint: sum(...) makes a scalar of an array
input.gr:31:19: error: the gradient with respect to W does not pass through this loop
    :play sum(H) grad=W
                      ^
input.gr:32:14: error: there is no scan q outside other loops here
    :play H scan=q
                 ^
  hint: scans are found by these names: H, h
scan p, g
step 1 of 0..3, t = 1  ━━━━━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

e    = normal(g[0])[0] = 1.719
p[1] = p[0] + e = 1.43003 + 1.719 = 3.14903
g[1] = normal(g[0])[1] = <rng 7 at 2>

     │                 ⢀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠔⠒⠒⠂                             │
p[1] │⣀⣀⡠⠤⠤⠤⠤⠔⠒⠒⠒⠒⠊⠉⠉⠉⠉⠁                                          │ 3.149
scan m
step 0 of 0..2, t = 0  ━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌

q    = scan(i + 1, from=m[-1]).trace = scan(0 + 1, from=1).trace = [2]
m[0] = sum(q) = sum([2]) = 2

     │                                                            │
m[0] │⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡀                                       │ 2

scan m
step 1 of 0..2, t = 1  ━━━━━━━━━━━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌

q    = scan(i + 1, from=m[0]).trace = scan(1 + 1, from=2).trace = [4, 8]
m[1] = sum(q) = sum([4, 8]) = 12

     │                                                            │
m[1] │⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀                    │ 12

scan m
step 2 of 0..2, t = 2  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

q    = scan(i + 1, from=m[1]).trace = scan(2 + 1, from=12).trace = [24, 48, 96]
m[2] = sum(q) = sum([24, 48, 96]) = 168

     │                                                 ⢀⣀⣀⡠⠤⠤⠔⠒⠒⠊⠉│
m[2] │⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⠤⠤⠤⠒⠒⠒⠉⠉⠁          │ 168
exit 1
