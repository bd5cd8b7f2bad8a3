# Loops over arrays of known shapes: products, parts and joins of them, states that change places or hand on what
# was there before, a stop, whole numbers, no step.
k3 = arange(3.0)
u = reshape(sin(arange(60.0)), (20, 3))
W = reshape(cos(arange(9.0)), (3, 3)) / 2
V = reshape(cos(arange(15.0)), (3, 5)) / 2
# a net, its final state and its gradient
R = scan t over u from h = zeros(3) { h[t] = tanh(h[t-1] @ W + u[t]) }
(sum(R), R.final)
grad(sum(R * R), W)
# gates: parts of one product, which the gradient puts together again
x = reshape(sin(arange(40.0)), (20, 2))
A = reshape(cos(arange(16.0)), (2, 8)) / 2
U = reshape(sin(arange(16.0)), (2, 8)) / 2
L = scan t over x from h = zeros(2), c = zeros(2) {
  z = x[t] @ A + h[t-1] @ U
  c[t] = sigmoid(z[2:4]) * c[t-1] + sigmoid(z[:2]) * tanh(z[4:6])
  h[t] = sigmoid(z[6:]) * tanh(c[t])
}
(sum(L.h), sum(L.c))
grad(sum(L.h * L.h), (A, U))
# states that change places, hand on what was there before, or become a row
P = scan t over u from a = k3, b = k3 + 1, c = k3 + 2, d = k3 {
  a[t] = b[t-1]
  b[t] = a[t-1] @ W
  c[t] = b[t-1]
  d[t] = u[t] + c[t-1]
}
(sum(P.a), sum(P.b), sum(P.c), sum(P.d), P.final.a, P.final.c)
Q = scan t over u from a = k3, b = k3, c = k3 {
  a[t] = tanh(a[t-1] @ W)
  b[t] = a[t]
  c[t] = u[t]
}
(Q.final.a, Q.final.b, Q.final.c, sum(Q.b), sum(Q.c))
# batches, slices across, and a stop that no count tells
B = scan t for 300 from h = ones((4, 3)), s = 1.0 {
  z = h[t-1] @ V
  h[t] = z[:, 1:4] / 2 + s[t-1] * 0.1
  s[t] = s[t-1] + h[t][0, 0]
  until s[t] > 8
}
(sum(B.h), B.final.s, B.steps)
grad(sum(B.h), V)
# every other place, the other way round
E = scan t over u from h = arange(6.0) {
  h[t] = concat((h[t-1][::2] @ W, h[t-1][1::2] + u[t]))
}
E.final
F = scan t over u from h = arange(6.0) {
  v = tanh(h[t-1])
  h[t] = v with [::2] = v[::-2] @ W + u[t]
}
(F.final, sum(F))
# whole numbers and truth values
I = scan t for 25 from n = arange(3), m = ones(3) {
  n[t] = (n[t-1] @ [[1, 2, 0], [0, 1, 1], [1, 0, 3]]) % 1000
  m[t] = where(n[t] > 500, m[t-1] @ W, m[t-1] + 1)
}
(I.final.n, I.final.m)
# no step
Z = scan t for 0 from h = zeros(3) { h[t] = h[t-1] @ W }
(Z, Z.final)
# a state that does not change, handed on; a row of a state; what is set in a state that is still read
T = scan t over u from a = k3, b = k3 + 1, c = zeros((3, 3)) {
  a[t] = b[t-1]
  b[t] = b[t-1]
  c[t] = (c[t-1] with [1] = c[t-1][2] + u[t]) @ W + c[t-1] with [0, 2] = a[t-1][1]
}
(T.final.a, T.final.c)
# functions of two operands, one of them a number: lane by lane, range by range, step by step
v : f64[3000] = arange(3000) * 0.001 + 1
s : f64 = 1.01
X = scan t for 30 from p = v { p[t] = p[t-1] ^ s }
sum(X.final)
Y = scan t for 30 from p = v { p[t] = concat((p[t-1][1:], p[t-1][:1])) ^ s }
sum(Y.final)
C = scan t for 30 from p = ones(3) { p[t] = (2 + tanh(p[t-1] @ W)) ^ s - s ^ p[t-1] }
C.final
# two dtypes; rows whose number is not known before; an index that fails
D = scan t for 30 from p = ones((2, 3)), q = f32(ones(3)) {
  p[t] = tanh(p[t-1] @ W)
  q[t] = q[t-1] * f32(0.5) + f32(p[t][1])
}
(D.final.p, D.final.q)
G = scan t from p = ones(3) { p[t] = p[t-1] * 0.999 @ eye(3); until p[t][0] < 0.01 }
(sum(G.p), G.steps)
j : i64[9] = [0, 1, 2, 0, 1, 2, 7, 1, 1]
K = scan t for 9 from p = ones(3), i = 0 { p[t] = p[t-1] @ W * k3[j[i[t-1]]]; i[t] = i[t-1] + 1 }
K.p
# loops in loops of numbers, with and without rows, a stop, another count
ww : f64[100] = sin(arange(100.0))
NN = scan i over ww from s = 0.0 { I = scan j for 7 from x = ww[i] { x[j] = x[j-1] * 0.99 + 0.1 * s[i-1] }; s[i] = 0.5 * s[i-1] + I.final }
sum(NN)
kk : i64 = 5
MM = scan i over ww from s = 0.0 { I = scan j for kk from x = ww[i] { x[j] = x[j-1] * 0.99 + 0.1 * s[i-1] }; s[i] = 0.5 * s[i-1] + I.final }
sum(MM)
PP = scan i over ww from s = 0.0 { I = scan j over q = ww from x = ww[i] { x[j] = x[j-1] * 0.99 + 0.1 * s[i-1] * q[j] }; s[i] = 0.5 * s[i-1] + I.final }
sum(PP)
QQ = scan i over ww from s = 0.0 { I = scan j from x = ww[i] { x[j] = x[j-1] * 0.99 + 0.1 ; until x[j] > 3 }; s[i] = 0.5 * s[i-1] + I.final + f64(I.steps) }
sum(QQ)
---
[0] : f64 = 1.585907416933114
[1] : f64[3] = [0.3293, 0.728892, 0.577688]
f64[3, 3] =
[[-4.17303,  -8.94034,   7.16534],
 [-1.92026,  -7.75031,  -0.519443],
 [ 1.92568,   1.31451,  -8.28238]]
[0] : f64 = -0.2799942593199635
[1] : f64 = -0.6231635308470763
[0] : f64[2, 8] =
[[ 8.97248e-03, -1.08762e-02, -3.52042e-03, -6.80947e-04, -3.24292e-02,
   1.89745e-01,  6.28431e-03, -1.50327e-03],
 [ 1.88526e-03, -3.14424e-02, -9.55329e-04,  1.40714e-02,  2.36426e-01,
   3.58007e-01,  4.19199e-05, -9.39356e-03]]
[1] : f64[2, 8] =
[[ 6.47504e-04, -5.97330e-04, -3.45715e-04, -3.73408e-04, -1.32493e-02,
   5.40654e-03,  3.13516e-04, -1.05546e-03],
 [ 2.46723e-04,  3.00439e-03,  9.58973e-05, -1.63551e-03, -2.71713e-02,
  -2.04934e-02,  7.39380e-04,  5.90167e-04]]
[0] : f64 = 8.302010818496656
[1] : f64 = 2.30201081854086
[2] : f64 = 8.302010818496656
[3] : f64 = 19.2413501232051
[4] : f64[3] = [9.02091e-12, 1.13663e-11, 3.26158e-12]
[5] : f64[3] = [9.02091e-12, 1.13663e-11, 3.26158e-12]
[0] : f64[3] = [8.28895e-24, 2.38701e-24, -5.70954e-24]
[1] : f64[3] = [8.28895e-24, 2.38701e-24, -5.70954e-24]
[2] : f64[3] = [0.436165, 0.992873, 0.636738]
[3] : f64 = 0.7941067244289033
[4] : f64 = 1.9393393047320862
[0] : f64 = 73.67584927959732
[1] : f64 = 8.823490728014628
[2] : i64 = 14
f64[3, 5] =
[[ 0.0,    71.2567, 33.9418, 26.8187,  0.0],
 [ 0.0,    62.1284, 29.3506, 23.0428,  0.0],
 [ 0.0,    42.9508, 19.9391, 15.4378,  0.0]]
f64[6] = [1.06908, 0.658702, -0.357281, 1.27756, 1.18088, 5.7856]
[0] : f64[6] = [0.563156, 0.261639, 1.07635, 0.267781, 0.599948, 0.267865]
[1] : f64 = 32.28170845888649
[0] : i64[3] = [862, 961, 307]
[1] : f64[3] = [-0.326703, -0.382244, 0.752395]
[0] : f64[0, 3] = []
[1] : f64[3] = [0.0, 0.0, 0.0]
[0] : f64[3] = [1.0, 2.0, 3.0]
[1] : f64[3, 3] =
[[1.87951e+02, 8.64378e+01, 2.00000e+00],
 [2.65848e-02, 5.13764e-02, 2.89328e-02],
 [0.00000e+00, 0.00000e+00, 0.00000e+00]]
f64 = 10608.966901194972
f64 = 10608.96690119497
f64[3] = [1.46207, 1.28395, 0.822726]
[0] : f64[2, 3] =
[[ 1.65649e-36, -1.51622e-35, -1.80408e-35],
 [ 1.65649e-36, -1.51622e-35, -1.80408e-35]]
[1] : f32[3] = [1.78441e-09, 1.36422e-09, 5.04107e-10]
[0] : f64 = 2967.0339812349625
[1] : i64 = 4603
input.gr:89:64: error: index 7 is out of range for axis 0 of f64[3], in row 6 of the loop
    K = scan t for 9 from p = ones(3), i = 0 { p[t] = p[t-1] @ W * k3[j[i[t-1]]]; i[t] = i[t-1] + 1 }
                                                                   ^^^^^^^^^^^^^
input.gr:90:1: note: its value is needed here
    K.p
    ^^^
f64 = 67412019.44184446
f64 = 55.930965482943265
f64 = 0.6243683406674884
f64 = 7655.116519585589
exit 1
