# The gradients of a naive RNN's weights are products outside the loops.
x : f64[T, 2] = [[0.5, -1.0], [1.5, 0.3], [-0.2, 0.8]]
W : f64[2, 3] = [[0.4, -0.3, 0.1], [0.2, 0.7, 0.5]]
U : f64[3, 3] = [[0.1, 0.2, 0.3], [-0.3, 0.4, 0.2], [0.6, -0.5, 0.1]]
V : f64[3, 2] = [[0.1, 0.2], [0.3, -0.1], [0.2, 0.2]]
S = scan t over x from h = zeros(3) { h[t] = tanh(x[t] @ W + h[t-1] @ U); y[t] = h[t] @ V }
g = grad(sum(sqr(S.y)), (W, U, V))
:graph g ssa=on pass=specialize
g
:audit g
---
%5 : f64[T, 2] = input{name=x}()
%20 : i64 = size{size=T}()
%4 : f64[3] = broadcast{axes=()}(0.0, 3)
%1 : f64[2, 3] = input{name=W}()
%52 : f64[T, 3] = matmul(%5, %1)
%2 : f64[3, 3] = input{name=U}()
@1 = graph(p0: f64[3], p1: f64[3], p2: f64[3, 3]) {  # p0 "h[t-1]", p1 "x_W[t]", p2 U
  %8 : f64[3] = matmul(p0, p2)
  %9 : f64[3] = add(p1, %8)
  %10 : f64[3] = tanh(%9)  # "h[t]"
  return %10, p0, %10
}
%12 : (f64[3], f64[T, 3], f64[T, 3], i64, bool) = scan{body=@1, reverse=false, stop=false}(n=%20, init=%4, seq=%52, capture=%2)
%56 : f64[T, 3] = %12.2
%74 : f64[T, 3] = sqr(%56)
%59 : f64[T, 3] = sub(1.0, %74)
%3 : f64[3, 2] = input{name=V}()
%57 : f64[T, 2] = matmul(%56, %3)
%27 : f64[T, 2] = mul(2.0, %57)
%73 : f64[T, 3] = gemm{ta=false, tb=true}(%27, %3)
@2 = graph(p0: f64[3], p1: f64[3], p2: f64[3], p3: f64[3, 3]) {  # p0 "carry_h[t]", p1 "one_minus_sqr_h[t]", p2 "V_d_y[t]", p3 U
  %30 : f64[3] = add(p0, p2)  # "d_h[t]"
  %31 : f64[3] = mul(%30, p1)
  %32 : f64[3] = matmul(p3, %31)  # "carry_h[t-1]"
  return %32, %31
}
%48 : (f64[3], f64[T, 3], i64, bool) = scan{body=@2, reverse=true, stop=false}(n=%20, init=%4, seq=%59, seq=%73, capture=%2)
%49 : f64[T, 3] = %48.1
%75 : f64[2, 3] = gemm{ta=true, tb=false}(%5, %49)  # d_W
%13 : f64[T, 3] = %12.1
%76 : f64[3, 3] = gemm{ta=true, tb=false}(%13, %49)  # d_U
%70 : f64[T, 3] = matmul(%13, %2)
%71 : f64[T, 3] = add(%52, %70)
%72 : f64[T, 3] = tanh(%71)
%77 : f64[3, 2] = gemm{ta=true, tb=false}(%72, %27)  # d_V
return %75, %76, %77
g[0] : f64[2, 3] =
[[ 0.100291,  -0.0675241,  0.0557567],
 [ 0.130071,   0.182234,   0.165875]]
g[1] : f64[3, 3] =
[[ 0.0471221,  0.0584734,  0.0638931],
 [-0.087552,  -0.0326001, -0.0829139],
 [-0.0276156,  0.012156,  -0.0155892]]
g[2] : f64[3, 2] =
[[0.144087,  0.235017],
 [0.681215,  0.0240126],
 [0.492796,  0.142748]]
step  pass           rule               classes  error    ulp
1     differentiate  expand-derivative  [E]      0        0
2     loops          sequence-dot       [R]      0        0
3     loops          sink               [R]      0        0
4     loops          accumulate         [R]      2.8e-16  2
5     loops          sequence-dot       [R]      0        0
6     loops          sequence-dot       [R]      0        0
7     loops          sequence-dot       [R]      0        0
8     loops          sink               [R]      0        0
9     loops          sequence-dot       [R]      0        0
10    specialize     gemm               [R]      0        0
11    specialize     mul-self           [E]      0        0
12    specialize     gemm               [R]      0        0
13    specialize     gemm               [R]      0        0
14    specialize     gemm               [R]      0        0
15.1  fuse           fuse               [E]      0        0
15    fuse           inner              [E]      0        0
16    fuse           fuse               [E]      0        0
17    fuse           fuse               [E]      0        0
18.1  fuse           fuse               [E]      0        0
18    fuse           inner              [E]      0        0
19    lower          lower-scan         [E]      0        0
20    lower          lower-scan         [E]      0        0
22 steps, 22 compared: all within what their classes allow; largest error 2.8e-16
