# Terms and factors that are the same at every step are one, wherever the parentheses stood
x : f64 = 0.5
w : f64[3] = [0.1, 0.2, 0.3]
u : f64[T, 3] = [[1, 2, 3], [4, 5, 6]]
R = scan t over u from r = 1.0 { r[t] = tanh(r[t-1] * 2 * x) + u[t, 0] }
Q = scan t over u from r = 1.0 { r[t] = tanh(r[t-1] * (2 * x)) + u[t, 0] }
:graph R.r pass=loops
:graph Q.r pass=loops
:steps R.r pass=loops rule=hoist-terms
(R.r, Q.r)
:audit R.r
# arrays, sums, one in the other; the same part twice is there once
S = scan t over u from h = w { h[t] = tanh(x * h[t-1] * w + 1 + (x * w * u[t] + x + h[t-1])) }
:graph S.h pass=loops
S.h
:audit S.h
# integers
K = scan t for 3 from i = 1, z = 0.0 { i[t] = i[t-1] * T * 2 + t; z[t] = sin(z[t-1] + f64(i[t])) }
:graph K.z pass=loops
K.z
# constants alone are folded, one term alone is there already
:steps (scan t over u from r = 1.0 { r[t] = tanh(r[t-1] * 2 * u[t, 0]) + (r[t-1] * x + u[t, 0]) }).r pass=loops rule=hoist-terms
# the parts of an inner loop may change from step to step of the outer one
N = scan t over u from h = 1.0 { h[t] = (scan j for 3 from g = h[t-1] { g[j] = tanh(g[j-1] * h[t-1] * x) }).final }
:graph N.final pass=loops
N.final
# no step
u := zeros((0, 3))
(R.final, S.final)
---
x : f64
u : f64[T, 3]
t1 = 2 * x
scan t over u from r = 1.0 {
  r[t] = tanh(r[t-1] * t1) + u[t][0]
}
x : f64
u : f64[T, 3]
t1 = 2 * x
scan t over u from r = 1.0 {
  r[t] = tanh(r[t-1] * t1) + u[t][0]
}
loops: 1 step, 15 -> 16 nodes, done
  1  hoist-terms [R O]
      # loop-invariant terms are combined into one, computed before the loop; 1 sum or product
      scan r: it no longer reads x
      it reads mul_x = 2 * x
      - r[t] = tanh(r[t-1] * «2 * x») + u[t][0]
      + r[t] = tanh(r[t-1] * «mul_x») + u[t][0]
[0] : f64[2] = [1.76159, 4.94268]
[1] : f64[2] = [1.76159, 4.94268]
step  pass   rule         classes  error  ulp
1     loops  hoist-terms  [R O]    0      0
2     lower  lower-scan   [E]      0      0
2 steps, 2 compared: all within what their classes allow; largest error 0
x : f64
w : f64[3]
u : f64[T, 3]
t1 = x * w
t2 = 1 + x
scan t over u from h = w {
  h[t] = tanh(t1 * h[t-1] + t2 + t1 * u[t] + h[t-1])
}
f64[2, 3] =
[[0.929541, 0.957917, 0.979898],
 [0.990568, 0.995557, 0.998273]]
step  pass          rule         classes  error    ulp
1.1   canonicalize  flatten-add  [R O]    1.7e-16  1
1     canonicalize  inner        [R O]    1.7e-16  1
2     loops         hoist-terms  [R O]    1.7e-16  1
3.1   fuse          order-sum    [E]      0        0
3     fuse          inner        [E]      0        0
4.1   fuse          fuse         [E]      0        0
4     fuse          inner        [E]      0        0
5     lower         lower-scan   [E]      0        0
8 steps, 8 compared: all within what their classes allow; largest error 1.7e-16
_ : f64[T]
t1 = 2 * T
S = scan t for 3 from i = 1, z = 0.0 keep z {
  i[t] = t1 * i[t-1] + t
  z[t] = sin(z[t-1] + f64(i[t]))
}
S.z
f64[3] = [-0.756802, -0.510043, 0.366197]
no step of hoist-terms; `:whynot hoist-terms EXPR` says why
x : f64
_ : f64[T]
S = scan t for T from h = 1.0 keep () {
  t1 = h[t-1] * x
  S_2 = scan j for 3 from g = h[t-1] keep () {
    g[j] = tanh(g[j-1] * t1)
  }
  h[t] = S_2.final
}
S.final
f64 = 2.0403171783708434e-05
[0] : f64 = 1.0
[1] : f64[3] = [0.1, 0.2, 0.3]
